/** Work of which only the latest counts: while one goes on, those that come meanwhile become one. */

export class Latest<T> {
  #running: Promise<T> | null = null
  #next: (() => Promise<T>) | null = null

  /** Resolves with the outcome of this, or of what came after it and took its place. */
  run(work: () => Promise<T>): Promise<T> {
    this.#next = work
    this.#running ??= this.#loop().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #loop(): Promise<T> {
    for (;;) {
      const work = this.#next as () => Promise<T>
      this.#next = null
      const outcome = await work().catch((error: unknown) => {
        if (this.#next === null) throw error
        return undefined
      })
      if (this.#next === null) return outcome as T
    }
  }
}
