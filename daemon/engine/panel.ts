import type { OverlayHost, PanelItem, PanelState } from '../../overlay/host.js'
import type { CapturePolicy } from './captures.js'
import type { Clock } from './clock.js'
import type { Session } from './session.js'
import { shownName } from './shown-name.js'

/** How long changes are gathered before the panel shows them, in ms: a burst of marks is one change. */
const GATHER_MS = 150

/** Clients that have a line of their own. */
const MAX_CLIENTS = 8

/** How long pictures are allowed from here, in ms. */
const ALLOW_MS = 600_000

/** What the panel shows, read anew for every change. */
export interface PanelFacts {
  readonly marks: number
  readonly sessions: Iterable<Session>
  readonly paused: boolean
  readonly pictures: CapturePolicy
}

/** What the person can do there. */
export interface PanelActions {
  clear(): void
  pause(paused: boolean): void
  pictures(policy: CapturePolicy, forMs?: number): void
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
    else if (id === 'pictures_allow') this.actions.pictures('always', ALLOW_MS)
    else if (id === 'pictures_ask') this.actions.pictures('ask')
    else if (id === 'pictures_never') this.actions.pictures('never')
    else if (id === 'quit') this.actions.quit()
    this.changed()
  }
}

function panelState({ marks, sessions, paused, pictures }: PanelFacts): PanelState {
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
  const pictureItem = (id: string, label: string, policy: CapturePolicy): PanelItem => ({
    kind: 'action',
    id,
    label,
    checked: pictures === policy,
  })
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
      pictureItem('pictures_ask', 'Pictures of the screen: ask each client', 'ask'),
      pictureItem(
        'pictures_allow',
        `Pictures of the screen: allow for ${ALLOW_MS / 60_000} minutes`,
        'always',
      ),
      pictureItem('pictures_never', 'Pictures of the screen: never', 'never'),
      { kind: 'separator' },
      { kind: 'action', id: 'quit', label: 'Quit Lets' },
    ],
  }
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
