/** The numbers of the contract. Each is enforced in one place and named in the error it causes. */
export const LIMITS = {
  /** Bytes a line, without its newline. */
  lineBytes: 1024 * 1024,
  /** Unsent reply bytes after which a client that does not read is dropped. */
  unsentBytes: 4 * 1024 * 1024,
  /** Levels of arrays and objects in one message. */
  depth: 64,
  /** Code points of a `label`. */
  label: 200,
  /** Code points of a text box's `text`. */
  text: 4000,
  /** Code points of `client_name`, `query`, `app`, `window` and an `id`. */
  name: 200,
  /** Points of one path. */
  pathPoints: 64 * 1024,
  /** Logical points of ink of one path: more takes seconds to paint, and everybody waits. A screen's width 500 times. */
  pathLength: 1_000_000,
  /** Marks of one session. */
  sessionMarks: 256,
  /** Marks of all sessions, lingering ones included: what keeps a daemon's memory bounded. */
  totalMarks: 20_000,
  /** Path points of all marks together. */
  totalPathPoints: 4 * 1024 * 1024,
  /** Logical points of ink of all paths together. */
  totalPathLength: 10_000_000,
  connections: 128,
  /** Logical points: no desktop is larger, and sums of such numbers stay exact. */
  coordinate: 1_000_000,
  /** The longest the companion is kept quiet for, in ms: a week. */
  quietMs: 604_800_000,
  lingerMs: 600_000,
  defaultLingerMs: 5000,
  /** `step` badges. */
  step: 99,
} as const
