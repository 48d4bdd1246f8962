import type { Point, Rect } from '../../protocol/overlay/geometry.js'

/** Displays that are not further apart than this are beside each other. */
const TOUCHING = 1
/** How far from the corner of a passage it goes through, where there is room. */
const ROOM = 40

/**
 * The way from a place to another as straight lines that stay on the displays (`rects`), passing from one to the next
 * where they touch: each place in between is such a passage. The straight line, where there is no such way.
 */
export function routeOf(from: Point, to: Point, rects: readonly Rect[]): Point[] {
  const start = rectAt(from, rects)
  const end = rectAt(to, rects)
  if (start < 0 || end < 0 || start === end) return [from, to]
  // Breadth first: the fewest displays.
  const before = new Map<number, number>([[start, -1]])
  for (const index of before.keys()) {
    if (index === end) break
    for (let next = 0; next < rects.length; next++) {
      if (!before.has(next) && passage(rects[index] as Rect, rects[next] as Rect)) before.set(next, index)
    }
  }
  if (!before.has(end)) return [from, to]
  const through: number[] = []
  for (let index = end; index >= 0; index = before.get(index) as number) through.unshift(index)
  const route: Point[] = [from]
  for (let step = 1; step < through.length; step++) {
    const edge = passage(rects[through[step - 1] as number] as Rect, rects[through[step] as number] as Rect)
    if (edge) route.push(crossing(route[route.length - 1] as Point, to, edge))
  }
  return [...route, to]
}

/** Where the straight line crosses an edge, or as near to that as there is room. */
function crossing(from: Point, to: Point, [a, b]: readonly [Point, Point]): Point {
  const axis: 0 | 1 = a[0] === b[0] ? 1 : 0
  const across: 0 | 1 = axis === 0 ? 1 : 0
  const way = to[across] - from[across]
  const share = way === 0 ? 0.5 : Math.max(0, Math.min(1, (a[across] - from[across]) / way))
  const wanted = from[axis] + (to[axis] - from[axis]) * share
  const room = Math.min(ROOM, (b[axis] - a[axis]) / 2)
  const at = Math.max(a[axis] + room, Math.min(wanted, b[axis] - room))
  return axis === 1 ? [a[0], at] : [at, a[1]]
}

/** The edge that two displays share, from end to end; null where they do not touch. */
function passage([ax, ay, aw, ah]: Rect, [bx, by, bw, bh]: Rect): [Point, Point] | null {
  const left = Math.max(ax, bx)
  const right = Math.min(ax + aw, bx + bw)
  const top = Math.max(ay, by)
  const bottom = Math.min(ay + ah, by + bh)
  if (right < left - TOUCHING || bottom < top - TOUCHING) return null
  if (bottom - top > right - left) {
    const x = (left + right) / 2
    return [
      [x, top],
      [x, bottom],
    ]
  }
  const y = (top + bottom) / 2
  return right - left > TOUCHING
    ? [
        [left, y],
        [right, y],
      ]
    : null
}

/** The display a place is on; of those that share it the first. */
export function rectAt([x, y]: Point, rects: readonly Rect[]): number {
  return rects.findIndex(
    ([left, top, width, height]) =>
      x >= left - TOUCHING &&
      x <= left + width + TOUCHING &&
      y >= top - TOUCHING &&
      y <= top + height + TOUCHING,
  )
}
