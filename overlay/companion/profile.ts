import type { UpData } from '../../protocol/lip/schema.js'
import type { Point, Size } from '../../protocol/overlay/geometry.js'

const AT_MOST_EVERY_MS = 60_000
/** A pointer that does not move for so long rests; for so long, nobody is there. */
const REST_MS = 400
const IDLE_MS = 5000
/** A move that comes later than this after the last one tells nothing of its speed … */
const GAP_MS = 120
/** … and one that is faster than this, in points a ms, is none of a hand: a program put the pointer there. */
const FASTEST = 15

/** Which ninth of a display a place is in: 0 is the upper left, 8 the lower right. */
export function regionOf([x, y]: Point, [width, height]: Size): number {
  const third = (value: number, room: number) => Math.max(0, Math.min(2, Math.floor((value / room) * 3) || 0))
  return third(y, height) * 3 + third(x, width)
}

/**
 * How the person moves, as sums alone: what is kept and what is told has no place in it and no single move.
 * `now` is any clock in ms that does not run backwards.
 */
export class Profile {
  readonly #started: number
  #told: number
  /** Where the pointer was moved to last. */
  #place: { readonly at: Point; readonly now: number } | null = null
  /** What was last heard of, a move or a click: when, and in which ninth. */
  #last: { readonly region: number; readonly now: number } | null = null
  #moved = { points: 0, ms: 0 }
  #rests = { count: 0, ms: 0 }
  #regions = new Array<number>(9).fill(0)
  #clicks = 0
  #idleMs = 0
  #idleTold: number
  /** Something was heard since it was last told. */
  #heard = false

  constructor(now: number) {
    this.#started = now
    this.#told = now
    this.#idleTold = now
  }

  /** The pointer is at `at` (points; of which only the way from the last place is kept), in this ninth of the display. */
  moved(at: Point, now: number, region: number): void {
    if (!at.every(Number.isFinite)) return
    const last = this.#place
    const past = last ? now - last.now : 0
    const way = last ? Math.hypot(at[0] - last.at[0], at[1] - last.at[1]) : 0
    if (past > 0 && past <= GAP_MS && way <= FASTEST * past) {
      this.#moved.points += way
      this.#moved.ms += past
    } else if (past >= REST_MS) {
      this.#rests.count++
      this.#rests.ms += Math.min(past, IDLE_MS)
    }
    this.#place = { at, now }
    this.#stirred(now, region)
  }

  /** Clicked in this ninth. Whoever clicks is there, also where no move was heard of: a program may have put the pointer there. */
  clicked(now: number, region: number): void {
    this.#clicks++
    this.#stirred(now, region)
  }

  /** Somebody did something there: until then the pointer was where it was last, and nobody was there for most of a long time. */
  #stirred(now: number, region: number): void {
    this.#heard = true
    const last = this.#last
    const past = last ? now - last.now : 0
    if (last && past > 0)
      this.#regions[last.region] = (this.#regions[last.region] ?? 0) + Math.min(past, IDLE_MS)
    this.#idleMs += this.#idleBefore(now)
    this.#idleTold = now
    this.#last = { region, now }
  }

  /** How long nobody was there up to now, beyond what is counted already. */
  #idleBefore(now: number): number {
    const since = (this.#last?.now ?? this.#started) + IDLE_MS
    return Math.max(0, now - Math.max(since, this.#idleTold))
  }

  /** What to tell, 60 s after the last time at the soonest, or at once when `closing`; null: nothing, or not yet. */
  take(now: number, closing = false): UpData['entity.profile'] | null {
    const past = now - this.#told
    // Of a time in which nothing was watched, nothing can be told.
    if (!this.#heard || past < (closing ? 1 : AT_MOST_EVERY_MS)) return null
    const total = this.#regions.reduce((sum, one) => sum + one, 0)
    const told = {
      /** Points a second, while it moves. */
      pace: rounded(this.#moved.ms > 0 ? (this.#moved.points / this.#moved.ms) * 1000 : 0),
      /** A minute. */
      clickRate: rounded((this.#clicks / past) * 60_000),
      /** How long the pointer rests, in ms, when it does. */
      dwell: rounded(this.#rests.count > 0 ? this.#rests.ms / this.#rests.count : 0),
      /** Shares of the time, row by row. */
      regions: this.#regions.map((one) => (total > 0 ? Math.round((one / total) * 100) / 100 : 0)),
      idleMs: rounded(this.#idleMs + this.#idleBefore(now)),
      sessionMs: rounded(now - this.#started),
    }
    this.#told = now
    this.#idleTold = now
    this.#heard = false
    this.#moved = { points: 0, ms: 0 }
    this.#rests = { count: 0, ms: 0 }
    this.#regions = new Array<number>(9).fill(0)
    this.#clicks = 0
    this.#idleMs = 0
    return told
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
