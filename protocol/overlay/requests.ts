/** Lines to requests: the one place where a client's untyped JSON becomes typed. */
import { nestsDeeperThan } from '../ndjson.js'
import { codePoints } from './codepoints.js'
import { type ErrorCode, WireError } from './errors.js'
import { explain, show, wellFormed } from './explain.js'
import { LIMITS } from './limits.js'
import type { RequestId } from './replies.js'
import * as validators from './requests.generated.js'
import type { Request } from './schema.js'
import { isCompatible, PROTOCOL_VERSION } from './version.js'

export type Parsed =
  | { readonly ok: true; readonly request: Request; readonly id: RequestId | undefined }
  | { readonly ok: false; readonly error: WireError; readonly id: RequestId | undefined }

type Validator = ((value: unknown) => boolean) & { errors?: readonly ValidationFault[] | null }
/** The fields of the generated validators' errors that are read here. */
export interface ValidationFault {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

const requestValidators = new Map<string, Validator>(
  Object.entries(validators as unknown as Record<string, Validator>),
)
const REQUEST_TYPES = [...requestValidators.keys()].sort()

/** Turns one line into a request, or into the error that answers it. Never throws. */
export function parseRequest(line: string): Parsed {
  if (nestsDeeperThan(line, LIMITS.depth)) {
    return refuse('bad_schema', `the message nests deeper than ${LIMITS.depth} levels`)
  }
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    // The engine's message quotes the line, and may cut a character in half.
    return refuse('bad_schema', `not JSON: ${wellFormed((error as Error).message)}`)
  }
  if (!isObject(value)) return refuse('bad_schema', `a message is a JSON object, got ${show(value)}`)
  const id = isRequestId(value.id) ? value.id : undefined
  if (typeof value.v !== 'string') {
    const got = value.v === undefined ? 'it is missing' : `got ${show(value.v)}`
    return refuse(
      'bad_schema',
      `v must be the protocol version as a string, "${PROTOCOL_VERSION}"; ${got}`,
      id,
    )
  }
  if (!isCompatible(value.v)) {
    const known = /^\d+\.\d+$/.test(value.v)
    return refuse(
      known ? 'version_unsupported' : 'bad_schema',
      `v is ${show(value.v)}; this daemon speaks ${PROTOCOL_VERSION}, and any other 0.x`,
      id,
    )
  }
  if (typeof value.type !== 'string') {
    const got = value.type === undefined ? 'it is missing' : `got ${show(value.type)}`
    return refuse('bad_schema', `type must name a message, such as "point"; ${got}`, id)
  }
  const validate = requestValidators.get(value.type)
  if (!validate) {
    return refuse(
      'unknown_type',
      `no message has the type ${show(value.type)}; there are ${REQUEST_TYPES.join(', ')}`,
      id,
    )
  }
  if (validate(value)) return { ok: true, request: value as unknown as Request, id }
  const bare = withoutAbsent(value, value.type)
  if (validate(bare)) return { ok: true, request: bare as unknown as Request, id }
  return refuse('bad_schema', `${value.type}: ${explain(validate.errors ?? [], value)}`, id)
}

/**
 * Serialisers of other languages write an absent option as null, and an absent flag as false: where false means nothing
 * else, such a field is as good as absent.
 */
function withoutAbsent(value: Record<string, unknown>, type?: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null && !(type === 'clear' && field === false))
      .map(([name, field]) => [name, isObject(field) ? withoutAbsent(field) : field]),
  )
}

/** What can be echoed as it was sent: a reply with a mangled id would answer nobody. */
function isRequestId(id: unknown): id is RequestId {
  if (typeof id === 'string') return codePoints(id) <= LIMITS.name
  return typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER
}

function refuse(code: ErrorCode, message: string, id?: RequestId): Parsed {
  return { ok: false, error: new WireError(code, message), id }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
