import { isAlike, outlineAgreement } from './likeness.js'
import { BLOCK, cut, holds, holdsArea, isEqual, isPlain, type PixelArea, type Pixels } from './pixels.js'
import type { Shift } from './shifts.js'
import { fitsInSight } from './sight.js'

/** What a mark was put on: where, and what that looked like then. */
export interface Fingerprint {
  /** What the mark is about, in pixels of the window; a point has no extent. */
  readonly rect: PixelArea
  /** The place that must stay recognisable, in pixels of the window. */
  readonly core: PixelArea
  /** The core's pixels when the mark was put on it. */
  readonly look: Pixels
  /** The blocks it is recognised by: where they begin in the core. */
  readonly tiles: readonly Tile[]
  /** Physical pixels per logical point. */
  readonly scale: number
}

interface Tile {
  readonly x: number
  readonly y: number
  readonly isPlain: boolean
}

/** How far around a place its core reaches at least, in pixels at scale 1. */
const CORE: readonly [number, number] = [24, 7]

/** A core reaches at most this far from the middle of what a mark is about, in pixels at scale 1. */
const MOST_CORE: readonly [number, number] = [640, 400]

/** A core is recognised by at most about this many blocks, spread over it. */
const MOST_TILES = 300

/** So much of the core must look as it did: a caret, a letter, a badge may have changed. */
const RECOGNISED = 0.75

/** So much of the core must be in sight after a move. */
const SEEN = 0.4

/** By how much of the way to its middle a core is cut down to find the part that moved. */
const CUTS = [0.15, 0.3, 0.5, 0.75]

/** So far the outlines of something must be where they were for it to be the same in other colours. */
const REDRAWN = 0.7

/** The fingerprint of what is at `rect` in a picture of a window; `scale` is physical pixels per logical point. */
export function fingerprint(picture: Pixels, rect: PixelArea, scale = 1): Fingerprint {
  const [x, y, width, height] = rect
  const reach = (extent: number, axis: 0 | 1) =>
    Math.min(Math.max(extent / 2, CORE[axis] * scale), MOST_CORE[axis] * scale)
  const [reachX, reachY] = [reach(width, 0), reach(height, 1)]
  const [midX, midY] = [x + width / 2, y + height / 2]
  const left = clamp(Math.floor(midX - reachX), 0, picture.width)
  const top = clamp(Math.floor(midY - reachY), 0, picture.height)
  const right = clamp(Math.ceil(midX + reachX), left, picture.width)
  const bottom = clamp(Math.ceil(midY + reachY), top, picture.height)
  const look = cut(picture, [left, top, right - left, bottom - top])
  return { rect, core: [left, top, look.width, look.height], look, tiles: tilesOf(look), scale }
}

/** The same fingerprint of something that moved. */
export function shiftedPrint(print: Fingerprint, [dx, dy]: Shift): Fingerprint {
  const [x, y, width, height] = print.rect
  const [left, top, coreWidth, coreHeight] = print.core
  return {
    ...print,
    rect: [x + dx, y + dy, width, height],
    core: [left + dx, top + dy, coreWidth, coreHeight],
  }
}

/** Whether what the mark was put on is where it was, perhaps in other colours, as a button under the pointer is. */
export function isHere(print: Fingerprint, after: Pixels): boolean {
  const { core, look, tiles } = print
  const [left, top, width, height] = core
  // Too small to be told by its blocks.
  if (tiles.length === 0) return isSeenAgain(print, after)
  const agrees = tiles.map(({ x, y }) =>
    !holds(after, left + x, top + y) ? null : isAlike(look, x, y, after, left + x, top + y, true),
  )
  if (isEnough(print, core, agrees, true)) return true
  if (!holdsArea(after, core)) return false
  return outlineAgreement(look, [0, 0, width, height], after, left, top) >= REDRAWN
}

/** Whether there is something, and it is where it was to the pixel. */
function isSeenAgain({ core, look }: Fingerprint, after: Pixels): boolean {
  if (look.data.length === 0 || !holdsArea(after, core)) return false
  const now = cut(after, core).data
  return look.data.every((value, index) => value === now[index])
}

/**
 * The part of the core in which what the mark was put on is to be seen `shift` from where it was, or null. A core may
 * reach over the edge of what moves, into a header or a status line: then it is cut down from that side.
 */
export function recognise(print: Fingerprint, before: Pixels, after: Pixels, shift: Shift): PixelArea | null {
  const { core, rect, look, tiles } = print
  const [dx, dy] = shift
  const [midX, midY] = [rect[0] + rect[2] / 2, rect[1] + rect[3] / 2]
  if (midX + dx < 0 || midY + dy < 0 || midX + dx >= after.width || midY + dy >= after.height) return null
  if (!isMiddleThere(print, after, shift)) return null
  const agrees = tiles.map(({ x, y }) => {
    const [fromX, fromY] = [core[0] + x, core[1] + y]
    if (!holds(after, fromX + dx, fromY + dy)) return null
    if (isAlike(look, x, y, after, fromX + dx, fromY + dy)) return true
    // What lies under something that stands still, then or now, is left out of account.
    const covered =
      holds(before, fromX, fromY) &&
      holds(before, fromX + dx, fromY + dy) &&
      fitsInSight(before, after, [fromX, fromY], [fromX + dx, fromY + dy])
    return covered ? null : false
  })
  return parts(core, midX, midY).find((part) => isEnough(print, part, agrees, false)) ?? null
}

/** Whether all of the core is to be seen `shift` from where it was, pixel by pixel. */
export function isExactlyAt({ core, look, tiles }: Fingerprint, after: Pixels, [dx, dy]: Shift): boolean {
  const [left, top, width, height] = core
  if (!holdsArea(after, [left + dx, top + dy, width, height])) return false
  return (
    tiles.length > 0 && tiles.every(({ x, y }) => isEqual(look, x, y, after, left + x + dx, top + y + dy))
  )
}

/** Whether enough of the blocks in a part of the core agree; null: not to be seen. */
function isEnough(
  { core, tiles }: Fingerprint,
  [left, top, width, height]: PixelArea,
  agrees: readonly (boolean | null)[],
  isAll: boolean,
): boolean {
  const counts = { detailed: [0, 0] as [number, number], plain: [0, 0] as [number, number] }
  let all = 0
  for (const [index, { x, y, isPlain }] of tiles.entries()) {
    const [atX, atY] = [core[0] + x, core[1] + y]
    if (!isAll && (atX < left || atY < top || atX + BLOCK > left + width || atY + BLOCK > top + height))
      continue
    all++
    const agreed = agrees[index]
    if (agreed === null) continue
    const count = counts[isPlain ? 'plain' : 'detailed']
    count[0]++
    if (agreed) count[1]++
  }
  const { detailed, plain } = counts
  const enough = ([of, agreeing]: readonly [number, number]) => agreeing >= of * RECOGNISED
  return all > 0 && enough(detailed) && enough(plain) && detailed[0] + plain[0] >= all * SEEN
}

/** Whether the block in the middle of what a mark is about is there: a quick look that rules most shifts out. */
function isMiddleThere({ core, rect, look }: Fingerprint, after: Pixels, [dx, dy]: Shift): boolean {
  const place = (middle: number, start: number, extent: number) =>
    clamp(Math.round(middle - start - BLOCK / 2), 0, extent - BLOCK)
  const x = place(rect[0] + rect[2] / 2, core[0], core[2])
  const y = place(rect[1] + rect[3] / 2, core[1], core[3])
  const [toX, toY] = [core[0] + x + dx, core[1] + y + dy]
  return !holds(look, x, y) || !holds(after, toX, toY) || isAlike(look, x, y, after, toX, toY)
}

/** A core, and what is left of it when one side is cut off, little by little, up to near the middle. */
function parts([left, top, width, height]: PixelArea, midX: number, midY: number): PixelArea[] {
  const all: PixelArea[] = [[left, top, width, height]]
  for (const share of CUTS) {
    const above = Math.floor((midY - top) * share)
    const below = Math.floor((top + height - midY) * share)
    const before = Math.floor((midX - left) * share)
    const behind = Math.floor((left + width - midX) * share)
    all.push(
      [left, top, width, height - below],
      [left, top + above, width, height - above],
      [left, top, width - behind, height],
      [left + before, top, width - before, height],
    )
  }
  return all
}

function tilesOf(look: Pixels): Tile[] {
  const [columns, rows] = [starts(look.width), starts(look.height)]
  const every = Math.max(1, Math.ceil(Math.sqrt((columns.length * rows.length) / MOST_TILES)))
  const spread = (places: readonly number[]) => places.filter((_, index) => index % every === 0)
  return spread(rows).flatMap((y) => spread(columns).map((x) => ({ x, y, isPlain: isPlain(look, x, y) })))
}

/** Where blocks begin that together cover an extent: the last one ends where it ends. */
function starts(extent: number): number[] {
  const places = Array.from({ length: Math.floor(extent / BLOCK) }, (_, index) => index * BLOCK)
  return extent % BLOCK === 0 || extent < BLOCK ? places : [...places, extent - BLOCK]
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}
