import type { Pair } from './pair.js'
import { BLOCK, isEqualWithin, type PixelArea, type Pixels } from './pixels.js'
import type { Spot } from './shifts.js'
import { detailedInLine, firstDetailed, isIn, isUnique, type Side, STEP, Strip, WIDTH } from './strips.js'

/** How far above and below a core is looked, in pixels at scale 1; to both sides it is the whole picture. */
const AROUND = 200

/** What a scrollbar takes of a window's right edge, in pixels at scale 1: it tells of where content is, not of what. */
const SCROLLBAR = 24

/** So many telling strips in the core, and on each side of it, are asked, the nearest first. At any scale they are enough. */
export const ASKED = 16

/** More than this part of the core's own strips must be telling for the core itself to tell. */
const CORE_TELLS = 0.5

/** What is within this far of a core is near it, in pixels at scale 1: some letters to each side, and a line or two. */
const QUIET: readonly [across: number, down: number] = [64, 32]

/** A core needs so many strips to tell by itself: one alone is a coincidence. */
const FEWEST_ALONE = 2

/** About so many strips are looked at, at most: where there are more, lines of them are left out. */
const MOST = 16_384

/** So many places near a core are looked for elsewhere. */
const SPOTS = 12

/** A caret, or a letter, is at most this high and wide, in pixels at scale 1. */
const TRIFLE = 28

/** Strips that lie in the core, that touch the area that changed, or that do not touch it. */
type Part = 'core' | 'changed' | 'unchanged'

/** What is to be seen in and around a core in the picture before, as strips. */
export class Field {
  /** From one line of strips to the next, in pixels. */
  readonly lineStep: number
  /** What holds all pixels that changed above, in and below the core, or null. */
  readonly #changedArea: PixelArea | null
  #inChange: readonly Strip[] | undefined
  #strips: readonly Strip[] | undefined
  #places: ReadonlyMap<number, Strip> | undefined
  #telling: ReadonlyMap<Side, readonly Strip[]> | undefined

  readonly before: Pixels
  readonly after: Pixels

  constructor(
    pair: Pair,
    readonly core: PixelArea,
    readonly scale: number,
  ) {
    const { before, after } = pair
    this.before = before
    this.after = after
    const [, top, , height] = core
    const reach = AROUND * scale
    this.#changedArea = pair.changedBetween(top - reach, top + height + reach)
    const lines = Math.min(before.height, height + 2 * reach) / BLOCK
    this.lineStep = BLOCK * Math.ceil((lines * before.width) / STEP / MOST)
  }

  /** Whether next to nothing changed, and not in the core: a caret, a letter. */
  get isTrifle(): boolean {
    if (!this.#changedArea) return true
    const [x, y, width, height] = this.#changedArea
    const [left, top, wide, high] = this.core
    const isApart = x >= left + wide || y >= top + high || x + width <= left || y + height <= top
    return isApart && height <= TRIFLE * this.scale && width <= TRIFLE * this.scale
  }

  /** All strips that have something to be told by, those that count most first. */
  get strips(): readonly Strip[] {
    if (this.#strips) return this.#strips
    const strips = [...this.#stripsInChange, ...this.#gather('unchanged')]
    this.#strips = strips.sort(Strip.byWeight)
    return this.#strips
  }

  /** The strips that are not where they were, those that count most first. */
  *changed(): Generator<Strip> {
    for (const strip of this.#stripsInChange) if (!strip.stays) yield strip
  }

  /** Whether anything is not where it was. */
  get hasChanged(): boolean {
    return this.#stripsInChange.some(({ stays }) => !stays)
  }

  /** Places that are not what they were, those that count most first: a few. */
  get changedSpots(): readonly Spot[] {
    const spots: Spot[] = []
    for (const { x, y } of this.changed()) {
      spots.push({ x: firstDetailed(this.before, x, y), y })
      if (spots.length === SPOTS) break
    }
    return spots
  }

  /** Whether there is something to be seen in the core itself. */
  get isCoreDetailed(): boolean {
    return this.strips.some(({ side }) => side === 'core')
  }

  /** The strip at a place, if there is something to be seen there. */
  at(x: number, y: number): Strip | undefined {
    this.#places ??= new Map(this.strips.map((strip) => [placeOf(strip), strip]))
    return this.#places.get(placeOf({ x, y }))
  }

  /** The strips on one side that tell where something is, since they are found nowhere else: the nearest ones. */
  telling(side: Side): readonly Strip[] {
    return this.#allTelling.get(side) ?? []
  }

  /** The telling strips of all sides. */
  get told(): readonly Strip[] {
    return [...this.#allTelling.values()].flat()
  }

  /** The telling strips in a part of the core, or null when it is too much like other places to tell. */
  inside(part: PixelArea): readonly Strip[] | null {
    const isInside = ({ x, y }: Strip) => isIn(x, y, part)
    const all = Math.min(ASKED, this.strips.filter(isInside).length)
    const inside = this.telling('core').filter(isInside)
    return inside.length > CORE_TELLS * all ? inside : null
  }

  /** Whether no pixel changed in the core and near it. */
  get isQuiet(): boolean {
    const { before, after, core, scale } = this
    if (before.width !== after.width || before.height !== after.height) return false
    const [left, top, width, height] = core
    const [across, down] = QUIET
    return isEqualWithin(before, after, [
      Math.floor(left - across * scale),
      Math.floor(top - down * scale),
      Math.ceil(width + 2 * across * scale),
      Math.ceil(height + 2 * down * scale),
    ])
  }

  /** Whether the core itself tells, looking at nothing else: it has several strips, and most are found nowhere else. */
  get tellsAlone(): boolean {
    const inCore = this.#gather('core').sort(Strip.byWeight).slice(0, ASKED)
    const telling = inCore.filter(({ x, y }) => isUnique(this.before, x, y)).length
    return inCore.length >= FEWEST_ALONE && telling > CORE_TELLS * inCore.length
  }

  /** The telling strips around the core; what touches it may be part of the same thing. */
  get around(): readonly Strip[] {
    return this.told.filter(({ side, weight }) => side !== 'core' && weight < 1)
  }

  get #allTelling(): ReadonlyMap<Side, readonly Strip[]> {
    if (this.#telling) return this.#telling
    const telling = new Map<Side, Strip[]>()
    for (const strip of this.strips) {
      const known = telling.get(strip.side) ?? []
      if (known.length >= ASKED || !isUnique(this.before, strip.x, strip.y)) continue
      known.push(strip)
      telling.set(strip.side, known)
    }
    this.#telling = telling
    return telling
  }

  get #stripsInChange(): readonly Strip[] {
    this.#inChange ??= this.#gather('changed').sort(Strip.byWeight)
    return this.#inChange
  }

  /** The strips of a part. */
  #gather(part: Part): Strip[] {
    const { before, after, core, scale, lineStep } = this
    const [left, top, , height] = core
    const reach = AROUND * scale
    // Lines of strips lie in the middle of the core rather than at its edge, which may be another pane's.
    const middle = top + ((height % BLOCK) >> 1)
    const firstY = middle - ceilTo(Math.max(0, Math.min(reach, middle)), lineStep)
    const firstX = left - ceilTo(Math.max(0, left), STEP)
    const strips: Strip[] = []
    for (let y = firstY; y < top + height + reach && y + BLOCK <= before.height; y += lineStep) {
      if (y < 0) continue
      for (const range of this.#ranges(y, part)) {
        for (const x of detailedInLine(before, y, firstX, range)) {
          strips.push(new Strip(before, after, x, y, core, scale))
        }
      }
    }
    return strips
  }

  /** From where to where the strips of a line lie that are of a part. */
  #ranges(y: number, part: Part): readonly (readonly [from: number, to: number])[] {
    const edge = this.before.width - SCROLLBAR * this.scale
    if (part === 'core') {
      const [left, top, width, height] = this.core
      const isIn = y >= top && y + BLOCK <= top + height
      return isIn ? [[Math.max(0, left - WIDTH / 2), Math.min(edge, left + width + WIDTH / 2)]] : []
    }
    const [left, top, width, height] = this.#changedArea ?? [0, 0, 0, 0]
    const right = left + width
    const touches = y + BLOCK > top && y < top + height
    if (part === 'changed') {
      return touches ? [[Math.max(0, left - WIDTH + 1), Math.min(edge, right + WIDTH - 1)]] : []
    }
    const beside = [[0, Math.min(left, edge)] as const, [right, edge] as const]
    return touches ? beside : [[0, edge]]
  }
}

function placeOf({ x, y }: { x: number; y: number }): number {
  return y * 65_536 + x
}

function ceilTo(value: number, step: number): number {
  return Math.ceil(value / step) * step
}
