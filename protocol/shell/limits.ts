/** The numbers of the shell protocol. Each is enforced in one place and named in the error it causes. */
export const SHELL_LIMITS = {
  /** Bytes of a request line, without its newline. */
  lineBytes: 32 * 1024 * 1024,
  /** Levels of arrays and objects in one request. */
  depth: 64,
  /** Code points of a command, and of its input. */
  command: 16 * 1024 * 1024,
  /** Code points of an id, a reason and a folder's name. */
  name: 4096,
  /** Bytes of `stdout_tail` and of `stderr_tail`. */
  tailBytes: 64 * 1024,
  /** Bytes of one output event, at most. */
  eventBytes: 64 * 1024,
  /** The longest time limit: a year, in seconds. */
  timeoutSeconds: 31_536_000,
  /** The longest a reply may be waited for, in seconds. */
  waitSeconds: 3600,
  /** Commands of one session that wait. */
  queued: 10_000,
  /** Sessions that are open at once. */
  sessions: 256,
  /** Clients connected at once over TCP. */
  connections: 128,
} as const
