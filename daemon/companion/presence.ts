/** Whether the companion may be seen now, and if not, why. */

import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { CompanionWorld } from '../engine/companion-seam.js'
import { isWithin, untilChange } from './hours.js'
import { isCovered, topmost } from './places.js'
import type { Settings } from './settings.js'

/** The time as a person's clock shows it. */
export interface WallClock {
  /** ms since 1970. */
  now(): number
  /** Minutes since midnight, local time. */
  minuteOfDay(): number
}

/**
 * The longest a time of the day is waited for at once, in ms: while a machine sleeps no timer of a process goes on, and
 * it must not come out of its sleep hours late.
 */
const MOST_WAIT_MS = 900_000

export type Hidden =
  | 'off'
  | 'no_surface'
  | 'paused'
  | 'sent_away'
  | 'quiet'
  | 'hours'
  | 'hidden'
  | 'full_screen'
  | 'muted_app'

export interface Presence {
  readonly settings: Settings
  readonly hasSurface: boolean
  /** A client hides it. */
  readonly hides: boolean
  /** The person called it: it is there whatever it would keep away from. */
  readonly called: boolean
  readonly place: DisplayPoint | null
}

/** It is off until the person says otherwise. */
export function isOn({ on }: Settings): boolean {
  return on ?? false
}

/** Why it is not to be seen, whatever windows there are; null: it depends on them. */
export function hiddenByDecision(presence: Presence, paused: boolean, wall: WallClock): Hidden | null {
  const { settings, hasSurface, hides, called, place } = presence
  if (!isOn(settings)) return 'off'
  if (!hasSurface || !place) return 'no_surface'
  if (paused) return 'paused'
  if (settings.away) return 'sent_away'
  if (isQuiet(settings, wall)) return 'quiet'
  if (called) return null
  if (settings.hours !== null && isWithin(settings.hours, wall.minuteOfDay())) return 'hours'
  return hides ? 'hidden' : null
}

/** The same for what windows there are. */
export function hiddenByWindows(
  { settings, called, place }: Presence,
  world: Pick<CompanionWorld, 'windows' | 'displays'>,
): Hidden | null {
  if (called || !place) return null
  const windows = world.windows()
  const displays: readonly Display[] = world.displays()
  if (isCovered(place, displays, windows)) return 'full_screen'
  const app = topmost(place, windows)?.app
  return app !== undefined && isMuted(settings, app) ? 'muted_app' : null
}

export function isQuiet({ quiet_until }: Settings, wall: WallClock): boolean {
  return quiet_until !== null && wall.now() < quiet_until
}

function isMuted({ muted_apps }: Settings, app: string): boolean {
  return muted_apps.some((muted) => muted.toLowerCase() === app.toLowerCase())
}

/** In how many ms the person's own times may have changed something; Infinity: they do not. */
export function untilTimesChange({ quiet_until, hours }: Settings, wall: WallClock): number {
  const quiet = quiet_until === null ? Number.POSITIVE_INFINITY : Math.max(0, quiet_until - wall.now())
  const day = hours === null ? Number.POSITIVE_INFINITY : untilChange(hours, wall.minuteOfDay()) * 60_000
  const next = Math.min(quiet, day)
  return Number.isFinite(next) ? Math.min(next + 1, MOST_WAIT_MS) : next
}
