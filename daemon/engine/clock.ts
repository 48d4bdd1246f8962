/** Time as the engine sees it: handed in, so that tests decide when it passes. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number
  /** Runs `task` once, `ms` milliseconds from now (any finite number); returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
  /** Runs `task` once, after what is being handled now: how changes of one moment become one. */
  soon(task: () => void): void
}
