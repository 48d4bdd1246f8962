/** The daemon's messages: made by the daemon, and checked again where a client reads them. */
import type { WireError } from './errors.js'
import type { Display } from './geometry.js'
import * as validators from './replies.generated.js'
import type {
  AckMessage,
  CompanionEventMessage,
  DaemonMessage,
  ErrorMessage,
  InvalidatedMessage,
} from './schema.js'
import { PROTOCOL_VERSION } from './version.js'

/** What a client may label a request with; echoed on its reply. */
export type RequestId = string | number

const generated = validators as unknown as Readonly<Record<string, (value: unknown) => boolean>>

/** Whether a message from a daemon is one this version knows; null otherwise, since a newer daemon may say more. */
export function parseDaemonMessage(line: string): DaemonMessage | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return null
  const { type } = value
  if (typeof type !== 'string' || !Object.hasOwn(generated, type)) return null
  return generated[type]?.(value) ? (value as unknown as DaemonMessage) : null
}

/** The fields of an ack besides its envelope. */
export type AckFields = Omit<AckMessage, 'v' | 'type' | 'id'>

export function ack(fields: AckFields, id?: RequestId): AckMessage {
  return { v: PROTOCOL_VERSION, type: 'ack', ...(id !== undefined && { id }), ...fields }
}

/** A display as acks carry it. */
export function ackDisplay({ id, scale, logical_size }: Display): NonNullable<AckFields['display']> {
  return { id, scale, logical_size: logical_size as [number, number] }
}

export function errorReply(error: WireError, id?: RequestId): ErrorMessage {
  return {
    v: PROTOCOL_VERSION,
    type: 'error',
    ...(id !== undefined && { id }),
    code: error.code,
    msg: error.message,
    ...error.data,
  }
}

/** Why a mark went away without its owner's asking. */
export const INVALIDATION_REASONS = ['scroll', 'ttl', 'cleared', 'display_change'] as const
export type InvalidationReason = (typeof INVALIDATION_REASONS)[number]

export function invalidated(annotationId: string, reason: InvalidationReason): InvalidatedMessage {
  return { v: PROTOCOL_VERSION, type: 'invalidated', annotation_id: annotationId, reason }
}

/** What the person did with the companion, as listeners are told. */
export function companionEvent(
  event: string,
  data: Readonly<Record<string, unknown>>,
  displayId?: number,
): CompanionEventMessage {
  return {
    v: PROTOCOL_VERSION,
    type: 'companion_event',
    event,
    ...(displayId !== undefined && { display_id: displayId }),
    data,
  }
}
