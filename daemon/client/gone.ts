/** A mark that went away without its owner having asked. */
export interface GoneMark {
  readonly annotation_id: string
  /** The wire's reason, or `connection_lost` when the daemon went away and nobody can say more. */
  readonly reason: string
}

/** Past this many unread ones the oldest are dropped: a reader that stopped must not grow the process. */
const MAX_UNREAD = 10_000

/** The marks of a session that went away, for anyone who iterates; and which are still believed to be there. */
export class Gone {
  readonly #live = new Set<string>()
  readonly #unread: GoneMark[] = []
  readonly #readers = new Set<() => void>()
  #ended = false

  remember(annotationId: string): void {
    this.#live.add(annotationId)
  }

  forget(annotationId: string): void {
    this.#live.delete(annotationId)
  }

  forgetAll(): void {
    this.#live.clear()
  }

  add(gone: GoneMark): void {
    this.#live.delete(gone.annotation_id)
    this.#unread.push(gone)
    if (this.#unread.length > MAX_UNREAD) this.#unread.shift()
    this.#wake()
  }

  loseAll(): void {
    for (const annotation_id of [...this.#live]) this.add({ annotation_id, reason: 'connection_lost' })
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  async *iterate(): AsyncIterableIterator<GoneMark> {
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
