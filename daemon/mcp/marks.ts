/** The marks of this server: one session of the wire, which they go with, and what went away without having been asked to. */
import { lacking } from '../../protocol/overlay/capabilities.js'
import type { DrawsOn, LetsClient } from '../client/client.js'
import { ConnectionError } from '../client/errors.js'
import type { GoneMark } from '../client/gone.js'
import { unlessAborted } from './abort.js'
import { type DaemonLink, Reconnecting } from './daemon-link.js'

/** Past this many untold ones the oldest are dropped: a client that never calls again must not grow the process. */
const MAX_UNTOLD = 1000

/** How long the daemon may take, in ms: a suspended one never answers, and clients give up after a minute, without a word. */
const LIMIT_MS = 20_000

export class Marks {
  readonly #connection: Reconnecting
  readonly #watchers = new Set<(gone: GoneMark) => void>()
  #untold: GoneMark[] = []
  #toldStaying = false
  #drawsOn: DrawsOn = { host: 'unknown' }

  constructor(
    link: DaemonLink,
    /** Called for each mark that went away, at once. */
    private readonly onGone: (gone: GoneMark) => void,
  ) {
    this.#connection = new Reconnecting(link, { acks: 'painted' }, (client) => {
      if (JSON.stringify(client.drawsOn) !== JSON.stringify(this.#drawsOn)) this.#toldStaying = false
      this.#drawsOn = client.drawsOn
      this.#listen(client)
    })
  }

  /** Where marks are drawn, as far as is known. */
  get drawsOn(): DrawsOn {
    return this.#drawsOn
  }

  /** Whether marks stay where they were put, whatever becomes of the windows below: true once for each host that is drawn on. */
  takeStaying(): boolean {
    const { host, capabilities } = this.#drawsOn
    // In memory there are no windows below.
    if (this.#toldStaying || host === 'headless' || !lacking(capabilities).includes('following')) return false
    this.#toldStaying = true
    return true
  }

  /** Carries out `act` in the session; `undo` gets its outcome when the client has called it off meanwhile. */
  use<T>(
    act: (client: LetsClient) => Promise<T>,
    signal: AbortSignal,
    undo: (client: LetsClient, value: T) => Promise<unknown> = async () => {},
    limitMs = LIMIT_MS,
  ): Promise<T> {
    let used: LetsClient | undefined
    const acted = this.#connection.use((client) => {
      used = client
      return act(client)
    })
    const late = (value: T) => {
      if (used) undo(used, value).catch(() => {})
    }
    const tooLong = AbortSignal.timeout(limitMs)
    return unlessAborted(acted, AbortSignal.any([signal, tooLong]), late).catch((error) => {
      throw tooLong.aborted && !signal.aborted ? unanswered(limitMs) : error
    })
  }

  /** Marks that went away since this was last asked. */
  takeGone(): GoneMark[] {
    const gone = this.#untold
    this.#untold = []
    return gone
  }

  /** Has each mark told that goes away, until the returned function is called. */
  watch(tell: (gone: GoneMark) => void): () => void {
    this.#watchers.add(tell)
    return () => void this.#watchers.delete(tell)
  }

  async close(): Promise<void> {
    await this.#connection.hangUp()
  }

  async #listen(client: LetsClient): Promise<void> {
    for await (const gone of client.invalidations()) {
      this.#untold.push(gone)
      if (this.#untold.length > MAX_UNTOLD) this.#untold.shift()
      this.onGone(gone)
      for (const tell of this.#watchers) tell(gone)
    }
  }
}

function unanswered(ms: number): ConnectionError {
  return new ConnectionError(
    'timeout',
    `the daemon did not answer within ${ms / 1000} s: it hangs or is suspended`,
  )
}
