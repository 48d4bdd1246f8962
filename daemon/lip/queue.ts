/** The one ring of up-events, and the readers' cursors into it. Pure but for the clock it is handed. */

import { LipError } from '../../protocol/lip/errors.js'
import type { Envelope } from '../../protocol/lip/schema.js'
import type { Clock } from '../engine/clock.js'
import { isChange, isNoise } from './noise.js'

export interface QueueOptions {
  readonly clock: Clock
  /** Events in the ring, and their bytes as JSON; the oldest make room. */
  readonly capacity?: number
  readonly bytes?: number
  /** Called when what `keep` says has changed. */
  readonly changed?: () => void
}

interface Entry {
  readonly text: string
  readonly from: string
  readonly type: string
  /** When it was put in, and when it is of no more use, by the clock. */
  readonly at: number
  readonly expires: number
}

interface Cursor {
  /** The sequence number of the last event that was read. */
  at: number
  /** Events that went before they were read, since it was last told. */
  lost: number
}

export interface Reading {
  /** Events as JSON text, oldest first. */
  readonly events: readonly string[]
  readonly lost: number
  /** Whether more is pending. */
  readonly more: boolean
}

export interface KeptQueue {
  readonly next: number
  readonly cursors: Readonly<Record<string, Cursor>>
  readonly events: readonly (readonly [seq: number, event: Envelope])[]
}

/** How long changes of one thing count as one, in ms. */
export const CHANGE_MS = 400
const STANDING = ['claude', 'hook']
const CURSORS = 64
/** Entries that are written at once. */
const PIECE = 64
/** Gone entries that are cut off at once. */
const CUT = 512
const READING_BYTES = 4 * 1024 * 1024
const CURSOR_NAME = /^[a-z][a-z0-9_.-]{0,63}$/

interface Burst {
  /** The sequence number of the change that is in the ring. */
  seq: number
  held: Envelope | null
}

export class Queue {
  readonly #clock: Clock
  readonly #capacity: number
  readonly #maxBytes: number
  readonly #changed: () => void
  /** By sequence number less `#first`; null where an event made room, or was superseded by a later one. */
  #entries: (Entry | null)[] = []
  #first = 1
  /** How many at the beginning are gone: they are cut off many at a time. */
  #head = 0
  #live = 0
  #bytes = 0
  // Those that there always are miss nothing, however late they come to read.
  readonly #cursors = new Map<string, Cursor>(STANDING.map((name) => [name, { at: 0, lost: 0 }]))
  readonly #bursts = new Map<string, Burst>()
  readonly #waiting = new Set<() => void>()
  #waking = false
  /** Changes that later ones stand for, and pointer moves: not lost, and not in the ring. */
  coalesced = 0
  ignored = 0

  constructor({ clock, capacity = 2000, bytes = 16 * 1024 * 1024, changed = () => {} }: QueueOptions) {
    this.#clock = clock
    this.#capacity = capacity
    this.#maxBytes = bytes
    this.#changed = changed
  }

  /** Puts an event at the end; of changes of one thing that follow each other quickly, the latest. */
  put(event: Envelope): void {
    if (isNoise(event.type)) {
      this.ignored++
      return
    }
    if (!isChange(event.type)) {
      this.#release(event.from)
      this.#append(event)
      return
    }
    const key = `${event.from} ${event.type}`
    const burst = this.#bursts.get(key)
    if (burst) {
      if (burst.held) this.coalesced++
      burst.held = event
      return
    }
    this.#begin(key, this.#append(event))
  }

  /** What is pending for a cursor; it moves on past what is returned. Throws `LipError` on a name that is none. */
  take(name: string, max: number): Reading {
    const cursor = this.#cursor(name)
    const events: string[] = []
    let bytes = 0
    let seq = Math.max(cursor.at + 1, this.#oldest)
    const end = this.#first + this.#entries.length
    const now = this.#clock.now()
    for (; seq < end && events.length < max && bytes < READING_BYTES; seq++) {
      const entry = this.#entries[seq - this.#first]
      if (!entry || entry.expires <= now) continue
      events.push(entry.text)
      bytes += entry.text.length
    }
    const { lost } = cursor
    const moved = cursor.at !== seq - 1 || lost > 0
    cursor.at = seq - 1
    cursor.lost = 0
    if (moved) this.#changed()
    return { events, lost, more: this.isPending(name) }
  }

  /** Whether `take` would return anything, or tell of a loss. */
  isPending(name: string): boolean {
    const cursor = this.#cursor(name)
    if (cursor.lost > 0) return true
    const now = this.#clock.now()
    for (let seq = Math.max(cursor.at + 1, this.#oldest); seq < this.#first + this.#entries.length; seq++) {
      const entry = this.#entries[seq - this.#first]
      if (entry && entry.expires > now) return true
    }
    return false
  }

  /** Calls `wake` once when something is put in; the returned function takes that back. */
  onPut(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => void this.#waiting.delete(wake)
  }

  get size(): number {
    return this.#live
  }

  cursors(): Readonly<Record<string, Cursor>> {
    return Object.fromEntries(this.#cursors)
  }

  /** Whether an event waits for the end of a burst of changes, and is not in the ring. */
  isHeld(id: string): boolean {
    for (const { held } of this.#bursts.values()) if (held?.id === id) return true
    return false
  }

  /**
   * Everything that outlives the process, as pieces of JSON text: as of the first piece, however long it takes to write them.
   * @param beside further fields, of the same moment
   */
  *keep(beside: () => Readonly<Record<string, unknown>> = () => ({})): Generator<string> {
    const next = this.#first + this.#entries.length
    // A time to live is counted by a clock that ends with the process: what has one is not kept.
    const events = this.#entries.flatMap((entry, at): [number, string][] =>
      entry && entry.expires === Number.POSITIVE_INFINITY ? [[this.#first + at, entry.text]] : [],
    )
    const head = JSON.stringify({ next, cursors: this.cursors(), ...beside() })
    yield `${head.slice(0, -1)},"events":[`
    for (let from = 0; from < events.length; from += PIECE) {
      const piece = events.slice(from, from + PIECE).map(([seq, text]) => `[${seq},${text}]`)
      yield `${from === 0 ? '' : ','}${piece.join(',')}`
    }
    yield ']}'
  }

  /** Puts in what is held back. */
  flush(): void {
    for (const key of [...this.#bursts.keys()]) this.#end(key)
  }

  /** Takes up what was kept. */
  restore({ next, cursors, events }: KeptQueue): void {
    const start = events[0]?.[0] ?? next
    this.#first = start
    for (const [seq, event] of events) {
      while (this.#first + this.#entries.length < seq) this.#entries.push(null)
      this.#store(event)
    }
    while (this.#first + this.#entries.length < next) this.#entries.push(null)
    for (const [name, { at, lost }] of Object.entries(cursors)) this.#cursors.set(name, { at, lost })
    this.#makeRoom()
  }

  #begin(key: string, seq: number): void {
    const burst: Burst = { seq, held: null }
    this.#bursts.set(key, burst)
    this.#clock.after(CHANGE_MS, () => {
      if (this.#bursts.get(key) === burst) this.#end(key)
    })
  }

  /** A burst is over for now: its latest change takes the place of the one before it. */
  #end(key: string): void {
    const burst = this.#bursts.get(key)
    this.#bursts.delete(key)
    if (!burst?.held) return
    this.#supersede(burst.seq)
    this.#begin(key, this.#append(burst.held))
  }

  /** Whatever else a window says comes after the changes that it said before. */
  #release(from: string): void {
    if (this.#bursts.size === 0) return
    for (const [key, { held }] of this.#bursts) if (held && held.from === from) this.#end(key)
  }

  #supersede(seq: number): void {
    const at = seq - this.#first
    const entry = this.#entries[at]
    if (!entry) return
    this.#entries[at] = null
    this.#live--
    this.#bytes -= entry.text.length
    this.coalesced++
  }

  #append(event: Envelope): number {
    const seq = this.#store(event)
    this.#makeRoom()
    this.#changed()
    this.#wake()
    return seq
  }

  #store(event: Envelope): number {
    const text = JSON.stringify(event)
    const at = this.#clock.now()
    const expires = event.ttl === undefined ? Number.POSITIVE_INFINITY : at + event.ttl
    this.#entries.push({ text, from: event.from, type: event.type, at, expires })
    this.#live++
    this.#bytes += text.length
    return this.#first + this.#entries.length - 1
  }

  #makeRoom(): void {
    while (this.#live > this.#capacity || this.#bytes > this.#maxBytes) {
      const entry = this.#entries[this.#head]
      const seq = this.#first + this.#head
      this.#entries[this.#head++] = null
      if (!entry) continue
      this.#live--
      this.#bytes -= entry.text.length
      for (const cursor of this.#cursors.values()) if (cursor.at < seq) cursor.lost++
    }
    // Superseded ones at the head take no room either.
    while (this.#head < this.#entries.length && this.#entries[this.#head] === null) this.#head++
    if (this.#head < CUT) return
    this.#entries.splice(0, this.#head)
    this.#first += this.#head
    this.#head = 0
  }

  get #oldest(): number {
    return this.#first + this.#head
  }

  /** What one moment brings is read at once. */
  #wake(): void {
    if (this.#waking || this.#waiting.size === 0) return
    this.#waking = true
    this.#clock.soon(() => {
      this.#waking = false
      const waiting = [...this.#waiting]
      this.#waiting.clear()
      for (const wake of waiting) wake()
    })
  }

  #cursor(name: string): Cursor {
    const known = this.#cursors.get(name)
    if (known) return known
    if (!CURSOR_NAME.test(name))
      throw new LipError(
        'bad_request',
        `cursor must be a word of up to 64 letters, digits, _ . and -; got ${JSON.stringify(name).slice(0, 80)}`,
      )
    if (this.#cursors.size >= CURSORS)
      throw new LipError('limit', `there are ${CURSORS} cursors, the most there may be`)
    const cursor = { at: this.#oldest - 1, lost: 0 }
    this.#cursors.set(name, cursor)
    return cursor
  }
}
