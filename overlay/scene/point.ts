import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { PointMark } from '../../protocol/overlay/marks.js'
import { badgeRect } from './badge.js'
import type { Tint } from './color.js'
import type { Context2D } from './context.js'
import type { Badge, Env, PointBody } from './laid.js'
import { mixPoint } from './motion.js'
import type { Subject } from './place.js'
import { facingAt, pointerRect } from './pointer.js'
import { ellipse, layers, REACH } from './shapes.js'

const RADIUS = 10
const WIDTH = 2.5
const DOT = 2.25

export function layPoint(mark: PointMark, env: Env): PointBody {
  return { kind: 'point', at: mark.at, facing: facingAt(mark.at, env.size) }
}

/** What the ring covers. */
export function ringRect([x, y]: Point): Rect {
  const reach = RADIUS + WIDTH / 2 + REACH
  return [x - reach, y - reach, 2 * reach, 2 * reach]
}

/** Beside the ring: opposite the pointer's body, or, near an edge, where neither the edge nor the pointer is. */
export function pointBadge({ at: [x, y], facing: [right, down] }: PointBody, size: Size): Point {
  const wishes: Point[] = [
    [x - 18 * right, y - 18 * down],
    [x + 18 * right, y - 18 * down],
    [x - 18 * right, y + 18 * down],
  ]
  const room = 15
  const fits = wishes.find(
    ([wx, wy]) => wx >= room && wy >= room && wx <= size[0] - room && wy <= size[1] - room,
  )
  return fits ?? [x + 44 * right, y + 15 * down]
}

export function pointSubject(body: PointBody, badge: Badge | null): Subject {
  const avoid = [ringRect(body.at), pointerRect(body.at, body.facing)]
  if (badge) avoid.push(badgeRect(badge))
  return { avoid, align: 'middle', sides: ['right', 'left', 'below', 'above'] }
}

export function mixPointBody(from: PointBody, to: PointBody, t: number): PointBody {
  return { ...to, at: mixPoint(from.at, to.at, t) }
}

/** Along the ring, and the pointer's body: where a colour has to be seen. */
export function pointSamples(body: PointBody): Point[] {
  const samples: Point[] = []
  for (let step = 0; step < 24; step++) {
    const angle = (step / 24) * 2 * Math.PI
    for (const radius of [RADIUS - 3, RADIUS, RADIUS + 3]) {
      samples.push([body.at[0] + radius * Math.cos(angle), body.at[1] + radius * Math.sin(angle)])
    }
  }
  for (let step = 3; step <= 22; step += 3) {
    samples.push([body.at[0] + step * body.facing[0], body.at[1] + step * body.facing[1]])
  }
  return samples
}

/** Paints the ring, and the dot unless it is `covered` by the pointer's tip: under that it is only clutter. */
export function paintPoint(
  context: Context2D,
  body: PointBody,
  tint: Tint,
  scale: number,
  covered: boolean,
): void {
  const [x, y] = body.at
  for (const { style, by } of layers(tint, scale)) {
    const outer = RADIUS + WIDTH / 2 + by
    const inner = RADIUS - WIDTH / 2 - by
    context.fillStyle = style
    context.beginPath()
    ellipse(context, [x, y], [outer, outer])
    ellipse(context, [x, y], [inner, inner])
    context.fill('evenodd')
    if (covered || by > 2) continue
    context.beginPath()
    ellipse(context, [x, y], [DOT + by, DOT + by])
    context.fill()
  }
}
