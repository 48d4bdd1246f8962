import type { Point, Rect } from '../../protocol/overlay/geometry.js'

/** Displays that are not further apart than this are beside each other. */
const TOUCHING = 1
/** How far from the corner of a passage it goes through, where there is room. */
const ROOM = 40

/**
 * The way from a place to another as straight lines that stay on the displays (`rects`), passing from one to the next
 * where they touch. The straight line, where there is no such way.
 */
export function routeOf(from: Point, to: Point, rects: readonly Rect[]): Point[] {
  if (isOn(from, to, rects)) return [from, to]
  const start = indexAt(from, rects)
  const end = indexAt(to, rects)
  if (start < 0 || end < 0) return [from, to]
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
    const [a, b] = passage(
      rects[through[step - 1] as number] as Rect,
      rects[through[step] as number] as Rect,
    ) as [Point, Point]
    const room = Math.min(0.5, ROOM / (Math.hypot(b[0] - a[0], b[1] - a[1]) || 1))
    const last = route[route.length - 1] as Point
    const middle: Point = [(last[0] + to[0]) / 2, (last[1] + to[1]) / 2]
    const share = Math.max(room, Math.min(1 - room, along(middle, a, b)))
    route.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share])
  }
  return [...route, to]
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

function along(point: Point, a: Point, b: Point): number {
  const length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
  return length === 0 ? 0.5 : ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length
}

function indexAt([x, y]: Point, rects: readonly Rect[]): number {
  return rects.findIndex(
    ([left, top, width, height]) =>
      x >= left - 1 && x <= left + width + 1 && y >= top - 1 && y <= top + height + 1,
  )
}

function isOn(from: Point, to: Point, rects: readonly Rect[]): boolean {
  for (let step = 0; step <= 32; step++) {
    const share = step / 32
    if (indexAt([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share], rects) < 0)
      return false
  }
  return true
}
