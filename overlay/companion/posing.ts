import type { Mood, Reaction } from '../../protocol/lip/domains.js'
import type { CompanionLook } from '../../protocol/overlay/companion.js'
import type { FigurePose } from './figure.js'
import { MOOD_POSES } from './moods.js'
import type { Play, Track } from './play.js'
import { CHANNELS, type Channel, type Channels, FACE, REST } from './pose.js'
import { PLAYS } from './reactions.js'

export interface PoseMore {
  readonly asleep?: boolean
  readonly gaze?: readonly [x: number, y: number]
  readonly beckons?: boolean
  /** The face alone says it: nothing of it moves. */
  readonly reducedMotion?: boolean
}

/** A moment of a reaction: `t` from 0 to 1. */
export interface Playing {
  readonly name: Reaction
  readonly t: number
}

/** The figure in a mood, at a moment of a reaction. */
export function poseOf(
  mood: Mood,
  reaction: Playing | null,
  look: CompanionLook,
  more: PoseMore = {},
): FigurePose {
  const channels = played(moodPose(mood, more), reaction, more.reducedMotion ?? false)
  return { channels, ...(look.color !== undefined && { color: look.color }) }
}

/** How long a reaction takes at its own pace, in ms. */
export function reactionMs(name: Reaction): number {
  return PLAYS[name].ms
}

/** The figure at rest in a mood. */
export function moodPose(mood: Mood, { asleep = false, gaze = [0, 0], beckons = false }: PoseMore): Channels {
  const own = { ...REST, ...MOOD_POSES[asleep ? 'asleep' : mood] }
  if (asleep) return { ...own, beckon: beckons ? 1 : 0 }
  // A mood that looks somewhere of itself still turns to what it is shown.
  const [x, y] = gaze
  return {
    ...own,
    gazeX: x === 0 ? own.gazeX : x,
    gazeY: y === 0 ? own.gazeY : y,
    beckon: beckons ? 1 : 0,
  }
}

/** `base` as it is at a moment of a reaction: exactly `base` at its begin and at its end. */
export function played(base: Channels, reaction: Playing | null, reducedMotion: boolean): Channels {
  if (!reaction || !(reaction.t > 0) || reaction.t >= 1) return base
  const play = PLAYS[reaction.name]
  const pose: Record<Channel, number> = { ...base }
  if (reducedMotion) {
    for (const channel of FACE) pose[channel] = play.hold[channel] ?? base[channel]
    return pose
  }
  const share = heldAt(play, reaction.t)
  for (const channel of CHANNELS) {
    const held = play.hold[channel]
    if (held !== undefined) pose[channel] += (held - pose[channel]) * share
    const track = play.moves?.[channel]
    if (track) pose[channel] += valueAt(track, reaction.t)
  }
  return pose
}

/** How much of what a reaction holds is there: it comes in a little too far, and goes gently. */
function heldAt({ enter = 0.15, leave = 0.8 }: Play, t: number): number {
  if (t < enter) {
    const left = 1 - t / enter
    return 1 - left ** 3 + Math.sin((1 - left) * Math.PI) * 0.06
  }
  if (t <= leave) return 1
  return smooth(1 - (t - leave) / (1 - leave))
}

function valueAt(track: Track, t: number): number {
  let before = track[0] as readonly [number, number]
  for (const key of track) {
    if (key[0] >= t) {
      const room = key[0] - before[0]
      return room <= 0 ? key[1] : before[1] + (key[1] - before[1]) * smooth((t - before[0]) / room)
    }
    before = key
  }
  return before[1]
}

/** Leaves and arrives without a jerk. */
export function smooth(t: number): number {
  return t * t * (3 - 2 * t)
}
