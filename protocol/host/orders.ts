/** Reading what came over the channel between the daemon and a host in a process of its own. */
import * as validators from './orders.generated.js'
import type { HostOrder, HostReport } from './orders-schema.js'

interface Validator {
  (value: unknown): boolean
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null
}

const generated = validators as unknown as Readonly<Record<string, Validator>>

/** The types of the daemon's messages, and of the host's; a message of another type is none. */
const ORDERS: ReadonlySet<string> = new Set<HostOrder['type']>([
  'start',
  'lay',
  'apply',
  'companion',
  'no_companion',
  'where',
  'hide',
  'take_keys',
  'release_keys',
  'look',
  'glyphs',
  'panel',
  'ping',
])
const REPORTS: ReadonlySet<string> = new Set<HostReport['type']>([
  'started',
  'painted',
  'keys',
  'pointer',
  'screens',
  'missing',
  'done',
  'failed',
  'layout',
  'pressed',
  'chosen',
  'touched',
  'noted',
])

/** A message that is none: the other end is broken, or of another version. */
export class BadHostMessage extends Error {
  override readonly name = 'BadHostMessage'
}

/** An order of the daemon, as the host has it. Throws `BadHostMessage`. */
export function readOrder(value: unknown): HostOrder {
  return read(value, ORDERS) as HostOrder
}

/** A report of the host, as the daemon has it. Throws `BadHostMessage`. */
export function readReport(value: unknown): HostReport {
  return read(value, REPORTS) as HostReport
}

function read(value: unknown, known: ReadonlySet<string>): unknown {
  const type = (value as { type?: unknown } | null)?.type
  const validate = typeof type === 'string' && known.has(type) ? generated[type] : undefined
  if (!validate) throw new BadHostMessage(`a message of an unknown type: ${String(type).slice(0, 40)}`)
  if (validate(value)) return value
  const error = validate.errors?.[0]
  throw new BadHostMessage(`${String(type)}${error?.instancePath ?? ''} ${error?.message ?? 'is malformed'}`)
}
