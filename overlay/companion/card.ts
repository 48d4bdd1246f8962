import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Context2D } from '../scene/context.js'
import type { Ruler } from '../scene/font.js'
import { cardShadow, fillRound, grow } from '../scene/shapes.js'
import { snapLength } from '../scene/snap.js'

/** What laying out beside the figure needs to know about the display it is on. */
export interface Room {
  readonly size: Size
  readonly scale: number
  readonly ruler: Ruler
  /** Where the figure is: never covered. */
  readonly figure: Rect
  readonly at: Point
}

export type Side = 'above' | 'right' | 'left' | 'below'

/** Between a card and the figure, and between a card and the edge of the display. */
const GAP = 11
const EDGE = 8

/** What there is of the display on a side of the figure. */
export function roomOn(side: Side, { size, figure: [x, y, width, height] }: Room): Size {
  const [across, down] = [size[0] - 2 * EDGE, size[1] - 2 * EDGE]
  if (side === 'above') return [across, y - GAP - EDGE]
  if (side === 'below') return [across, size[1] - EDGE - GAP - y - height]
  if (side === 'left') return [x - GAP - EDGE, down]
  return [size[0] - EDGE - GAP - x - width, down]
}

/** A box of this size on a side of the figure, as near to its middle as the display allows, on device pixels. */
export function boxOn(side: Side, [width, height]: Size, room: Room): Rect {
  const { size, at, scale, figure } = room
  const x =
    side === 'left'
      ? figure[0] - GAP - width
      : side === 'right'
        ? figure[0] + figure[2] + GAP
        : within(at[0] - width / 2, width, size[0])
  const y =
    side === 'above'
      ? figure[1] - GAP - height
      : side === 'below'
        ? figure[1] + figure[3] + GAP
        : within(at[1] - height / 2, height, size[1])
  // Towards the figure's far side, so that rounding never brings it nearer.
  const left = (side === 'left' ? Math.floor(x * scale) : Math.ceil(x * scale)) / scale
  const top = (side === 'above' ? Math.floor(y * scale) : Math.ceil(y * scale)) / scale
  return [left, top, width, height]
}

/** `length` on whole device pixels, no shorter. */
export function whole(length: number, scale: number): number {
  return Math.ceil(length * scale - 1e-6) / scale
}

function within(start: number, length: number, room: number): number {
  return Math.max(EDGE, Math.min(start, room - EDGE - length))
}

/** The colours of the marks' notes, for all that it says and offers: one hand wrote them. */
export const CARD = { paper: '#fffdf8', edge: '#d8d3c7', ink: '#26241f', quiet: '#6b655a' } as const

export interface CardLook {
  readonly paper: string
  readonly edge: string
}

/** A card, in the way of the marks' text boxes. */
export function paintCard(
  context: Context2D,
  rect: Rect,
  radius: number,
  look: CardLook,
  scale: number,
): void {
  const hair = snapLength(1, scale)
  cardShadow(context, rect, radius)
  fillRound(context, rect, radius, look.edge)
  fillRound(context, grow(rect, -hair), radius - hair, look.paper)
}
