import type { OverlayHost } from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'
import type { Clock } from './clock.js'
import { asWireError } from './refusals.js'
import type { Session } from './session.js'
import { shownName } from './shown-name.js'

/** How long `await_next` waits when it does not say, in ms. */
const DEFAULT_WAIT_MS = 60_000

interface Waiting {
  readonly session: Session
  /** Ends the wait: with a press, without one, or with why there can be none any more. Safe to call twice. */
  readonly end: (next: boolean | WireError) => void
}

/**
 * The key with which the person goes on to what a client shows next. It belongs to all programs but for the moments in
 * which one client waits for it: then it is taken, and given back with the answer.
 */
export class NextKey {
  #waiting: Waiting | null = null
  /** Giving back and taking again take effect in their order, and are over before the answer to either. */
  #given: Promise<void> = Promise.resolve()

  constructor(
    private readonly host: OverlayHost,
    private readonly clock: Clock,
    private readonly log: (level: 'info', event: string, fields: Record<string, unknown>) => void,
  ) {}

  /** `gone`: the session has ended, or its client sends no more. */
  async wait(
    { timeout_ms }: RequestOf<'await_next'>,
    session: Session,
    gone: AbortSignal,
  ): Promise<AckFields> {
    if (this.#waiting?.session === session) this.#waiting.end(false)
    if (timeout_ms === 0) {
      await this.#given
      return { next: false }
    }
    if (this.#waiting) {
      throw new WireError(
        'limit',
        'await_next: one client at a time may wait for the key, and another one does',
      )
    }
    const { nextKey } = this.host
    if (!nextKey) {
      throw new WireError(
        'unavailable',
        'await_next: this host takes no keys, and so there is none to wait for',
      )
    }
    return this.#take(nextKey, timeout_ms ?? DEFAULT_WAIT_MS, session, gone)
  }

  #take(
    key: NonNullable<OverlayHost['nextKey']>,
    ms: number,
    session: Session,
    gone: AbortSignal,
  ): Promise<AckFields> {
    return new Promise((resolve, reject) => {
      const leave = () => waiting.end(false)
      const cancelTimer = this.clock.after(ms, leave)
      const waiting: Waiting = {
        session,
        end: (next) => {
          if (this.#waiting !== waiting) return
          this.#waiting = null
          cancelTimer()
          gone.removeEventListener('abort', leave)
          this.#given = key.release().catch(() => {})
          void this.#given.then(() => (next instanceof WireError ? reject(next) : resolve({ next })))
        },
      }
      this.#waiting = waiting
      if (gone.aborted) return leave()
      gone.addEventListener('abort', leave)
      key.take().then(
        (ready) => {
          if (this.#waiting !== waiting) return
          // Whose key it is was the person's to decide: the log says who took it.
          if (ready) return this.log('info', 'next_key_taken', { client: shownName(session.clientName) })
          waiting.end(
            new WireError('unavailable', `await_next: another program has ${key.names.join('+')} already`),
          )
        },
        (error) => waiting.end(asWireError(error) as WireError),
      )
    })
  }

  /** The person pressed it. */
  pressed(): void {
    this.#waiting?.end(true)
  }

  /** The person wants no more of what is on the screen, or the daemon ends. */
  dismissed(): void {
    this.#waiting?.end(false)
  }

  /** There is no key any more, since there is no host. */
  lost(reason: string): void {
    this.#waiting?.end(new WireError('unavailable', `await_next: ${reason}`))
  }
}
