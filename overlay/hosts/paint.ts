/** What a stage shows, as pixels. */
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Context2D } from '../scene/index.js'
import type { CanvasKit } from './canvas.js'
import { type PixelRect, toPixels, toPoints } from './pixels.js'

export { type PixelRect, toPixels, toPoints } from './pixels.js'

/** Opaque RGBA, rows without padding. */
export interface Picture {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** What a stage is for a picture. */
export interface Inked {
  /** Where it draws, in logical points of its display. */
  ink(now: number): readonly Rect[]
  /** `picture`: without what is for the screen alone. */
  paint(context: Context2D, rect: Rect, now: number, picture: boolean): void
}

/** What the stage shows in `rect`, over nothing, a colour or a picture: RGBA, premultiplied, rows without padding. */
export function paintPatch(
  kit: CanvasKit,
  stage: Inked,
  rect: PixelRect,
  scale: number,
  now: number,
  ground?: string | Picture,
): Buffer {
  const { canvas, context } = kit.create(rect.width, rect.height)
  if (typeof ground === 'string') {
    context.fillStyle = ground
    context.fillRect(0, 0, rect.width, rect.height)
  } else if (ground) {
    context.putImageData(kit.image(ground), 0, 0)
  }
  context.setTransform(scale, 0, 0, scale, -rect.x, -rect.y)
  // With a ground it is a picture, and the prompt is for the screen alone.
  stage.paint(context, toPoints(rect, scale), now, ground !== undefined)
  return canvas.data()
}

/** Takes everything out of a patch that lies in `opening`; both are in pixels of one display. */
export function cutOut(pixels: Uint8Array, patch: PixelRect, opening: PixelRect): void {
  const left = Math.max(patch.x, opening.x)
  const right = Math.min(patch.x + patch.width, opening.x + opening.width)
  const bottom = Math.min(patch.y + patch.height, opening.y + opening.height)
  for (let y = Math.max(patch.y, opening.y); y < bottom && left < right; y++) {
    const row = (y - patch.y) * patch.width - patch.x
    pixels.fill(0, (row + left) * 4, (row + right) * 4)
  }
}

/**
 * Paints what the stage shows into `picture`, which is of `rect`: only where there is ink, since turning all of a large
 * picture into a canvas and back takes longer than anybody should wait.
 */
export function paintOver(
  kit: CanvasKit,
  stage: Inked,
  picture: Picture,
  rect: PixelRect,
  scale: number,
  now: number,
): void {
  const edge = { width: rect.x + rect.width, height: rect.y + rect.height }
  const inks = stage.ink(now).flatMap((ink) => toPixels(ink, scale, edge) ?? [])
  // All taken before any is painted: where two overlap, ink must not be laid over itself.
  const grounds = inks.flatMap((ink) => {
    const x = Math.max(ink.x, rect.x)
    const y = Math.max(ink.y, rect.y)
    const patch = { x, y, width: ink.x + ink.width - x, height: ink.y + ink.height - y }
    return patch.width > 0 && patch.height > 0 ? [{ patch, ...rowsOf(picture, rect, patch) }] : []
  })
  for (const { patch, rows, data } of grounds) {
    const painted = paintPatch(kit, stage, patch, scale, now, { ...patch, data })
    const stride = patch.width * 4
    rows.forEach((at, row) => {
      picture.data.set(painted.subarray(row * stride, (row + 1) * stride), at)
    })
  }
}

/** Where the rows of a part begin in a picture of `rect`, and a copy of them. */
function rowsOf(picture: Picture, rect: PixelRect, { x, y, width, height }: PixelRect) {
  const rows = Array.from(
    { length: height },
    (_, row) => ((y - rect.y + row) * picture.width + (x - rect.x)) * 4,
  )
  const data = new Uint8Array(width * height * 4)
  rows.forEach((at, row) => {
    data.set(picture.data.subarray(at, at + width * 4), row * width * 4)
  })
  return { rows, data }
}

/** Pixels of one colour, for a picture of this size. */
export function plain(
  { width, height }: PixelRect,
  rgba: readonly [number, number, number, number],
): Uint8Array {
  const data = new Uint8Array(width * height * 4)
  // As whole pixels, which is many times quicker than byte by byte.
  new Uint32Array(data.buffer).fill(new Uint32Array(Uint8Array.from(rgba).buffer)[0] as number)
  return data
}
