/** Untyped JSON to envelopes and their `data`: the one place where what a party sent becomes typed. */
import { explain, show } from '../overlay/explain.js'
import type { ValidationFault } from '../overlay/requests.js'
import type { Direction } from './domains.js'
import * as down from './down.generated.js'
import * as envelopes from './envelope.generated.js'
import { LipError } from './errors.js'
import { LIP_LIMITS } from './limits.js'
import type { Envelope, Sent } from './schema.js'
import { alikeFault } from './suggestions.js'
import * as up from './up.generated.js'
import { LIP_MAJOR } from './version.js'

type Validator = ((value: unknown) => boolean) & { errors?: readonly ValidationFault[] | null }
const tables: Readonly<Record<Direction, Readonly<Record<string, Validator>>>> = {
  up: byType(up),
  down: byType(down),
}
const { sent, envelope } = envelopes as unknown as Record<'sent' | 'envelope', Validator>

function byType(module: object): Record<string, Validator> {
  return Object.fromEntries(
    Object.entries(module).map(([name, validate]) => [name.replaceAll('_', '.'), validate as Validator]),
  )
}

/** The members of a value that may be one envelope or an array of them. Throws `LipError`. */
export function members(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [value]
  if (value.length <= LIP_LIMITS.batch) return value
  throw new LipError('limit', `an array may hold ${LIP_LIMITS.batch} envelopes; got ${value.length}`)
}

/** What a window sent, as an envelope that is still to be stamped. Throws `LipError`. */
export function asSent(value: unknown): Sent & { readonly data: Readonly<Record<string, unknown>> } {
  check(value, sent)
  const { data = {}, ...rest } = value as Sent
  return { ...rest, data }
}

/** An envelope as every receiver gets it, for clients. Throws `LipError`. */
export function asEnvelope(value: unknown): Envelope {
  check(value, envelope)
  return value as Envelope
}

/** Holds `data` against the schema of a core message. Throws `LipError`; a type without a schema passes. */
export function checkCoreData(dir: Direction, type: string, data: Readonly<Record<string, unknown>>): void {
  const validate = Object.hasOwn(tables[dir], type) ? tables[dir][type] : undefined
  if (!validate) return
  if (validate(data)) {
    const fault =
      dir === 'down' && type === 'entity.suggest' ? alikeFault(data.items as readonly { id: string }[]) : null
    if (fault === null) return
    throw new LipError('bad_data', `${type}: ${fault}`)
  }
  throw new LipError('bad_data', `${type}: ${dataFault(type, validate.errors ?? [], data)}`)
}

/** What some messages say in one of several forms. */
const FORMS: Readonly<Record<string, string>> = { 'entity.move': 'x and y, or to' }

/** One sentence about `data` that does not fit: the field, what it must be, and what was sent. */
export function dataFault(
  type: string,
  faults: readonly ValidationFault[],
  data: Readonly<Record<string, unknown>>,
): string {
  // The fields of marks, and the sentences about their forms, are the overlay wire's.
  if (type.startsWith('screen.')) return explain(faults, { ...data, type: type.slice('screen.'.length) })
  const last = faults.at(-1)
  const isOfWhole = last?.instancePath === '' && ['oneOf', 'anyOf', 'dependencies'].includes(last.keyword)
  if (!isOfWhole) return explain(faults, data)
  return Object.hasOwn(FORMS, type) ? `say exactly one of ${FORMS[type]}` : `data ${last.message}`
}

function check(value: unknown, validate: Validator): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new LipError('bad_envelope', `an envelope is a JSON object, got ${show(value)}`)
  const { lip, type } = value as { readonly lip?: unknown; readonly type?: unknown }
  if (lip !== LIP_MAJOR) {
    if (Number.isInteger(lip))
      throw new LipError('version_unsupported', `lip is ${show(lip)}; this host speaks ${LIP_MAJOR}`)
    throw new LipError('bad_envelope', `lip must be ${LIP_MAJOR}, got ${show(lip)}`)
  }
  if (validate(value)) return
  const [first] = validate.errors ?? []
  if (first?.instancePath === '/type' && typeof type === 'string')
    throw new LipError(
      'bad_envelope',
      `type must be domain.name, such as graph.node.select; got ${show(type)}`,
    )
  throw new LipError('bad_envelope', explain(validate.errors ?? [], value as Record<string, unknown>))
}
