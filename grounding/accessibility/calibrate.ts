/** From a program's own units to logical points of a display. Pure; no pixel is known here, only ratios. */
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { ScreenWindow } from '../resolver.js'
import type { RawRect } from './atspi.js'

/** How the units of one window of a program lie on the display. */
export interface Mapping {
  /** Where its units begin and what they are of: a rectangle in its units, and the same one in logical points. */
  readonly raw: RawRect
  readonly rect: Rect
  /** Units per logical point. */
  readonly scale: number
}

/** Sizes that come from rounding pixels may differ by so much, in units. */
const ROUNDING = 3

/** A border that a program draws around its window itself, in logical points. */
const MOST_BORDER = 12

/**
 * The mapping of a program's window that says it is at `raw`, onto the window it is on the screen. Null: they are not the
 * same window, or one of them has just changed its size. `scales`: what one logical point may be in units: 1, or the
 * display's scale. `isRelative`: the program counts from inside of a border that it draws itself.
 */
export function calibrate(
  raw: RawRect,
  window: ScreenWindow,
  scales: readonly number[],
  isRelative = false,
): Mapping | null {
  let best: Mapping | null = null
  let least = Number.POSITIVE_INFINITY
  for (const rect of [window.content, window.rect]) {
    for (const scale of scales) {
      const off = Math.abs(raw[2] - rect[2] * scale) + Math.abs(raw[3] - rect[3] * scale)
      if (off < least - 0.01) {
        least = off
        best = { raw, rect, scale }
      }
    }
  }
  if (least <= ROUNDING * 2) return best
  if (!isRelative) return null
  for (const scale of scales) {
    const [x, y, width, height] = window.content
    const border = [(width - raw[2] / scale) / 2, (height - raw[3] / scale) / 2] as const
    if (border.every((one) => one >= 0 && one <= MOST_BORDER) && Math.abs(border[0] - border[1]) <= 1) {
      const rect: Rect = [x + border[0], y + border[1], raw[2] / scale, raw[3] / scale]
      return { raw, rect, scale }
    }
  }
  return null
}

export function toPoints([x, y, width, height]: RawRect, { raw, rect, scale }: Mapping): Rect {
  return [rect[0] + (x - raw[0]) / scale, rect[1] + (y - raw[1]) / scale, width / scale, height / scale]
}

export function toRaw([x, y]: readonly [number, number], { raw, rect, scale }: Mapping): [number, number] {
  return [raw[0] + (x - rect[0]) * scale, raw[1] + (y - rect[1]) * scale]
}
