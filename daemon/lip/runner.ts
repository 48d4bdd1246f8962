/** What runs code for uniques, seen from the host: so narrow that any shell service fits. */

export interface RunRequest {
  readonly language: string
  readonly code: string
  readonly timeoutMs: number
  /** Called with each piece of output, in order. */
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void
  /** Aborted when nobody waits for it any more: whatever runs is to be ended. */
  readonly signal: AbortSignal
}

export interface RunResult {
  /** null: it was ended from outside. */
  readonly exitCode: number | null
  readonly timedOut: boolean
}

export interface Runner {
  /** Resolves when it ended, however it did; rejects when it could not be started. */
  run(request: RunRequest): Promise<RunResult>
}
