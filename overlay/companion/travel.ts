import type { Point, Rect } from '../../protocol/overlay/geometry.js'
import { smooth } from './posing.js'
import { rectAt } from './route.js'

const SHORTEST = 250
const LONGEST = 1200
const BOW = 70
/** So long, in ms, it still has of the speed of the way it was on. */
const CARRIED = 320

/** How long a way of `length` logical points takes, in ms. */
export function travelMs(length: number, pace: number): number {
  return Math.max(SHORTEST, Math.min(LONGEST, (260 + 0.55 * length) / pace))
}

export interface TravelOptions {
  /** From where to where, in desktop units, straight from each to the next. */
  readonly route: readonly Point[]
  /** What it moves with when it sets out, in desktop units a ms. */
  readonly velocity: Point
  readonly start: number
  readonly ms: number
  /** Desktop units of a logical point. */
  readonly unit: number
  /** The displays, which it stays on. */
  readonly rects: readonly Rect[]
}

/** In points: so near a passage from display to display it keeps to its route, and from so far on not at all. */
const STRICT = 30
const LOOSE = 190

/**
 * One way, in desktop units: it sets out and arrives softly, and bows a little upwards, like a hand. One that was on
 * another way takes that one's speed along, so that it turns without a jerk.
 */
export class Travel {
  readonly start: number
  readonly end: number
  readonly length: number
  readonly #options: TravelOptions
  readonly #lengths: readonly number[]
  readonly #bow: Point

  constructor(options: TravelOptions) {
    this.#options = options
    this.start = options.start
    this.end = options.start + options.ms
    const { route, unit } = options
    this.#lengths = route.slice(1).map((to, index) => distance(route[index] as Point, to))
    this.length = this.#lengths.reduce((sum, one) => sum + one, 0)
    const from = route[0] as Point
    const to = route[route.length - 1] as Point
    const by = Math.min(this.length * 0.1, BOW * unit) * (to[0] >= from[0] ? 1 : -1)
    this.#bow =
      this.length === 0
        ? [0, 0]
        : [((to[1] - from[1]) / this.length) * by, (-(to[0] - from[0]) / this.length) * by]
  }

  at(now: number): Point {
    const { velocity, ms, rects } = this.#options
    const t = Math.max(0, Math.min(1, (now - this.start) / ms))
    const done = t * t * t * (10 + t * (6 * t - 15)) * this.length
    const [x, y] = this.#along(done)
    // Both are 0 at both ends, with no speed left at the far one.
    const bow = 64 * (t * (1 - t)) ** 3
    const carrying = Math.min(ms, CARRIED)
    const c = Math.max(0, Math.min(1, (now - this.start) / carrying))
    const carried = carrying * (c - 6 * c ** 3 + 8 * c ** 4 - 3 * c ** 5)
    const share = this.#leeway(done)
    const off: Point = [
      x + (this.#bow[0] * bow + velocity[0] * carried) * share,
      y + (this.#bow[1] * bow + velocity[1] * carried) * share,
    ]
    const rect = rects[rectAt([x, y], rects)]
    if (!rect) return off
    return [
      Math.max(rect[0], Math.min(off[0], rect[0] + rect[2])),
      Math.max(rect[1], Math.min(off[1], rect[1] + rect[3])),
    ]
  }

  /** In desktop units a ms. */
  velocity(now: number): Point {
    const from = Math.max(this.start, now - 2)
    const to = Math.min(this.end, now + 2)
    if (to <= from) return [0, 0]
    const a = this.at(from)
    const b = this.at(to)
    return [(b[0] - a[0]) / (to - from), (b[1] - a[1]) / (to - from)]
  }

  /** How free it is of its route: not at all where that passes from one display to another, or it would jump there. */
  #leeway(length: number): number {
    let passed = 0
    let nearest = Number.POSITIVE_INFINITY
    for (const own of this.#lengths.slice(0, -1)) {
      passed += own
      nearest = Math.min(nearest, Math.abs(length - passed))
    }
    const { unit } = this.#options
    return smooth(Math.max(0, Math.min(1, (nearest / unit - STRICT) / (LOOSE - STRICT))))
  }

  /** The place after `length` of the route, its corners rounded. */
  #along(length: number): Point {
    const { route, unit } = this.#options
    if (route.length === 2) return this.#straight(length)
    const reach = Math.min(80 * unit, length, this.length - length)
    let [x, y] = [0, 0]
    for (let step = -3; step <= 3; step++) {
      const at = this.#straight(length + (step / 3) * reach)
      x += at[0] / 7
      y += at[1] / 7
    }
    return [x, y]
  }

  #straight(length: number): Point {
    const { route } = this.#options
    let left = length
    for (let index = 0; index < this.#lengths.length; index++) {
      const own = this.#lengths[index] as number
      if (left <= own && own > 0) {
        const from = route[index] as Point
        const to = route[index + 1] as Point
        return [from[0] + ((to[0] - from[0]) * left) / own, from[1] + ((to[1] - from[1]) * left) / own]
      }
      left -= own
    }
    return route[route.length - 1] as Point
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1])
}
