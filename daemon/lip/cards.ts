/** Components that were sent to a screen: which are drawn there, and which open in a window, because a screen takes no answers. */
import { COMPONENTS } from '../../protocol/lip/domains.js'
import { LipError } from '../../protocol/lip/errors.js'
import type { Said } from './stamp.js'
import type { LipWindow } from './window.js'

type Props = Readonly<Record<string, unknown>>

/** The unique whose window shows them. */
export const CARDS = 'cards'

/** Components of one sender, and characters of one that is drawn: more is for a window, where it can be scrolled. */
const MOST = 64
const DRAWN_CHARACTERS = 1500

export interface Opening {
  readonly window: LipWindow
  readonly token: string
}

export interface CardsParts {
  /** Opens a window of the unique. Rejects with `LipError`. */
  open(): Promise<Opening>
  /** The window of this id, if it is open. */
  find(id: string): LipWindow | undefined
  /** Sends to a window; whether its page got it. Throws `LipError`. */
  send(window: LipWindow, said: Said): boolean
}

interface Component {
  readonly to: string
  readonly type: string
  readonly props: Props
  readonly in: 'screen' | 'window'
}

/** Where one command about a component goes, and as what. `leaves`: it was elsewhere before, and is to be removed there. */
export type Plan =
  | { readonly in: 'screen' | 'window'; readonly send: Said; readonly leaves: boolean }
  | { readonly in: 'nowhere' }

export class Cards {
  readonly #components = new Map<string, Map<string, Component>>()
  readonly #windows = new Map<string, Promise<Opening>>()

  constructor(private readonly parts: CardsParts) {}

  /** Where it goes, and remembers that. Throws `LipError` where there are too many. */
  plan(key: string, to: string, said: Said): Plan {
    const { type, data } = said
    const all = this.#components.get(key) ?? new Map<string, Component>()
    this.#components.set(key, all)
    const id = String(data.id)
    const before = all.get(id)
    if (type === 'component.create') {
      if (!before && all.size >= MOST)
        throw new LipError('limit', `${MOST} components are shown for you, the most there may be; remove one`)
      const component = placed(to, String(data.type), data.props as Props)
      all.set(id, component)
      return { in: component.in, send: said, leaves: before !== undefined && before.in !== component.in }
    }
    if (!before || before.to !== to) return { in: 'nowhere' }
    if (type === 'component.remove') {
      all.delete(id)
      return { in: before.in, send: said, leaves: false }
    }
    const props = { ...before.props, ...(data.props as Props) }
    // What is in a window stays there: nothing jumps out of a person’s hands.
    const component = before.in === 'window' ? { ...before, props } : placed(to, before.type, props)
    all.set(id, component)
    if (component.in !== before.in)
      return {
        in: 'window',
        send: { ...said, type: 'component.create', data: { id, type: before.type, props } },
        leaves: true,
      }
    return {
      in: component.in,
      send: component.in === 'screen' ? { ...said, data: { id, props } } : said,
      leaves: false,
    }
  }

  /** Sends to the sender’s window, which is opened where there is none. Rejects with `LipError`. */
  async send(
    key: string,
    said: Said,
  ): Promise<{ readonly window: string; readonly delivered: boolean; readonly opening?: Opening }> {
    const before = await this.#windows.get(key)
    const known = before && this.parts.find(before.window.id)
    if (known) return { window: known.id, delivered: this.parts.send(known, inPage(said)) }
    // A window that was closed took all that was in it along.
    if (before) this.#windows.delete(key)
    this.#dropWindowed(key, said.type === 'component.create' ? String(said.data.id) : null)
    if (said.type !== 'component.create')
      throw new LipError('window_closed', 'the window that this component was in is closed')
    const { opening, isNew } = await this.#open(key)
    const delivered = this.parts.send(opening.window, inPage(said))
    return { window: opening.window.id, delivered, ...(isNew && { opening }) }
  }

  /** It is not there any more. */
  drop(key: string, id: string): void {
    this.#components.get(key)?.delete(id)
  }

  /** The sender is gone. Its window stays: what the person wrote there is the person’s. */
  forget(key: string): void {
    this.#components.delete(key)
    this.#windows.delete(key)
  }

  /** Commands that come at once open one window; one of them is to have it shown. */
  async #open(key: string): Promise<{ readonly opening: Opening; readonly isNew: boolean }> {
    const before = this.#windows.get(key)
    if (before) return { opening: await before, isNew: false }
    const opening = this.parts.open()
    this.#windows.set(key, opening)
    try {
      return { opening: await opening, isNew: true }
    } catch (error) {
      this.#windows.delete(key)
      throw error
    }
  }

  #dropWindowed(key: string, but: string | null): void {
    const all = this.#components.get(key)
    for (const [id, component] of all ?? []) if (component.in === 'window' && id !== but) all?.delete(id)
  }
}

/** In the page, one below the other: a place on the screen is none in a window. */
function inPage(said: Said): Said {
  if (said.type !== 'component.create') return said
  const { at: _, ...data } = said.data
  return { ...said, data: { ...data, slot: 'inline' } }
}

function placed(to: string, type: string, props: Props): Component {
  return { to, type, props, in: isDrawn(type, props) ? 'screen' : 'window' }
}

/** A mark takes no clicks: what is to be answered, and what is too long to be read in passing, needs a window. */
function isDrawn(type: string, props: Props): boolean {
  if (JSON.stringify(props).length > DRAWN_CHARACTERS) return false
  if (type === 'note') return !Array.isArray(props.actions) || props.actions.length === 0
  if (type === 'progress') return props.cancel === undefined || props.cancel === false
  return !(COMPONENTS as readonly string[]).includes(type)
}
