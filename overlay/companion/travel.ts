import type { Point } from '../../protocol/overlay/geometry.js'

const SHORTEST = 250
const LONGEST = 1200
const BOW = 70

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
}

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
    const by = route.length > 2 ? 0 : Math.min(this.length * 0.1, BOW * unit) * (to[0] >= from[0] ? 1 : -1)
    this.#bow =
      this.length === 0
        ? [0, 0]
        : [((to[1] - from[1]) / this.length) * by, (-(to[0] - from[0]) / this.length) * by]
  }

  at(now: number): Point {
    const { velocity, ms } = this.#options
    const t = Math.max(0, Math.min(1, (now - this.start) / ms))
    const done = t * t * t * (10 + t * (6 * t - 15))
    const [x, y] = this.#along(done * this.length)
    // Both are 0 at both ends, with no speed left at the far one.
    const bow = 64 * (t * (1 - t)) ** 3
    const carried = ms * (t - 6 * t ** 3 + 8 * t ** 4 - 3 * t ** 5)
    return [x + this.#bow[0] * bow + velocity[0] * carried, y + this.#bow[1] * bow + velocity[1] * carried]
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
