/** Frames in pixels of a display, as a surface has them that begins and ends at whole logical points. */
import type { PixelRect } from '../paint.js'

/** Bytes a pixel. */
const PIXEL = 4
/** From so much of a pixel on it takes clicks. */
const HALF = 128
/** Scales come in steps of a 120th; whole points of whole pixels are looked for up to so many. */
const MOST_POINTS = 20
const NEARLY = 1e-6

export interface Fit {
  /** Where the surface is, in logical points of its display. */
  readonly place: PixelRect
  /** Pixels of the surface. */
  readonly width: number
  readonly height: number
  /** Where in them the frame is. */
  readonly left: number
  readonly top: number
}

/**
 * The surface of a frame: where there is a way, pixel on pixel of the display, so that nothing is blurred. Its size depends
 * on that of the frame alone, so that one that moves stays the same surface.
 */
export function fitOf(rect: PixelRect, scale: number): Fit {
  const points = pointsOfPixels(scale)
  const step = points * scale
  const across = along(rect.x, rect.width)
  const down = along(rect.y, rect.height)
  function along(at: number, length: number) {
    const steps = Math.floor(at / step + NEARLY)
    const size = (Math.ceil(length / step - NEARLY) + 1) * points
    return {
      at: steps * points,
      size,
      pixels: Math.ceil(size * scale - NEARLY),
      off: at - Math.round(steps * step),
    }
  }
  return {
    place: { x: across.at, y: down.at, width: across.size, height: down.size },
    width: across.pixels,
    height: down.pixels,
    left: across.off,
    top: down.off,
  }
}

/** The least number of points that are whole pixels; 1 where there is none to speak of. */
function pointsOfPixels(scale: number): number {
  for (let points = 1; points <= MOST_POINTS; points++) {
    const pixels = points * scale
    if (Math.abs(pixels - Math.round(pixels)) < NEARLY) return points
  }
  return 1
}

/** The frame's pixels in those of its surface. */
export function sheetOf(pixels: Uint8Array, { width }: Pick<PixelRect, 'width'>, fit: Fit): Uint8Array {
  const sheet = new Uint8Array(fit.width * fit.height * PIXEL)
  const row = width * PIXEL
  for (let from = 0, y = fit.top; from < pixels.length; from += row, y++)
    sheet.set(pixels.subarray(from, from + row), (y * fit.width + fit.left) * PIXEL)
  return sheet
}

/**
 * Where a surface takes clicks, in logical points from its top left. Only points all of whose pixels do: what is beside the
 * shape is never taken, whatever the scale.
 */
export function clickable(input: Uint8Array, frame: PixelRect, fit: Fit, scale: number): PixelRect[] {
  const rects: PixelRect[] = []
  /** The runs of the row above, and the rectangles that they are the last row of. */
  let above = ''
  let open: { x: number; y: number; width: number; height: number }[] = []
  for (let y = 0; y < fit.place.height; y++) {
    const runs = runsOf(y)
    const key = String(runs)
    if (key === above) for (const rect of open) rect.height += 1
    else {
      open = runs.map(([x, end]) => ({ x, y, width: end - x, height: 1 }))
      rects.push(...open)
      above = key
    }
  }
  return rects

  /** The points of a row that are in, from and to. */
  function runsOf(y: number): [number, number][] {
    const runs: [number, number][] = []
    const [top, bottom] = pixelsOf(y, fit.top)
    if (top < 0 || bottom > frame.height) return runs
    for (let x = 0; x < fit.place.width; x++) {
      if (!isIn(x, top, bottom)) continue
      const last = runs.at(-1)
      if (last?.[1] === x) last[1] += 1
      else runs.push([x, x + 1])
    }
    return runs
  }

  function isIn(x: number, top: number, bottom: number): boolean {
    const [left, right] = pixelsOf(x, fit.left)
    if (left < 0 || right > frame.width) return false
    for (let row = top; row < bottom; row++)
      for (let column = left; column < right; column++)
        if ((input[(row * frame.width + column) * PIXEL + 3] as number) < HALF) return false
    return true
  }

  /** The pixels of the frame that a point covers any of. */
  function pixelsOf(point: number, off: number): [number, number] {
    return [Math.floor(point * scale + NEARLY) - off, Math.ceil((point + 1) * scale - NEARLY) - off]
  }
}
