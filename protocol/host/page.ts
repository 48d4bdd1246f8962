/** Messages to and from a display's page: checked where they arrive, at both ends. */
import { explain, show } from '../overlay/explain.js'
import type { ValidationFault } from '../overlay/requests.js'
import * as validators from './page.generated.js'
import type {
  FROM_COMPANION,
  FROM_PAGE,
  FromCompanion,
  FromPage,
  TO_COMPANION,
  TO_PAGE,
  ToCompanion,
  ToPage,
} from './schema.js'

export type { FromCompanion, FromPage, SentBackdrop, ToCompanion, ToPage } from './schema.js'

type Checked<T> =
  | { readonly ok: true; readonly message: T }
  | { readonly ok: false; readonly reason: string; readonly seq?: number }

type Validator = ((value: unknown) => boolean) & { errors?: readonly ValidationFault[] | null }

const generated = validators as unknown as Readonly<Record<string, Validator>>
const toPage: readonly string[] = ['scene', 'change', 'glyphs', 'ping'] satisfies (keyof typeof TO_PAGE)[]
const fromPage: readonly string[] = [
  'ready',
  'surface',
  'painted',
  'missing',
  'pong',
  'refused',
  'fault',
] satisfies (keyof typeof FROM_PAGE)[]

const toCompanion: readonly string[] = ['companion'] satisfies (keyof typeof TO_COMPANION)[]
const fromCompanion: readonly string[] = [
  'waiting',
  'drawn',
  'takes',
  'press',
  'over',
  'failed',
] satisfies (keyof typeof FROM_COMPANION)[]

/** What main told the companion's page; as with `checkToPage`. */
export function checkToCompanion(value: unknown): Checked<ToCompanion> {
  return check(value, toCompanion)
}

/** What the companion's page told main; as with `checkToPage`. */
export function checkFromCompanion(value: unknown): Checked<FromCompanion> {
  return check(value, fromCompanion)
}

/** What main told a page; `reason` names the field that is wrong and what was sent. */
export function checkToPage(value: unknown): Checked<ToPage> {
  return check(value, toPage)
}

/** What a page told main; as with `checkToPage`. */
export function checkFromPage(value: unknown): Checked<FromPage> {
  return check(value, fromPage)
}

function check<T>(value: unknown, types: readonly string[]): Checked<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, reason: `a message is an object, got ${show(value)}` }
  const { type, seq } = value as { type?: unknown; seq?: unknown }
  const numbered = Number.isSafeInteger(seq) && (seq as number) >= 0 ? { seq: seq as number } : {}
  if (typeof type !== 'string' || !types.includes(type))
    return { ok: false, reason: `type must be one of ${types.join(', ')}, got ${show(type)}`, ...numbered }
  const validate = generated[type] as Validator
  if (validate(value)) return { ok: true, message: value as T }
  const reason = `${type}: ${explain(validate.errors ?? [], value as Record<string, unknown>)}`
  return { ok: false, reason, ...numbered }
}
