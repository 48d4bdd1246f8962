import type { Rect, Size } from '../../protocol/overlay/geometry.js'

// Fractional scales turn exact pixel edges into 15.999999: anything this close to an edge is on it.
const NEARLY = 1e-4

/** `value` (logical points) moved to the nearest edge between device pixels. */
export function snap(value: number, scale: number): number {
  return Math.round(value * scale) / scale
}

/** `length` as a whole number of device pixels, at least one. */
export function snapLength(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale)) / scale
}

/** `rect` with every edge on a device pixel edge; it never becomes empty. */
export function snapRect(rect: Rect, scale: number): Rect {
  const left = snap(rect[0], scale)
  const top = snap(rect[1], scale)
  const right = Math.max(snap(rect[0] + rect[2], scale), left + 1 / scale)
  const bottom = Math.max(snap(rect[1] + rect[3], scale), top + 1 / scale)
  return [left, top, right - left, bottom - top]
}

/** The whole device pixels that `rect` touches, on a display or beyond its edges. */
export function outerPixels(rect: Rect, scale: number): Rect {
  const left = Math.floor(rect[0] * scale + NEARLY)
  const top = Math.floor(rect[1] * scale + NEARLY)
  const right = Math.ceil((rect[0] + rect[2]) * scale - NEARLY)
  const bottom = Math.ceil((rect[1] + rect[3]) * scale - NEARLY)
  return [left / scale, top / scale, (right - left) / scale, (bottom - top) / scale]
}

/** The whole device pixels of a display that `rect` touches, or null when it touches none. */
export function coverPixels(rect: Rect, scale: number, size: Size): Rect | null {
  const left = Math.max(0, Math.floor(rect[0] * scale + NEARLY))
  const top = Math.max(0, Math.floor(rect[1] * scale + NEARLY))
  const right = Math.min(Math.ceil(size[0] * scale - NEARLY), Math.ceil((rect[0] + rect[2]) * scale - NEARLY))
  const bottom = Math.min(
    Math.ceil(size[1] * scale - NEARLY),
    Math.ceil((rect[1] + rect[3]) * scale - NEARLY),
  )
  if (right <= left || bottom <= top) return null
  return [left / scale, top / scale, (right - left) / scale, (bottom - top) / scale]
}
