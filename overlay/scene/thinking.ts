/** The sign that something is looked for: three dots beside the pointer. It does not move, so that nothing runs for it. */
import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import { palette, rgbOf, tintOf } from './color.js'
import type { Context2D } from './context.js'
import { type Pose, paintPointer, pointerRect } from './pointer.js'
import { ellipse, fillRound, grow } from './shapes.js'

const WIDTH = 34
const HEIGHT = 16
const DOT = 2.4
const APART = 8.5
/** From the tip of the pointer to the middle of the dots: on the other side than its body, off the ring. */
const ASIDE: Point = [30, 20]
const GROUND = '#1c1c1f'
const RIM = 1.5

const amber = tintOf(palette.amber, rgbOf(palette.amber))

export interface LaidThinking {
  readonly rect: Rect
  /** A pointer of its own, where there is none to be beside. */
  readonly pose: Pose | null
  /** Holds every pixel drawn. */
  readonly area: Rect
}

/** Beside the pointer, which is at `at`; in the middle of a display that has none, with a pointer there. */
export function layThinking(pointer: Pose | null, size: Size): LaidThinking {
  const pose: Pose | null = pointer
    ? null
    : { at: [size[0] / 2, size[1] / 2], facing: [1, 1], lean: 0, alpha: 1, tint: amber }
  const { at, facing } = (pointer ?? pose) as Pose
  const clamp = (value: number, most: number) => Math.max(RIM, Math.min(value, most - RIM))
  const x = clamp(at[0] - facing[0] * ASIDE[0] - WIDTH / 2, size[0] - WIDTH)
  const y = clamp(at[1] - facing[1] * ASIDE[1] - HEIGHT / 2, size[1] - HEIGHT)
  const rect: Rect = [Math.round(x), Math.round(y), WIDTH, HEIGHT]
  const area = grow(rect, RIM + 1)
  return { rect, pose, area: pose ? joined(area, pointerRect(pose.at, pose.facing)) : area }
}

export function paintThinking(context: Context2D, { rect, pose }: LaidThinking, scale: number): void {
  if (pose) paintPointer(context, pose, scale)
  fillRound(context, grow(rect, RIM), HEIGHT / 2 + RIM, '#ffffff')
  fillRound(context, rect, HEIGHT / 2, GROUND)
  context.fillStyle = palette.amber
  context.beginPath()
  const [x, y] = [rect[0] + WIDTH / 2, rect[1] + HEIGHT / 2]
  for (const step of [-1, 0, 1]) ellipse(context, [x + step * APART, y], [DOT, DOT])
  context.fill()
}

export function sameThinking(a: LaidThinking | null, b: LaidThinking | null): boolean {
  if (a === null || b === null) return a === b
  return a.rect.every((value, index) => value === b.rect[index]) && (a.pose === null) === (b.pose === null)
}

function joined(a: Rect, b: Rect): Rect {
  const [left, top] = [Math.min(a[0], b[0]), Math.min(a[1], b[1])]
  return [left, top, Math.max(a[0] + a[2], b[0] + b[2]) - left, Math.max(a[1] + a[3], b[1] + b[3]) - top]
}
