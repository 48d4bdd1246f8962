/** Where the person types, as far as that is known: the companion keeps off it. Nothing of it leaves the process. */
import type { HostWindow } from '../../overlay/host.js'
import type { DisplayPoint, DisplayRect } from '../../protocol/overlay/companion.js'
import { type Display, intersects, type Rect, union } from '../../protocol/overlay/geometry.js'
import { bodyAt } from './places.js'

/** How near its body the caret is when it is in the way, in logical points. */
const NEAR = 4
/** For how long, in ms, before it moves aside: a caret that only passes is not fled from. */
const SETTLE_MS = 600
/** What is typed next goes here: so far along the line, in logical points, and so many lines down. */
const ALONG = 240
const LINES = 4
/** A field that is known by its whole line alone is higher than text. */
const MOST_LINE = 24

/** Whoever wants to know where the person types. */
export interface CaretWatcher {
  /** The caret, or the line it is in, is elsewhere; null: nowhere, or not known. */
  moved(caret: DisplayRect | null): void
  displays(): readonly Display[]
  windows(): readonly HostWindow[]
}

/** What knows where the person types. */
export interface CaretSource {
  /** From now on; null: nobody wants to know, and nothing runs. */
  watch(watcher: CaretWatcher | null): void
  /** Windows are elsewhere: the caret may be, too. */
  look(): void
}

export class Caret {
  #isWatched = false
  #at: DisplayRect | null = null
  /** What it went over along its line: what was typed there is not to be covered, however fast that was. */
  #line: Rect | null = null
  /** Since when that is under the body, and whether the companion has had its chance to move aside. */
  #underSince: number | null = null
  #settled = false

  constructor(
    private readonly source: CaretSource | undefined,
    private readonly watcher: CaretWatcher,
  ) {}

  watch(on: boolean): void {
    if (on === this.#isWatched) return
    this.#isWatched = on
    this.#at = null
    this.#line = null
    this.#free()
    this.source?.watch(on ? this.watcher : null)
  }

  moved(at: DisplayRect | null): void {
    if (!this.#isWatched) return
    const isSame = at !== null && this.#line !== null && this.#at?.display === at.display
    this.#line =
      isSame && this.#line && isOneLine(this.#line, at.rect) ? union(this.#line, at.rect) : (at?.rect ?? null)
    this.#at = at
  }

  /** Windows are elsewhere. */
  recheck(): void {
    if (this.#isWatched) this.source?.look()
  }

  /** Sees whether it is under the body of a companion that is there. */
  look(now: number, companion: DisplayPoint | null): void {
    const isUnder =
      companion !== null &&
      this.#at?.display === companion.display &&
      this.#line !== null &&
      intersects(bodyAt(companion.at, NEAR), this.#line)
    if (isUnder) this.#underSince ??= now
    else this.#free()
  }

  /** When it has been under the body for long enough, in ms; Infinity: it is not. */
  get settlesAt(): number {
    return this.#underSince === null || this.#settled
      ? Number.POSITIVE_INFINITY
      : this.#underSince + SETTLE_MS
  }

  /** It is in the way for good: where it is and will be next. Asked once, until it was elsewhere. */
  settle(): Rect | null {
    this.#settled = true
    if (!this.#at || !this.#line) return null
    const [x, y, width, height] = this.#at.rect
    const next: Rect = [x - ALONG, y, width + 2 * ALONG, height + LINES * Math.min(height, MOST_LINE)]
    return union(this.#line, next)
  }

  /** Where it is on a display; null: it is not there. */
  on(display: number | undefined): Rect | null {
    return this.#at && this.#at.display === display ? this.#at.rect : null
  }

  #free(): void {
    this.#underSince = null
    this.#settled = false
  }
}

function isOneLine([, top, , high]: Rect, [, y, , height]: Rect): boolean {
  return Math.abs(top + high / 2 - (y + height / 2)) < Math.min(high, height) / 2
}
