import type { Reaction } from '../../protocol/lip/domains.js'
import type { CompanionScene, DisplayPoint } from '../../protocol/overlay/companion.js'
import type { Point } from '../../protocol/overlay/geometry.js'
import { type Desktop, reachable, rectsOf, unitOf } from './desktop.js'
import { MOOD_POSES } from './moods.js'
import { CHANNELS, type Channel, type Channels, REST } from './pose.js'
import { moodPose, played, smooth } from './posing.js'
import { PLAYS } from './reactions.js'
import { routeOf } from './route.js'
import { Travel, travelMs } from './travel.js'

/** What an actor needs of a scene. */
export type Part = Pick<
  CompanionScene,
  'place' | 'look' | 'mood' | 'asleep' | 'gaze' | 'reaction' | 'beckons'
>

const ENTRANCE_MS = 240
const CHANGE_MS = 260
const SETTLE_MS = 320
const FADE_OUT_MS = 120
const FADE_IN_MS = 180

/**
 * The figure as it moves: where it is and in which pose, at any moment. It goes from what it shows to what it is to be
 * without a jump, whatever it was doing. `now` is any clock in ms that does not run backwards.
 */
export class Actor {
  readonly #reducedMotion: boolean
  #desktop: Desktop
  #part: Part | null = null
  /** Where it rests, or is going. */
  #goal: DisplayPoint | null = null
  #travel: Travel | null = null
  /** Without motion: it fades out where it was, and in where it is to be. */
  #fade: { readonly from: DisplayPoint; readonly start: number; readonly alpha: number } | null = null
  #entered = 0
  #reaction: { readonly name: Reaction; readonly start: number; readonly ms: number } | null = null
  #lastReaction: number | null = null
  /** What it showed beyond what it would have shown, when something changed: that goes over in a moment. */
  #carried: {
    readonly by: Channels
    readonly start: number
    readonly ms: number
    readonly duck: number
  } | null = null
  #hasArrived = false

  constructor({ reducedMotion, desktop }: { readonly reducedMotion: boolean; readonly desktop: Desktop }) {
    this.#reducedMotion = reducedMotion
    this.#desktop = desktop
  }

  get part(): Part | null {
    return this.#part
  }

  /** Where it rests, or is going; null: it is nowhere. */
  get goal(): DisplayPoint | null {
    return this.#goal
  }

  set(part: Part | null, now: number): void {
    if (!part) {
      this.#part = null
      this.#goal = null
      this.#travel = null
      this.#fade = null
      this.#carried = null
      this.#reaction = null
      return
    }
    const before = this.#part
    const shown = before && this.pose(now)
    this.#part = known(part)
    if (!before || !this.#goal) this.#entered = now
    this.#react(part, now)
    const moodChanged = before !== null && (before.mood !== this.#part.mood || before.asleep !== part.asleep)
    if (shown) this.#carry(shown, now, moodChanged)
    if (!before || !samePlace(before.place, part.place) || !this.#goal) this.#go(part.place, now)
  }

  /** The displays changed: what is on one that is gone goes on from the nearest place there is. */
  relay(desktop: Desktop, now: number): void {
    const before = this.#desktop
    const here = this.at(now)
    const goal = this.#goal
    const unit = here ? unitOf(before, here.display) : 1
    const velocity = this.#travel?.velocity(now) ?? [0, 0]
    this.#desktop = desktop
    if (!this.#part) return
    if (!here || !goal) {
      this.#goal = reachable(this.#part.place, desktop.displays())
      this.#entered = now
      this.#hasArrived = true
      return
    }
    const at = moved(here, before, desktop)
    const to = reachable(this.#part.place, desktop.displays(), moved(goal, before, desktop))
    if (!at || !to) {
      this.#goal = null
      this.#travel = null
      this.#fade = null
      return
    }
    const isMoving = this.#travel !== null || this.#fade !== null
    if (!isMoving && samePlace(at, to) && samePlace(to, goal)) return
    const scale = unitOf(desktop, at.display) / unit
    this.#goal = to
    this.#set(at, to, [velocity[0] * scale, velocity[1] * scale], now)
  }

  /** Where its middle is, or null when it is nowhere. */
  at(now: number): DisplayPoint | null {
    if (this.#fade && now < this.#fade.start + FADE_OUT_MS) return this.#fade.from
    if (this.#travel && now < this.#travel.end) {
      const { display, at } = this.#desktop.fromDesktop(this.#travel.at(now))
      return { display, at }
    }
    return this.#goal
  }

  /** Whether there is more to come without anything new. */
  isMoving(now: number): boolean {
    if (!this.#part || !this.#goal) return false
    return (
      now < this.#entered + ENTRANCE_MS ||
      (this.#travel !== null && now < this.#travel.end + SETTLE_MS) ||
      (this.#fade !== null && now < this.#fade.start + FADE_OUT_MS + FADE_IN_MS) ||
      (this.#carried !== null && now < this.#carried.start + this.#carried.ms) ||
      (this.#reaction !== null && now < this.#reaction.start + this.#reaction.ms)
    )
  }

  /** Whether it came to its place since this was asked last. */
  takeArrival(now: number): boolean {
    const isThere =
      this.#goal !== null &&
      !(this.#travel && now < this.#travel.end) &&
      !(this.#fade && now < this.#fade.start + FADE_OUT_MS)
    if (!isThere || !this.#hasArrived) return false
    this.#hasArrived = false
    return true
  }

  /** The pose it rests in, whatever it is doing just now. */
  rest(): Channels {
    return this.#part ? moodPose(this.#part.mood, this.#part) : REST
  }

  pose(now: number): Channels {
    const still = this.#still(now)
    if (!this.isMoving(now)) return still
    const pose: Record<Channel, number> = { ...still }
    this.#addCarried(pose, now)
    this.#addTravel(pose, now)
    this.#addEntrance(pose, now)
    return pose
  }

  /** What it shows apart from how it got there. */
  #still(now: number): Channels {
    const reaction = this.#reaction
    return played(
      this.rest(),
      reaction && { name: reaction.name, t: (now - reaction.start) / reaction.ms },
      this.#reducedMotion,
    )
  }

  #react({ reaction, look }: Part, now: number): void {
    if (!reaction || reaction.id === this.#lastReaction) return
    this.#lastReaction = reaction.id
    if (!Object.hasOwn(PLAYS, reaction.name)) return
    const ms = reaction.ms > 0 ? reaction.ms : PLAYS[reaction.name].ms
    this.#reaction = {
      name: reaction.name,
      start: now,
      ms: Math.max(200, Math.min(10_000, ms / paceOf(look.pace))),
    }
  }

  #carry(shown: Channels, now: number, moodChanged: boolean): void {
    this.#carried = null
    if (this.#reducedMotion) return
    const next = this.pose(now)
    const by: Record<Channel, number> = { ...REST }
    let differs = false
    for (const channel of CHANNELS) {
      by[channel] = shown[channel] - next[channel]
      if (by[channel] !== 0) differs = true
    }
    // A turn it has not finished is gone on with, the short way.
    by.turn = Math.atan2(Math.sin(by.turn), Math.cos(by.turn))
    if (!differs) return
    const ms = CHANGE_MS / Math.sqrt(paceOf(this.#part?.look.pace))
    this.#carried = { by, start: now, ms, duck: moodChanged ? 0.05 : 0 }
  }

  #go(wanted: DisplayPoint, now: number): void {
    const here = this.at(now)
    const goal = reachable(wanted, this.#desktop.displays(), here)
    this.#hasArrived = true
    if (!goal) return
    if (here && !(this.#goal && samePlace(goal, this.#goal))) {
      this.#set(here, goal, this.#travel?.velocity(now) ?? [0, 0], now)
    }
    this.#goal = goal
  }

  /** Sets out. */
  #set(from: DisplayPoint, to: DisplayPoint, velocity: Point, now: number): void {
    this.#hasArrived = true
    if (this.#reducedMotion) {
      const alpha = this.#alpha(now)
      this.#fade = { from, start: now - (1 - alpha) * FADE_OUT_MS, alpha }
      return
    }
    const a = this.#desktop.toDesktop(from)
    const b = this.#desktop.toDesktop(to)
    if (!a || !b) {
      this.#travel = null
      return
    }
    const unit = unitOf(this.#desktop, to.display)
    const rects = rectsOf(this.#desktop)
    const route = routeOf(a, b, rects)
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) / unit
    const ms = travelMs(length, paceOf(this.#part?.look.pace))
    this.#travel = new Travel({ route, velocity, start: now, ms, unit, rects })
  }

  #alpha(now: number): number {
    if (!this.#fade) return 1
    const past = now - this.#fade.start
    if (past < FADE_OUT_MS) return 1 - past / FADE_OUT_MS
    return Math.min(1, (past - FADE_OUT_MS) / FADE_IN_MS)
  }

  #addCarried(pose: Record<Channel, number>, now: number): void {
    if (!this.#carried) return
    const { by, start, ms, duck } = this.#carried
    const t = (now - start) / ms
    if (t >= 1) return
    // A little beyond, and back.
    const left = 1 - smooth(Math.max(0, t)) - 0.12 * Math.sin(Math.PI * Math.max(0, 2 * t - 1)) ** 2
    for (const channel of CHANNELS) pose[channel] += by[channel] * left
    pose.stretch -= duck * Math.sin(Math.PI * Math.min(1, t * 1.6)) ** 2
  }

  /** It leans into its way; what is soft about it lags behind, and swings out when it is there. */
  #addTravel(pose: Record<Channel, number>, now: number): void {
    const travel = this.#travel
    if (!travel || now >= travel.end + SETTLE_MS) return
    const unit = unitOf(this.#desktop, this.#goal?.display ?? 0)
    const [x, y] = travel.velocity(now)
    const [vx, vy] = [x / unit, y / unit]
    const late = travel.velocity(now - 80)[0] / unit
    pose.lean += bounded(vx * 0.15, 0.3)
    pose.wispLean -= bounded(late * 0.55, 1)
    pose.stretch += bounded(Math.hypot(vx, vy) * 0.05, 0.1)
    pose.gazeX += bounded(vx * 1.2, 0.8) * (1 - Math.min(1, Math.abs(pose.gazeX)))
    pose.armLeft += bounded(Math.max(0, vx) * 0.8, 0.8)
    pose.armRight += bounded(Math.max(0, -vx) * 0.8, 0.8)
    const settled = (now - travel.end) / SETTLE_MS
    if (settled <= 0) return
    const share = Math.min(1, travel.length / unit / 260)
    pose.stretch -= 0.1 * share * Math.sin(Math.PI * settled) * (1 - settled)
    pose.wispLean += 0.4 * share * Math.sin(2 * Math.PI * settled) * (1 - settled)
  }

  #addEntrance(pose: Record<Channel, number>, now: number): void {
    const t = Math.max(0, (now - this.#entered) / ENTRANCE_MS)
    if (t < 1) {
      pose.alpha *= Math.min(1, 0.25 + t * 2)
      if (!this.#reducedMotion) pose.size *= 1 - 0.35 * (1 - t) ** 3 + 0.06 * Math.sin(Math.PI * t)
    }
    if (this.#fade) pose.alpha *= this.#alpha(now)
  }
}

/** Moods that are none are its usual one. */
function known(part: Part): Part {
  return Object.hasOwn(MOOD_POSES, part.mood) ? part : { ...part, mood: 'idle' }
}

/** The same place of the screen after the displays changed: where it was, or the nearest there is. */
function moved(place: DisplayPoint, before: Desktop, after: Desktop): DisplayPoint | null {
  if (after.displays().length === 0) return null
  const known = after.displays().find(({ id }) => id === place.display)
  const [x, y] = place.at
  if (known && x <= known.size[0] && y <= known.size[1]) return place
  const point = after.toDesktop(place) ?? before.toDesktop(place)
  return point && after.fromDesktop(point)
}

function paceOf(pace: number | undefined): number {
  return pace !== undefined && pace > 0 && Number.isFinite(pace) ? Math.max(0.25, Math.min(4, pace)) : 1
}

function bounded(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}

function samePlace(a: DisplayPoint, b: DisplayPoint): boolean {
  return a.display === b.display && Object.is(a.at[0], b.at[0]) && Object.is(a.at[1], b.at[1])
}
