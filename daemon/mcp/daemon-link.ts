/** How this server reaches the daemon: the one that runs, or one started at the first need. */
import { type ConnectOptions, connect, type LetsClient } from '../client/client.js'
import { ConnectionError } from '../client/errors.js'
import { advised, ToolError } from './errors.js'

export interface LinkOptions {
  readonly socket: string
  /** Starts a daemon and resolves once it serves; rejects with why it cannot. */
  readonly start: () => Promise<void>
  /** Who is asked about when the person is asked. */
  readonly clientName: () => string
}

export class DaemonLink {
  #starting: Promise<void> | null = null

  constructor(private readonly options: LinkOptions) {}

  /** A new session, whose marks go with its connection. Calls that come at once start one daemon. */
  async open(session: Partial<ConnectOptions> = {}): Promise<LetsClient> {
    try {
      return await this.#connect(session)
    } catch (error) {
      if (!(error instanceof ConnectionError && error.code === 'not_running')) throw error
    }
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null
    })
    await this.#starting
    return this.#connect(session)
  }

  #connect(session: Partial<ConnectOptions>): Promise<LetsClient> {
    const { socket, clientName } = this.options
    return connect({ clientName: clientName(), socket, lingerMs: 0, ...session })
  }

  async #start(): Promise<void> {
    try {
      await this.options.start()
    } catch (error) {
      throw new ToolError('not_running', advised('not_running', (error as Error).message))
    }
  }
}

/** A connection that is made when it is needed, and made anew after it broke. */
export class Reconnecting {
  #current: Promise<LetsClient> | null = null
  readonly #hungUp = new WeakSet<Promise<LetsClient>>()

  constructor(
    private readonly link: DaemonLink,
    private readonly session: Partial<ConnectOptions>,
    /** Called with each new connection, before anybody uses it. */
    private readonly opened: (client: LetsClient) => void = () => {},
  ) {}

  /** Carries out `act` on the connection; on a new one when it turns out to have been lost meanwhile. */
  async use<T>(act: (client: LetsClient) => Promise<T>): Promise<T> {
    const before = this.#current
    try {
      return await act(await this.#client())
    } catch (error) {
      // What was sent on a connection that is gone has no effect that stays: its marks went with it.
      const isLost = error instanceof ConnectionError && error.code === 'closed'
      if (!isLost || before === null || this.#hungUp.has(before)) throw error
      if (this.#current === before) this.#current = null
      return act(await this.#client())
    }
  }

  /** Hangs up; the next use connects anew. */
  async hangUp(): Promise<void> {
    const current = this.#current
    if (!current) return
    this.#current = null
    this.#hungUp.add(current)
    await (await current.catch(() => null))?.close()
  }

  #client(): Promise<LetsClient> {
    this.#current ??= this.#open()
    return this.#current
  }

  #open(): Promise<LetsClient> {
    const opening = this.link.open(this.session).then((client) => {
      this.opened(client)
      client.lost().then(forget)
      return client
    })
    const forget = () => {
      if (this.#current === opening) this.#current = null
    }
    opening.catch(forget)
    return opening
  }
}
