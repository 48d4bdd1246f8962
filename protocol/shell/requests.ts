/** Lines to requests of the shell protocol: the one place where a client's untyped JSON becomes typed. */
import { nestsDeeperThan } from '../ndjson.js'
import { explain, show } from '../overlay/explain.js'
import type { ValidationFault } from '../overlay/requests.js'
import { SHELL_ERRORS, ShellError } from './errors.js'
import { idText, isExact } from './ids.js'
import { SHELL_LIMITS } from './limits.js'
import { validatorName } from './names.js'
import type { ShellMethod, ShellParams } from './schema.js'
import * as validators from './shell.generated.js'

export type ShellRequest = {
  readonly [M in ShellMethod]: { readonly method: M; readonly params: ShellParams<M> }
}[ShellMethod]

export type ParsedShellRequest =
  | {
      readonly ok: true
      readonly id: unknown
      /** Its JSON text, to be echoed. */
      readonly idText: string
      readonly token: string | undefined
      readonly request: ShellRequest
    }
  | {
      readonly ok: false
      readonly id: unknown
      /** Its JSON text, to be echoed. */
      readonly idText: string
      readonly token: string | undefined
      readonly error: ShellError
    }

type Validator = ((value: unknown) => boolean) & { errors?: readonly ValidationFault[] | null }
const byMethod = validators as unknown as Readonly<Record<string, Validator>>

/** Reads one line; never throws. What is no request at all has the code `invalid_request`. */
export function parseShellRequest(line: string): ParsedShellRequest {
  const no = (message: string, id: unknown = null): ParsedShellRequest => ({
    ok: false,
    id,
    idText: echo(id, line),
    token: undefined,
    error: new ShellError('invalid_request', message),
  })
  if (nestsDeeperThan(line, SHELL_LIMITS.depth))
    return no(`the line nests deeper than ${SHELL_LIMITS.depth} levels`)
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch (error) {
    return no(`the line is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(message)) return no(`a request is a JSON object; got ${show(message)}`)
  const { id = null, method, params, token } = message
  if (typeof method !== 'string' || method === '')
    return no(`method must be the name of a method; got ${method === undefined ? 'none' : show(method)}`, id)
  const common = { id, idText: echo(id, line), token: typeof token === 'string' ? token : undefined }
  try {
    return { ok: true, ...common, request: checked(method, params ?? {}) }
  } catch (error) {
    if (error instanceof ShellError) return { ok: false, ...common, error }
    throw error
  }
}

/** Validates a method's parameters. Throws `ShellError`. */
function checked(method: string, params: unknown): ShellRequest {
  const validate = Object.hasOwn(byMethod, validatorName(method)) && byMethod[validatorName(method)]
  if (!validate || !method.includes('.'))
    throw new ShellError('unknown_method', `there is no method ${show(method)}`)
  if (!isObject(params))
    throw new ShellError('invalid_params', `params must be an object; got ${show(params)}`)
  // Clients of other languages send null for what they leave out.
  const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null))
  if (!validate(given)) throw new ShellError('invalid_params', explain(validate.errors ?? [], given))
  for (const [name, value] of Object.entries(given)) {
    const fault = typeof value === 'string' ? textFault(value, name) : null
    if (fault) throw new ShellError('invalid_params', `${name} ${fault}`)
  }
  return { method, params: given } as unknown as ShellRequest
}

/** What no shell can take, or would take for something else. */
function textFault(value: string, name: string): string | null {
  const nul = name === 'input' ? -1 : value.indexOf('\0')
  if (nul !== -1) return `has a NUL character at position ${nul}, which no shell can take`
  const half = value.search(/\p{Surrogate}/u)
  return half === -1 ? null : `has half of a character (an unpaired surrogate) at position ${half}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An id as JSON, as exactly as it was sent: a number may be larger than a number here can be. */
function echo(id: unknown, line: string): string {
  return isExact(id) ? JSON.stringify(id) : idText(line)
}

/** The response that refuses a request. @param idText the request’s id as JSON */
export function failure(idText: string, error: ShellError): string {
  const { code, message } = error
  const refusal = JSON.stringify({ type: SHELL_ERRORS[code].type, code, message })
  return `{"id":${idText},"ok":false,"error":${refusal}}`
}
