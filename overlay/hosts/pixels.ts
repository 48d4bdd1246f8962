/** Logical rectangles to device pixels and back. */
import type { Rect } from '../../protocol/overlay/geometry.js'

/** A rectangle in physical pixels, relative to the display's top left. */
export interface PixelRect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The pixels a logical rectangle touches, cut off at the display's edges; null when there are none. */
export function toPixels(
  rect: Rect,
  scale: number,
  display: { width: number; height: number },
): PixelRect | null {
  // A hair of slack: a rectangle that lies on pixel edges must not grow by one through rounding.
  const slack = 1e-6
  const left = Math.max(0, Math.floor(rect[0] * scale + slack))
  const top = Math.max(0, Math.floor(rect[1] * scale + slack))
  const right = Math.min(display.width, Math.ceil((rect[0] + rect[2]) * scale - slack))
  const bottom = Math.min(display.height, Math.ceil((rect[1] + rect[3]) * scale - slack))
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null
}

/** The logical rectangle of some pixels. */
export function toPoints({ x, y, width, height }: PixelRect, scale: number): Rect {
  return [x / scale, y / scale, width / scale, height / scale]
}
