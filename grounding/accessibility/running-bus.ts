/** The accessibility bus while it runs: connected to when it is there, also later, and never started by asking for it. */
import { Bus } from './bus.js'
import { sessionAddress } from './link.js'

/** How long one answer of a bus may take, in ms. */
const CALL_MS = 2000

const NAME = 'org.a11y.Bus'

export class RunningBus {
  #session: Bus | null = null
  #bus: Bus | null = null
  #closed = false

  constructor(
    private readonly env: NodeJS.ProcessEnv,
    /** It is there (again). Whoever rejects does without. */
    private readonly onBus: (bus: Bus) => Promise<void>,
    /** Why there is none now. */
    private readonly onNone: (reason: string) => void,
  ) {}

  /** Resolves once it is connected to, or known not to be there. Never rejects. */
  async start(): Promise<void> {
    await this.#trying(async () => {
      const { AT_SPI_BUS_ADDRESS: known } = this.env
      if (known) return this.#connect(known)
      const address = sessionAddress(this.env)
      if (!address) throw new Error('there is no session bus')
      const session = await Bus.connect(address)
      if (this.#closed) return session.close()
      this.#session = session
      const rule = `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${NAME}'`
      await session.listen(
        [rule],
        ({ body }) => void (body[0] === NAME && body[2] !== '' && this.#trying(() => this.#find(session))),
        CALL_MS,
      )
      await this.#find(session)
    })
  }

  close(): void {
    this.#closed = true
    this.#session?.close()
    this.#bus?.close()
  }

  async #find(session: Bus): Promise<void> {
    const call = {
      to: NAME,
      path: '/org/a11y/bus',
      interface: NAME,
      member: 'GetAddress',
      startsNothing: true,
    }
    const [address] = await session.call(call, CALL_MS)
    if (typeof address !== 'string' || address === '') throw new Error('the accessibility bus has no address')
    await this.#connect(address)
  }

  async #connect(address: string): Promise<void> {
    const bus = await Bus.connect(address)
    if (this.#closed) return bus.close()
    this.#bus?.close()
    this.#bus = bus
    try {
      await this.onBus(bus)
    } catch (error) {
      bus.close()
      throw error
    }
  }

  async #trying(attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt()
    } catch (error) {
      if (!this.#closed) this.onNone((error as Error).message)
    }
  }
}
