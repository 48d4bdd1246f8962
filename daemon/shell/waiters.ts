/** Who waits for something to happen to one thing. */
export class Waiters {
  readonly #waiting = new Set<() => void>()

  wake(): void {
    const now = [...this.#waiting]
    this.#waiting.clear()
    for (const tell of now) tell()
  }

  /** Resolves at the next `wake`, after `ms`, or when `signal` is aborted. */
  next(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#waiting.add(done)
      if (signal?.aborted) done()
      else signal?.addEventListener('abort', done)
    })
  }

  /** Resolves once `until` says so, or as `next` does. */
  async until(until: () => boolean, ms: number, signal?: AbortSignal): Promise<void> {
    const deadline = performance.now() + ms
    for (;;) {
      const left = deadline - performance.now()
      if (until() || left <= 0 || signal?.aborted) return
      await this.next(left, signal)
    }
  }
}
