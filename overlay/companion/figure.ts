import type { Point, Rect } from '../../protocol/overlay/geometry.js'
import type { Context2D } from '../scene/context.js'
import { paintBeside } from './beside.js'
import { paintFace } from './face.js'
import { Inside } from './inside.js'
import {
  BUN,
  type Placing,
  penOf,
  placing,
  SHOULDER,
  traceArm,
  traceArmEdge,
  traceBody,
  traceTrunk,
  turned,
} from './outline.js'
import type { Channels } from './pose.js'
import { type Tones, tonesOf } from './tones.js'

/** What it covers at rest, in logical points, its middle in the middle: for keeping off things. */
export const FIGURE = { width: 60, height: 72 } as const

/** What it covers at rest in any mood, from its middle: what it says and offers keeps off this. */
export const BODY: Rect = [-30, -44, 60, 74]

/** How far anything of it reaches from its middle, whatever it does: left and right, up, down. */
export const REACH = { across: 60, up: 86, down: 42 } as const

/** The figure at one moment. */
export interface FigurePose {
  readonly channels: Channels
  /** Of its body, as #rrggbb; absent: its own. */
  readonly color?: string
}

/** How far the outline reaches beyond the body. */
const CASING = 1.6
const HALO = [3, 1.4] as const

/** Draws the figure, its middle at the origin. */
export function paintFigure(context: Context2D, { channels: pose, color }: FigurePose): void {
  const tones = tonesOf(color)
  const place = placing(pose)
  context.save()
  context.globalAlpha = pose.alpha
  context.lineCap = 'round'
  context.lineJoin = 'round'
  paintBeside(context, pose, tones, 'behind')
  context.beginPath()
  traceBody(context, pose, place)
  context.strokeStyle = tones.halo
  for (const by of HALO) stroke(context, 2 * (CASING + by))
  context.strokeStyle = tones.casing
  stroke(context, 2 * CASING)
  const fill = skin(context, pose, tones, place)
  context.fillStyle = fill
  context.fill()
  paintMarkings(context, pose, tones, place)
  paintFace(context, pose, tones, place)
  paintBeside(context, pose, tones, 'front')
  paintArms(context, pose, tones, place, fill)
  paintBeside(context, pose, tones, 'before')
  context.restore()
}

/** Draws, solid, what of the figure takes clicks: its body with the outline. */
export function paintShape(context: Context2D, pose: Channels): void {
  context.save()
  context.globalAlpha = 1
  context.lineJoin = 'round'
  context.fillStyle = '#000000'
  context.strokeStyle = '#000000'
  context.beginPath()
  traceBody(context, pose, placing(pose))
  context.fill()
  stroke(context, 2 * CASING)
  context.restore()
}

/** Whether a place, from the figure's middle, is on what `paintShape` draws. */
export function isOnFigure(pose: Channels, at: Point): boolean {
  const inside = new Inside(at, CASING)
  traceBody(inside, pose, placing(pose))
  return inside.isInside
}

function stroke(context: Context2D, width: number): void {
  context.lineWidth = width
  context.stroke()
}

/** Lit from the upper left. */
function skin(context: Context2D, pose: Channels, tones: Tones, place: Placing): object {
  const [x, y] = place(-7, -6)
  const reach = 42 * pose.size
  const gradient = context.createRadialGradient(x, y, 2, x, y, reach)
  gradient.addColorStop(0, tones.light)
  gradient.addColorStop(0.55, tones.body)
  gradient.addColorStop(0.78, tones.body)
  gradient.addColorStop(1, tones.shade)
  return gradient
}

/** The strand of the wisp that runs down to the brow, and the roll of the bun. */
function paintMarkings(context: Context2D, pose: Channels, tones: Tones, place: Placing): void {
  context.strokeStyle = tones.shade
  context.lineWidth = 1.4 * pose.size
  if (pose.bun > 0.5) {
    const pen = penOf(context, place)
    const [x, y] = BUN.at
    context.beginPath()
    pen.move(x - 4.6, y + 3.4)
    pen.curve(x - 6.4, y - 5, x + 4.6, y - 7, x + 4.4, y - 0.2)
    pen.curve(x + 4.2, y + 4.4, x - 2.2, y + 3.6, x - 1.2, y - 0.6)
    context.stroke()
  }
}

/** Arms before the body: where they are over it their edge is drawn faintly. */
function paintArms(context: Context2D, pose: Channels, tones: Tones, place: Placing, fill: object): void {
  const sides = ([-1, 1] as const).filter((side) => turned(side * SHOULDER[0], pose.turn).wide > 0)
  context.fillStyle = fill
  for (const side of sides) {
    context.beginPath()
    traceArm(context, pose, place, side)
    context.fill()
  }
  context.save()
  context.beginPath()
  traceTrunk(context, place)
  context.clip()
  context.globalAlpha = pose.alpha * 0.62
  context.strokeStyle = tones.casing
  for (const side of sides) {
    context.beginPath()
    traceArmEdge(context, pose, place, side)
    stroke(context, 1.3 * pose.size)
  }
  context.restore()
}
