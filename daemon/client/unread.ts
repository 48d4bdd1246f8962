/** Past this many unread ones the oldest are dropped: a reader that stopped must not grow the process. */
const MAX_UNREAD = 10_000

/** What came in unasked, for anyone who iterates: each is told once, and several readers share them. */
export class Unread<T> {
  readonly #unread: T[] = []
  readonly #readers = new Set<() => void>()
  #ended = false

  add(item: T): void {
    this.#unread.push(item)
    if (this.#unread.length > MAX_UNREAD) this.#unread.shift()
    this.#wake()
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  async *iterate(): AsyncIterableIterator<T> {
    for (;;) {
      const next = this.#unread.shift()
      if (next) yield next
      else if (this.#ended) return
      else await new Promise<void>((resolve) => this.#readers.add(resolve))
    }
  }

  #wake(): void {
    for (const resolve of this.#readers) resolve()
    this.#readers.clear()
  }
}
