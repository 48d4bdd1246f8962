/** The connection to the accessibility bus: made when it is first needed, and anew after it went away. */
import { existsSync } from 'node:fs'
import { ResolverError } from '../resolver.js'
import { Atspi } from './atspi.js'
import { Bus } from './bus.js'

/** How long one answer of a program may take, in ms. */
const CALL_MS = 800

/** Programs do extra work while somebody listens: after so long without a question, in ms, the connection is let go. */
const IDLE_MS = 120_000

export class Link {
  #atspi: Promise<Atspi> | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** Rejects with a `ResolverError` that says what is missing. */
  async get(): Promise<Atspi> {
    const known = await this.#atspi?.catch(() => null)
    if (known && !known.bus.isClosed) {
      this.#rest()
      return known
    }
    this.#atspi = this.#connect()
    const atspi = await this.#atspi
    this.#rest()
    return atspi
  }

  close(): void {
    clearTimeout(this.#idle)
    const closing = this.#atspi
    this.#atspi = null
    closing?.then(({ bus }) => bus.close()).catch(() => {})
  }

  async #connect(): Promise<Atspi> {
    const bus = await Bus.connect(await this.#address())
    const atspi = new Atspi(bus, CALL_MS)
    try {
      await atspi.register()
    } catch (error) {
      bus.close()
      throw new ResolverError(
        `the accessibility bus has no registry: ${(error as Error).message}`,
        'install at-spi2-core, and log in again',
      )
    }
    return atspi
  }

  async #address(): Promise<string> {
    if (this.env.AT_SPI_BUS_ADDRESS) return this.env.AT_SPI_BUS_ADDRESS
    return (await this.status()).address
  }

  /** What the session says about accessibility. Rejects with a `ResolverError`. */
  async status(): Promise<{ readonly address: string; readonly enabled: boolean }> {
    const address = sessionAddress(this.env)
    if (!address) {
      throw new ResolverError(
        'there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set',
        'start the daemon from your desktop session, or under `dbus-run-session`',
      )
    }
    const session = await Bus.connect(address).catch(() => null)
    if (!session) {
      throw new ResolverError(
        `the session bus at ${address} does not answer`,
        'log in again, or set DBUS_SESSION_BUS_ADDRESS to that of your desktop session',
      )
    }
    const a11y = { to: 'org.a11y.Bus', path: '/org/a11y/bus' }
    try {
      const [bus] = await session.call({ ...a11y, interface: 'org.a11y.Bus', member: 'GetAddress' }, 2000)
      const [enabled] = await session
        .call(
          {
            ...a11y,
            interface: 'org.freedesktop.DBus.Properties',
            member: 'Get',
            signature: 'ss',
            body: ['org.a11y.Status', 'IsEnabled'],
          },
          CALL_MS,
        )
        .catch(() => [])
      return { address: bus as string, enabled: (enabled as { value?: unknown } | undefined)?.value === true }
    } catch (error) {
      throw new ResolverError(
        `the accessibility bus does not run: ${(error as Error).message}`,
        'install at-spi2-core, and log in again',
      )
    } finally {
      session.close()
    }
  }

  #rest(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.close(), IDLE_MS)
    this.#idle.unref()
  }
}

/** Where the session's own bus is; null: there is none. */
export function sessionAddress(env: NodeJS.ProcessEnv): string | null {
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS
  const socket = env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/bus` : null
  return socket && existsSync(socket) ? `unix:path=${socket}` : null
}
