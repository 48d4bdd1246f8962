/**
 * What became of the thing a mark was put on, told from two pictures of its window. Never guesses: a mark that goes is a
 * failure its owner can see, a mark on the wrong thing is not.
 */
import { found, gather, type Strip, telling } from './evidence.js'
import { BLOCK, holds, isAlike, isEqual, isPlain, type PixelArea, type Pixels } from './pixels.js'
import { likelyShifts, type Shift } from './shifts.js'

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
const CORE: readonly [number, number] = [24, 12]

/** A core reaches at most this far from the middle of what a mark is about, in pixels at scale 1. */
const MOST_CORE: readonly [number, number] = [200, 120]

/** So much of the core must look as it did: a caret, a letter, a badge may have changed. */
const RECOGNISED = 0.75

/** So much of the evidence in the core must agree, where there is any. */
const CORE_AGREES = 0.6

/** So much of all evidence must agree where the core itself does not tell. */
const ALL_AGREES = 0.8

/** So much around a core that itself tells may have changed beyond explanation. */
const UNEXPLAINED = { moved: 0.2, stayed: 0.75 }

const NOWHERE: Shift = [0, 0]

/** The fingerprint of what is at `rect` in a picture of a window; `scale` is physical pixels per logical point. */
export function fingerprint(picture: Pixels, rect: PixelArea, scale = 1): Fingerprint {
  const [x, y, width, height] = rect
  const half = (extent: number, axis: 0 | 1) =>
    Math.round(Math.min(Math.max(extent / 2 + 2, CORE[axis] * scale), MOST_CORE[axis] * scale))
  const [reachX, reachY] = [half(width, 0), half(height, 1)]
  const [midX, midY] = [Math.round(x + width / 2), Math.round(y + height / 2)]
  const left = clamp(midX - reachX, 0, picture.width)
  const top = clamp(midY - reachY, 0, picture.height)
  const right = clamp(midX + reachX, left, picture.width)
  const bottom = clamp(midY + reachY, top, picture.height)
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

/** What became of it between two pictures of its window, of which `before` is the one the fingerprint's place is of. */
export function measure(before: Pixels, after: Pixels, print: Fingerprint): Verdict {
  const isHere = isRecognised(print, before, after, NOWHERE)
  const strips = gather(before, after, print.core, print.scale)
  const changed = strips.filter(({ stays }) => !stays)
  if (isHere && changed.length === 0) return { kind: 'same' }
  const told = telling(before, strips)
  const shifts = likelyShifts(before, after, changed)
  const stayed = isHere && hasStayed(told, strips, shifts, before, after)
  const moves = shifts.filter(
    (shift) => isRecognised(print, before, after, shift) && hasMoved(told, shift, before, after),
  )
  const [by, other] = moves
  if (by && (stayed || other)) return { kind: 'lost', why: 'ambiguous' }
  if (by) return { kind: 'moved', by }
  if (stayed) return { kind: 'same' }
  return { kind: 'lost', why: isHere ? 'ambiguous' : 'changed' }
}

/** Whether what the mark was put on is to be seen `shift` from where it was: enough of it, and its middle. */
function isRecognised({ core, rect, look }: Fingerprint, before: Pixels, after: Pixels, shift: Shift): boolean {
  const [dx, dy] = shift
  const [left, top] = [core[0] + dx, core[1] + dy]
  const [midX, midY] = [rect[0] + rect[2] / 2 + dx, rect[1] + rect[3] / 2 + dy]
  if (midX < 0 || midY < 0 || midX >= after.width || midY >= after.height) return false
  const counts = { detailed: [0, 0] as [number, number], plain: [0, 0] as [number, number] }
  const resting = dx === 0 && dy === 0
  for (let y = 0; y + BLOCK <= look.height; y += BLOCK) {
    for (let x = 0; x + BLOCK <= look.width; x += BLOCK) {
      if (!holds(after, left + x, top + y)) continue
      const count = counts[isPlain(look, x, y) ? 'plain' : 'detailed']
      const agrees = isAlike(look, x, y, after, left + x, top + y, resting)
      count[0]++
      if (agrees) count[1]++
    }
  }
  const { detailed, plain } = counts
  return agree(detailed) && agree(plain) && detailed[0] + plain[0] > 0
}

function agree([all, agreeing]: readonly [number, number]): boolean {
  return agreeing >= all * RECOGNISED
}

/** Whether the evidence says that it stayed where it was, however much else moved. */
function hasStayed(
  told: readonly Strip[],
  strips: readonly Strip[],
  shifts: readonly Shift[],
  before: Pixels,
  after: Pixels,
): boolean {
  const stays = ({ stays }: Strip) => stays
  const core = told.filter(({ inCore }) => inCore)
  if (core.length > 0) {
    if (weigh(core, stays) < CORE_AGREES * weigh(core)) return false
    const around = told.filter(({ inCore }) => !inCore)
    const unexplained = weigh(
      around,
      (strip) => !strip.stays && !shifts.some((shift) => found(strip, shift, before, after) === 'there'),
    )
    return unexplained <= UNEXPLAINED.stayed * weigh(around)
  }
  const evidence = told.length > 0 ? told : strips
  return weigh(evidence, stays) >= ALL_AGREES * weigh(evidence)
}

/** Whether the evidence says that it moved by `shift`. */
function hasMoved(told: readonly Strip[], shift: Shift, before: Pixels, after: Pixels): boolean {
  const states = new Map(told.map((strip) => [strip, strip.stays ? 'stays' : found(strip, shift, before, after)]))
  const is =
    (...wanted: string[]) =>
    (strip: Strip) =>
      wanted.includes(states.get(strip) as string)
  const core = told.filter(({ inCore }) => inCore)
  const moved = weigh(told, is('there'))
  if (weigh(told, is('not')) > UNEXPLAINED.moved * (moved + weigh(told, is('not')))) return false
  if (core.length > 0) return weigh(core, is('there')) >= CORE_AGREES * weigh(core, is('there', 'not', 'stays'))
  return moved > 0 && moved >= ALL_AGREES * weigh(told, is('there', 'not', 'stays'))
}

function weigh(strips: readonly Strip[], counts: (strip: Strip) => boolean = () => true): number {
  let sum = 0
  for (const strip of strips) if (counts(strip)) sum += strip.weight
  return sum
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
