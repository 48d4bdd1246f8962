import type { OverlayHost } from '../../overlay/host.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import { rectOf } from './build.js'
import { capabilitiesOf } from './capabilities.js'
import type { EngineOptions } from './connection.js'
import type { Session } from './session.js'

/** What `session_start` answers: where marks are drawn, and whether the session that was asked for was still there. */
export function startedOf(host: OverlayHost, { id }: Session, resumed: boolean | undefined): AckFields {
  const { screen } = host.facts()
  return {
    session_id: id,
    host: host.kind,
    capabilities: capabilitiesOf(host),
    ...(screen !== undefined && { screen }),
    ...(resumed !== undefined && { resumed }),
  }
}

/** What `status` answers, besides counts: facts of the process and the host, and the asker's own marks. */
export function statusOf(
  { about, host, captures, groundingConsent }: EngineOptions,
  session: Session | null,
  down: string | null,
): AckFields {
  const facts = host.facts()
  return {
    ...about,
    host: host.kind,
    capabilities: capabilitiesOf(host),
    marks: [...(session?.entries.values() ?? [])].map(({ mark, display }) => ({
      annotation_id: mark.id,
      kind: mark.kind,
      display_id: display,
      rect: [...rectOf(mark)] as [number, number, number, number],
    })),
    capture_consent: captures.policy(),
    grounding_consent: groundingConsent.policy(),
    host_facts: {
      ...facts,
      notes: [...(down === null ? [] : [`cannot draw: ${down}`]), ...facts.notes],
    },
  }
}
