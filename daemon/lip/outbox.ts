/** What goes down to one window: kept until it surely came, so that a broken connection loses nothing in silence. */
import type { Clock } from '../engine/clock.js'

interface Entry {
  readonly id: string
  readonly text: string
  readonly expires: number
  /** Whether it was handed to a connection. */
  sent: boolean
}

/** What a window can be caught up on. The oldest make room, and are counted. */
const ENTRIES = 1000
const BYTES = 4 * 1024 * 1024
/** How many of those that made room are remembered, to count them. */
const GONE = 4096

export interface CatchUp {
  readonly texts: readonly { readonly id: string; readonly text: string }[]
  /** Commands that can no longer be had. */
  readonly missed: number
}

export class Outbox {
  #entries: Entry[] = []
  #bytes = 0
  #gone: { readonly id: string; readonly sent: boolean }[] = []

  constructor(private readonly clock: Clock) {}

  /** Takes a command in; `sent` when it was handed to a connection right away. */
  put(id: string, text: string, ttl: number | undefined, sent: boolean): void {
    const expires = ttl === undefined ? Number.POSITIVE_INFINITY : this.clock.now() + ttl
    this.#entries.push({ id, text, expires, sent })
    this.#bytes += text.length
    while (this.#entries.length > ENTRIES || this.#bytes > BYTES) {
      const entry = this.#entries.shift()
      if (!entry) break
      this.#bytes -= entry.text.length
      this.#gone.push({ id: entry.id, sent: entry.sent })
      if (this.#gone.length > GONE) this.#gone.shift()
    }
  }

  /**
   * What a connection has to be told first: all after `last`, the id of the last command that came; without one, what was
   * never handed to any connection. Ids are in the order of their making.
   */
  catchUp(last: string | undefined): CatchUp {
    const wanted = (entry: { readonly id: string; readonly sent: boolean }) =>
      last === undefined ? !entry.sent : entry.id > last
    const now = this.clock.now()
    const due = this.#entries.filter((entry) => wanted(entry) && entry.expires > now)
    for (const entry of due) entry.sent = true
    const missed = this.#gone.filter(wanted).length
    if (last === undefined) this.#gone = this.#gone.filter(({ sent }) => sent)
    return { texts: due.map(({ id, text }) => ({ id, text })), missed }
  }

  /** How many commands wait for a connection. */
  get waiting(): number {
    const now = this.clock.now()
    return this.#entries.filter(({ sent, expires }) => !sent && expires > now).length
  }

  /** What outlives the process: a time to live does not. */
  keep(): [id: string, text: string, sent: boolean][] {
    return this.#entries.flatMap(({ id, text, expires, sent }): [string, string, boolean][] =>
      expires === Number.POSITIVE_INFINITY ? [[id, text, sent]] : [],
    )
  }

  restore(kept: readonly (readonly [string, string, boolean])[]): void {
    for (const [id, text, sent] of kept) this.put(id, text, undefined, sent)
  }
}
