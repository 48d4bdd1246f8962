/** What a session's processes carry in their environment, so that they are found when it ends. */

/** Names of the marks: the daemon, the session and the command a process was started by. */
export const MARKS = {
  daemon: 'LETS_SHELL_DAEMON',
  session: 'LETS_SHELL_SESSION',
  command: 'LETS_SHELL_COMMAND',
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** An environment without the marks of a session: what is started with it outlives the session it is typed in. */
export function withoutMarks(env: Environment): Record<string, string | undefined> {
  const marks: readonly string[] = Object.values(MARKS)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !marks.includes(name)))
}
