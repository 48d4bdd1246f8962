import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Tint } from './color.js'
import type { Context2D } from './context.js'
import type { Facing } from './laid.js'
import { ease, mixPoint } from './motion.js'
import { layers } from './shapes.js'

/** The pointer at one moment. */
export interface Pose {
  readonly at: Point
  readonly facing: Facing
  /** Radians it leans about its tip while flying; 0 when settled. */
  readonly lean: number
  readonly alpha: number
  readonly tint: Tint
}

// The glyph, tip at the origin: a slim kite, a little longer than wide.
const WING: Point = [25, 11.6]
const NOTCH: Point = [13.4, 14.4]
const TAIL: Point = [9.2, 25.6]
const ROUNDING = 2

/** Width and height of the settled pointer with casing and halo, from 3 points before its tip. */
const EXTENT = 31
const BEFORE = 6

/** Which way the pointer hangs at `at` so that all of it is on the display. */
export function facingAt(at: Point, size: Size): Facing {
  return [at[0] + EXTENT > size[0] ? -1 : 1, at[1] + EXTENT > size[1] ? -1 : 1]
}

/** What the settled pointer covers at `at`. */
export function pointerRect([x, y]: Point, [right, down]: Facing): Rect {
  return [
    right === 1 ? x - BEFORE : x - EXTENT,
    down === 1 ? y - BEFORE : y - EXTENT,
    EXTENT + BEFORE,
    EXTENT + BEFORE,
  ]
}

/** What the pointer covers in a pose; a leaning one may be anywhere around its tip. */
export function poseRect(pose: Pose): Rect {
  if (pose.lean === 0) return pointerRect(pose.at, pose.facing)
  const [x, y] = pose.at
  const reach = EXTENT + BEFORE
  return [x - reach, y - reach, 2 * reach, 2 * reach]
}

export function samePose(a: Pose | null, b: Pose | null): boolean {
  if (a === null || b === null) return a === b
  return (
    a.at[0] === b.at[0] &&
    a.at[1] === b.at[1] &&
    a.facing[0] === b.facing[0] &&
    a.facing[1] === b.facing[1] &&
    a.lean === b.lean &&
    a.alpha === b.alpha &&
    a.tint === b.tint
  )
}

/** Where a pointer that was nowhere comes from: a short way off, from the middle of the display. */
export function entrance(to: Point, size: Size): Point {
  const dx = size[0] / 2 - to[0]
  const dy = size[1] / 2 - to[1]
  const length = Math.hypot(dx, dy)
  const short = Math.min(120, size[0] / 3, size[1] / 3)
  if (length < 1) return [to[0] + short * 0.6, to[1] + short * 0.8]
  return [to[0] + (dx / length) * short, to[1] + (dy / length) * short]
}

/** The place on the arc from `from` to `to` at share `t` of the flight, and how far the pointer leans there. */
export function flight(from: Point, to: Point, t: number): { at: Point; lean: number } {
  if (t >= 1) return { at: to, lean: 0 }
  const dx = to[0] - from[0]
  const dy = to[1] - from[1]
  const length = Math.hypot(dx, dy)
  const eased = ease(t)
  if (length < 1) return { at: mixPoint(from, to, eased), lean: 0 }
  // Bows upwards, like a hand does; by a fifth of the way, but not across half the display.
  const bow = Math.min(length * 0.2, 140) * (dx >= 0 ? 1 : -1)
  const middle: Point = [
    (from[0] + to[0]) / 2 + (dy / length) * bow,
    (from[1] + to[1]) / 2 - (dx / length) * bow,
  ]
  const at = mixPoint(mixPoint(from, middle, eased), mixPoint(middle, to, eased), eased)
  const speed = Math.sin(Math.PI * eased)
  return { at, lean: Math.max(-0.22, Math.min(0.22, dx / 900)) * speed }
}

export function paintPointer(context: Context2D, pose: Pose, scale: number): void {
  context.save()
  context.translate(pose.at[0], pose.at[1])
  context.rotate(pose.lean)
  context.scale(pose.facing[0], pose.facing[1])
  context.globalAlpha = pose.alpha
  context.lineJoin = 'round'
  // The tip of the ink, not of its casing, is at the target.
  for (const { style, by } of layers(pose.tint, scale)) {
    context.beginPath()
    kite(context)
    if (by > 0) {
      context.strokeStyle = style
      context.lineWidth = 2 * by
      context.stroke()
    } else {
      context.fillStyle = style
      context.fill()
    }
  }
  context.restore()
}

function kite(context: Context2D): void {
  context.moveTo(WING[0] / 2, WING[1] / 2)
  context.arcTo(WING[0], WING[1], NOTCH[0], NOTCH[1], ROUNDING)
  context.arcTo(NOTCH[0], NOTCH[1], TAIL[0], TAIL[1], ROUNDING)
  context.arcTo(TAIL[0], TAIL[1], 0, 0, ROUNDING)
  context.lineTo(0, 0)
  context.closePath()
}
