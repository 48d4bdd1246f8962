import type { OverlayHost, PanelItem, PanelState } from '../../overlay/host.js'
import type { CapturePolicy } from './captures.js'
import type { Clock } from './clock.js'
import type { CompanionSettings } from './companion-seam.js'
import type { Session } from './session.js'
import { shownName } from './shown-name.js'

/** How long changes are gathered before the panel shows them, in ms: a burst of marks is one change. */
const GATHER_MS = 150

/** Clients that have a line of their own. */
const MAX_CLIENTS = 8

/** How long pictures are allowed from here, in ms. */
const ALLOW_MS = 600_000

/** How long the companion is kept quiet for from here, in ms. */
const QUIET_MS = 3_600_000

/** What the panel shows, read anew for every change. */
export interface PanelFacts {
  readonly marks: number
  readonly sessions: Iterable<Session>
  readonly paused: boolean
  readonly pictures: CapturePolicy
  /** About finding things by their names; null: nothing here does. */
  /** null: there is none here. */
  readonly companion: { readonly on: boolean; readonly quiet: boolean } | null
  readonly queries: { readonly policy: CapturePolicy; readonly resolvers: readonly string[] } | null
}

/** What the person can do there. */
export interface PanelActions {
  clear(): void
  pause(paused: boolean): void
  pictures(policy: CapturePolicy, forMs?: number): void
  queries(policy: CapturePolicy, forMs?: number): void
  companion(settings: CompanionSettings): void
  quit(): void
}

/** Keeps the host's panel, where it has one, in step with what is so, and carries out what the person chooses there. */
export class PanelKeeper {
  #pending = false
  #shown = ''

  constructor(
    private readonly host: OverlayHost,
    private readonly clock: Clock,
    private readonly facts: () => PanelFacts,
    private readonly actions: PanelActions,
  ) {}

  /** Something it shows may have changed. */
  changed(): void {
    if (!this.host.panel || this.#pending) return
    this.#pending = true
    this.clock.after(GATHER_MS, () => {
      this.#pending = false
      const state = panelState(this.facts())
      const text = JSON.stringify(state)
      if (text === this.#shown) return
      this.#shown = text
      this.host.panel?.show(state)
    })
  }

  /** The host starts anew and shows nothing yet. */
  reset(): void {
    this.#shown = ''
    this.changed()
  }

  /** The person chose an item. An id that no item has does nothing: the menu may be a moment behind. */
  chosen(id: string): void {
    if (id === 'clear') this.actions.clear()
    else if (id === 'pause') this.actions.pause(!this.facts().paused)
    else if (id === 'companion') this.actions.companion({ on: !this.facts().companion?.on })
    else if (id === 'companion_quiet')
      this.actions.companion({ quiet_ms: this.facts().companion?.quiet ? 0 : QUIET_MS })
    else if (id === 'quit') this.actions.quit()
    else this.#decided(id)
    this.changed()
  }

  #decided(id: string): void {
    for (const topic of TOPICS) {
      const answer = ANSWERS.find(({ word }) => id === `${topic}_${word}`)
      if (answer) this.actions[topic](answer.policy, answer.policy === 'always' ? ALLOW_MS : undefined)
    }
  }
}

function panelState({ marks, sessions, paused, pictures, queries, companion }: PanelFacts): PanelState {
  const clients = [...sessions]
  const summary = paused
    ? 'Lets: drawing is paused'
    : `Lets: ${count(marks, 'mark')}, ${count(clients.length, 'client')}`
  const lines = clients.slice(0, MAX_CLIENTS).map(
    ({ clientName, entries }): PanelItem => ({
      kind: 'text',
      label: `${shownName(clientName)}: ${count(entries.size, 'mark')}`,
    }),
  )
  const more = clients.length - lines.length
  return {
    summary,
    items: [
      { kind: 'text', label: summary },
      ...lines,
      ...(more > 0 ? [{ kind: 'text', label: `and ${count(more, 'other client')}` } as const] : []),
      { kind: 'separator' },
      { kind: 'action', id: 'clear', label: 'Clear everything' },
      { kind: 'action', id: 'pause', label: 'Pause drawing', checked: paused },
      { kind: 'separator' },
      ...(companion ? companionItems(companion) : []),
      ...decisions('pictures', 'Pictures of the screen', pictures),
      { kind: 'separator' },
      ...(queries
        ? decisions('queries', `Finding things by name (${queries.resolvers.join(', ')})`, queries.policy)
        : []),
      ...(queries ? [{ kind: 'separator' } as const] : []),
      { kind: 'action', id: 'quit', label: 'Quit Lets' },
    ],
  }
}

function companionItems({ on, quiet }: NonNullable<PanelFacts['companion']>): PanelItem[] {
  return [
    { kind: 'action', id: 'companion', label: 'Companion', checked: on },
    ...(on
      ? [
          {
            kind: 'action',
            id: 'companion_quiet',
            label: 'Companion: quiet for an hour',
            checked: quiet,
          } as const,
        ]
      : []),
    { kind: 'separator' },
  ]
}

const TOPICS = ['pictures', 'queries'] as const

/** The three answers to one question. */
const ANSWERS = [
  { word: 'ask', says: 'ask each client', policy: 'ask' },
  { word: 'allow', says: `allow for ${ALLOW_MS / 60_000} minutes`, policy: 'always' },
  { word: 'never', says: 'never', policy: 'never' },
] as const

/** An item for each answer, the one that holds checked. */
function decisions(topic: (typeof TOPICS)[number], title: string, now: CapturePolicy): PanelItem[] {
  return ANSWERS.map(({ word, says, policy }) => ({
    kind: 'action',
    id: `${topic}_${word}`,
    label: `${title}: ${says}`,
    checked: now === policy,
  }))
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
