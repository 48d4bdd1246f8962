/** What the companion says now. */

/** Characters (code points) that it says at once: more is a document, not a bubble. */
export const MOST_SAID = 4000

const LEAST_MS = 4000
const MOST_MS = 60_000
const PER_CHARACTER_MS = 55

/** For how long a text is there to be read, in ms, when nobody says. */
export function readingMs(text: string): number {
  return Math.min(MOST_MS, LEAST_MS + [...text].length * PER_CHARACTER_MS)
}

export class Bubble {
  #says: {
    readonly id: string
    readonly text: string
    readonly session: string | null
    until: number
  } | null = null
  /** When it goes with the session that said it. */
  #endsAt = Number.POSITIVE_INFINITY
  #next = 1

  /** null: nothing. */
  get says(): { readonly id: string; readonly text: string; readonly session: string | null } | null {
    return this.#says
  }

  say(text: string, session: string | null, until: number): void {
    this.#says = text.trim() === '' ? null : { id: `b${this.#next++}`, text, session, until }
    this.#endsAt = Number.POSITIVE_INFINITY
  }

  stop(): void {
    this.#says = null
  }

  /** The session that said it is over at `at`; null: it was taken up again. */
  sessionEnds(session: string, at: number | null): void {
    if (this.#says?.session === session) this.#endsAt = at ?? Number.POSITIVE_INFINITY
  }

  get due(): number {
    return this.#says ? Math.min(this.#says.until, this.#endsAt) : Number.POSITIVE_INFINITY
  }

  prune(now: number): void {
    if (now >= this.due) this.#says = null
  }
}
