import type { Reaction } from '../../protocol/lip/domains.js'
import type { Point } from '../../protocol/overlay/geometry.js'
import { NOSE } from './face.js'

/** A move of the pointer, from the companion's middle. */
interface Sample {
  readonly x: number
  readonly y: number
  readonly now: number
}

/** How far back anything is remembered. */
const MEMORY_MS = 6000
const MOST_SAMPLES = 720
/** The same reaction does not come again before this. */
const PAUSE_MS = 8000

/**
 * Reads from the pointer's moves what they mean to the companion. Places are in logical points of the desktop; nothing is
 * kept but the last few seconds around the companion. `now` is any clock in ms that does not run backwards.
 */
export class Gestures {
  #samples: Sample[] = []
  #clicks: number[] = []
  #lately = new Map<string, number>()
  #secret: string | null = null
  #peeked = false

  /** The pointer is at `at`, the companion's middle at `companion`: how it reacts to that, or null. */
  moved(at: Point, now: number, companion: Point): Reaction | null {
    const [x, y] = [at[0] - companion[0], at[1] - companion[1]]
    if (!Number.isFinite(x) || !Number.isFinite(y)) return null
    const last = this.#samples[this.#samples.length - 1]
    // The companion moved under the pointer, or the pointer was elsewhere: what was before belongs to another place.
    if (last && now - last.now > MEMORY_MS) this.#samples = []
    this.#samples.push({ x, y, now })
    if (this.#samples.length > MOST_SAMPLES || (this.#samples[0] as Sample).now < now - MEMORY_MS) {
      const first = this.#samples.findIndex((sample) => sample.now >= now - MEMORY_MS)
      this.#samples.splice(0, Math.max(first, this.#samples.length - MOST_SAMPLES))
    }
    return this.#secretMove(now) ?? this.#reaction(now)
  }

  /** Its body was clicked at `at`. */
  clicked(now: number, at: Point, companion: Point): Reaction | null {
    this.#clicks = [...this.#clicks.filter((click) => click > now - TAPS_MS), now]
    if (this.#clicks.length >= TAPS) {
      this.#clicks = []
      return this.#found('triple-tap', 'dance', now)
    }
    const away = Math.hypot(at[0] - companion[0] - NOSE.at[0], at[1] - companion[1] - NOSE.at[1])
    return away <= NOSE.radius ? this.#once('boop', now, 600) : null
  }

  /** The secret move that the last call completed, told once. */
  secret(): string | null {
    const secret = this.#secret
    this.#secret = null
    return secret
  }

  #secretMove(now: number): Reaction | null {
    const within = (ms: number) => this.#samples.filter((sample) => sample.now >= now - ms)
    if (turnsAround(within(CIRCLES_MS)) >= CIRCLES) return this.#found('three-circles', 'spin', now)
    if (isThereAndBack(within(CIRCLES_MS))) return this.#found('there-and-back', 'disco', now)
    const lately = within(TICKLE_MS)
    if (swings(lately, TICKLE) >= TICKLE.count) return this.#found('tickle', 'blush', now)
    if (strokes(within(STROKE_MS)) >= STROKES) return this.#found('petting', 'sparkle', now)
    if (visits(within(VISITS_MS)) >= VISITS) return this.#found('peekaboo', 'gasp', now)
    return null
  }

  #reaction(now: number): Reaction | null {
    const lately = this.#samples.filter((sample) => sample.now >= now - SHAKE_MS)
    if (swings(lately, SHAKE) >= SHAKE.count) return this.#once('dizzy', now)
    if (isDashed(lately)) return this.#once('startled', now)
    return this.#hovered(now)
  }

  /** It looks at what stays with it for long, once each time. */
  #hovered(now: number): Reaction | null {
    const last = this.#samples[this.#samples.length - 1] as Sample
    if (!isNear(last, HOVER_REACH)) {
      this.#peeked = false
      return null
    }
    if (this.#peeked) return null
    let since = now
    for (
      let index = this.#samples.length - 1;
      index >= 0 && isNear(this.#samples[index] as Sample, HOVER_REACH);
      index--
    ) {
      since = (this.#samples[index] as Sample).now
    }
    if (now - since < HOVER_MS) return null
    this.#peeked = true
    return this.#once('peek', now, 20_000)
  }

  #found(secret: string, reaction: Reaction, now: number): Reaction | null {
    const one = this.#once(secret, now)
    if (!one) return null
    this.#secret = secret
    this.#samples = []
    return reaction
  }

  #once<T extends string>(name: T, now: number, pause = PAUSE_MS): T | null {
    if (now < (this.#lately.get(name) ?? Number.NEGATIVE_INFINITY) + pause) return null
    this.#lately.set(name, now)
    return name
  }
}

const TAPS = 3
const TAPS_MS = 800

/** Short ways to and fro: how far each is at least and at most, how many, and how near the companion all of it is. */
interface Swinging {
  readonly least: number
  readonly most: number
  readonly count: number
  readonly reach: number
}
/** Shaken over it or near it. */
const SHAKE: Swinging = { least: 45, most: 400, count: 6, reach: 190 }
const SHAKE_MS = 1300
/** Small quick ones on its body. */
const TICKLE: Swinging = { least: 4, most: 26, count: 9, reach: 34 }
const TICKLE_MS = 1600

/** How often the pointer turned about in a row, all of it within reach and every swing of a size. */
function swings(samples: readonly Sample[], { least, most, reach }: Swinging): number {
  let best = 0
  for (const axis of ['x', 'y'] as const) {
    let count = 0
    let way = 0
    let from: number | null = null
    let extreme = 0
    for (let index = samples.length - 1; index >= 0; index--) {
      const sample = samples[index] as Sample
      if (!isNear(sample, reach)) break
      const value = sample[axis]
      if (from === null) {
        from = value
        extreme = value
        continue
      }
      if (way === 0) {
        if (Math.abs(value - from) >= least) {
          way = Math.sign(value - from)
          extreme = value
        }
        continue
      }
      if ((value - extreme) * way > 0) extreme = value
      else if (Math.abs(value - extreme) >= least) {
        if (Math.abs(extreme - from) > most) break
        count++
        from = extreme
        way = -way
        extreme = value
      }
    }
    best = Math.max(best, count)
  }
  return best
}

const DASH_FROM = 260
const DASH_TO = 55
const DASH_MS = 260
/** Of its fastest: this slow, it has stopped, and is not on its way to something beside. */
const STOPPED = 0.15

/** Came from afar in no time, straight at it, and stopped there: a pointer that goes by is no matter. */
function isDashed(samples: readonly Sample[]): boolean {
  const last = samples[samples.length - 1]
  const before = samples[samples.length - 2]
  if (!last || !before || Math.hypot(last.x, last.y) > DASH_TO) return false
  const speed = (a: Sample, b: Sample) => Math.hypot(b.x - a.x, b.y - a.y) / Math.max(1, b.now - a.now)
  let fastest = 0
  for (let index = samples.length - 2; index >= 0; index--) {
    const sample = samples[index] as Sample
    if (last.now - sample.now > DASH_MS) return false
    const next = samples[index + 1] as Sample
    fastest = Math.max(fastest, speed(sample, next))
    if (Math.hypot(sample.x, sample.y) < DASH_FROM) continue
    return fastest > 2 && speed(before, last) < fastest * STOPPED
  }
  return false
}

const HOVER_REACH = 46
const HOVER_MS = 1600

const CIRCLES = 3
const CIRCLES_MS = 4500
const CIRCLE_REACH: readonly [number, number] = [26, 220]

/** How many times in a row the pointer went around it, one way. */
function turnsAround(samples: readonly Sample[]): number {
  return Math.abs(turned(samples).last) / (2 * Math.PI)
}

/** Around it once one way, and once the other. */
function isThereAndBack(samples: readonly Sample[]): boolean {
  const { last, before } = turned(samples)
  const whole = 2 * Math.PI * 0.95
  return (
    Math.abs(last) >= whole &&
    Math.abs(before) >= whole &&
    Math.abs(before) < whole * 1.6 &&
    last * before < 0
  )
}

/** Radians about the companion: since it last went the other way, and how far it had gone then. Counted from the end. */
function turned(samples: readonly Sample[]): { readonly last: number; readonly before: number } {
  const parts: number[] = []
  for (let index = samples.length - 1; index > 0; index--) {
    const b = samples[index] as Sample
    const a = samples[index - 1] as Sample
    const away = Math.hypot(a.x, a.y)
    if (away < CIRCLE_REACH[0] || away > CIRCLE_REACH[1]) break
    const by = Math.atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
    // A jump half around it is no circle.
    if (Math.abs(by) > 2) break
    const part = parts[parts.length - 1]
    if (part === undefined || (part * by < 0 && Math.abs(part) > 0.6)) parts.push(by)
    else parts[parts.length - 1] = part + by
  }
  return { last: parts[0] ?? 0, before: parts[1] ?? 0 }
}

const STROKES = 4
const STROKE_MS = 5000

/** Slow ways across the top of its head, one after another. */
function strokes(samples: readonly Sample[]): number {
  let count = 0
  let from: Sample | null = null
  for (let index = samples.length - 1; index >= 0; index--) {
    const sample = samples[index] as Sample
    if (Math.abs(sample.x) > 50 || sample.y < -46 || sample.y > 8) break
    from ??= sample
    if (Math.abs(sample.x - from.x) < 30) continue
    const ms = from.now - sample.now
    if (ms < 250 || ms > 1500) break
    count++
    // The next one is the way back.
    from = sample
  }
  return count
}

const VISITS = 3
const VISITS_MS = 4000
const VISIT_NEAR = 50
const VISIT_FAR = 320

/** How often it was left for afar and come back to, each time at once. */
function visits(samples: readonly Sample[]): number {
  let count = 0
  let wasFar = false
  let wasNear = false
  for (const sample of samples) {
    const away = Math.hypot(sample.x, sample.y)
    if (away > VISIT_FAR && wasNear) wasFar = true
    if (away > VISIT_NEAR) continue
    if (wasFar) count++
    wasNear = true
    wasFar = false
  }
  return count
}

function isNear({ x, y }: Sample, reach: number): boolean {
  return Math.hypot(x, y) <= reach
}
