import type { OverlayHost } from '../../overlay/host.js'
import type { HostCapability } from '../../protocol/overlay/capabilities.js'

/** What can be done with this host now: by the parts it has, and by what it says of itself. */
export function capabilitiesOf(host: OverlayHost): HostCapability[] {
  const { hotkey, capture = 'ready' } = host.facts()
  const is: Readonly<Record<HostCapability, boolean>> = {
    capture: capture === 'ready',
    windows: host.windows !== undefined,
    // Whoever lists windows tells when they move.
    following: host.windows !== undefined,
    content: host.content !== undefined,
    hotkey: hotkey === 'ready',
    answer_keys: host.answerKeys !== undefined,
    next_key: host.nextKey !== undefined,
    companion: host.companion !== undefined,
  }
  return (Object.keys(is) as HostCapability[]).filter((word) => is[word])
}
