import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Context2D } from '../scene/context.js'
import type { Ruler } from '../scene/font.js'
import { overlap } from '../scene/place.js'
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
  /** Where marks are, which are above it and come first. */
  readonly occupied: readonly Rect[]
}

export type Side = 'above' | 'right' | 'left' | 'below'

/** Between a card and the figure, and between a card and the edge of the display. */
const GAP = 11
const EDGE = 8
/** Between a card and a mark. */
const CLEAR = 4
/** What is so near to the edge of a device pixel, in device pixels, is on it. */
const NEARLY = 1e-6

/** What there is of the display on a side of the figure. */
export function roomOn(side: Side, { size, figure: [x, y, width, height] }: Room): Size {
  const [across, down] = [size[0] - 2 * EDGE, size[1] - 2 * EDGE]
  if (side === 'above') return [across, y - GAP - EDGE]
  if (side === 'below') return [across, size[1] - EDGE - GAP - y - height]
  if (side === 'left') return [x - GAP - EDGE, down]
  return [size[0] - EDGE - GAP - x - width, down]
}

/** Where a box is beside the figure. */
export interface Spot {
  readonly side: Side
  readonly rect: Rect
  /** How far along its side it is from where the figure is in its middle. */
  readonly shift: number
  /** How much of it marks cover, in square points. */
  readonly covered: number
}

interface SpotOptions {
  /** The figure's middle is at least so far from either end of the box. */
  readonly hold: number
  /** Where along the side it is to be, rather than with the figure in its middle. */
  readonly shift?: number
}

/**
 * Where a box of this size is on a side of the figure, on device pixels: clear of marks, and as near to where it is wanted as
 * they and the display allow. Where they leave no place for it, it is where they cover least of it.
 */
export function spotOn(side: Side, box: Size, room: Room, { hold, shift = 0 }: SpotOptions): Spot {
  const axis = side === 'above' || side === 'below' ? 0 : 1
  const [length, middle] = [box[axis], room.at[axis]]
  const inside = (start: number) => Math.max(EDGE, Math.min(start, room.size[axis] - EDGE - length))
  const centred = inside(middle - length / 2)
  const low = Math.min(centred, inside(middle - length + hold))
  const high = Math.max(centred, inside(middle - hold))
  const wanted = Math.max(low, Math.min(middle - length / 2 + shift, high))
  const spotAt = (start: number): Spot => {
    const rect = boxAt(side, box, start, room)
    const covered = room.occupied.reduce((sum, one) => sum + overlap(rect, one), 0)
    return { side, rect, shift: rect[axis] - (middle - length / 2) + 0, covered }
  }
  const first = spotAt(wanted)
  if (first.covered === 0) return first
  const ends = room.occupied.flatMap((rect) => [rect[axis] - length - CLEAR, endOf(rect, axis) + CLEAR])
  const starts = [low, high, ...ends.filter((start) => start >= low && start <= high)]
  let best = first
  for (const start of starts.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))) {
    const spot = spotAt(start)
    if (spot.covered < best.covered) best = spot
    if (best.covered === 0) break
  }
  return best
}

function endOf(rect: Rect, axis: 0 | 1): number {
  return axis === 0 ? rect[0] + rect[2] : rect[1] + rect[3]
}

/** A box on a side of the figure that begins at `start` along it. */
function boxAt(side: Side, [width, height]: Size, start: number, { scale, figure }: Room): Rect {
  const [x, y] =
    side === 'left'
      ? [figure[0] - GAP - width, start]
      : side === 'right'
        ? [figure[0] + figure[2] + GAP, start]
        : side === 'above'
          ? [start, figure[1] - GAP - height]
          : [start, figure[1] + figure[3] + GAP]
  // Towards the figure's far side, so that rounding never brings it nearer.
  const down = (value: number) => Math.floor(value * scale + NEARLY) / scale
  const up = (value: number) => Math.ceil(value * scale - NEARLY) / scale
  return [side === 'left' ? down(x) : up(x), side === 'above' ? down(y) : up(y), width, height]
}

/** `length` on whole device pixels, no shorter. */
export function whole(length: number, scale: number): number {
  return Math.ceil(length * scale - NEARLY) / scale
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
