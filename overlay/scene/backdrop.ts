import type { Point, Rect } from '../../protocol/overlay/geometry.js'
import { luminance } from './color.js'

/** Pixels of what is under (a part of) a mark's ink: RGBA, rows without padding, covering `rect`. */
export interface Backdrop {
  readonly data: Uint8Array | Uint8ClampedArray
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** What the pixels show, in logical points of the display. */
  readonly rect: Rect
}

/** The relative luminances under `points`; points outside every block are left out. */
export function luminancesUnder(points: readonly Point[], blocks: readonly Backdrop[]): number[] {
  const found: number[] = []
  for (const [x, y] of points) {
    for (const { data, width, height, rect } of blocks) {
      const column = Math.floor(((x - rect[0]) / rect[2]) * width)
      const row = Math.floor(((y - rect[1]) / rect[3]) * height)
      if (column < 0 || row < 0 || column >= width || row >= height) continue
      const offset = (row * width + column) * 4
      const red = data[offset]
      const green = data[offset + 1]
      const blue = data[offset + 2]
      if (red === undefined || green === undefined || blue === undefined) continue
      found.push(luminance([red, green, blue]))
      break
    }
  }
  return found
}
