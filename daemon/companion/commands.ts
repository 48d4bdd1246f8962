/** What sessions ask of the companion: each command to what it does. */
import { MOODS, type Mood, REACTIONS, type Reaction } from '../../protocol/lip/domains.js'
import { alikeFault } from '../../protocol/lip/suggestions.js'
import type { CompanionItem, DisplayPoint } from '../../protocol/overlay/companion.js'
import { WireError } from '../../protocol/overlay/errors.js'
import { show as quoted } from '../../protocol/overlay/explain.js'
import type { CompanionCommand } from '../../protocol/overlay/schema.js'
import type { CompanionAsker, CompanionWorld } from '../engine/companion-seam.js'
import { type Bubble, MOST_SAID, readingMs } from './bubble.js'
import { beside, named, reachable } from './places.js'
import { type Persona, readTraits, shownName } from './settings.js'
import { MOST_ITEMS, type Voices } from './voices.js'

/** The companion, as its commands change it. */
export interface Commanded {
  readonly voices: Voices
  readonly bubble: Bubble
  /** Where it is now; null: there is no display. */
  readonly place: DisplayPoint | null
  readonly settings: { readonly persona: Persona }
  goTo(place: DisplayPoint): void
  react(name: Reaction, ms?: number): void
  /** Kept. */
  become(persona: Persona): void
  /** The person wants it here, or gone. */
  call(): void
  sendAway(): void
}

/** Carries a command out; returns what was left out, and why. Rejects with `bad_schema` or `unknown_display`. */
export async function carryOut(
  { command, data }: CompanionCommand,
  { session, isPerson }: CompanionAsker,
  displayId: number | undefined,
  self: Commanded,
  world: CompanionWorld,
  now: () => number,
): Promise<readonly string[]> {
  const owner = session ?? ''
  const ignored: string[] = []
  const mood = (name: string) => {
    if (isMood(name)) self.voices.mood(owner, name, now())
    else ignored.push(`mood ${quoted(name)}: the moods are ${MOODS.join(', ')}`)
  }
  switch (command) {
    case 'entity.say': {
      const text = firstOf(data.text, MOST_SAID)
      if (text !== data.text) ignored.push(`what comes after ${MOST_SAID} characters of text`)
      if (data.mood !== undefined) mood(data.mood)
      self.bubble.say(text, session, now() + (data.ttl ?? readingMs(text)))
      break
    }
    case 'entity.mood':
      mood(data.mood)
      break
    case 'entity.suggest': {
      const items = data.items.map(asItem)
      const fault = alikeFault(items)
      if (fault !== null) throw new WireError('bad_schema', `companion: data.${fault}`)
      const over = self.voices.suggest(owner, items, data.replace ?? true, now())
      if (over > 0) ignored.push(`the last ${over} suggestions: the menu holds ${MOST_ITEMS} of a session`)
      break
    }
    case 'entity.move': {
      const place = await placeOf(data, displayId, self, world)
      if (place) self.goTo(place)
      else ignored.push('to "cursor": where the pointer is cannot be told here')
      break
    }
    case 'entity.react':
      if (isReaction(data.name)) self.react(data.name, data.ms)
      else ignored.push(`name ${quoted(data.name)}: the expressions are ${REACTIONS.join(', ')}`)
      break
    case 'entity.persona': {
      const { traits, ignored: unknown } = readTraits(data.traits, self.settings.persona.traits)
      ignored.push(...unknown)
      self.become({ name: shownName(data.name) || self.settings.persona.name, traits })
      break
    }
    case 'entity.show':
      self.voices.show()
      if (isPerson) self.call()
      break
    case 'entity.hide':
      if (isPerson) self.sendAway()
      else self.voices.hide(owner, now())
      break
  }
  return ignored
}

async function placeOf(
  { x, y, to }: { readonly x?: number; readonly y?: number; readonly to?: string },
  displayId: number | undefined,
  self: Commanded,
  world: CompanionWorld,
): Promise<DisplayPoint | null> {
  // Named before anything else: a display that is not there is the asker's to hear of.
  const display = world.display(displayId ?? self.place?.display ?? 1)
  if (to === 'cursor') {
    const at = await world.access()?.pointer()
    return at ? beside(at, world.displays(), self.settings.persona.traits.distance) : null
  }
  const at = to === undefined ? ([x ?? 0, y ?? 0] as const) : named(to, display)
  return reachable({ display: display.id, at }, world.displays())
}

function isMood(name: string): name is Mood {
  return (MOODS as readonly string[]).includes(name)
}

function isReaction(name: string): name is Reaction {
  return (REACTIONS as readonly string[]).includes(name)
}

function asItem({ id, label, hint }: CompanionItem): CompanionItem {
  return { id, label, ...(hint !== undefined && { hint }) }
}

/** The first code points of a text: half a character is none. */
function firstOf(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = [...text]
  return characters.length <= most ? text : characters.slice(0, most).join('')
}
