import { BLOCK, holds, type Pixels } from './pixels.js'

type Place = readonly [x: number, y: number]

/**
 * Whether a block of `before` is at `to` in `after` as far as it is in sight: each of its lines, or each of its columns,
 * is there, or lies under something that stands still, or belonged to that. So what reaches over the edge of a pane fits.
 * `from` must be within `before`, and `to` within both.
 */
export function fitsInSight(before: Pixels, after: Pixels, from: Place, to: Place): boolean {
  return fitsAlong(before, after, from, to, true) || fitsAlong(before, after, from, to, false)
}

function fitsAlong(
  before: Pixels,
  after: Pixels,
  [fromX, fromY]: Place,
  [toX, toY]: Place,
  byLines: boolean,
): boolean {
  // Where the window is smaller now, what stood still is nothing that can be seen.
  const mayStand = holds(after, fromX, fromY)
  for (let outer = 0; outer < BLOCK; outer++) {
    let moved = true
    let covered = true
    let stood = mayStand
    for (let inner = 0; inner < BLOCK && (moved || covered || stood); inner++) {
      const x = byLines ? inner : outer
      const y = byLines ? outer : inner
      const source = before.data[(fromY + y) * before.width + fromX + x]
      const now = after.data[(toY + y) * after.width + toX + x]
      moved &&= source === now
      covered &&= before.data[(toY + y) * before.width + toX + x] === now
      stood &&= source === after.data[(fromY + y) * after.width + fromX + x]
    }
    if (!moved && !covered && !stood) return false
  }
  return true
}
