/** Logical rectangles of a stage to physical pixels: with `headless` and `native`, the only place that multiplies by a scale. */
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Stage } from '../scene/index.js'
import type { CanvasKit } from './canvas.js'

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

/** Opaque RGBA, rows without padding. */
export interface Picture {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** What the stage shows in `rect`, over nothing, a colour or a picture: RGBA, premultiplied, rows without padding. */
export function paintPatch(
  kit: CanvasKit,
  stage: Stage,
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
