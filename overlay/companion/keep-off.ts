import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import { intersects, type Point, type Rect, type Size } from '../../protocol/overlay/geometry.js'
import { overlap } from '../scene/place.js'
import { grow } from '../scene/shapes.js'
import { type DesktopDisplay, reachable } from './desktop.js'
import { FIGURE } from './figure.js'

/** What the companion is not to cover. */
export interface Avoid {
  readonly displays: readonly DesktopDisplay[]
  /** Marks, windows' parts, panels at the edges of a display. */
  readonly rects?: readonly { readonly display: number; readonly rect: Rect }[]
  /** Where the person works just now: the pointer, the caret. */
  readonly points?: readonly DisplayPoint[]
}

/** It stays where it is while it is clear of everything by this … */
const NEAR = 4
/** … and goes to where it is clear by this, so that it does not move again for every little thing. */
const CLEAR = 24
/** What somebody works at takes up so much around a point. */
const AROUND_POINT = 20
/** Of what it covers, less is worth going for only when it is less by this share. */
const WORTH = 0.5
const COLUMNS = 12
const ROWS = 8

/**
 * Where to rest so that nothing of `avoid` is covered: where it is (`here`, the very same object) when that is clear, else
 * the nearest clear place of the same display where all of it can be reached. Where nothing is clear it goes to where it
 * covers least, if that is much less. Null without displays.
 */
export function keepOff(here: DisplayPoint, avoid: Avoid): DisplayPoint | null {
  const start = reachable(here, avoid.displays)
  const display = start && avoid.displays.find(({ id }) => id === start.display)
  if (!start || !display) return null
  const isThere = start.display === here.display && start.at[0] === here.at[0] && start.at[1] === here.at[1]
  const stay = isThere ? here : start
  const obstacles = obstaclesOn(display, avoid)
  if (!obstacles.some((obstacle) => intersects(boxAt(start.at, NEAR), obstacle))) return stay
  let best: Point | null = null
  let least = { at: start.at, covers: WORTH * coverage(start.at, obstacles) }
  for (const wanted of candidates(start.at, display.size, obstacles)) {
    const at = reachable({ display: display.id, at: wanted }, avoid.displays)?.at
    if (!at) continue
    if (!obstacles.some((obstacle) => intersects(boxAt(at, CLEAR - 1), obstacle))) {
      if (!best || way(start.at, at) < way(start.at, best)) best = at
    } else if (!best) {
      const covers = coverage(at, obstacles)
      if (covers < least.covers) least = { at, covers }
    }
  }
  const at = best ?? least.at
  return at === start.at ? stay : { display: display.id, at }
}

function obstaclesOn({ id, size }: DesktopDisplay, { rects = [], points = [] }: Avoid): Rect[] {
  const found: Rect[] = []
  for (const { display, rect } of rects) {
    // What covers it all is nothing to keep off.
    if (display === id && rect.every(Number.isFinite) && !(rect[2] >= size[0] && rect[3] >= size[1]))
      found.push(rect)
  }
  for (const { display, at } of points) {
    if (display === id && at.every(Number.isFinite)) found.push(grow([at[0], at[1], 0, 0], AROUND_POINT))
  }
  return found
}

function boxAt([x, y]: Point, by: number): Rect {
  return grow([x - FIGURE.width / 2, y - FIGURE.height / 2, FIGURE.width, FIGURE.height], by)
}

function coverage(at: Point, obstacles: readonly Rect[]): number {
  return obstacles.reduce((sum, obstacle) => sum + overlap(boxAt(at, NEAR), obstacle), 0)
}

/** Beside each thing it is to keep off, and all over the display. */
function candidates([x, y]: Point, [width, height]: Size, obstacles: readonly Rect[]): Point[] {
  const [across, down] = [FIGURE.width / 2 + CLEAR, FIGURE.height / 2 + CLEAR]
  const found: Point[] = []
  const xs = [x]
  const ys = [y]
  for (const [left, top, wide, high] of obstacles.slice(0, 64)) {
    xs.push(left - across, left + wide + across)
    ys.push(top - down, top + high + down)
  }
  for (const one of xs) found.push([one, y])
  for (const one of ys) found.push([x, one])
  for (let column = 0; column <= COLUMNS; column++) {
    for (let row = 0; row <= ROWS; row++) found.push([(width * column) / COLUMNS, (height * row) / ROWS])
  }
  return found
}

function way(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1])
}
