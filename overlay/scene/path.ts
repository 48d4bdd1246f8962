import { boundsOfPoints, intersects, type Point, type Rect } from '../../protocol/overlay/geometry.js'
import type { PathMark } from '../../protocol/overlay/marks.js'
import type { Tint } from './color.js'
import type { Context2D } from './context.js'
import type { PathBody } from './laid.js'
import { mixPoint } from './motion.js'
import { grow, layers, REACH } from './shapes.js'

const WIDTH = 4
/** Longer paths are dense already, and are painted in parts. */
const LONG = 400
/** Points a part of a long path has. */
const PART = 48
/** Corners sharper than this (cosine of the turn) were meant: a tick stays a tick. */
const STRAIGHT_ENOUGH = Math.cos((55 / 180) * Math.PI)

export function layPath(mark: PathMark): PathBody {
  return {
    kind: 'path',
    path: thin(mark.path),
    width: Math.max(1, mark.width ?? WIDTH),
    arrow: mark.kind === 'arrow',
  }
}

/** Drops points that (nearly) repeat the one before: they have no direction, which joins and heads need. */
function thin(path: readonly Point[]): readonly Point[] {
  const kept: Point[] = []
  const least = path.length > LONG ? 0.75 : 0.2
  for (const point of path) {
    const last = kept[kept.length - 1]
    if (!last || Math.hypot(point[0] - last[0], point[1] - last[1]) > least) kept.push(point)
  }
  const end = path[path.length - 1]
  if (end && kept.length > 1) kept[kept.length - 1] = end
  return kept
}

/** Rectangles that hold the stroke; a long diagonal is a chain of small ones rather than one large one. */
export function pathAreas({ path, width, arrow }: PathBody): Rect[] {
  const reach = width / 2 + REACH + (arrow ? headOf(width).half : 0) + 1
  const areas: Rect[] = []
  const step = Math.max(1, Math.ceil(path.length / 8))
  for (let start = 0; start === 0 || start < path.length - 1; start += step) {
    const part = path.slice(start, start + step + 1)
    const bounds = boundsOfPoints(part)
    // Smoothing swings out by less than a fifth of a segment.
    const swing = path.length > 2 ? 0.2 * Math.max(bounds[2], bounds[3]) : 0
    areas.push(grow(bounds, reach + swing))
  }
  return areas
}

export function pathBadge({ path }: PathBody): Point {
  const [first = [0, 0] as const, second = first] = path
  const length = Math.hypot(second[0] - first[0], second[1] - first[1]) || 1
  return [first[0] - ((second[0] - first[0]) / length) * 9, first[1] - ((second[1] - first[1]) / length) * 9]
}

export function mixPath(from: PathBody, to: PathBody, t: number): PathBody {
  if (from.path.length === to.path.length) {
    return { ...to, path: to.path.map((point, i) => mixPoint(from.path[i] as Point, point, t)) }
  }
  // Another number of points has no point-wise way there: the new shape glides in from the old one's place.
  const before = centre(from.path)
  const after = centre(to.path)
  const dx = (before[0] - after[0]) * (1 - t)
  const dy = (before[1] - after[1]) * (1 - t)
  return { ...to, path: to.path.map(([x, y]): Point => [x + dx, y + dy]) }
}

function centre(path: readonly Point[]): Point {
  const [x, y, width, height] = boundsOfPoints(path)
  return [x + width / 2, y + height / 2]
}

/** Along the stroke and beside it. */
export function pathSamples({ path, width }: PathBody): Point[] {
  const samples: Point[] = []
  const each = Math.max(1, Math.floor(path.length / 64))
  for (let index = 0; index + each < path.length; index += each) {
    const from = path[index] as Point
    const to = path[index + each] as Point
    const length = Math.hypot(to[0] - from[0], to[1] - from[1])
    if (length === 0) continue
    const side: Point = [(to[1] - from[1]) / length, (from[0] - to[0]) / length]
    const count = Math.max(2, Math.min(32, Math.round(length / 8)))
    for (let step = 0; step < count; step++) {
      const [x, y] = mixPoint(from, to, step / count)
      for (const off of [-(width / 2 + 3), 0, width / 2 + 3]) {
        samples.push([x + side[0] * off, y + side[1] * off])
      }
    }
  }
  return samples
}

export function paintPath(context: Context2D, body: PathBody, tint: Tint, rect: Rect, scale: number): void {
  const last = body.path[body.path.length - 1]
  if (!last) return
  const head = body.arrow ? layHead(body.path, body.width) : null
  const shaft = head ? shorten(body.path, head.length * 0.7) : body.path
  context.lineCap = 'round'
  context.lineJoin = 'round'
  for (const { style, by } of layers(tint, scale)) {
    context.strokeStyle = style
    context.fillStyle = style
    context.lineWidth = body.width + 2 * by
    if (shaft.length > LONG) {
      // The parts' round ends overlap, which only an opaque layer does not show.
      if (style === tint.halo) continue
      strokeParts(context, shaft, grow(rect, body.width / 2 + REACH))
    } else {
      context.beginPath()
      trace(context, shaft, true)
      context.stroke()
    }
    if (!head) continue
    context.beginPath()
    context.moveTo(...head.tip)
    context.lineTo(...head.left)
    context.lineTo(...head.back)
    context.lineTo(...head.right)
    context.closePath()
    context.fill()
    if (by === 0) continue
    context.lineWidth = 2 * by
    context.stroke()
  }
}

/**
 * Strokes a long path part by part, leaving out those outside `rect`. A canvas takes minutes over one stroke of tens
 * of thousands of points that cross each other.
 */
function strokeParts(context: Context2D, path: readonly Point[], rect: Rect): void {
  for (let start = 0; start < path.length - 1; start += PART) {
    const part = path.slice(start, start + PART + 1)
    if (!intersects(boundsOfPoints(part), rect)) continue
    context.beginPath()
    trace(context, part, false)
    context.stroke()
  }
}

interface Head {
  readonly tip: Point
  readonly left: Point
  readonly right: Point
  /** The notch at the back, under which the shaft ends. */
  readonly back: Point
  readonly length: number
}

function headOf(width: number): { length: number; half: number } {
  return { length: 8 + 2.6 * width, half: 4 + 1.35 * width }
}

/** The head at the end of a path, along the way the path arrives; smaller when the path is shorter than a head. */
function layHead(path: readonly Point[], width: number): Head {
  const wanted = headOf(width)
  const tip = path[path.length - 1] as Point
  const from = walkBack(path, wanted.length)
  const distance = Math.hypot(tip[0] - from[0], tip[1] - from[1])
  const way: Point = distance > 0 ? [(tip[0] - from[0]) / distance, (tip[1] - from[1]) / distance] : [1, 0]
  const length = Math.max(6, Math.min(wanted.length, distance > 0 ? distance : wanted.length))
  const half = wanted.half * (length / wanted.length)
  const at = (back: number, side: number): Point => [
    tip[0] - way[0] * back + way[1] * side,
    tip[1] - way[1] * back - way[0] * side,
  ]
  return { tip, left: at(length, half), right: at(length, -half), back: at(length * 0.78, 0), length }
}

/** The point `length` before the end of a path, or its start. */
function walkBack(path: readonly Point[], length: number): Point {
  return shorten(path, length).at(-1) as Point
}

/** A path without its last `length`. */
function shorten(path: readonly Point[], length: number): readonly Point[] {
  let left = length
  for (let index = path.length - 1; index > 0; index--) {
    const end = path[index] as Point
    const start = path[index - 1] as Point
    const own = Math.hypot(end[0] - start[0], end[1] - start[1])
    if (own >= left) return [...path.slice(0, index), mixPoint(end, start, left / own)]
    left -= own
  }
  return path.slice(0, 1)
}

/** Adds the path; `rounded` through gentle turns, always sharp at real corners. */
function trace(context: Context2D, path: readonly Point[], rounded: boolean): void {
  const first = path[0] as Point
  context.moveTo(...first)
  // A stroke of no length paints nothing; a dot is what a single place means.
  if (path.length === 1) context.lineTo(first[0] + 0.01, first[1])
  const smooth = rounded && path.length > 2
  let way = smooth ? tangent(path, 0) : null
  for (let index = 1; index < path.length; index++) {
    const from = path[index - 1] as Point
    const to = path[index] as Point
    const next = smooth ? tangent(path, index) : null
    if (way || next) {
      const third = Math.hypot(to[0] - from[0], to[1] - from[1]) / 3
      const start: Point = way ? [from[0] + way[0] * third, from[1] + way[1] * third] : from
      const end: Point = next ? [to[0] - next[0] * third, to[1] - next[1] * third] : to
      curve(context, from, start, end, to)
    } else if (rounded) line(context, from, to)
    else context.lineTo(...to)
    way = next
  }
}

const PIECE = 12

/** Adds a straight line in short pieces: of those a clip cuts only the one it crosses. See `arc` in `shapes.ts`. */
function line(context: Context2D, from: Point, to: Point): void {
  const count = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / PIECE)
  for (let step = 1; step <= count; step++) context.lineTo(...mixPoint(from, to, step / count))
}

/** Adds a Bezier curve in short straight lines: see `arc` in `shapes.ts` for why. */
function curve(context: Context2D, from: Point, start: Point, end: Point, to: Point): void {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1])
  const count = Math.max(2, Math.min(32, Math.ceil(1.5 * Math.sqrt(length))))
  for (let step = 1; step <= count; step++) {
    const t = step / count
    const first = mixPoint(mixPoint(from, start, t), mixPoint(start, end, t), t)
    const second = mixPoint(mixPoint(start, end, t), mixPoint(end, to, t), t)
    context.lineTo(...mixPoint(first, second, t))
  }
}

/** The direction of the curve at a point, or null at ends and corners. */
function tangent(path: readonly Point[], index: number): Point | null {
  const before = path[index - 1]
  const at = path[index] as Point
  const after = path[index + 1]
  if (!before || !after) return null
  const [ax, ay] = [at[0] - before[0], at[1] - before[1]]
  const [bx, by] = [after[0] - at[0], after[1] - at[1]]
  const a = Math.hypot(ax, ay)
  const b = Math.hypot(bx, by)
  if (a === 0 || b === 0 || (ax * bx + ay * by) / (a * b) < STRAIGHT_ENOUGH) return null
  // Weighted by the shorter side's share, as in a non-uniform spline: a long segment does not swing out.
  const x = ax / a + bx / b
  const y = ay / a + by / b
  const length = Math.hypot(x, y)
  return [x / length, y / length]
}
