/** The desktop's portal, over D-Bus: what programs ask the person's permission through. */
import { randomBytes } from 'node:crypto'
import {
  type DBusError,
  Message,
  type MessageBus,
  MessageType,
  sessionBus,
  Variant,
} from '@jellybrick/dbus-next'

const NAME = 'org.freedesktop.portal.Desktop'
const OBJECT = '/org/freedesktop/portal/desktop'
const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' }
const REQUEST = 'org.freedesktop.portal.Request'
const SESSION = 'org.freedesktop.portal.Session'

/** How the portals know programs outside of a sandbox, where a `.desktop` file of that name is installed. */
const APP = 'lets-overlay'

/** How long things may take, in ms: a person may want to read what they are asked. */
export const TIMES = { connect: 2000, call: 5000, person: 120_000 } as const
export type Times = { readonly [K in keyof typeof TIMES]: number }

/** `missing`: this desktop has no such portal. `dismissed`: the person said no, or nothing. `gone`: the bus or the portal ended. */
export type PortalFault = 'missing' | 'refused' | 'dismissed' | 'unanswered' | 'gone'

export class PortalFailed extends Error {
  override readonly name = 'PortalFailed'
  constructor(
    readonly fault: PortalFault,
    message: string,
  ) {
    super(message)
  }
}

export interface PortalSignal {
  readonly interface: string
  readonly member: string
  readonly path: string
  readonly body: readonly unknown[]
}

export interface PortalListener {
  /** What the portal itself said, and nobody else on the bus. */
  signal?(signal: PortalSignal): void
  /** Nothing more will come. Told once, and not after `close`. */
  gone?(reason: string): void
}

/** The address of the session's bus; undefined where there is none. */
export function busAddress({
  DBUS_SESSION_BUS_ADDRESS,
  XDG_RUNTIME_DIR,
}: NodeJS.ProcessEnv): string | undefined {
  return DBUS_SESSION_BUS_ADDRESS || (XDG_RUNTIME_DIR && `unix:path=${XDG_RUNTIME_DIR}/bus`) || undefined
}

/** A connection to one of the desktop's portals: every call ends, whatever the other side does. Rejections are `PortalFailed`. */
export class Portal {
  #owner = ''
  #closed: PortalFailed | null = null
  readonly #pending = new Set<(error: PortalFailed) => void>()
  /** Who waits for the end of a request, by its path. */
  readonly #requests = new Map<string, (code: number, results: Record<string, unknown>) => void>()

  private constructor(
    private readonly bus: MessageBus,
    readonly times: Times,
    private readonly listener: PortalListener,
  ) {
    bus.on('error' as never, ((error: Error) => this.#end(error.message)) as never)
    bus.on('message', (message) => this.#take(message))
    connectionOf(bus).on('end', () => this.#end('the session bus hung up'))
  }

  /** `what`: the portal's interface, such as `org.freedesktop.portal.Screenshot`. */
  static async open(
    address: string | undefined,
    what: string,
    listener: PortalListener = {},
    times: Times = TIMES,
  ): Promise<Portal> {
    if (address === undefined) throw new PortalFailed('missing', 'there is no session bus')
    const bus = sessionBus({ busAddress: address })
    const portal = new Portal(bus, times, listener)
    try {
      await portal.#limited(new Promise<void>((resolve) => bus.once('connect', resolve)), times.connect)
      await portal.#begin(what)
    } catch (error) {
      portal.close()
      // Whatever ended before it began is not there, for whoever asks.
      throw error instanceof PortalFailed && error.fault === 'gone'
        ? new PortalFailed('missing', `the session bus at ${address} cannot be used: ${error.message}`)
        : error
    }
    return portal
  }

  /** Calls a method of the portal and returns its answer. */
  call(name: string, member: string, signature = '', body: readonly unknown[] = []): Promise<unknown[]> {
    return this.#send({ destination: NAME, path: OBJECT }, name, member, signature, body)
  }

  /** A call that the person may be asked about: resolves with its results. `body` is given what goes into its options. */
  async request(
    name: string,
    member: string,
    signature: string,
    body: (options: Record<string, Variant>) => readonly unknown[],
    limitMs: number,
  ): Promise<Record<string, unknown>> {
    const token = tokenFor()
    const sender = (this.bus.name ?? '').slice(1).replaceAll('.', '_')
    const path = `${OBJECT}/request/${sender}/${token}`
    const paths = new Set([path])
    try {
      // Listened for from before the call: the answer may come first.
      const answered = new Promise<{ code: number; results: Record<string, unknown> }>((resolve) => {
        this.#requests.set(path, (code, results) => resolve({ code, results }))
      })
      const [handle] = await this.call(
        name,
        member,
        signature,
        body({ handle_token: new Variant('s', token) }),
      )
      // Portals of before 0.9 choose the path themselves.
      const waiting = this.#requests.get(path)
      if (typeof handle === 'string' && handle !== path && waiting) {
        paths.add(handle)
        this.#requests.set(handle, waiting)
      }
      const { code, results } = await this.#limited(answered, limitMs).catch((error: PortalFailed) => {
        // The question must not stay when nobody waits for the answer.
        if (error.fault === 'unanswered') for (const one of paths) this.#close(one, REQUEST)
        throw error
      })
      if (code === 0) return results
      throw new PortalFailed(
        'dismissed',
        code === 1
          ? 'the person dismissed what the desktop asked'
          : 'the desktop ended its question without an answer',
      )
    } finally {
      for (const one of paths) this.#requests.delete(one)
    }
  }

  /** Ends a session, without waiting for it. */
  endSession(path: string): void {
    this.#close(path, SESSION)
  }

  /** Lets go of it; safe to call twice. */
  close(): void {
    if (!this.#closed) this.#end(null)
  }

  async #begin(what: string): Promise<void> {
    const rules = [
      `type='signal',sender='${BUS.destination}',member='NameOwnerChanged',arg0='${NAME}'`,
      ...[REQUEST, SESSION, what].map((name) => `type='signal',sender='${NAME}',interface='${name}'`),
    ]
    for (const rule of rules) await this.#send(BUS, BUS.destination, 'AddMatch', 's', [rule])
    // Before anything else is asked, or it does not count. Older portals know of no such thing, and newer ones want the
    // `.desktop` file: what that comes to, the portal itself says.
    await this.call('org.freedesktop.host.portal.Registry', 'Register', 'sa{sv}', [APP, {}]).catch(
      (error) => {
        if (error.fault === 'unanswered' || error.fault === 'gone') throw error
      },
    )
    try {
      await this.call('org.freedesktop.DBus.Properties', 'Get', 'ss', [what, 'version'])
    } catch (error) {
      const { fault, message } = error as PortalFailed
      if (fault !== 'refused' && fault !== 'missing') throw error
      throw new PortalFailed('missing', `this desktop has no ${what.split('.').at(-1)} portal (${message})`)
    }
    const [owner] = await this.#send(BUS, BUS.destination, 'GetNameOwner', 's', [NAME])
    this.#owner = String(owner)
  }

  #take(message: Message): void {
    if (message.type !== MessageType.SIGNAL) return
    const { sender, path = '', member = '', body = [] } = message
    const name = message.interface ?? ''
    if (sender === BUS.destination && member === 'NameOwnerChanged') {
      // Whoever has the name now knows nothing of what was agreed with the one before.
      if (body[0] === NAME && this.#owner !== '' && body[2] !== this.#owner) this.#end('the portal ended')
      return
    }
    // Anybody on the bus can send a signal: only the portal's own count.
    if (this.#owner !== '' && sender !== this.#owner) return
    const plainBody = body.map(plain)
    if (name === REQUEST && member === 'Response') {
      const [code, results] = plainBody
      this.#requests.get(path)?.(Number(code), (results ?? {}) as Record<string, unknown>)
      return
    }
    if (this.#owner !== '') this.listener.signal?.({ interface: name, member, path, body: plainBody })
  }

  async #send(
    to: { readonly destination: string; readonly path: string },
    name: string,
    member: string,
    signature: string,
    body: readonly unknown[],
  ): Promise<unknown[]> {
    if (this.#closed) throw this.#closed
    const message = new Message({ ...to, interface: name, member, signature, body: [...body] })
    const answer = this.bus.call(message)
    // Its end may come long after anybody waits for it.
    answer.catch(() => {})
    try {
      return ((await this.#limited(answer, this.times.call))?.body ?? []).map(plain)
    } catch (error) {
      if (error instanceof PortalFailed) throw error
      const { type = '', message: text } = error as DBusError
      const fault = /\.(?:ServiceUnknown|NameHasNoOwner|UnknownInterface|Spawn\..*)$/.test(type)
        ? 'missing'
        : 'refused'
      throw new PortalFailed(fault, text)
    }
  }

  #close(path: string, name: string): void {
    if (this.#closed) return
    const message = new Message({ destination: NAME, path, interface: name, member: 'Close' })
    this.bus.call(message).catch(() => {})
  }

  #end(reason: string | null): void {
    if (this.#closed) return
    this.#closed = new PortalFailed('gone', reason ?? 'the connection was closed')
    for (const reject of [...this.#pending]) reject(this.#closed)
    this.bus.disconnect()
    // What was sent last is still to go out; a bus that does not read must not hold the process.
    connectionOf(this.bus).stream?.unref?.()
    if (reason !== null && this.#owner !== '') this.listener.gone?.(reason)
  }

  async #limited<T>(promise: Promise<T>, ms: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    let give = (_: PortalFailed) => {}
    const over = new Promise<never>((_, reject) => {
      give = reject
      timer = setTimeout(() => reject(new PortalFailed('unanswered', `no answer within ${ms / 1000} s`)), ms)
      this.#pending.add(reject)
      if (this.#closed) reject(this.#closed)
    })
    try {
      return await Promise.race([promise, over])
    } finally {
      clearTimeout(timer)
      this.#pending.delete(give)
    }
  }
}

/** A name for a request or a session that nobody else has. */
export function tokenFor(): string {
  return `lets_${randomBytes(8).toString('hex')}`
}

/** Values without the library's wrapping. */
function plain(value: unknown): unknown {
  if (value instanceof Variant) return plain(value.value)
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
}

/** What the library keeps to itself, and which alone tells that the bus hung up. */
function connectionOf(bus: MessageBus): {
  on(event: 'end', then: () => void): void
  stream?: { unref?(): void }
} {
  return (bus as unknown as { _connection: ReturnType<typeof connectionOf> })._connection
}
