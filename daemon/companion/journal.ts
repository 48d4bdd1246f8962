/** What was asked of the companion, for whoever looks for what was said while nobody looked. */
import type { CompanionAsker } from '../engine/companion-seam.js'

/** The most entries, and characters of texts together, that are remembered. */
const MOST_ENTRIES = 200
const MOST_CHARACTERS = 200_000

export interface Entry {
  readonly at: number
  readonly session: string | null
  readonly client: string
  readonly command: string
  readonly text?: string
  readonly shown: boolean
  readonly note?: string
}

export class Journal {
  #entries: Entry[] = []
  #characters = 0

  add(entry: Entry): void {
    this.#entries.push(entry)
    this.#characters += entry.text?.length ?? 0
    while (
      this.#entries.length > MOST_ENTRIES ||
      (this.#characters > MOST_CHARACTERS && this.#entries.length > 1)
    ) {
      this.#characters -= this.#entries.shift()?.text?.length ?? 0
    }
  }

  /** What the asker may know of it: what it asked itself, or for the person everything. */
  of({ session, isPerson }: CompanionAsker, now: number) {
    return this.#entries
      .filter((entry) => isPerson || (session !== null && entry.session === session))
      .map(({ at, session: _, ...rest }) => ({ ago_ms: Math.max(0, Math.round(now - at)), ...rest }))
  }
}
