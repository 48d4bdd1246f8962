/** The environment of a shell that nobody sits at: what would open an editor, a pager or a prompt ends at once instead. */
import { MARKS } from './belonging.js'

const QUIET: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  // These would ask in a window of their own where they find no terminal.
  GIT_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
}

/** Names of more of their kind, which the person may have set: SUDO_EDITOR, KUBE_EDITOR, FCEDIT, AWS_PAGER … */
const MORE: readonly (readonly [RegExp, string])[] = [
  [/^[A-Z_]*EDITOR$|^FCEDIT$/, 'false'],
  [/^[A-Z_]*PAGER$/, 'cat'],
]

/** Read by a shell before its first command, from the stream its commands come by: given back once it runs. */
export const STARTUP_FILES = ['BASH_ENV', 'ENV'] as const

export function shellEnvironment(daemonId: string, sessionId: string, env = process.env): NodeJS.ProcessEnv {
  const shell: NodeJS.ProcessEnv = { ...env, ...QUIET, [MARKS.daemon]: daemonId, [MARKS.session]: sessionId }
  for (const [kind, quiet] of MORE)
    for (const name of Object.keys(shell)) if (kind.test(name)) shell[name] = quiet
  for (const name of [MARKS.command, ...STARTUP_FILES]) delete shell[name]
  return shell
}
