/** Where things are to each other and on the display. Pure; logical points. */
import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Item } from '../items.js'
import type { Place, Relation } from './reading.js'

export function middle([x, y, width, height]: Rect): Point {
  return [x + width / 2, y + height / 2]
}

export function holds([x, y, width, height]: Rect, [px, py]: Point): boolean {
  return px >= x && py >= y && px <= x + width && py <= y + height
}

/** Whether `inner` lies in `outer`, give or take a point. */
export function encloses(outer: Rect, inner: Rect): boolean {
  return (
    inner[0] >= outer[0] - 1 &&
    inner[1] >= outer[1] - 1 &&
    inner[0] + inner[2] <= outer[0] + outer[2] + 1 &&
    inner[1] + inner[3] <= outer[1] + outer[3] + 1
  )
}

/** Whether two things are on one line: half of the lower one's height is beside the other. */
export function onOneLine(a: Rect, b: Rect): boolean {
  const overlap = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1])
  return overlap >= Math.min(a[3], b[3]) / 2
}

/** Things in the order they are read: lines from top to bottom, each from left to right. */
export function inReadingOrder<T>(things: readonly T[], rectOf: (thing: T) => Rect): T[] {
  const lines: T[][] = []
  const first = (line: readonly T[]) => rectOf(line[0] as T)
  for (const thing of [...things].sort((a, b) => rectOf(a)[1] - rectOf(b)[1])) {
    const line = lines.find((one) => onOneLine(first(one), rectOf(thing)))
    if (line) line.push(thing)
    else lines.push([thing])
  }
  return lines.flatMap((line) => line.sort((a, b) => rectOf(a)[0] - rectOf(b)[0]))
}

/** Whether two things are in one row, or the one straight below the other. */
export function isInLine(a: Item, b: Item): boolean {
  if (a.row !== undefined && a.row === b.row) return true
  const column = Math.min(a.rect[0] + a.rect[2], b.rect[0] + b.rect[2]) - Math.max(a.rect[0], b.rect[0])
  return onOneLine(a.rect, b.rect) || column >= Math.min(a.rect[2], b.rect[2]) / 2
}

/** How far a thing is from what it is told by, in points, or null where it is not where the words say. */
export function distance(thing: Item, anchor: Item, relation: Relation): number | null {
  const [a, b] = [thing.rect, anchor.rect]
  const right = a[0] - (b[0] + b[2])
  const left = b[0] - (a[0] + a[2])
  const below = a[1] - (b[1] + b[3])
  const above = b[1] - (a[1] + a[3])
  const dx = Math.max(0, left, right)
  const dy = Math.max(0, above, below)
  switch (relation) {
    case 'beside':
      if (thing.row !== undefined && thing.row === anchor.row) return dx * 0.05
      if (onOneLine(a, b)) return dx * 0.3
      // What belongs to a heading is below it rather than above.
      return dy + 2 * dx + (above > 0 ? 50 : 0)
    case 'left':
      return left >= -4 && onOneLine(a, b) ? dx : null
    case 'right':
      return right >= -4 && onOneLine(a, b) ? dx : null
    case 'above':
      return above >= -4 ? dy + 2 * dx : null
    case 'below':
      return below >= -4 ? dy + 2 * dx : null
    case 'in':
      return encloses(b, a) ? 0 : null
    case 'cross':
      return null
    case 'has':
      return encloses(a, b) ? 0 : null
  }
}

/** How well a place on a display fits words such as "top right", 0..1. */
export function placeFit(place: Place, [x, y]: Point, [width, height]: Size): number {
  const along = (at: number, wanted: 'start' | 'middle' | 'end') =>
    wanted === 'start' ? 1 - at : wanted === 'end' ? at : 1 - 2 * Math.abs(at - 0.5)
  const fits: number[] = []
  if (place.x)
    fits.push(along(clamp(x / width), place.x === 'left' ? 'start' : place.x === 'right' ? 'end' : 'middle'))
  if (place.y)
    fits.push(along(clamp(y / height), place.y === 'top' ? 'start' : place.y === 'bottom' ? 'end' : 'middle'))
  return fits.reduce((sum, fit) => sum + fit, 0) / fits.length
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))
