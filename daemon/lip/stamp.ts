/** Envelopes as the host makes them: only here does one get its id, its time and its sender. */
import { monotonicFactory } from 'ulid'
import type { Envelope } from '../../protocol/lip/schema.js'
import { LIP_MAJOR } from '../../protocol/lip/version.js'

const next = monotonicFactory()

export interface Said {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly re?: string | undefined
  readonly ttl?: number | undefined
}

export function eventFrom(from: string, said: Said): Envelope {
  return stamped('ev_', 'up', from, said)
}

export function commandFrom(from: 'claude' | 'host', said: Said): Envelope {
  return stamped('cm_', 'down', from, said)
}

function stamped(
  prefix: string,
  dir: Envelope['dir'],
  from: string,
  { type, data, re, ttl }: Said,
): Envelope {
  const ts = Date.now()
  return {
    lip: LIP_MAJOR,
    id: prefix + next(ts),
    ts,
    dir,
    from,
    type,
    data: data as Record<string, unknown>,
    ...(re !== undefined && { re }),
    ...(ttl !== undefined && { ttl }),
  }
}
