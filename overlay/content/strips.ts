/** Strips are what evidence is made of: a few letters each, in blocks side by side. One letter recurs, a few seldom do. */
import { isAlike, outlineAgreement } from './likeness.js'
import {
  areEqual,
  BLOCK,
  holds,
  isDetailed,
  isPlain,
  isPlainPair,
  nextLike,
  type PixelArea,
  type Pixels,
  type Probe,
  probeOf,
  recursAt,
} from './pixels.js'

/** How wide a strip is, in blocks, and in pixels. As a block, it does not grow with the display's scale. */
const BLOCKS = 4
export const WIDTH = BLOCKS * BLOCK

/** From one strip to the next across, in pixels: they overlap by half. */
export const STEP = WIDTH / 2

/** How high a part of a strip is that must itself be found nowhere else, in pixels. */
const PART = BLOCK / 2

/** So far the outlines of a strip must be where they were for it to be the same in other colours. */
const SAME_OUTLINE = 0.95

/** How much farther something is felt to be above or below than as many pixels to the side: lines are what belongs together. */
const ACROSS = 3

/** What is this far above or below a core counts half; in its own lines, `ACROSS` times as far. In pixels at scale 1. */
const NEAR = 32

/** What is above or below a core is at most this far aside of it, in pixels at scale 1. */
const ASIDE = 64

/** Where something lies, seen from a core: in its lines on either side, above or below it, or apart from it all. */
export type Side = 'core' | 'left' | 'right' | 'above' | 'below' | 'apart'

/** A strip of the picture before, seen from a core. */
export class Strip {
  readonly side: Side
  /** How much it counts: 1 in the core and next to it, less with distance. */
  readonly weight: number
  /** How far its middle is from the core's, in pixels. */
  readonly #fromMiddle: number
  #stays: boolean | undefined

  constructor(
    private readonly before: Pixels,
    private readonly after: Pixels,
    readonly x: number,
    readonly y: number,
    core: PixelArea,
    scale: number,
  ) {
    const [left, top, width, height] = core
    const awayX = Math.max(left - (x + WIDTH), x - (left + width), 0)
    const awayY = Math.max(top - (y + BLOCK), y - (top + height), 0)
    const distance = Math.hypot(awayX / ACROSS, awayY) / (NEAR * scale)
    this.side = sideOf(x, y, core, scale)
    this.weight = 1 / (1 + distance * distance)
    this.#fromMiddle = Math.hypot(x + WIDTH / 2 - (left + width / 2), y + BLOCK / 2 - (top + height / 2))
  }

  /** Whether it is where it was, perhaps in other colours: under the pointer, or selected. */
  get stays(): boolean {
    this.#stays ??= this.#isSame()
    return this.#stays
  }

  /** Whether none of its pixels changed: a quick look. */
  get isUntouched(): boolean {
    const { before, after, x, y } = this
    return holdsStrip(after, x, y) && areEqual(before, x, y, after, x, y, BLOCKS)
  }

  /** Sorts what counts most first, and of what counts alike the nearest. */
  static byWeight(this: void, a: Strip, b: Strip): number {
    return b.weight - a.weight || a.#fromMiddle - b.#fromMiddle || a.y - b.y || a.x - b.x
  }

  #isSame(): boolean {
    const { before, after, x, y } = this
    if (!holdsStrip(after, x, y)) return false
    if (isAlikeStrip(before, x, y, after, x, y, true)) return true
    return outlineAgreement(before, [x, y, WIDTH, BLOCK], after, x, y) >= SAME_OUTLINE
  }
}

/** Whether a strip lies in an area: all its lines, and half its width. */
export function isIn(x: number, y: number, [left, top, width, height]: PixelArea): boolean {
  const middle = x + WIDTH / 2
  return middle >= left && middle <= left + width && y >= top && y + BLOCK <= top + height
}

function sideOf(x: number, y: number, core: PixelArea, scale: number): Side {
  if (isIn(x, y, core)) return 'core'
  const [left, top, width, height] = core
  const [middleX, middleY] = [x + WIDTH / 2, y + BLOCK / 2]
  if (middleY >= top && middleY < top + height) return middleX < left + width / 2 ? 'left' : 'right'
  if (middleX <= left - ASIDE * scale || middleX >= left + width + ASIDE * scale) return 'apart'
  return middleY < top ? 'above' : 'below'
}

export function holdsStrip(picture: Pixels, x: number, y: number): boolean {
  return holds(picture, x, y) && x + WIDTH <= picture.width
}

/** Where the strips of a line begin that have something to be told by, of those at `first`, `first + STEP`… within `from` to `to`. */
export function detailedInLine(
  picture: Pixels,
  y: number,
  first: number,
  [from, to]: readonly [from: number, to: number],
): number[] {
  const found: number[] = []
  let isFirstHalf = false
  let known = Number.NaN
  for (let x = first; x + WIDTH <= to; x += STEP) {
    if (x < from) continue
    if (known !== x) isFirstHalf = isDetailedHalf(picture, x, y)
    const isSecondHalf = isDetailedHalf(picture, x + STEP, y)
    if (isFirstHalf || isSecondHalf) found.push(x)
    // The half they share is the next one's first.
    isFirstHalf = isSecondHalf
    known = x + STEP
  }
  return found
}

/** Where in a strip the first block begins that has something to be told by. */
export function firstDetailed(picture: Pixels, x: number, y: number): number {
  for (let dx = 0; dx < WIDTH; dx += BLOCK) if (isDetailed(picture, x + dx, y)) return x + dx
  return x
}

function isDetailedHalf(picture: Pixels, x: number, y: number): boolean {
  if (isPlainPair(picture, x, y)) return false
  return isDetailed(picture, x, y) || isDetailed(picture, x + BLOCK, y)
}

/** Whether two strips show the same, perhaps in other colours; each must be within its picture. */
export function isAlikeStrip(
  a: Pixels,
  ax: number,
  ay: number,
  b: Pixels,
  bx: number,
  by: number,
  inverse = false,
): boolean {
  if (areEqual(a, ax, ay, b, bx, by, BLOCKS)) return true
  for (let dx = 0; dx < WIDTH; dx += BLOCK) {
    // Selected text is on another ground, also where there is no text.
    const areBlank = inverse && isPlain(a, ax + dx, ay) && isPlain(b, bx + dx, by)
    if (!areBlank && !isAlike(a, ax + dx, ay, b, bx + dx, by, inverse)) return false
  }
  return true
}

/** What is known of the strips of a picture, by where they are; remembered as long as the picture is. */
const known = new WeakMap<Pixels, Map<number, boolean>>()

/** Whether a strip is found nowhere else along its line and column. Only such a strip tells where something is. */
export function isUnique(picture: Pixels, x: number, y: number): boolean {
  let ofPicture = known.get(picture)
  if (!ofPicture) {
    ofPicture = new Map()
    known.set(picture, ofPicture)
  }
  const place = y * picture.width + x
  let answer = ofPicture.get(place)
  if (answer === undefined) {
    // Each part must be, so far as there is something in it: a row that reaches under a header looks like no other, and
    // is all the same a row among its like.
    answer = isPartUnique(picture, x, y) && isPartUnique(picture, x, y + PART)
    ofPicture.set(place, answer)
  }
  return answer
}

function isPartUnique(picture: Pixels, x: number, y: number): boolean {
  const { width, height } = picture
  const part: PixelArea = [x, y, WIDTH, PART]
  const probe = probeOf(picture, part)
  if (!probe) return true
  const here = y * width + x
  return (
    !recursAlong(picture, part, probe, y * width, 1, here + width - x - WIDTH + 1) &&
    !recursAlong(picture, part, probe, x, width, (height - PART + 1) * width)
  )
}

/** Whether a part of a strip, whose probe is given, is also at another one of the corners `first`, `first + step`… */
function recursAlong(
  picture: Pixels,
  part: PixelArea,
  probe: Probe,
  first: number,
  step: number,
  end: number,
): boolean {
  const { data, width } = picture
  const here = part[1] * width + part[0]
  for (
    let at = nextLike(probe, data, first, step, end);
    at >= 0;
    at = nextLike(probe, data, at + step, step, end)
  ) {
    if (at !== here && recursAt(picture, part, at % width, Math.floor(at / width))) return true
  }
  return false
}
