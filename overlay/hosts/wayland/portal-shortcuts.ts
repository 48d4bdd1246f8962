/** A global key on a Wayland desktop: the desktop asks the person for it, once. */
import { Variant } from '@jellybrick/dbus-next'
import { Portal, PortalFailed, TIMES, type Times, tokenFor } from './portal.js'

const SHORTCUTS = 'org.freedesktop.portal.GlobalShortcuts'

export interface Shortcut {
  /** Its own name, which the desktop remembers the person's choice by. */
  readonly id: string
  /** What it does, for the person. */
  readonly description: string
  /** What is proposed, as the shortcuts specification writes it: `CTRL+SHIFT+k`. */
  readonly trigger: string
}

export type ShortcutState =
  | { readonly kind: 'unasked' | 'asking' }
  /** `keys`: what the person has to press, as their desktop calls it; absent: it does not say. */
  | { readonly kind: 'ready'; readonly keys?: string }
  | { readonly kind: 'off'; readonly reason: string }

/** One global shortcut through the GlobalShortcuts portal. */
export class PortalShortcut {
  #state: ShortcutState = { kind: 'unasked' }
  #portal: Portal | null = null
  #session = ''
  #binding: Promise<void> | null = null
  #closed = false

  constructor(
    /** The address of the session's bus; undefined: there is none. */
    private readonly address: string | undefined,
    private readonly shortcut: Shortcut,
    private readonly onPressed: () => void,
    private readonly times: Times = TIMES,
  ) {}

  get state(): ShortcutState {
    return this.#state
  }

  /**
   * Has the desktop give it to us, which may show the person a dialog: so only when it is of use to them. Never asks twice.
   * Resolves when it is known what came of it; never rejects.
   */
  bind(): Promise<void> {
    this.#binding ??= this.#bind()
    return this.#binding
  }

  /** Gives it back. Safe to call twice. */
  close(): void {
    this.#closed = true
    this.#off('the host has stopped')
  }

  async #bind(): Promise<void> {
    if (this.#closed) return
    this.#state = { kind: 'asking' }
    try {
      const portal = await Portal.open(
        this.address,
        SHORTCUTS,
        {
          signal: ({ interface: name, member, path, body }) => {
            if (name === SHORTCUTS && member === 'Activated') this.#activated(body)
            else if (member === 'Closed' && path === this.#session) this.#off('the desktop took it back')
          },
          gone: (reason) => this.#off(reason),
        },
        this.times,
      )
      if (this.#closed) return portal.close()
      this.#portal = portal
      await this.#ask(portal)
    } catch (error) {
      this.#off(reasonOf(error as PortalFailed))
    }
  }

  async #ask(portal: Portal): Promise<void> {
    const { id, description, trigger } = this.shortcut
    const { session_handle: session } = await portal.request(
      SHORTCUTS,
      'CreateSession',
      'a{sv}',
      (options) => [{ ...options, session_handle_token: new Variant('s', tokenFor()) }],
      this.times.call,
    )
    if (typeof session !== 'string') throw new PortalFailed('refused', 'the portal names no session')
    this.#session = session
    const wish = {
      description: new Variant('s', description),
      preferred_trigger: new Variant('s', trigger),
    }
    const { shortcuts } = await portal.request(
      SHORTCUTS,
      'BindShortcuts',
      'oa(sa{sv})sa{sv}',
      (options) => [session, [[id, wish]], '', options],
      this.times.person,
    )
    const keys = keysOf(shortcuts, id)
    if (keys === null) throw new PortalFailed('dismissed', 'the person gave it no key')
    if (this.#state.kind === 'asking') this.#state = { kind: 'ready', ...(keys !== undefined && { keys }) }
  }

  #activated([session, id]: readonly unknown[]): void {
    if (this.#state.kind === 'ready' && session === this.#session && id === this.shortcut.id) this.onPressed()
  }

  #off(reason: string): void {
    if (this.#state.kind !== 'off') this.#state = { kind: 'off', reason }
    const portal = this.#portal
    this.#portal = null
    if (!portal) return
    if (this.#session !== '') portal.endSession(this.#session)
    portal.close()
  }
}

/** What is to be pressed for it, undefined where the desktop does not say, and null where it was given no key. */
function keysOf(shortcuts: unknown, id: string): string | undefined | null {
  const all = Array.isArray(shortcuts) ? shortcuts : []
  const found = all.find(
    (one): one is [string, Record<string, unknown>] => Array.isArray(one) && one[0] === id,
  )
  if (!found) return null
  const { trigger_description: keys } = found[1] ?? {}
  if (typeof keys !== 'string') return undefined
  return keys.trim() === '' ? null : keys.trim()
}

function reasonOf({ fault, message }: PortalFailed): string {
  if (fault === 'dismissed') return `${message}; it is asked again by the next daemon`
  if (/app id is required/i.test(message))
    return 'this desktop gives keys only to programs with a .desktop file, which Lets does not install'
  return message
}
