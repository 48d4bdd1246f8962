import type { OverlayHost } from '../overlay/host.js'
import { HostUnavailable } from '../overlay/host.js'
import type { Display } from '../protocol/overlay/geometry.js'
import type { Clock } from './engine/clock.js'
import type { Log } from './log.js'

/** A failed attempt is not repeated sooner: a client that insists must not turn into polling. In ms. */
const RETRY_MS = 1000

/** Starts a host again that went away: on demand, one attempt at a time, never by itself. */
export class Reviver {
  #underWay: Promise<void> | null = null
  #failed: { readonly at: number; readonly error: unknown } | null = null

  constructor(
    private readonly host: OverlayHost,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly onStarted: (displays: readonly Display[]) => void,
  ) {}

  revive(): Promise<void> {
    if (this.#failed && this.clock.now() - this.#failed.at < RETRY_MS)
      return Promise.reject(this.#failed.error)
    this.#underWay ??= this.#attempt().finally(() => {
      this.#underWay = null
    })
    return this.#underWay
  }

  async #attempt(): Promise<void> {
    try {
      const displays = await this.host.start()
      this.#failed = null
      this.log('info', 'host_revived', { displays: displays.length })
      this.onStarted(displays)
    } catch (error) {
      this.#failed = { at: this.clock.now(), error }
      throw error instanceof HostUnavailable ? error : new HostUnavailable(String(error))
    }
  }
}
