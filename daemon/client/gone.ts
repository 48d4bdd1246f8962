import { Unread } from './unread.js'

/** A mark that went away without its owner having asked. */
export interface GoneMark {
  readonly annotation_id: string
  /** The wire's reason, or `connection_lost` when the connection was gone and nobody can say more. */
  readonly reason: string
}

/** Losses heard of before the ack of the mark itself; only that many are remembered. */
const MAX_EARLY = 1000

/** The marks of a session that went away, for anyone who iterates; and which are still believed to be there. */
export class Gone {
  readonly #live = new Set<string>()
  /** Gone before their ack was read, or never ours to expect. */
  readonly #early = new Set<string>()
  readonly #unread = new Unread<GoneMark>()

  /** Whether any mark is believed to be there. */
  get expectsAny(): boolean {
    return this.#live.size > 0
  }

  remember(annotationId: string): void {
    if (!this.#early.delete(annotationId)) this.#live.add(annotationId)
  }

  forget(annotationId: string): void {
    this.#live.delete(annotationId)
  }

  forgetAll(): void {
    this.#live.clear()
  }

  add(gone: GoneMark): void {
    if (!this.#live.delete(gone.annotation_id) && this.#early.size < MAX_EARLY)
      this.#early.add(gone.annotation_id)
    this.#unread.add(gone)
  }

  loseAll(): void {
    this.loseAllBut(new Set())
  }

  /** What is not among these went away while nobody could tell. */
  loseAllBut(present: ReadonlySet<string>): void {
    for (const annotation_id of [...this.#live]) {
      if (!present.has(annotation_id)) this.add({ annotation_id, reason: 'connection_lost' })
    }
  }

  end(): void {
    this.#unread.end()
  }

  iterate(): AsyncIterableIterator<GoneMark> {
    return this.#unread.iterate()
  }
}
