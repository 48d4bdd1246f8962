import type { Point } from '../../protocol/overlay/geometry.js'
import type { Channels } from './pose.js'

/** What takes a path: a context, or what tells whether a place is inside. */
export interface Sink {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void
  closePath(): void
}

/** Where a place of the figure at rest is in a pose: the figure squashes, leans and is moved about the ground it stands on. */
export type Placing = (x: number, y: number) => Point

/** Where it stands, below its middle. */
const GROUND = 27

export function placing(pose: Channels): Placing {
  const high = pose.size * (1 + pose.stretch)
  // What it loses in height it gains in width, a little less than would keep its volume.
  const wide = pose.size / (1 + pose.stretch) ** 0.8
  const sin = Math.sin(pose.lean)
  const cos = Math.cos(pose.lean)
  return (x, y) => {
    const across = x * wide
    const up = (y - GROUND) * high
    return [pose.x + across * cos - up * sin, pose.y + GROUND + across * sin + up * cos]
  }
}

/** How far features go around it when it turns, from its axis. */
const AROUND = 21

/** Where a feature at `x` is seen while it turns, and how much of its width: below 0 it is at the back. */
export function turned(x: number, turn: number): { readonly x: number; readonly wide: number } {
  if (turn === 0) return { x, wide: 1 }
  const angle = Math.asin(Math.max(-1, Math.min(1, x / AROUND))) + turn
  return { x: AROUND * Math.sin(angle), wide: Math.cos(angle) / Math.max(0.2, Math.cos(angle - turn)) }
}

/** Adds all that is its body: trunk, wisp, arms and feet. */
export function traceBody(sink: Sink, pose: Channels, place: Placing): void {
  traceFeet(sink, place)
  traceTrunk(sink, place)
  traceWisp(sink, pose, place)
  traceArm(sink, pose, place, -1)
  traceArm(sink, pose, place, 1)
}

export function traceTrunk(sink: Sink, place: Placing): void {
  const pen = penOf(sink, place)
  pen.move(0, -15)
  pen.curve(8.5, -15, 18, -8, 21.2, 4)
  pen.curve(24.6, 17, 16.5, 26.4, 0, 26.4)
  pen.curve(-16.5, 26.4, -24.6, 17, -21.2, 4)
  pen.curve(-18, -8, -8.5, -15, 0, -15)
  sink.closePath()
}

function traceFeet(sink: Sink, place: Placing): void {
  for (const side of [-1, 1]) traceOval(sink, place, side * 8.6, 25.6, 6, 3.2)
}

const KAPPA = 0.5523

/** Adds an oval, turned by `tilt` radians. */
export function traceOval(
  sink: Sink,
  place: Placing,
  x: number,
  y: number,
  rx: number,
  ry: number,
  tilt = 0,
): void {
  const sin = Math.sin(tilt)
  const cos = Math.cos(tilt)
  const pen = penOf(sink, (u, v) => place(x + u * cos - v * sin, y + u * sin + v * cos))
  pen.move(rx, 0)
  pen.curve(rx, ry * KAPPA, rx * KAPPA, ry, 0, ry)
  pen.curve(-rx * KAPPA, ry, -rx, ry * KAPPA, -rx, 0)
  pen.curve(-rx, -ry * KAPPA, -rx * KAPPA, -ry, 0, -ry)
  pen.curve(rx * KAPPA, -ry, rx, -ry * KAPPA, rx, 0)
  sink.closePath()
}

const ARM = 3.7
export const SHOULDER: Point = [17.6, 10.5]

/** Where the hand of a side (-1 left, 1 right) is. */
function handOf(pose: Channels, side: -1 | 1): Point {
  const angle = side < 0 ? pose.armLeft : pose.armRight
  const length = 9.5 * (side < 0 ? pose.reachLeft : pose.reachRight)
  const [x, y] = shoulderOf(pose, side)
  return [x + side * Math.sin(angle) * length, y + Math.cos(angle) * length]
}

function shoulderOf(pose: Channels, side: -1 | 1): Point {
  return [turned(side * SHOULDER[0], pose.turn).x, SHOULDER[1]]
}

const ROUND = 4 / 3

function armPen(sink: Sink, pose: Channels, place: Placing, side: -1 | 1) {
  const [x, y] = shoulderOf(pose, side)
  const [hx, hy] = handOf(pose, side)
  const length = Math.hypot(hx - x, hy - y) || 1
  const along: Point = [(hx - x) / length, (hy - y) / length]
  const pen = penOf(sink, (u, v) => place(x + along[0] * u - along[1] * v, y + along[1] * u + along[0] * v))
  return { pen, length }
}

/** Adds an arm: a stub, round at both ends. */
export function traceArm(sink: Sink, pose: Channels, place: Placing, side: -1 | 1): void {
  const { pen, length } = armPen(sink, pose, place, side)
  pen.move(0, -ARM)
  pen.line(length, -ARM)
  pen.curve(length + ARM * ROUND, -ARM, length + ARM * ROUND, ARM, length, ARM)
  pen.line(0, ARM)
  pen.curve(-ARM * ROUND, ARM, -ARM * ROUND, -ARM, 0, -ARM)
  sink.closePath()
}

/** Adds the edge of an arm, from a little below the shoulder around the hand and back: where it is seen before the body. */
export function traceArmEdge(sink: Sink, pose: Channels, place: Placing, side: -1 | 1): void {
  const { pen, length } = armPen(sink, pose, place, side)
  pen.move(length * 0.3, -ARM)
  pen.line(length, -ARM)
  pen.curve(length + ARM * ROUND, -ARM, length + ARM * ROUND, ARM, length, ARM)
  pen.line(length * 0.3, ARM)
}

/** The line the wisp follows, from its root on, with half its width at each place. */
function wispLine(
  pose: Channels,
): readonly { readonly at: Point; readonly half: number; readonly angle: number }[] {
  const count = 8
  const length = 31 * pose.wisp
  const turn = Math.cos(pose.turn)
  let x = 0
  let y = -5
  const line = []
  for (let index = 0; index <= count; index++) {
    const share = index / count
    // Its root stays upright, so that it grows out of the head without a fold.
    const free = Math.min(1, Math.max(0, share - 0.12) / 0.4)
    const angle =
      -Math.PI / 2 +
      pose.wispLean * free * (2 - free) +
      pose.wispBend * share ** 1.6 +
      pose.wispCurl * 0.85 * share ** 4
    const half = 1.6 + 15.6 * (1 - share) ** 2.5
    line.push({ at: [x * turn, y] as Point, half, angle: turn < 0 ? -Math.PI - angle : angle })
    x += (Math.cos(angle) * length) / count
    y += (Math.sin(angle) * length) / count
  }
  return line
}

export const BUN: { readonly at: Point; readonly radius: number } = { at: [0, -20.5], radius: 8.2 }

function traceWisp(sink: Sink, pose: Channels, place: Placing): void {
  if (pose.bun > 0)
    traceOval(
      sink,
      place,
      BUN.at[0],
      BUN.at[1] + 6 * (1 - pose.bun),
      BUN.radius * pose.bun,
      BUN.radius * 0.92 * pose.bun,
    )
  if (pose.bun > 0.98) return
  const line = wispLine(pose)
  const left: Point[] = []
  const right: Point[] = []
  for (const { at, half, angle } of line) {
    const out: Point = [-Math.sin(angle) * half, Math.cos(angle) * half]
    left.push([at[0] - out[0], at[1] - out[1]])
    right.unshift([at[0] + out[0], at[1] + out[1]])
  }
  const tip = line[line.length - 1] as (typeof line)[0]
  const beyond: Point = [
    tip.at[0] + Math.cos(tip.angle) * tip.half * 1.5,
    tip.at[1] + Math.sin(tip.angle) * tip.half * 1.5,
  ]
  smooth(sink, place, [...left, beyond, ...right])
}

/** Adds a closed shape through these places' middles, without corners but its first. */
function smooth(sink: Sink, place: Placing, points: readonly Point[]): void {
  const pen = penOf(sink, place)
  const first = points[0] as Point
  pen.move(...first)
  let from = first
  for (let index = 1; index < points.length; index++) {
    const by = points[index] as Point
    const next = points[index + 1]
    const to: Point = next ? [(by[0] + next[0]) / 2, (by[1] + next[1]) / 2] : by
    // A quadratic curve, as a cubic one.
    pen.curve(
      from[0] + ((by[0] - from[0]) * 2) / 3,
      from[1] + ((by[1] - from[1]) * 2) / 3,
      to[0] + ((by[0] - to[0]) * 2) / 3,
      to[1] + ((by[1] - to[1]) * 2) / 3,
      ...to,
    )
    from = to
  }
  sink.closePath()
}

interface Pen {
  move(x: number, y: number): void
  line(x: number, y: number): void
  curve(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void
}

export function penOf(sink: Sink, place: Placing): Pen {
  return {
    move: (x, y) => sink.moveTo(...place(x, y)),
    line: (x, y) => sink.lineTo(...place(x, y)),
    curve: (x1, y1, x2, y2, x, y) => sink.bezierCurveTo(...place(x1, y1), ...place(x2, y2), ...place(x, y)),
  }
}
