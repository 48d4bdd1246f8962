import type { Point, Rect } from '../../protocol/overlay/geometry.js'

/** How long a mark glides to its new geometry, in ms. */
export const GLIDE_MS = 250

/** How long the pointer flies to another point, in ms. */
export const FLIGHT_MS = 350

/** Share of a motion done at `now`: 0 before it starts, exactly 1 from its end on. */
export function progress(now: number, start: number, duration: number): number {
  if (duration <= 0 || now >= start + duration) return 1
  return Math.max(0, (now - start) / duration)
}

/** Slow at both ends: leaves and arrives without a jerk. */
export function ease(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2
}

export function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t
}

export function mixPoint(a: Point, b: Point, t: number): Point {
  return [mix(a[0], b[0], t), mix(a[1], b[1], t)]
}

export function mixRect(a: Rect, b: Rect, t: number): Rect {
  return [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t), mix(a[3], b[3], t)]
}
