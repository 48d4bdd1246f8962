/** All windows: opened, found by their token, gone when their page does not come back. */
import { LipError } from '../../protocol/lip/errors.js'
import type { Clock } from '../engine/clock.js'
import type { Log } from '../log.js'
import type { Catalog } from '../uniques/catalog.js'
import type { Unique } from '../uniques/folder.js'
import { DeclaredSchemas } from '../uniques/schemas.js'
import { screenHint } from './medium.js'
import { digestOf, matches, newSecret } from './tokens.js'
import { LipWindow, type OwnId, type WindowState } from './window.js'

/** How long a window waits for its page, and for one that went away to come back, in ms. */
const OPENING_MS = 300_000
const AWAY_MS = 120_000
const WINDOWS = 64
/** Closed windows that are still told apart from those that never were. */
const CLOSED = 256

export interface WindowsParts {
  readonly clock: Clock
  readonly log: Log
  readonly catalog: Catalog
  readonly changed: () => void
  /** A window waited in vain for its page. */
  readonly gone: (window: LipWindow, reason: string) => void
}

export interface Farewell {
  readonly reason: string
  readonly session: string | null
}

interface KeptWindow {
  readonly id: string
  readonly unique: string
  readonly digest: string
  readonly opened: number
  readonly session: string | null
  readonly state: WindowState
  readonly outbox: readonly (readonly [string, string, boolean])[]
}

export interface KeptWindows {
  readonly next: number
  readonly windows: readonly KeptWindow[]
}

export class Windows {
  readonly #open = new Map<string, LipWindow>()
  readonly #closed = new Map<string, { readonly digest: Buffer; readonly farewell: Farewell }>()
  readonly #timers = new Map<string, () => void>()
  readonly #schemas = new WeakMap<Unique, DeclaredSchemas>()
  #next = 1

  constructor(private readonly parts: WindowsParts) {}

  /** Opens a window; its token is given out here and nowhere else. */
  open(unique: Unique): { readonly window: LipWindow; readonly token: string } {
    if (this.#open.size >= WINDOWS)
      throw new LipError('limit', `${WINDOWS} windows are open, the most there may be; close one`)
    const schemas = this.#schemasOf(unique)
    const id = `w${this.#next++}`
    const token = `${id}.${newSecret()}`
    const window = new LipWindow(
      { id, unique, schemas, digest: digestOf(token), openedAt: Date.now() },
      this.parts.clock,
    )
    this.#open.set(id, window)
    this.#await(window, OPENING_MS, 'never_loaded')
    this.parts.changed()
    return { window, token }
  }

  /** The window a token is for, or how it ended; null when it is for none. */
  byToken(token: string): LipWindow | Farewell | null {
    const id = token.slice(0, Math.max(0, token.indexOf('.')))
    const window = this.#open.get(id)
    if (window) return matches(token, window.digest) ? window : null
    const closed = this.#closed.get(id)
    return closed && matches(token, closed.digest) ? closed.farewell : null
  }

  /** The open window that is meant by `w1` or `unique:graph#w1`. Throws `LipError`. */
  named(name: string): LipWindow {
    const id = /^(?:(?:unique:)?[a-z][a-z0-9-]*#)?(w\d{1,12})$/.exec(name)?.[1]
    const window = id === undefined ? undefined : this.#open.get(id)
    if (window && (name === id || window.from.endsWith(name))) return window
    if (id !== undefined && Number(id.slice(1)) < this.#next && !window)
      throw new LipError('window_closed', `window ${id} is closed; ${this.#there()}`)
    throw new LipError(
      'unknown_window',
      `there is no window ${JSON.stringify(name).slice(0, 60)}; ${this.#there()}${screenHint(name)}`,
    )
  }

  list(): LipWindow[] {
    return [...this.#open.values()]
  }

  ofUnique(name: string): LipWindow[] {
    return this.list().filter(({ unique }) => unique.name === name)
  }

  /** Its page is there. */
  came(window: LipWindow): void {
    this.#stopWaiting(window)
    window.state = 'open'
    this.parts.changed()
  }

  /** Its page is not connected any more; it may come back. */
  left(window: LipWindow): void {
    if (window.state === 'closed') return
    window.state = 'away'
    this.#await(window, AWAY_MS, 'gone')
    this.parts.changed()
  }

  /** Takes a window out; its token is good for nothing but hearing that. */
  end(window: LipWindow, farewell: Farewell): void {
    this.#stopWaiting(window)
    window.state = 'closed'
    this.#open.delete(window.id)
    this.#closed.set(window.id, { digest: window.digest, farewell })
    for (const id of this.#closed.keys()) {
      if (this.#closed.size <= CLOSED) break
      this.#closed.delete(id)
    }
    this.parts.changed()
  }

  /** What each window has sent lately. */
  taken(): Record<string, readonly OwnId[]> {
    return Object.fromEntries(this.list().map((window) => [window.id, window.taken()]))
  }

  recall(taken: Readonly<Record<string, readonly OwnId[]>>): void {
    for (const [id, own] of Object.entries(taken)) this.#open.get(id)?.recall(own)
  }

  keep(): KeptWindows {
    const windows = this.list().map((window) => ({
      id: window.id,
      unique: window.unique.name,
      digest: window.digest.toString('hex'),
      opened: window.openedAt,
      session: window.sessionId,
      state: window.state,
      outbox: window.outbox.keep(),
    }))
    return { next: this.#next, windows }
  }

  /** Takes up what was kept: pages of windows that were open connect anew, with the tokens they have. */
  restore({ next, windows }: KeptWindows): void {
    this.#next = next
    for (const kept of windows) {
      try {
        const unique = this.parts.catalog.get(kept.unique)
        if (!unique) throw new Error('it is not installed any more')
        const digest = Buffer.from(kept.digest, 'hex')
        const window = new LipWindow(
          { id: kept.id, unique, schemas: this.#schemasOf(unique), digest, openedAt: kept.opened },
          this.parts.clock,
        )
        window.sessionId = kept.session
        window.outbox.restore(kept.outbox)
        window.state = kept.state === 'opening' ? 'opening' : 'away'
        this.#open.set(kept.id, window)
        if (window.state === 'opening') this.#await(window, OPENING_MS, 'never_loaded')
        else this.#await(window, AWAY_MS, 'gone')
      } catch (error) {
        this.parts.log('warn', 'window_not_restored', {
          window: kept.id,
          unique: kept.unique,
          error: String(error),
        })
      }
    }
  }

  /** Stops all waiting: the process ends. */
  stop(): void {
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  #await(window: LipWindow, ms: number, reason: string): void {
    this.#stopWaiting(window)
    const cancel = this.parts.clock.after(ms, () => this.parts.gone(window, reason))
    this.#timers.set(window.id, cancel)
  }

  #stopWaiting({ id }: LipWindow): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
  }

  #schemasOf(unique: Unique): DeclaredSchemas {
    const schemas = this.#schemas.get(unique) ?? new DeclaredSchemas(unique)
    this.#schemas.set(unique, schemas)
    return schemas
  }

  #there(): string {
    const ids = this.list().map(({ from }) => from.slice('unique:'.length))
    return ids.length === 0 ? 'none is open' : `there are ${ids.join(', ')}`
  }
}
