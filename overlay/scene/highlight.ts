import { intersects, type Point, type Rect, type Size } from '../../protocol/overlay/geometry.js'
import type { HighlightMark } from '../../protocol/overlay/marks.js'
import { badgeRect } from './badge.js'
import type { Tint } from './color.js'
import type { Context2D } from './context.js'
import type { Badge, Env, HighlightBody } from './laid.js'
import { mixRect } from './motion.js'
import type { Subject } from './place.js'
import { ellipse, grow, layers, REACH, roundRect } from './shapes.js'
import { snapLength, snapRect } from './snap.js'

const WIDTH = 3
/** Between what is outlined and the outline. */
const CLEAR = 3
const RADIUS = 7
const DIM = 'rgba(8,9,12,0.55)'

export function layHighlight(mark: HighlightMark, env: Env): HighlightBody {
  return {
    kind: 'highlight',
    box: onDisplay(mark.rect, grow(mark.rect, CLEAR), env.size),
    shape: mark.shape,
    spotlight: mark.spotlight,
  }
}

/** Moves edges that would put the outline just outside the display back onto it: a full-screen highlight is seen. */
function onDisplay(rect: Rect, box: Rect, size: Size): Rect {
  const least = WIDTH + 1.5
  const edge = (wish: number, of: number, room: number) =>
    of >= 0 && of <= room ? Math.max(least, Math.min(wish, room - least)) : wish
  const left = edge(box[0], rect[0], size[0])
  const top = edge(box[1], rect[1], size[1])
  const right = edge(box[0] + box[2], rect[0] + rect[2], size[0])
  const bottom = edge(box[1] + box[3], rect[1] + rect[3], size[1])
  return [left, top, Math.max(1, right - left), Math.max(1, bottom - top)]
}

/** Rectangles that hold the outline: four strips, so that a large highlight does not make large repaints. */
export function highlightAreas({ box, shape }: HighlightBody): Rect[] {
  const outer = grow(box, WIDTH + REACH)
  const thick = 2 * REACH + WIDTH + RADIUS
  if (shape === 'ellipse' || outer[2] < 4 * thick || outer[3] < 4 * thick) return [outer]
  const [x, y, width, height] = outer
  return [
    [x, y, width, thick],
    [x, y + height - thick, width, thick],
    [x, y + thick, thick, height - 2 * thick],
    [x + width - thick, y + thick, thick, height - 2 * thick],
  ]
}

export function highlightBadge({ box, shape }: HighlightBody): Point {
  if (shape === 'rect') return [box[0], box[1]]
  // On the ellipse, up and to the left.
  const inset = (1 - Math.SQRT1_2) / 2
  return [box[0] + box[2] * inset, box[1] + box[3] * inset]
}

export function highlightSubject(body: HighlightBody, badge: Badge | null, size: Size): Subject {
  const avoid = [grow(body.box, WIDTH + 2)]
  if (badge) avoid.push(badgeRect(badge))
  const inside = inner(body, badge ? 18 : REACH + 2)
  const left = Math.max(0, inside[0])
  const top = Math.max(0, inside[1])
  return {
    avoid,
    align: body.shape === 'rect' ? 'start' : 'middle',
    sides: ['above', 'below', 'right', 'left'],
    inside: [
      left,
      top,
      Math.min(size[0], inside[0] + inside[2]) - left,
      Math.min(size[1], inside[1] + inside[3]) - top,
    ],
  }
}

/** The room a caption has inside: an ellipse has least at its corners. */
function inner({ box, shape }: HighlightBody, by: number): Rect {
  const inset = shape === 'ellipse' ? (1 - Math.SQRT1_2) / 2 : 0
  const [x, y, width, height] = box
  const square: Rect = [
    x + width * inset,
    y + height * inset,
    width * (1 - 2 * inset),
    height * (1 - 2 * inset),
  ]
  return grow(square, -by)
}

export function mixHighlight(from: HighlightBody, to: HighlightBody, t: number): HighlightBody {
  return { ...to, box: mixRect(from.box, to.box, t) }
}

/** Just inside and outside of the outline, all the way round. */
export function highlightSamples({ box, shape }: HighlightBody): Point[] {
  const samples: Point[] = []
  for (const by of [-3, WIDTH / 2, WIDTH + 3]) {
    const [x, y, width, height] = grow(box, by)
    for (let step = 0; step < 64; step++) {
      const share = step / 64
      if (shape === 'ellipse') {
        const angle = share * 2 * Math.PI
        samples.push([x + (width / 2) * (1 + Math.cos(angle)), y + (height / 2) * (1 + Math.sin(angle))])
      } else samples.push(onPerimeter([x, y, width, height], share))
    }
  }
  return samples
}

function onPerimeter([x, y, width, height]: Rect, share: number): Point {
  const along = share * 2 * (width + height)
  if (along < width) return [x + along, y]
  if (along < width + height) return [x + width, y + along - width]
  if (along < 2 * width + height) return [x + 2 * width + height - along, y + height]
  return [x, y + 2 * (width + height) - along]
}

export function paintHighlight(context: Context2D, body: HighlightBody, tint: Tint, scale: number): void {
  const inner = snapRect(body.box, scale)
  const width = snapLength(WIDTH, scale)
  for (const { style, by } of layers(tint, scale)) {
    context.fillStyle = style
    context.beginPath()
    outline(context, body.shape, grow(inner, width + by), RADIUS + width + by)
    outline(context, body.shape, grow(inner, -by), Math.max(1, RADIUS - by))
    // Two nested edges filled between: strokes would put straight edges in the middle of a pixel.
    context.fill('evenodd')
  }
}

function outline(context: Context2D, shape: 'rect' | 'ellipse', rect: Rect, radius: number): void {
  const [x, y, width, height] = rect
  if (shape === 'rect') roundRect(context, rect, radius)
  else ellipse(context, [x + width / 2, y + height / 2], [width / 2, height / 2])
}

/** Dims the display but for the insides of `bodies`; what is inside any of them stays clear. */
export function paintDim(context: Context2D, bodies: readonly HighlightBody[], rect: Rect, env: Env): void {
  const display: Rect = [0, 0, env.size[0], env.size[1]]
  context.save()
  for (const body of bodies) {
    const hole = grow(snapRect(body.box, env.scale), snapLength(WIDTH, env.scale) / 2)
    if (!intersects(hole, rect)) continue
    // Clips intersect, so each hole is cut out of what the others left; nothing below is erased.
    context.beginPath()
    context.rect(-1, -1, display[2] + 2, display[3] + 2)
    outline(context, body.shape, hole, RADIUS + WIDTH / 2)
    context.clip('evenodd')
  }
  context.fillStyle = DIM
  context.fillRect(...display)
  context.restore()
}
