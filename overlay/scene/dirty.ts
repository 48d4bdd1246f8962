import { type Rect, type Size, union } from '../../protocol/overlay/geometry.js'
import { coverPixels } from './snap.js'

/** More rectangles than this cost a host more in calls than they save in pixels. */
const MOST = 12

/** What merging two rectangles may add, as a share of the area they had. */
const SLACK = 1.25

/**
 * Few coarse rectangles that cover all of `rects`, on the device pixels of a display (`size` in logical points).
 * They may overlap a little; nothing outside the display is in them.
 */
export function coalesce(rects: readonly Rect[], scale: number, size: Size): Rect[] {
  const merged: Rect[] = []
  for (const rect of rects) {
    const covered = coverPixels(rect, scale, size)
    if (covered) add(merged, covered)
  }
  while (merged.length > MOST) mergeCheapest(merged)
  return merged
}

function add(merged: Rect[], rect: Rect): void {
  let grown = rect
  // A merge may make the result touch another one, so start again after each.
  for (let index = 0; index < merged.length; ) {
    const other = merged[index] as Rect
    const both = union(grown, other)
    if (area(both) <= SLACK * Math.max(area(grown) + area(other), 64)) {
      merged.splice(index, 1)
      grown = both
      index = 0
    } else index++
  }
  merged.push(grown)
}

function mergeCheapest(merged: Rect[]): void {
  let best = Number.POSITIVE_INFINITY
  let pair: [number, number] = [0, 1]
  for (let a = 0; a < merged.length; a++) {
    for (let b = a + 1; b < merged.length; b++) {
      const one = merged[a] as Rect
      const two = merged[b] as Rect
      const cost = area(union(one, two)) - area(one) - area(two)
      if (cost < best) {
        best = cost
        pair = [a, b]
      }
    }
  }
  const two = merged.splice(pair[1], 1)[0] as Rect
  const one = merged.splice(pair[0], 1)[0] as Rect
  add(merged, union(one, two))
}

function area(rect: Rect): number {
  return rect[2] * rect[3]
}
