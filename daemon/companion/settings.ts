/** What the person decided about the companion, and what is kept of it. */
import { WireError } from '../../protocol/overlay/errors.js'
import { LIMITS } from '../../protocol/overlay/limits.js'
import type { CompanionSettings } from '../engine/companion-seam.js'

export interface Persona {
  readonly name: string
  readonly traits: Traits
}

export interface Traits {
  /** How fast it goes and plays; 1 is its own pace. */
  readonly pace?: number
  /** Of its body, as #rrggbb. */
  readonly color?: string
  /** How far it stays from what it goes to, in logical points. */
  readonly distance?: number
}

export interface Settings {
  /** null: the person has never said. */
  readonly on: boolean | null
  /** The person sent it away. */
  readonly away: boolean
  readonly persona: Persona
  /** Where it was last; null: where it starts. The display's id may be another display's by now. */
  readonly place: { readonly display: number; readonly at: readonly [x: number, y: number] } | null
  readonly muted_apps: readonly string[]
  /** Such as `22:00-07:00`. */
  readonly hours: string | null
  /** Until when the person wants quiet, in ms since 1970. */
  readonly quiet_until: number | null
}

export const DEFAULTS: Settings = {
  on: null,
  away: false,
  persona: { name: 'Companion', traits: {} },
  place: null,
  muted_apps: [],
  hours: null,
  quiet_until: null,
}

/** Applications that can be muted: a person's list, not a data store. */
const MOST_MUTED = 200

export const HOURS = /^(([01][0-9]|2[0-3]):[0-5][0-9])-(([01][0-9]|2[0-3]):[0-5][0-9])$/
const COLOR = /^#[0-9a-fA-F]{6}$/
const PACE = [0.25, 4] as const
const DISTANCE = [0, 400] as const

/** What a file holds, whatever that is: each thing that is not right is left at its default, and named. */
export function readSettings(value: unknown): {
  readonly settings: Settings
  readonly faults: readonly string[]
} {
  if (!isObject(value)) return { settings: DEFAULTS, faults: ['it holds no object'] }
  const faults: string[] = []
  const take = <K extends keyof Settings>(name: K, read: (sent: unknown) => Settings[K] | undefined) => {
    const sent = value[name]
    if (sent === undefined || sent === null) return DEFAULTS[name]
    const known = read(sent)
    if (known === undefined) faults.push(`${name} is not right`)
    return known ?? DEFAULTS[name]
  }
  return {
    settings: {
      on: take('on', bool),
      away: take('away', (sent) => bool(sent)),
      persona: take('persona', (sent) => {
        if (!isObject(sent) || !isName(sent.name)) return undefined
        const { traits, ignored } = readTraits(isObject(sent.traits) ? sent.traits : {})
        faults.push(...ignored)
        return { name: shownName(sent.name) || DEFAULTS.persona.name, traits }
      }),
      place: take('place', readPlace),
      muted_apps: take('muted_apps', (sent) =>
        Array.isArray(sent) && sent.every(isName) ? sent.slice(0, MOST_MUTED) : undefined,
      ),
      hours: take('hours', (sent) => (typeof sent === 'string' && HOURS.test(sent) ? sent : undefined)),
      quiet_until: take('quiet_until', (sent) => (Number.isSafeInteger(sent) ? (sent as number) : undefined)),
    },
    faults,
  }
}

/** What is so after the person decided something. Throws `limit`. */
export function decided(settings: Settings, said: CompanionSettings, now: number): Partial<Settings> {
  const { on, quiet_ms, hours, mute, unmute } = said
  const isSame = (name: string) => (app: string) => app.toLowerCase() === name.toLowerCase()
  let muted = settings.muted_apps
  if (unmute !== undefined) muted = muted.filter((app) => !isSame(unmute)(app))
  if (mute !== undefined && !muted.some(isSame(mute))) {
    if (muted.length >= MOST_MUTED)
      throw new WireError('limit', `${MOST_MUTED} applications are muted, the most there may be; unmute some`)
    muted = [...muted, mute]
  }
  return {
    ...(on !== undefined && { on }),
    // Turned on, it is to be seen: that is what was asked for.
    ...(on && { away: false, quiet_until: null }),
    ...(quiet_ms !== undefined && { quiet_until: quiet_ms === 0 ? null : Math.round(now + quiet_ms) }),
    ...(hours !== undefined && { hours: hours === 'none' ? null : hours }),
    muted_apps: muted,
  }
}

/** The traits that this version knows, as it takes them; and what is not one, in words: there it stays as it was. */
export function readTraits(
  sent: Readonly<Record<string, unknown>>,
  before: Traits = {},
): {
  readonly traits: Traits
  readonly ignored: readonly string[]
} {
  const ignored: string[] = []
  const number = (name: 'pace' | 'distance', value: unknown, [least, most]: readonly [number, number]) => {
    if (value === undefined) return undefined
    if (typeof value === 'number' && value >= least && value <= most) return value
    ignored.push(`traits.${name}: it is a number from ${least} to ${most}`)
    return before[name]
  }
  const pace = number('pace', sent.pace ?? sent.speed, PACE)
  const distance = number('distance', sent.distance, DISTANCE)
  const color = sent.color ?? sent.colour
  const isColor = typeof color === 'string' && COLOR.test(color)
  const kept = isColor ? color : color === undefined ? undefined : before.color
  if (color !== undefined && !isColor) ignored.push('traits.color: it is a colour such as #7c4dff')
  const unknown = Object.keys(sent).filter((name) => !KNOWN.has(name))
  if (unknown.length > 0)
    ignored.push(`traits that are not known: ${unknown.slice(0, 5).join(', ').slice(0, 200)}`)
  return {
    traits: {
      ...(pace !== undefined && { pace }),
      ...(kept !== undefined && { color: kept }),
      ...(distance !== undefined && { distance }),
    },
    ignored,
  }
}

const KNOWN: ReadonlySet<string> = new Set(['pace', 'speed', 'color', 'colour', 'distance'])

/** A place that is not one, such as one with NaN (which JSON writes as null), is none. */
function readPlace(sent: unknown): Settings['place'] | undefined {
  if (!isObject(sent) || !Number.isSafeInteger(sent.display) || !Array.isArray(sent.at)) return undefined
  const [x, y, ...more] = sent.at
  if (more.length > 0 || !isCoordinate(x) || !isCoordinate(y)) return undefined
  return { display: sent.display as number, at: [x, y] }
}

function isCoordinate(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= LIMITS.coordinate
}

function bool(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && [...value].length <= LIMITS.name
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A name in one line, without what shows nothing or turns the text around it. */
export function shownName(name: string): string {
  return [...name.replace(/\s+/gu, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Surrogate}]/gu, '')]
    .slice(0, 40)
    .join('')
    .trim()
}
