/** Where something is to be drawn, and in which units: checked before anything is sent, since a wrong unit is a wrong place. */
import { parseRequest } from '../../protocol/overlay/requests.js'
import type { Request, RequestType } from '../../protocol/overlay/schema.js'
import { PROTOCOL_VERSION } from '../../protocol/overlay/version.js'
import { refuse } from './errors.js'
import type { ObjectSchema } from './schemas.js'

export type Arguments = Readonly<Record<string, unknown>>

/** Fields that hold numbers on the screen. Text is a named position, and needs no unit. */
export const COORDINATES = ['x', 'y', 'rect', 'path', 'from', 'to']

/** The arguments without those that say nothing. Refuses what the tool does not have: a misspelt field must not be lost. */
export function known(tool: string, { properties }: ObjectSchema, given: Arguments): Arguments {
  const names = Object.keys(properties)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    const has = names.length > 0 ? `it takes ${names.join(', ')}` : 'it takes none'
    throw refuse(`${tool} has no argument ${JSON.stringify(name.slice(0, 60))}; ${has}`)
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

/** The arguments with the display they are about. Refuses numbers that do not say what they count, and two units at once. */
export function placed(tool: string, given: Arguments): Arguments {
  const units = ['frame', 'display_id', 'window'].filter((name) => name in given)
  if (units.length > 1) {
    throw refuse(
      `${tool}: send only one of frame (image pixels), display_id (logical points) and window (logical points from its top left); got ${units.join(' and ')}`,
    )
  }
  if (units.length === 1) return given
  const numbers = COORDINATES.filter((name) => name in given && typeof given[name] !== 'string')
  if (numbers.length > 0) {
    throw refuse(
      `${tool}: ${numbers.join(', ')} came without a unit: add frame (the frame_id of the picture, for image pixels), or display_id (for logical points)`,
    )
  }
  return { ...given, display_id: 1 }
}

/** The request of the wire, valid by its own schema. `tool` is what a refusal names. */
export function request<T extends RequestType>(
  tool: string,
  type: T,
  fields: Arguments,
): Extract<Request, { type: T }> {
  const parsed = parseRequest(JSON.stringify({ ...fields, v: PROTOCOL_VERSION, type }))
  if (parsed.ok) return parsed.request as Extract<Request, { type: T }>
  const { message } = parsed.error
  throw refuse(message.startsWith(`${type}:`) ? `${tool}:${message.slice(type.length + 1)}` : message)
}
