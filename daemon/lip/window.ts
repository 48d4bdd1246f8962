/** One window of a unique: who may speak for it, what it is still to be told, and what became of it. */
import { LIP_LIMITS } from '../../protocol/lip/limits.js'
import type { SessionTypes } from '../../protocol/lip/manifest.js'
import { sessionTypes } from '../../protocol/lip/manifest.js'
import type { Envelope } from '../../protocol/lip/schema.js'
import type { Clock } from '../engine/clock.js'
import type { Unique } from '../uniques/folder.js'
import type { DeclaredSchemas } from '../uniques/schemas.js'
import { Budget } from './budget.js'
import { Outbox } from './outbox.js'

/** `opening`: no page came yet. `away`: its page did, and is not connected. */
export type WindowState = 'opening' | 'open' | 'away' | 'closed'

/** A connection to a window's page, whatever it is made of. */
export interface Link {
  /** Hands over an envelope; `id` where the page can ask for what came after it. */
  send(text: string, id?: string): void
  close(code: number, reason: string): void
}

/** Why a connection is ended, as WebSocket close codes. */
export const CLOSE = { ended: 4410, replaced: 4409, unauthorized: 4401, slow: 4408, leaving: 1012 } as const

interface Recent {
  readonly id: string
  readonly lasting: boolean
}

/** What a window calls its event, and the host. */
export type OwnId = readonly [own: string, id: string]

export interface WindowSeed {
  readonly id: string
  readonly unique: Unique
  readonly schemas: DeclaredSchemas
  readonly digest: Buffer
  readonly openedAt: number
}

export class LipWindow {
  readonly id: string
  readonly unique: Unique
  readonly schemas: DeclaredSchemas
  /** Of the window’s token; the token itself is known to its page alone. */
  readonly digest: Buffer
  /** Milliseconds since 1970. */
  readonly openedAt: number
  readonly outbox: Outbox
  readonly budget: Budget
  readonly session: SessionTypes
  state: WindowState = 'opening'
  /** The saved session that this window goes on with, or was sent as. */
  sessionId: string | null = null
  /** Events of it that were taken, refused and ignored. */
  readonly counts = { taken: 0, refused: 0, ignored: 0 }
  /** What of it is still being carried out: what comes next waits. */
  busy: Promise<unknown> | null = null
  readonly #recent = new Map<string, Recent>()
  #link: Link | null = null

  constructor(seed: WindowSeed, clock: Clock) {
    this.id = seed.id
    this.unique = seed.unique
    this.schemas = seed.schemas
    this.digest = seed.digest
    this.openedAt = seed.openedAt
    this.outbox = new Outbox(clock)
    this.budget = new Budget(clock.now)
    this.session = sessionTypes(seed.unique.manifest)
  }

  /** Who its events are from. */
  get from(): string {
    return `unique:${this.unique.name}#${this.id}`
  }

  get link(): Link | null {
    return this.#link
  }

  /** A new connection takes the place of the one before: a page that came back is more likely than one that never left. */
  attach(link: Link): void {
    const before = this.#link
    this.#link = link
    before?.close(CLOSE.replaced, 'another page speaks for this window')
  }

  /** Whether `link` was the window’s connection; it has none then. */
  detach(link: Link): boolean {
    if (this.#link !== link) return false
    this.#link = null
    return true
  }

  /** Hands a command over, or keeps it until there is somebody to hand it to. Whether it was handed over. */
  deliver(envelope: Envelope): boolean {
    const text = JSON.stringify(envelope)
    const link = this.#link
    this.outbox.put(envelope.id, text, envelope.ttl, link !== null)
    link?.send(text, envelope.id)
    return link !== null
  }

  /** The id the host gave to an event that the window calls `own`, if it came before. */
  known(own: string): string | undefined {
    return this.#recent.get(own)?.id
  }

  /** @param lasting whether the event itself outlives the process */
  remember(own: string, id: string, lasting: boolean): void {
    this.#recent.set(own, { id, lasting })
    if (this.#recent.size <= LIP_LIMITS.remembered) return
    for (const oldest of this.#recent.keys()) {
      this.#recent.delete(oldest)
      break
    }
  }

  /** The events that it may send again after the process ended, and that are known still then. */
  taken(): OwnId[] {
    return [...this.#recent].flatMap(([own, { id, lasting }]): OwnId[] => (lasting ? [[own, id]] : []))
  }

  recall(taken: readonly OwnId[]): void {
    for (const [own, id] of taken) this.remember(own, id, true)
  }
}
