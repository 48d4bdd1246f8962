import {
  BLOCK,
  fitsInSight,
  holds,
  isAlike,
  isDetailed,
  isEqual,
  type PixelArea,
  type Pixels,
} from './pixels.js'
import type { Shift } from './shifts.js'

/** What evidence is made of: a strip of a few letters, in blocks side by side. One letter recurs, a few seldom do. */
const BLOCKS = 4
const WIDTH = BLOCKS * BLOCK

/** Strips overlap by half across. */
const STEP = WIDTH / 2

/** How far above and below the core evidence is looked for, in pixels at scale 1; to both sides it is the whole picture. */
const AROUND = 200

/** What is this far above or below the core counts half; in its own lines, thrice as far. In pixels at scale 1. */
const NEAR = 32

/** So many telling strips in the core, and on each side of it, are asked, the nearest first. */
const ASKED = 16

/** More than this part of the core's own strips must be telling for the core itself to tell. */
const CORE_TELLS = 0.5

/** So much of the telling evidence in the core must agree. */
const CORE_AGREES = 0.6

/** So much of the evidence on each side must agree. */
const SIDE_AGREES = 0.8

/** So much around a core that itself tells must have moved with it. */
const COMES_ALONG = 0.35

/** So much around a core that itself tells may have changed beyond explanation when it stayed. */
const UNEXPLAINED = 0.75

/** A strip of the picture before, and what it says. */
interface Strip {
  readonly x: number
  readonly y: number
  /** Part of what the mark is on. */
  readonly inCore: boolean
  /** How much it counts: 1 in the core, less with distance. */
  readonly weight: number
  /** It is where it was. */
  readonly stays: boolean
}

/**
 * `there`: it is found where it should be now; `hidden`: that place shows what it showed before, or is out of the
 * picture; `not`: that place shows something else.
 */
type State = 'stays' | 'there' | 'hidden' | 'not'

type States = (strip: Strip) => State

type Side = 'core' | 'left' | 'right' | 'above' | 'below'

/** What lies in and around a core, and whether that speaks for its having stayed, or for a move. */
export class Evidence {
  /** The strips that are not where they were, nearest first. */
  readonly changed: readonly Strip[]
  readonly #strips: readonly Strip[]
  #told: ReadonlyMap<Side, readonly Strip[]> | undefined

  constructor(
    private readonly before: Pixels,
    private readonly after: Pixels,
    private readonly core: PixelArea,
    private readonly scale: number,
  ) {
    this.#strips = this.#gather()
    this.changed = this.#strips.filter(({ stays }) => !stays)
  }

  /** Whether there is something to be seen, and none of it tells where it is. */
  isRepetitive(): boolean {
    return this.#strips.length > 0 && this.#telling().size === 0
  }

  /** Whether it stayed where it was, however much else moved by one of `shifts`. */
  saysStayed(shifts: readonly Shift[]): boolean {
    const states = memo((strip) => {
      if (strip.stays) return 'stays'
      return shifts.some((shift) => this.#isThere(strip, shift)) ? 'there' : 'not'
    })
    const inside = this.#inside(this.core)
    if (!inside) return this.#allRound(states, 'stays')
    if (weigh(inside, states, 'stays') < CORE_AGREES * weigh(inside, states)) return false
    const around = this.#around()
    return weigh(around, states, 'not') <= UNEXPLAINED * weigh(around, states)
  }

  /** Whether it moved by `shift`; `part` is the part of the core that was recognised there. */
  saysMoved(shift: Shift, part: PixelArea): boolean {
    const states = memo((strip) => {
      const state = this.#found(strip, shift)
      if (!strip.stays) return state
      // What is in both places says nothing.
      return state === 'there' ? 'hidden' : 'stays'
    })
    return this.#agrees(states, part) && !this.#contradicts(states)
  }

  #agrees(states: States, part: PixelArea): boolean {
    const inside = this.#inside(part)
    if (!inside) return this.#allRound(states, 'there')
    const there = weigh(inside, states, 'there')
    if (there === 0 || there < CORE_AGREES * weigh(inside, states, 'there', 'not', 'stays')) return false
    const around = this.#around()
    return weigh(around, states, 'there') >= COMES_ALONG * weigh(around, states, 'there', 'not', 'stays')
  }

  /** The detailed strips in and around the core, nearest first. */
  #gather(): Strip[] {
    const { before, after, scale } = this
    const [left, top, width, height] = this.core
    const strips: Strip[] = []
    const reachY = AROUND * scale
    // Lines of strips lie in the middle of the core rather than at its edge, which may be another pane's.
    const first = top + ((height % BLOCK) >> 1)
    for (let y = first - ceilTo(Math.min(reachY, first), BLOCK); y < top + height + reachY; y += BLOCK) {
      for (let x = left - ceilTo(left, STEP); x < before.width; x += STEP) {
        if (!holdsStrip(before, x, y) || !isDetailedStrip(before, x, y)) continue
        const awayX = Math.max(left - (x + WIDTH), x - (left + width), 0)
        const awayY = Math.max(top - (y + BLOCK), y - (top + height), 0)
        const distance = Math.hypot(awayX / 3, awayY) / (NEAR * scale)
        const stays = holdsStrip(after, x, y) && isAlikeStrip(before, x, y, after, x, y, true)
        strips.push({ x, y, inCore: isIn(x, y, this.core), weight: 1 / (1 + distance * distance), stays })
      }
    }
    return strips.sort((a, b) => b.weight - a.weight)
  }

  /**
   * The telling strips in the core and on each side of it, nearest first: those that are found nowhere else along their
   * line and column. Only they tell where something is.
   */
  #telling(): ReadonlyMap<Side, readonly Strip[]> {
    if (this.#told) return this.#told
    const told = new Map<Side, Strip[]>()
    for (const strip of this.#strips) {
      const side = strip.inCore ? 'core' : sideOf(strip, this.core)
      const known = told.get(side) ?? []
      if (known.length < ASKED && isUnique(this.before, strip)) told.set(side, [...known, strip])
    }
    this.#told = told
    return told
  }

  /** The telling strips in the core, or null when it is too much like other places to tell. */
  #inside(core: PixelArea): readonly Strip[] | null {
    const isInside = ({ x, y }: Strip) => isIn(x, y, core)
    const all = Math.min(ASKED, this.#strips.filter(isInside).length)
    const inside = (this.#telling().get('core') ?? []).filter(isInside)
    return inside.length > CORE_TELLS * all ? inside : null
  }

  /** The telling strips around the core. */
  #around(): readonly Strip[] {
    return [...this.#telling()].flatMap(([side, strips]) => (side === 'core' ? [] : strips))
  }

  /**
   * Whether something does not fit in the midst of what does: a row that is not the row it should be, among rows that
   * are alike everywhere. One such thing shows that it is all a look-alike.
   */
  #contradicts(states: States): boolean {
    const places = new Map(this.#strips.map((strip) => [`${strip.x},${strip.y}`, strip]))
    const fits = (x: number, y: number) => {
      const strip = places.get(`${x},${y}`)
      return strip !== undefined && states(strip) === 'there'
    }
    return this.#strips.some((strip) => {
      if (strip.stays || states(strip) !== 'not') return false
      const { x, y } = strip
      const near = (dx: number, dy: number) => fits(x + dx, y + dy) || fits(x + 2 * dx, y + 2 * dy)
      return (near(-STEP, 0) && near(STEP, 0)) || (near(0, -BLOCK) && near(0, BLOCK))
    })
  }

  /** Whether what tells in the core, and on each side of it, is of this kind; and there is some. */
  #allRound(states: States, wanted: State): boolean {
    const sides = [...this.#telling().values()]
      .map((strips) => strips.filter((strip) => states(strip) !== 'hidden'))
      .filter(({ length }) => length > 0)
    return (
      sides.length > 0 &&
      sides.every((strips) => weigh(strips, states, wanted) >= SIDE_AGREES * weigh(strips, states))
    )
  }

  #isThere({ x, y }: Strip, [dx, dy]: Shift): boolean {
    return (
      holdsStrip(this.after, x + dx, y + dy) && isAlikeStrip(this.before, x, y, this.after, x + dx, y + dy)
    )
  }

  #found(strip: Strip, shift: Shift): State {
    const { before, after } = this
    const { x, y } = strip
    const [toX, toY] = [x + shift[0], y + shift[1]]
    if (!holdsStrip(after, toX, toY)) return 'hidden'
    if (this.#isThere(strip, shift)) return 'there'
    if (!holdsStrip(before, toX, toY)) return 'not'
    for (let part = 0; part < WIDTH; part += BLOCK) {
      if (!fitsInSight(before, after, [x + part, y], [toX + part, toY])) return 'not'
    }
    return 'hidden'
  }
}

/** Where a strip lies, seen from the core; what is thrice as far beside it as above it is beside it. */
function sideOf(strip: Pick<Strip, 'x' | 'y'>, [left, top, width, height]: PixelArea): Side {
  const x = strip.x + WIDTH / 2 - (left + width / 2)
  const y = strip.y + BLOCK / 2 - (top + height / 2)
  if (Math.abs(x) * height > Math.abs(y) * width * 3) return x < 0 ? 'left' : 'right'
  return y < 0 ? 'above' : 'below'
}

function memo(state: States): States {
  const known = new Map<Strip, State>()
  return (strip) => {
    const before = known.get(strip)
    if (before !== undefined) return before
    const now = state(strip)
    known.set(strip, now)
    return now
  }
}

function weigh(strips: readonly Strip[], states: States, ...wanted: readonly State[]): number {
  let sum = 0
  for (const strip of strips) if (wanted.length === 0 || wanted.includes(states(strip))) sum += strip.weight
  return sum
}

/** Whether a strip lies in an area: all its lines, and half its width. */
function isIn(x: number, y: number, [left, top, width, height]: PixelArea): boolean {
  const middle = x + WIDTH / 2
  return middle >= left && middle <= left + width && y >= top && y + BLOCK <= top + height
}

function isUnique(picture: Pixels, { x, y }: Strip): boolean {
  for (let other = 0; other + BLOCK <= picture.height; other++) {
    if (other !== y && isEqualStrip(picture, x, y, picture, x, other)) return false
  }
  for (let other = 0; other + WIDTH <= picture.width; other++) {
    if (other !== x && isEqualStrip(picture, x, y, picture, other, y)) return false
  }
  return true
}

function holdsStrip(picture: Pixels, x: number, y: number): boolean {
  return holds(picture, x, y) && x + WIDTH <= picture.width
}

function isDetailedStrip(picture: Pixels, x: number, y: number): boolean {
  for (let dx = 0; dx < WIDTH; dx += BLOCK) if (isDetailed(picture, x + dx, y)) return true
  return false
}

function isEqualStrip(a: Pixels, ax: number, ay: number, b: Pixels, bx: number, by: number): boolean {
  for (let dx = 0; dx < WIDTH; dx += BLOCK) if (!isEqual(a, ax + dx, ay, b, bx + dx, by)) return false
  return true
}

function isAlikeStrip(
  a: Pixels,
  ax: number,
  ay: number,
  b: Pixels,
  bx: number,
  by: number,
  inverse = false,
): boolean {
  for (let dx = 0; dx < WIDTH; dx += BLOCK)
    if (!isAlike(a, ax + dx, ay, b, bx + dx, by, inverse)) return false
  return true
}

function ceilTo(value: number, step: number): number {
  return Math.ceil(value / step) * step
}
