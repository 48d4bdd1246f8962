import { type Box, heightOf, widthOf } from './picture.js'

/** A line of text, dark on white, as a reader takes it. */
export interface Crop {
  readonly width: number
  readonly height: number
  /** A byte a pixel. */
  readonly gray: Uint8Array
  /** Pixels of the crop for one of the picture, and where the picture's (0, 0) is in it. */
  readonly zoom: number
  readonly left: number
  readonly top: number
}

/** White around the text, in pixels of the crop: readers want some, and take none as a cut. */
const MARGIN = 12
/** What a reader is at its best with, in pixels per point. */
const PER_POINT = 2
/** Faint text is made as dark as other text, but noise is not. */
const MOST_GAIN = 4

/** Cuts a box out of `distance` (see `findGrounds`), enlarges it and makes its text black. */
export function cropOf(distance: Uint8Array, width: number, box: Box, scale: number): Crop {
  const zoom = Math.max(1, Math.round(PER_POINT / scale))
  const [w, h] = [widthOf(box), heightOf(box)]
  const gain = gainOf(distance, width, box)
  const out = { width: w * zoom + 2 * MARGIN, height: h * zoom + 2 * MARGIN }
  const gray = new Uint8Array(out.width * out.height).fill(255)
  for (let y = 0; y < h * zoom; y++) {
    const [y0, y1, v] = between(y, zoom, h)
    const upper = (box.top + y0) * width + box.left
    const lower = (box.top + y1) * width + box.left
    let at = (y + MARGIN) * out.width + MARGIN
    for (let x = 0; x < w * zoom; x++, at++) {
      const [x0, x1, u] = between(x, zoom, w)
      const above = (distance[upper + x0] as number) * (1 - u) + (distance[upper + x1] as number) * u
      const below = (distance[lower + x0] as number) * (1 - u) + (distance[lower + x1] as number) * u
      gray[at] = 255 - Math.min(255, gain * (above * (1 - v) + below * v))
    }
  }
  return { ...out, gray, zoom, left: MARGIN - box.left * zoom, top: MARGIN - box.top * zoom }
}

/** The two pixels an enlarged one lies between, and how near it is to the second. */
function between(at: number, zoom: number, length: number): [number, number, number] {
  const exact = Math.max(0, (at + 0.5) / zoom - 0.5)
  const first = Math.floor(exact)
  return [first, Math.min(first + 1, length - 1), exact - first]
}

/** How much the darkest tenth of the ink lacks to black. */
function gainOf(distance: Uint8Array, width: number, box: Box): number {
  const counts = new Uint32Array(256)
  let ink = 0
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const value = distance[y * width + x] as number
      if (value < 24) continue
      ;(counts[value] as number)++
      ink++
    }
  }
  let value = 255
  for (let darker = counts[255] as number; value > 1 && darker < ink / 10; darker += counts[value] as number)
    value--
  return Math.min(MOST_GAIN, 255 / value)
}

/** As a file that every reader of pictures takes, and that needs no packing. */
export function pgm({ width, height, gray }: Crop): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), gray])
}
