import type { Point } from './geometry.js'

/** A bow that reads as a gesture rather than a ruler line. */
export const DEFAULT_BOW = 0.2

/** Enough that no segment of a screen-long arrow shows as one. */
const SEGMENTS = 48

/**
 * The path of an arrow from `from` to `to`, in logical points. `bow` is a signed fraction of its length, positive to
 * the right of travel (screen coordinates: y grows downward); 0 gives the two ends alone.
 */
export function arrowPath(from: Point, to: Point, bow: number = DEFAULT_BOW): readonly Point[] {
  if (bow === 0) return [from, to]
  const dx = to[0] - from[0]
  const dy = to[1] - from[1]
  // The control point of a quadratic curve lies twice as far out as the curve itself does at its middle.
  const control: Point = [(from[0] + to[0]) / 2 - dy * bow * 2, (from[1] + to[1]) / 2 + dx * bow * 2]
  return Array.from({ length: SEGMENTS + 1 }, (_, index): Point => {
    const t = index / SEGMENTS
    const u = 1 - t
    return [
      u * u * from[0] + 2 * u * t * control[0] + t * t * to[0],
      u * u * from[1] + 2 * u * t * control[1] + t * t * to[1],
    ]
  })
}
