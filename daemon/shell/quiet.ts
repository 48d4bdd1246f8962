/** The environment of a shell that nobody sits at: what would open an editor, a pager or a prompt ends at once instead. */
import { MARKS } from './belonging.js'

const QUIET: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
}

/** Read by a shell before its first command, from the stream its commands come by: given back once it runs. */
export const STARTUP_FILES = ['BASH_ENV', 'ENV'] as const

export function shellEnvironment(daemonId: string, sessionId: string, env = process.env): NodeJS.ProcessEnv {
  const shell: NodeJS.ProcessEnv = { ...env, ...QUIET, [MARKS.daemon]: daemonId, [MARKS.session]: sessionId }
  for (const name of [MARKS.command, ...STARTUP_FILES]) delete shell[name]
  return shell
}
