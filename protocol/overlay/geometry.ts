/**
 * Logical geometry of the overlay wire. Every number is a logical point, relative to the top left of the display
 * it travels with; a physical pixel never appears here.
 */

/** `[x, y]` in logical points. */
export type Point = readonly [x: number, y: number]

/** `[x, y, width, height]` in logical points; extents are positive. */
export type Rect = readonly [x: number, y: number, width: number, height: number]

/** `[width, height]` in logical points. */
export type Size = readonly [width: number, height: number]

/** One display as clients see it: the entries of the `displays` ack. */
export interface Display {
  /** Small integer, stable for as long as the display stays connected. */
  readonly id: number
  /** Physical pixels per logical point. */
  readonly scale: number
  readonly logical_size: Size
  /** Top left in the desktop's logical space; the primary display is at `[0, 0]`. */
  readonly origin: Point
  readonly primary: boolean
  readonly name: string
}

/** The smallest rectangle that holds every point; zero extents are possible. */
export function boundsOfPoints(points: readonly Point[]): Rect {
  let left = Number.POSITIVE_INFINITY
  let top = Number.POSITIVE_INFINITY
  let right = Number.NEGATIVE_INFINITY
  let bottom = Number.NEGATIVE_INFINITY
  for (const [x, y] of points) {
    if (x < left) left = x
    if (x > right) right = x
    if (y < top) top = y
    if (y > bottom) bottom = y
  }
  return [left, top, right - left, bottom - top]
}

/** The smallest rectangle that holds both. */
export function union(a: Rect, b: Rect): Rect {
  const left = Math.min(a[0], b[0])
  const top = Math.min(a[1], b[1])
  return [left, top, Math.max(a[0] + a[2], b[0] + b[2]) - left, Math.max(a[1] + a[3], b[1] + b[3]) - top]
}

/** Whether the two share any area, or touch with a zero extent inside. */
export function intersects(a: Rect, b: Rect): boolean {
  return a[0] <= b[0] + b[2] && b[0] <= a[0] + a[2] && a[1] <= b[1] + b[3] && b[1] <= a[1] + a[3]
}

/** `rect` grown by `by` points on every side. */
export function inflate(rect: Rect, by: number): Rect {
  return [rect[0] - by, rect[1] - by, rect[2] + 2 * by, rect[3] + 2 * by]
}

/** `rect` moved by `[dx, dy]`. */
export function translate(rect: Rect, [dx, dy]: Point): Rect {
  return [rect[0] + dx, rect[1] + dy, rect[2], rect[3]]
}

/** The part of `rect` inside `bounds`, or null when there is none. */
export function clip(rect: Rect, bounds: Rect): Rect | null {
  const left = Math.max(rect[0], bounds[0])
  const top = Math.max(rect[1], bounds[1])
  const right = Math.min(rect[0] + rect[2], bounds[0] + bounds[2])
  const bottom = Math.min(rect[1] + rect[3], bounds[1] + bounds[3])
  return right > left && bottom > top ? [left, top, right - left, bottom - top] : null
}

/** Whether a display is another one as far as marks are concerned. */
export function differs(before: Display | undefined, now: Display | undefined): boolean {
  return (
    !before ||
    !now ||
    before.scale !== now.scale ||
    before.logical_size[0] !== now.logical_size[0] ||
    before.logical_size[1] !== now.logical_size[1]
  )
}
