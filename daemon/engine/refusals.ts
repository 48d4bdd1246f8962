/** The refusals that more than one request can get. */
import { HostUnavailable } from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Entry, Session } from './session.js'

export function owned(session: Session | null): Session {
  if (!session) throw new WireError('bad_schema', 'no session: send session_start first')
  return session
}

export function own(annotationId: string, session: Session): Entry {
  const entry = session.entries.get(annotationId)
  if (entry) return entry
  // One answer for another's mark and for none at all: nothing leaks.
  throw new WireError(
    'not_owner',
    `annotation_id ${JSON.stringify(annotationId)} is not a mark of this session`,
  )
}

export function noResolver(query: string): WireError {
  return new WireError(
    'no_resolver',
    `no resolver is set up that could find ${JSON.stringify(query.slice(0, 80))}: \`lets stop\`, and \`lets daemon --resolver accessibility\` (\`lets resolvers\` lists them); or send coordinates, or a named position such as "top-right"`,
  )
}

/** A host that cannot is not a fault of the client's, nor of ours; anything else unexpected is ours. */
export function asWireError(error: unknown): unknown {
  return error instanceof HostUnavailable ? new WireError('unavailable', error.message) : error
}
