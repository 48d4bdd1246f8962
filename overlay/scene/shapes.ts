import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Tint } from './color.js'
import type { Context2D } from './context.js'
import { snapLength } from './snap.js'

/** How far the casing reaches beyond the ink on each side, in logical points. */
const CASING = 1.5

/** How far the two layers of the halo reach beyond the casing: one alone would look like a second outline. */
const HALO = [3, 1.25] as const

/** How far anything drawn reaches beyond its ink. A little more than drawn: antialiasing needs a pixel. */
export const REACH = CASING + HALO[0] + 1

/**
 * Curves are made of short straight lines. A canvas cuts curves where its clip ends and then rounds them differently,
 * so that repainting a part would not give the pixels of painting all; lines it cuts exactly.
 */
function arc(context: Context2D, [x, y]: Point, [rx, ry]: Size, from: number, to: number): void {
  // At most a twentieth of a device pixel off, up to three device pixels a point.
  const turn = Math.abs(to - from)
  const count = Math.max(2, Math.ceil(2.75 * turn * Math.sqrt(Math.max(rx, ry))))
  for (let step = 0; step <= count; step++) {
    const angle = from + ((to - from) * step) / count
    context.lineTo(x + rx * Math.cos(angle), y + ry * Math.sin(angle))
  }
}

/** Adds an ellipse to the path. */
export function ellipse(context: Context2D, [x, y]: Point, [rx, ry]: Size): void {
  context.moveTo(x + rx, y)
  arc(context, [x, y], [rx, ry], 0, 2 * Math.PI)
  context.closePath()
}

/**
 * Adds a rectangle with round corners to the path. Radii too large for it are cut down. `left` and `right` say on
 * which sides the corners are round.
 */
export function roundRect(context: Context2D, rect: Rect, radius: number, left = true, right = true): void {
  const [x, y, width, height] = rect
  const most = Math.max(0, Math.min(radius, width / 2, height / 2))
  const l = left ? most : 0
  const r = right ? most : 0
  const quarter = Math.PI / 2
  context.moveTo(x, y + l)
  arc(context, [x + l, y + l], [l, l], 2 * quarter, 3 * quarter)
  arc(context, [x + width - r, y + r], [r, r], 3 * quarter, 4 * quarter)
  arc(context, [x + width - r, y + height - r], [r, r], 0, quarter)
  arc(context, [x + l, y + height - l], [l, l], quarter, 2 * quarter)
  context.closePath()
}

export function fillRound(context: Context2D, rect: Rect, radius: number, style: string): void {
  context.fillStyle = style
  context.beginPath()
  roundRect(context, rect, radius)
  context.fill()
}

/** `rect` grown on every side; shrunk for a negative `by`, but never inside out. */
export function grow([x, y, width, height]: Rect, by: number): Rect {
  const across = Math.max(by, -width / 2)
  const down = Math.max(by, -height / 2)
  return [x - across, y - down, width + 2 * across, height + 2 * down]
}

/** A layer of a mark: its colour and how far it reaches beyond the ink on each side. */
export interface Layer {
  readonly style: string
  readonly by: number
}

/** Halo, casing and ink, in drawing order. Wider strokes under narrower ones are far cheaper than a blurred shadow. */
export function layers(tint: Tint, scale: number): Layer[] {
  const casing = snapLength(CASING, scale)
  return [
    ...HALO.map((reach) => ({ style: tint.halo, by: casing + snapLength(reach, scale) })),
    { style: tint.casing, by: casing },
    { style: tint.ink, by: 0 },
  ]
}

/** A filled disc with casing and halo. */
export function disc(
  context: Context2D,
  x: number,
  y: number,
  radius: number,
  tint: Tint,
  scale: number,
): void {
  for (const { style, by } of layers(tint, scale)) {
    context.fillStyle = style
    context.beginPath()
    ellipse(context, [x, y], [radius + by, radius + by])
    context.fill()
  }
}

const SHADOW = [6.5, 5, 3.75, 2.5, 1.5, 0.5] as const
const SHADOW_DROP = 1.5

/** A soft shadow under a card: translucent layers, each smaller than the one below it. */
export function cardShadow(context: Context2D, rect: Rect, radius: number): void {
  for (const spread of SHADOW) {
    const layer = grow([rect[0], rect[1] + SHADOW_DROP, rect[2], rect[3]], spread)
    fillRound(context, layer, radius + spread, 'rgba(10,10,14,0.04)')
  }
}

/** How far a card's shadow reaches. */
export const SHADOW_REACH = 9
