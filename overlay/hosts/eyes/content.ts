import type { X11Host as Connection, LookResult, PixelRect } from '../../../native/index.js'
import {
  Comparison,
  type Fingerprint,
  fingerprint,
  type PixelArea,
  type Pixels,
  shiftedPrint,
} from '../../content/measure.js'
import { Restless } from '../../content/restless.js'
import type { ContentAccess, ContentChange, ContentPlace } from '../../host.js'
import { breather } from '../breather.js'
import { inTime } from '../time-limit.js'

/** Between two looks at a window that goes on changing without moving, in ms; and after many of those. */
const PACE_MS = 33
const SLOW_MS = 66

/** So many looks in a row that found nothing moved are many. */
const MANY = 20

/** Between two looks at a window whose content moves, in ms: a frame. */
const MOVING_MS = 1000 / 60

/** How long what seems lost is given to come back, in ms: programs clear a place before they draw on it. */
const DOUBT_MS = 25

/** How long a window of another size is given to lay out its content anew, in ms. */
const LAYOUT_MS = 400

/** So much of what a mark is on may change all the time without a closer look: it is recognised all the same. */
const MUCH = 0.2

/** How far around what is recognised a change wakes us, in logical points. */
const ALERT = { x: 96, y: 48 }

/** How far around a place what is recognised may reach, in logical points: until its fingerprint is known. */
const REACH = { x: 24, y: 12 }

interface Followed {
  readonly id: string
  readonly place: ContentPlace
  readonly scale: number
  /** Null until the first look. */
  print: Fingerprint | null
  /** It was not found at the last look: the last picture it was found in, since when, in ms, and whether a wheel was turned. */
  doubt: { readonly before: Pixels; readonly since: number; readonly scrolled: boolean } | null
}

interface Followee {
  readonly window: number
  readonly marks: Map<string, Followed>
  /** What it showed at the last look. */
  picture: Pixels | null
  /** Where it changes by itself. */
  readonly restless: Restless
  looking: boolean
  /** Something happened since the look under way began. */
  outdated: boolean
  scrolled: boolean
  timer: NodeJS.Timeout | null
  /** When the last look began, in ms. */
  lookedAt: number
  /** Looks in a row at which nothing had moved. */
  calmLooks: number
  /** Until then what seems lost may only not be drawn yet, in ms. */
  settledAt: number
}

/**
 * Follows what marks were put on inside windows. Damage wakes it up; then the window is looked at, at a frame's pace at
 * most, and each mark's place is measured. While no window changes near a mark, nothing runs.
 */
export class ContentFollower implements ContentAccess {
  readonly #windows = new Map<number, Followee>()
  #watched = '[]'
  /** The last fault of our own in measuring; the marks it was about are gone. */
  #fault: string | null = null

  constructor(
    private readonly connection: Connection,
    /** Physical pixels per logical point of a display, if it is there. */
    private readonly scaleOf: (display: number) => number | undefined,
    private readonly tell: (change: ContentChange) => void,
  ) {}

  follow(id: string, place: ContentPlace): void {
    this.release(id)
    const scale = this.scaleOf(place.display)
    if (scale === undefined) return
    const followee = this.#windows.get(place.window) ?? newFollowee(place.window)
    this.#windows.set(place.window, followee)
    followee.marks.set(id, { id, place, scale, print: null, doubt: null })
    this.#watch()
    this.#lookSoon(followee, 0)
  }

  release(id: string): void {
    for (const followee of this.#windows.values()) {
      if (!followee.marks.delete(id)) continue
      if (followee.marks.size === 0) this.#forget(followee)
      this.#watch()
    }
  }

  recheck(window: number): void {
    const followee = this.#windows.get(window)
    if (!followee) return
    followee.settledAt = performance.now() + LAYOUT_MS
    this.#lookSoon(followee, 0)
  }

  /** The window changed near a mark. */
  changed(window: number, scrolled: boolean): void {
    const followee = this.#windows.get(window)
    if (!followee) return
    followee.scrolled ||= scrolled
    const pace = followee.calmLooks === 0 ? MOVING_MS : followee.calmLooks < MANY ? PACE_MS : SLOW_MS
    this.#lookSoon(followee, followee.lookedAt + pace - performance.now())
  }

  get notes(): readonly string[] {
    return this.#fault === null
      ? []
      : [`Following what marks are on failed, and they were taken away: ${this.#fault}.`]
  }

  /** The connection is gone: nothing is followed any more. */
  close(): void {
    for (const followee of this.#windows.values()) this.#forget(followee)
  }

  #forget(followee: Followee): void {
    if (followee.timer) clearTimeout(followee.timer)
    followee.timer = null
    followee.marks.clear()
    this.#windows.delete(followee.window)
  }

  #lookSoon(followee: Followee, delayMs: number): void {
    if (followee.looking) {
      followee.outdated = true
      return
    }
    if (followee.timer && delayMs > 0) return
    if (followee.timer) clearTimeout(followee.timer)
    followee.timer = null
    if (delayMs <= 0) void this.#look(followee)
    else {
      followee.timer = setTimeout(() => {
        followee.timer = null
        void this.#look(followee)
      }, delayMs)
    }
  }

  async #look(followee: Followee): Promise<void> {
    followee.looking = true
    followee.outdated = false
    followee.lookedAt = performance.now()
    const scrolled = followee.scrolled
    followee.scrolled = false
    // Those that come while the picture is taken may be of a later moment: they get a look of their own.
    const marks = [...followee.marks.values()]
    const seen = await inTime(this.connection.look({ window: followee.window })).catch(() => null)
    // What cannot be seen cannot be followed: the window has gone, or is about to.
    if (!seen) this.#lose(followee, marks)
    else {
      await this.#measure(followee, marks, seen, scrolled).catch((error: unknown) => {
        this.#fault = String(error)
        this.#lose(followee, marks)
      })
    }
    followee.looking = false
    if (this.#windows.get(followee.window) !== followee) return
    const doubtful = [...followee.marks.values()].some(({ doubt }) => doubt !== null)
    if ([...followee.marks.values()].some(({ print }) => print === null)) this.#lookSoon(followee, 0)
    else if (doubtful) this.#lookSoon(followee, DOUBT_MS)
    else if (followee.outdated) this.changed(followee.window, false)
  }

  async #measure(
    followee: Followee,
    marks: readonly Followed[],
    seen: LookResult,
    scrolled: boolean,
  ): Promise<void> {
    const picture = toPixels(seen)
    let change = noChange()
    let hasMoved = false
    const now = performance.now()
    // Hundreds of marks in one window must not keep everybody else waiting.
    const breath = breather()
    if (followee.picture) followee.restless.note(followee.picture, picture)
    // Nearly always there is one picture before; what is in doubt is compared with an older one.
    const comparisons = new Map<Pixels, Comparison>()
    for (const mark of marks) {
      const paused = breath()
      if (paused) {
        this.#told(change)
        change = noChange()
        await paused
      }
      if (followee.marks.get(mark.id) !== mark) continue
      const before = mark.doubt?.before ?? followee.picture
      if (!mark.print || !before) {
        mark.print = fingerprint(picture, inPixels(mark.place, mark.scale), mark.scale)
        continue
      }
      if (!mark.doubt && !scrolled && !hasChangedNear(mark, followee.restless)) {
        // What looks the same may be another one of many that look alike.
        if (mark.place.live) change.still.push(mark.id)
        continue
      }
      const comparison = comparisons.get(before) ?? new Comparison(before, picture)
      comparisons.set(before, comparison)
      const verdict = comparison.measure(mark.print, scrolled || (mark.doubt?.scrolled ?? false))
      if (verdict.kind === 'lost') {
        mark.doubt ??= { before, since: now, scrolled }
        if (now - mark.doubt.since >= DOUBT_MS && now >= followee.settledAt) change.lost.push(mark.id)
        continue
      }
      mark.doubt = null
      if (verdict.kind === 'same') {
        if (mark.place.live) change.still.push(mark.id)
        continue
      }
      mark.print = shiftedPrint(mark.print, verdict.by)
      hasMoved = true
      change.moved.push({ id: mark.id, by: [verdict.by[0] / mark.scale, verdict.by[1] / mark.scale] })
    }
    if (hasMoved) followee.restless.forget()
    followee.picture = picture
    followee.calmLooks = hasMoved ? 0 : followee.calmLooks + 1
    this.#told(change)
    this.#watch()
  }

  #told({ moved, lost, still }: Required<ContentChange>): void {
    for (const id of lost) this.release(id)
    if (moved.length + lost.length + still.length > 0)
      this.tell({ moved, lost, ...(still.length > 0 && { still }) })
  }

  #lose(followee: Followee, marks: readonly Followed[]): void {
    const lost = marks.filter((mark) => followee.marks.get(mark.id) === mark).map(({ id }) => id)
    this.#told({ ...noChange(), lost })
  }

  /** Tells the connection where changes matter, when that is somewhere else than before. */
  #watch(): void {
    const watched = [...this.#windows.values()].map(({ window, marks, restless }) => ({
      window,
      areas: [...marks.values()].flatMap((mark) => alertAreas(mark, restless)),
    }))
    const key = JSON.stringify(watched)
    if (key === this.#watched) return
    this.#watched = key
    // A connection that does not take it any more says so to everyone who calls it.
    this.connection.watchContent(watched).catch(() => {})
  }
}

function noChange() {
  return { moved: [] as { id: string; by: [number, number] }[], lost: [] as string[], still: [] as string[] }
}

function newFollowee(window: number): Followee {
  return {
    window,
    marks: new Map(),
    picture: null,
    restless: new Restless(),
    looking: false,
    outdated: false,
    scrolled: false,
    timer: null,
    lookedAt: Number.NEGATIVE_INFINITY,
    calmLooks: 0,
    settledAt: Number.NEGATIVE_INFINITY,
  }
}

/** Where a change may be about a mark: at its place, and around that where it is not always changing. */
function alertAreas(mark: Followed, restless: Restless): PixelRect[] {
  return [coreOf(mark), ...restless.calm(around(mark))].map(([x, y, width, height]) => ({
    x,
    y,
    width,
    height,
  }))
}

/** Whether something about a mark may have changed. What it is on counts in whole where much of it is always changing. */
function hasChangedNear(mark: Followed, restless: Restless): boolean {
  return restless.hasChanged(around(mark)) || restless.share(coreOf(mark)) > MUCH
}

function around(mark: Followed): PixelArea {
  const [left, top, width, height] = coreOf(mark)
  const [x, y] = [Math.ceil(ALERT.x * mark.scale), Math.ceil(ALERT.y * mark.scale)]
  return [left - x, top - y, width + 2 * x, height + 2 * y]
}

function coreOf({ place, scale, print }: Followed): PixelArea {
  if (print) return print.core
  const [x, y, width, height] = inPixels(place, scale)
  const [reachX, reachY] = [Math.ceil(REACH.x * scale), Math.ceil(REACH.y * scale)]
  return [x - reachX, y - reachY, width + 2 * reachX, height + 2 * reachY]
}

function inPixels({ rect }: ContentPlace, scale: number): [number, number, number, number] {
  const [x, y, width, height] = rect.map((value) => Math.round(value * scale)) as [
    number,
    number,
    number,
    number,
  ]
  return [x, y, width, height]
}

function toPixels({ width, height, data }: LookResult): Pixels {
  const aligned = data.byteOffset % 4 === 0 ? data : new Uint8Array(data)
  return { width, height, data: new Uint32Array(aligned.buffer, aligned.byteOffset, width * height) }
}
