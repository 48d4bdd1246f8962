import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import { type Line, lineOf } from '../scene/bidi.js'
import { paintLines } from '../scene/caption.js'
import type { Context2D } from '../scene/context.js'
import { snapLength } from '../scene/snap.js'
import { clean, graphemes } from '../scene/text.js'
import { balanced, lengthOf, type Wrapped, wrap } from '../scene/wrap.js'
import { CARD, paintCard, type Room, roomOn, type Side, type Spot, spotOn, whole } from './card.js'

/** What it says, laid out: in logical points of the display. */
export interface LaidBubble {
  readonly side: Side
  readonly rect: Rect
  /** As in `Spot`. */
  readonly shift: number
  /** How wide its lines may be. */
  readonly measure: number
  /** Where its tail points to, and where it begins. */
  readonly tail: readonly [tip: Point, root: Point]
  /** On its way elsewhere: its lines may be larger than it still is. */
  readonly moving: boolean
  readonly lines: readonly Line[]
  /** What tells that there is more than is shown. */
  readonly more: string | null
}

const SIZE = 14
const HEIGHT = 20
const MORE_SIZE = 12
const MORE_HEIGHT = 18
const PAD_X = 13
const PAD_Y = 9
const RADIUS = 12
/** How wide it may be: narrower where there is no place for it otherwise. */
const WIDTHS = [270, 180]
const NARROWEST = 90
/** How many lines it has at most: fewer where marks leave no place for more. */
const MOST_LINES = [12, 7, 4, 2, 1]
const TAIL = 9
const TAIL_HALF = 8
/** A tail begins at least this far from a corner. */
const CORNER = RADIUS + TAIL_HALF + 1

/** What tells how much there is beyond what is shown is quieter than the rest. */
export const BUBBLE = { ...CARD, more: CARD.quiet } as const

const SIDES: readonly Side[] = ['above', 'right', 'left', 'below']

/** Where it was before. */
export type BubbleSpot = Pick<LaidBubble, 'side' | 'shift' | 'measure'>

/** Where it is when nothing is in its way. */
export const FIRST_SPOT: BubbleSpot = { side: 'above', shift: 0, measure: 270 }

/**
 * Places what it says where there is room for it and no mark: where it was, or else on the first side on which all of it
 * fits; else where it shows most. Never over the figure or below a mark; null where there is no place for a line.
 */
export function layBubble(text: string, room: Room, before: BubbleSpot | null): LaidBubble | null {
  const content = clean(text).trim()
  if (content === '') return null
  const spots: BubbleSpot[] = WIDTHS.flatMap((measure) => SIDES.map((side) => ({ side, shift: 0, measure })))
  if (before) {
    const same = spots.filter(({ side, measure }) => side === before.side && measure === before.measure)
    spots.unshift(before, ...same)
  }
  let best: LaidBubble | null = null
  // Fewer lines show less; where all of them show none there is nothing left to try.
  for (const most of MOST_LINES) {
    for (const spot of spots) {
      const laid = layOn(spot, most, content, room)
      if (laid?.more === null) return laid
      if (laid && (!best || shownOf(laid) > shownOf(best))) best = laid
    }
    if (best) break
  }
  return best
}

const shownOf = ({ lines }: LaidBubble) => lengthOf(lines)

function layOn(
  { side, shift, measure: wanted }: BubbleSpot,
  mostLines: number,
  content: string,
  room: Room,
): LaidBubble | null {
  const [across, down] = roomOn(side, room)
  const { ruler, at } = room
  const width = Math.min(wanted, across) - 2 * PAD_X
  const most = Math.min(mostLines, Math.floor((down - 2 * PAD_Y) / HEIGHT))
  if (width < NARROWEST || most < 1) return null
  const measure = (part: string) => ruler.width(part, SIZE, 400)
  let wrapped = wrap(content, width, measure, most)
  const count = wrapped.lines.length
  if (wrapped.cut) {
    const fewer = Math.min(most, Math.floor((down - 2 * PAD_Y - MORE_HEIGHT) / HEIGHT))
    if (fewer < 1) return null
    wrapped = wrap(content, width, measure, fewer)
  } else if (count > 1 && !content.includes('\n')) {
    wrapped = wrap(content, balanced(content, width, measure, count), measure, count)
  }
  const more = wrapped.cut ? moreOf(content, wrapped, width, room) : null
  const spot: Spot = spotOn(side, boxOf(wrapped.lines, more, room), room, { hold: CORNER, shift })
  if (spot.covered > 0) return null
  return {
    side,
    rect: spot.rect,
    shift: spot.shift,
    measure: wanted,
    tail: tailOf(side, spot.rect, at),
    moving: false,
    lines: wrapped.lines,
    more,
  }
}

function boxOf(lines: readonly Line[], more: string | null, { ruler, scale }: Room): Size {
  const widest = Math.max(
    ...lines.map(({ text }) => ruler.width(text, SIZE, 400)),
    more === null ? 0 : ruler.width(more, MORE_SIZE, 400),
  )
  const high = lines.length * HEIGHT + (more === null ? 0 : MORE_HEIGHT) + 2 * PAD_Y
  return [whole(Math.max(widest + 2 * PAD_X, 2 * CORNER), scale), whole(Math.max(high, 2 * CORNER), scale)]
}

const SPACE = /\s+/gu

/** How much is left out, in characters that can be seen. */
function moreOf(content: string, { lines }: Wrapped, most: number, { ruler }: Room): string {
  const count = (text: string) => graphemes(text.replace(SPACE, '')).length
  const left =
    count(content) -
    count(
      lines
        .map(({ text }) => text)
        .join('')
        .replace(/\u2026$/u, ''),
    )
  const number = String(left).replace(/\B(?=(\d{3})+$)/g, ',')
  // What is shown ends in an ellipsis already.
  const sentence = `${number} more characters`
  return ruler.width(sentence, MORE_SIZE, 400) <= most ? sentence : `+${number}`
}

function tailOf(side: Side, [x, y, width, height]: Rect, [atX, atY]: Point): readonly [Point, Point] {
  const across = Math.max(x + CORNER, Math.min(atX, x + width - CORNER))
  const down = Math.max(y + CORNER, Math.min(atY - 4, y + height - CORNER))
  // It leans towards the figure.
  const slant = (from: number, to: number) => from + Math.max(-6, Math.min(6, to - from))
  if (side === 'above')
    return [
      [slant(across, atX), y + height + TAIL],
      [across, y + height],
    ]
  if (side === 'below')
    return [
      [slant(across, atX), y - TAIL],
      [across, y],
    ]
  if (side === 'left')
    return [
      [x + width + TAIL, slant(down, atY)],
      [x + width, down],
    ]
  return [
    [x - TAIL, slant(down, atY)],
    [x, down],
  ]
}

/** The same on its way: `reach` is how far its tail is out, of 1. */
export function movedBubble(
  laid: LaidBubble,
  {
    side,
    rect,
    at,
    reach,
  }: Pick<LaidBubble, 'side' | 'rect'> & { readonly at: Point; readonly reach: number },
): LaidBubble {
  const [tip, root] = tailOf(side, rect, at)
  const out: Point = [root[0] + (tip[0] - root[0]) * reach, root[1] + (tip[1] - root[1]) * reach]
  return { ...laid, side, rect, tail: [out, root], moving: true }
}

export function paintBubble(context: Context2D, laid: LaidBubble, alpha: number, scale: number): void {
  const { rect, tail, lines, more } = laid
  context.save()
  context.globalAlpha = alpha
  const hair = snapLength(1, scale)
  paintCard(context, rect, RADIUS, BUBBLE, scale)
  if (distance(...tail) > 3 * hair) {
    traceTail(context, laid, 0)
    context.fillStyle = BUBBLE.edge
    context.fill()
    traceTail(context, laid, hair)
    context.fillStyle = BUBBLE.paper
    context.fill()
  }
  if (laid.moving) {
    context.beginPath()
    context.rect(...rect)
    context.clip()
  }
  const [x, y, width] = rect
  const text: Rect = [x + PAD_X, y + PAD_Y, width - 2 * PAD_X, lines.length * HEIGHT]
  const spare = Math.max(0, rect[3] - 2 * PAD_Y - text[3] - (more === null ? 0 : MORE_HEIGHT)) / 2
  const block = { weight: 400, scale } as const
  paintLines(context, {
    ...block,
    lines,
    rect: [text[0], text[1] + spare, text[2], text[3]],
    size: SIZE,
    height: HEIGHT,
    style: BUBBLE.ink,
  })
  if (more !== null) {
    const at: Rect = [text[0], text[1] + text[3] + spare, text[2], MORE_HEIGHT]
    // In our words, and so from our side.
    paintLines(context, {
      ...block,
      lines: [lineOf(more, 'ltr')],
      rect: at,
      size: MORE_SIZE,
      height: MORE_HEIGHT,
      style: BUBBLE.more,
    })
  }
  context.restore()
}

function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(bx - ax, by - ay)
}

/** The tail, `by` smaller than it is, so that two make an edge. */
function traceTail(context: Context2D, { side, tail: [tip, root] }: LaidBubble, by: number): void {
  const isUpright = side === 'above' || side === 'below'
  const [dx, dy] = [Math.sign(tip[0] - root[0]), Math.sign(tip[1] - root[1])]
  const half = TAIL_HALF - by
  const back = by === 0 ? 0 : 1.5 * by
  context.beginPath()
  if (isUpright) {
    const y = root[1] - dy * back
    context.moveTo(root[0] - half, y)
    context.bezierCurveTo(
      root[0] - half * 0.45,
      y,
      tip[0] - 2,
      tip[1] - dy * (2 + by),
      tip[0],
      tip[1] - dy * by * 1.6,
    )
    context.bezierCurveTo(tip[0] + 2, tip[1] - dy * (2 + by), root[0] + half * 0.45, y, root[0] + half, y)
  } else {
    const x = root[0] - dx * back
    context.moveTo(x, root[1] - half)
    context.bezierCurveTo(
      x,
      root[1] - half * 0.45,
      tip[0] - dx * (2 + by),
      tip[1] - 2,
      tip[0] - dx * by * 1.6,
      tip[1],
    )
    context.bezierCurveTo(tip[0] - dx * (2 + by), tip[1] + 2, x, root[1] + half * 0.45, x, root[1] + half)
  }
  context.closePath()
}

/** Holds every pixel drawn of its tail. */
export function tailRect({ tail: [tip, root] }: LaidBubble): Rect {
  const reach = TAIL_HALF + 2
  const left = Math.min(tip[0], root[0]) - reach
  const top = Math.min(tip[1], root[1]) - reach
  return [left, top, Math.abs(tip[0] - root[0]) + 2 * reach, Math.abs(tip[1] - root[1]) + 2 * reach]
}
