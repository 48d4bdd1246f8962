/** What the engine is given, and what it gives each client. */
import type { OverlayHost } from '../../overlay/host.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { Request } from '../../protocol/overlay/schema.js'
import type { CaptureGate, ConsentPolicy } from './captures.js'
import type { Clock } from './clock.js'
import type { Companion } from './companion-seam.js'
import type { Grounder } from './grounder.js'

export interface EngineOptions {
  readonly host: OverlayHost
  readonly clock: Clock
  /** A new unique id with this prefix: of a mark, a session or a frame. */
  readonly newId: (prefix: 'a_' | 's_' | 'f_') => string
  readonly captures: CaptureGate
  /** What the person has decided about queries. */
  readonly groundingConsent: ConsentPolicy
  readonly grounder: Grounder
  /** Absent: this daemon has none. */
  readonly companion?: Companion
  /** Facts of the process that `status` repeats. */
  readonly about: {
    readonly version: string
    readonly pid: number
    readonly peer_check: 'credentials' | 'folder'
  }
  readonly log: (level: 'debug' | 'info' | 'warn', event: string, fields?: Record<string, unknown>) => void
  /** Tries to bring a host back that went away; resolves when it serves again, rejects with why not. */
  readonly revive: () => Promise<void>
  /** The person wants the daemon to end. */
  readonly quit: () => void
}

/** What answers a request: the fields of its ack, at once or later. Refusals are thrown as `WireError`. */
export type Outcome = AckFields | Promise<AckFields>

/** One client's connection: requests in, outcomes out; pushes go to the function given to `connect`. */
export interface Connection {
  /** Throws `WireError` for a refusal, or returns a promise that rejects with one. */
  handle(request: Request): Outcome
  /** A request came that waits for its turn: it may call off what it waits for. */
  announced(request: Request): void
  /** The client sends no more and may be gone already: nobody is asked on its behalf any longer. */
  ending(): void
  /** The client is gone: its session ends and its marks linger out. */
  close(): void
}
