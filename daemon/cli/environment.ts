/** The environment of a daemon that is started in the background. */

/** Without the marks of a shell session that this is typed in: the daemon is to outlive it. */
export function withoutMarks(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('LETS_SHELL_')))
}
