/**
 * What became of the thing a mark was put on, told from two pictures of its window. Never guesses: a mark that goes is a
 * failure its owner can see, a mark on the wrong thing is not.
 */
import { Evidence } from './evidence.js'
import {
  BLOCK,
  fitsInSight,
  holds,
  isAlike,
  isPlain,
  outlineAgreement,
  type PixelArea,
  type Pixels,
} from './pixels.js'
import { type Shift, shiftsAlongAxes, shiftsAnywhere } from './shifts.js'

export type { PixelArea, Pixels } from './pixels.js'

/** What a mark was put on: where, and what that looked like then. */
export interface Fingerprint {
  /** What the mark is about, in pixels of the window; a point has no extent. */
  readonly rect: PixelArea
  /** The place that must stay recognisable, in pixels of the window. */
  readonly core: PixelArea
  /** The core's pixels when the mark was put on it. */
  readonly look: Pixels
  /** Physical pixels per logical point. */
  readonly scale: number
}

export type Verdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'moved'; readonly by: Shift }
  | { readonly kind: 'lost'; readonly why: LostReason }

/** `changed`: it looks otherwise, or is out of sight; `ambiguous`: nothing tells for sure where it is. */
export type LostReason = 'changed' | 'ambiguous'

/** How far around a place its core reaches at least, in pixels at scale 1. */
const CORE: readonly [number, number] = [24, 7]

/** A core reaches at most this far from the middle of what a mark is about, in pixels at scale 1. */
const MOST_CORE: readonly [number, number] = [200, 120]

/** So much of the core must look as it did: a caret, a letter, a badge may have changed. */
const RECOGNISED = 0.75

/** So much of the core must be in sight after a move. */
const SEEN = 0.4

/** So much more must speak for a move than for any other that is possible. */
const CLEARER = 2.5

/** So far the outlines of something must be where they were for it to be the same in other colours. */
const REDRAWN = 0.7

/** By how much of the way to its middle a core is cut down to find the part that moved. */
const CUTS = [0.15, 0.3, 0.5, 0.75]

const NOWHERE: Shift = [0, 0]

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
  const core = [left, top, right - left, bottom - top] as const
  return { rect, core, look: cut(picture, core), scale }
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

/**
 * What became of it between two pictures of its window, of which `before` is the one the fingerprint's place is of.
 * `scrolled`: a wheel was turned over that window.
 */
export function measure(before: Pixels, after: Pixels, print: Fingerprint, scrolled = false): Verdict {
  const isHere = recognise(print, before, after, NOWHERE) !== null || isRedrawn(print, after)
  const evidence = new Evidence(before, after, print.core, print.scale)
  if (isHere && evidence.changed.length === 0) {
    // A list of equal rows looks as before when it has scrolled by a row.
    return scrolled && evidence.isRepetitive() ? { kind: 'lost', why: 'ambiguous' } : { kind: 'same' }
  }
  let verdict: Verdict = { kind: 'lost', why: 'changed' }
  for (const shifts of [shiftsAlongAxes, shiftsAnywhere]) {
    verdict = judge(isHere, evidence, shifts(before, after, evidence.changed), (shift) =>
      recognise(print, before, after, shift),
    )
    if (verdict.kind !== 'lost') break
  }
  return verdict
}

function judge(
  isHere: boolean,
  evidence: Evidence,
  shifts: readonly Shift[],
  recognised: (shift: Shift) => PixelArea | null,
): Verdict {
  const stayed = isHere && evidence.saysStayed(shifts)
  const moves = shifts
    .filter((shift) => {
      const part = recognised(shift)
      return part !== null && evidence.saysMoved(shift, part, isHere)
    })
    .map((shift) => ({ shift, support: evidence.support(shift) }))
    .sort((a, b) => b.support - a.support)
  const by = moves[0]?.shift
  const isClear = moves.every(
    ({ support }, index) => index === 0 || support * CLEARER <= (moves[0]?.support ?? 0),
  )
  if (by && (stayed || !isClear)) return { kind: 'lost', why: 'ambiguous' }
  if (by) return { kind: 'moved', by }
  if (stayed) return { kind: 'same' }
  return { kind: 'lost', why: isHere ? 'ambiguous' : 'changed' }
}

/**
 * The part of the core in which what the mark was put on is to be seen `shift` from where it was, or null. A core may
 * reach over the edge of what moves, into a header or a status line: then it is cut down from that side.
 */
function recognise(print: Fingerprint, before: Pixels, after: Pixels, shift: Shift): PixelArea | null {
  const { core, rect } = print
  const [dx, dy] = shift
  const [midX, midY] = [rect[0] + rect[2] / 2, rect[1] + rect[3] / 2]
  if (midX + dx < 0 || midY + dy < 0 || midX + dx >= after.width || midY + dy >= after.height) return null
  if (!isMiddleThere(print, after, shift)) return null
  for (const part of dx === 0 && dy === 0 ? [core] : parts(core, midX, midY)) {
    if (isRecognised(print, part, before, after, shift)) return part
  }
  return null
}

/** Whether what is there is the same in other colours, as a button under the pointer is. */
function isRedrawn({ core, look }: Fingerprint, after: Pixels): boolean {
  const [left, top, width, height] = core
  if (left + width > after.width || top + height > after.height) return false
  return outlineAgreement(look, after, left, top) >= REDRAWN
}

/** Whether the block in the middle of what a mark is about is there: a quick look that rules most shifts out. */
function isMiddleThere({ core, rect, look }: Fingerprint, after: Pixels, [dx, dy]: Shift): boolean {
  if (dx === 0 && dy === 0) return true
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
  return all.filter(([, , wide, high]) => wide >= BLOCK && high >= BLOCK)
}

/** Parts that lie under what stands still, then or now, are left out of account. */
function isRecognised(
  { core, look }: Fingerprint,
  [left, top, width, height]: PixelArea,
  before: Pixels,
  after: Pixels,
  [dx, dy]: Shift,
): boolean {
  const counts = { detailed: [0, 0] as [number, number], plain: [0, 0] as [number, number] }
  const resting = dx === 0 && dy === 0
  for (const y of tiles(top, height)) {
    for (const x of tiles(left, width)) {
      if (!holds(after, x + dx, y + dy)) continue
      const [lookX, lookY] = [x - core[0], y - core[1]]
      const agrees = isAlike(look, lookX, lookY, after, x + dx, y + dy, resting)
      const plain = isPlain(look, lookX, lookY)
      if (!agrees && !resting && holds(before, x + dx, y + dy)) {
        if (fitsInSight(before, after, [x, y], [x + dx, y + dy])) continue
      }
      const count = counts[plain ? 'plain' : 'detailed']
      count[0]++
      if (agrees) count[1]++
    }
  }
  const { detailed, plain } = counts
  const all = tiles(left, width).length * tiles(top, height).length
  return agree(detailed) && agree(plain) && detailed[0] + plain[0] >= all * SEEN
}

/** Where blocks begin that together cover an extent: the last one ends where it ends. */
function tiles(start: number, extent: number): number[] {
  const starts = Array.from({ length: Math.floor(extent / BLOCK) }, (_, index) => start + index * BLOCK)
  return extent % BLOCK === 0 || extent < BLOCK ? starts : [...starts, start + extent - BLOCK]
}

function agree([all, agreeing]: readonly [number, number]): boolean {
  return agreeing >= all * RECOGNISED
}

function cut({ data, width }: Pixels, [left, top, wide, high]: PixelArea): Pixels {
  const part = new Uint32Array(wide * high)
  for (let row = 0; row < high; row++) {
    const start = (top + row) * width + left
    part.set(data.subarray(start, start + wide), row * wide)
  }
  return { width: wide, height: high, data: part }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}
