import { BLOCK, holds, isAlike, isDetailed, isEqual, type PixelArea, type Pixels } from './pixels.js'
import type { Shift } from './shifts.js'

/** What evidence is made of: a strip of a few letters, in blocks side by side. One letter recurs, a few seldom do. */
const STRIP = 4

/** How far around the core evidence is looked for, in pixels at scale 1; further along its own lines, in both directions. */
const AROUND: readonly [number, number] = [200, 120]

/** What is this far above or below the core counts half; in its own lines, thrice as far. In pixels at scale 1. */
const NEAR = 32

/** So many strips, the nearest first, decide. */
const MOST = 160

/** A strip of the picture before, and what it says. */
export interface Strip {
  readonly x: number
  readonly y: number
  /** Part of what the mark is on. */
  readonly inCore: boolean
  /** How much it counts: 1 in the core, less with distance. */
  readonly weight: number
  /** It is where it was. */
  readonly stays: boolean
}

/** The detailed strips of `before` in and around the core, nearest first. */
export function gather(before: Pixels, after: Pixels, core: PixelArea, scale: number): Strip[] {
  const [left, top, width, height] = core
  const strips: Strip[] = []
  const step = { x: (BLOCK * STRIP) / 2, y: BLOCK }
  const reach = { x: AROUND[0] * scale, y: AROUND[1] * scale }
  for (let y = top - ceilTo(reach.y, step.y); y < top + height + reach.y; y += step.y) {
    const ownLine = y > top - BLOCK && y < top + height
    const far = ownLine ? Math.max(left, before.width) : reach.x
    for (let x = left - ceilTo(far, step.x); x < left + width + far; x += step.x) {
      if (!holdsStrip(before, x, y) || !isDetailedStrip(before, x, y)) continue
      const away = {
        x: Math.max(left - (x + BLOCK * STRIP), x - (left + width), 0),
        y: Math.max(top - (y + BLOCK), y - (top + height), 0),
      }
      const distance = Math.hypot(away.x / 3, away.y) / (NEAR * scale)
      const inCore = x > left - BLOCK && y > top - BLOCK && x + BLOCK * STRIP < left + width + BLOCK && y < top + height
      const stays = holdsStrip(after, x, y) && isAlikeStrip(before, x, y, after, x, y)
      strips.push({ x, y, inCore, weight: 1 / (1 + distance * distance), stays })
    }
  }
  return strips.sort((a, b) => b.weight - a.weight)
}

/** Those that are found nowhere else along their line and column: only they tell where something is. */
export function telling(before: Pixels, strips: readonly Strip[]): Strip[] {
  return strips.slice(0, MOST).filter((strip) => isUnique(before, strip))
}

/** `there`: it is found this much further on; `hidden`: that place shows what it showed before, or is out of the picture. */
export function found(
  { x, y }: Strip,
  [dx, dy]: Shift,
  before: Pixels,
  after: Pixels,
): 'there' | 'hidden' | 'not' {
  const [toX, toY] = [x + dx, y + dy]
  if (!holdsStrip(after, toX, toY)) return 'hidden'
  if (isAlikeStrip(before, x, y, after, toX, toY)) return 'there'
  return holdsStrip(before, toX, toY) && isEqualStrip(before, toX, toY, after, toX, toY) ? 'hidden' : 'not'
}

function isUnique(picture: Pixels, { x, y }: Strip): boolean {
  for (let other = 0; other + BLOCK <= picture.height; other++) {
    if (other !== y && isEqualStrip(picture, x, y, picture, x, other)) return false
  }
  for (let other = 0; other + BLOCK * STRIP <= picture.width; other++) {
    if (other !== x && isEqualStrip(picture, x, y, picture, other, y)) return false
  }
  return true
}

function holdsStrip(picture: Pixels, x: number, y: number): boolean {
  return holds(picture, x, y) && x + BLOCK * STRIP <= picture.width
}

function isDetailedStrip(picture: Pixels, x: number, y: number): boolean {
  return everyOrSome('some', (offset) => isDetailed(picture, x + offset, y))
}

function isEqualStrip(a: Pixels, ax: number, ay: number, b: Pixels, bx: number, by: number): boolean {
  return everyOrSome('every', (offset) => isEqual(a, ax + offset, ay, b, bx + offset, by))
}

function isAlikeStrip(a: Pixels, ax: number, ay: number, b: Pixels, bx: number, by: number): boolean {
  return everyOrSome('every', (offset) => isAlike(a, ax + offset, ay, b, bx + offset, by))
}

function everyOrSome(which: 'every' | 'some', holdsAt: (offset: number) => boolean): boolean {
  for (let index = 0; index < STRIP; index++) {
    if (holdsAt(index * BLOCK) !== (which === 'every')) return which === 'some'
  }
  return which === 'every'
}

function ceilTo(value: number, step: number): number {
  return Math.ceil(value / step) * step
}
