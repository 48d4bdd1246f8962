/** How the companion is, as an ack says it: what others said of it is theirs, and the person's. */
import type { CompanionStateFields } from '../../protocol/overlay/schema.js'
import type { CompanionAsker } from '../engine/companion-seam.js'
import type { Hidden } from './presence.js'
import type { Self } from './self.js'

/** What is so besides what it is itself. */
interface Now {
  readonly on: boolean
  readonly hidden: Hidden | null
  readonly asleep: boolean
  /** The caps of the summoning key, where it could be had. */
  readonly key: readonly string[] | undefined
  /** Marks leave no place for what it says. */
  readonly crowded: boolean
  /** ms since 1970. */
  readonly wall: number
}

export function stateOf(
  { voices, bubble, place, settings }: Self,
  { session, isPerson }: CompanionAsker,
  { on, hidden, asleep, key, crowded, wall }: Now,
): CompanionStateFields {
  const { persona, hours, muted_apps, quiet_until } = settings
  const { says } = bubble
  const isTheirs = isPerson || (session !== null && says?.session === session)
  const items = isPerson ? (voices.suggested?.items ?? []) : voices.itemsOf(session)
  const left = (quiet_until ?? 0) - wall
  return {
    on,
    shown: hidden === null,
    ...(hidden !== null && { hidden_because: hidden }),
    ...(place && { display_id: place.display, at: [...place.at] as [number, number] }),
    mood: voices.mostRecentMood,
    asleep,
    ...(isTheirs && says && { says: says.text, ...(crowded && { crowded }) }),
    suggestions: items.map((item) => ({ ...item })),
    persona: { name: persona.name, traits: { ...persona.traits } },
    ...(left > 0 && { quiet_ms: left }),
    ...(hours !== null && { hours }),
    muted_apps: [...muted_apps],
    ...(key && { summon_key: [...key] }),
  }
}
