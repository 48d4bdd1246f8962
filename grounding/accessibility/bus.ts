import {
  type DBusError,
  Message,
  type MessageBus,
  MessageFlag,
  MessageType,
  sessionBus,
} from '@jellybrick/dbus-next'
import { ResolverError } from '../resolver.js'

export interface Call {
  readonly to: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly signature?: string
  readonly body?: readonly unknown[]
  /** Nobody is started to answer it: it fails where nobody has the name. */
  readonly startsNothing?: boolean
}

/** What somebody on the bus told everybody. */
export interface Signal {
  /** The connection it came from. */
  readonly from: string
  readonly path: string
  readonly member: string
  readonly body: readonly unknown[]
}

/** An answer did not come in time, the connection ended, or the other side refused. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  constructor(
    message: string,
    /** The error's D-Bus name; `timeout` and `disconnected` are ours. */
    readonly reason: string,
  ) {
    super(message)
  }
}

/** How long connecting to a bus may take, in ms. */
const CONNECT_MS = 2000

/** A connection to a D-Bus bus: calls that always end, however the other side behaves. */
export class Bus {
  readonly #bus: MessageBus
  #closed: Error | null = null
  #gathering = false
  readonly #ends: (() => void)[] = []
  readonly #pending = new Set<(error: Error) => void>()

  private constructor(bus: MessageBus) {
    this.#bus = bus
    // After this nothing is answered any more: whoever waits is told at once.
    bus.on('error' as never, ((error: Error) => this.#end(error)) as never)
    connectionOf(bus).on('end', () => this.#end(new CallFailed('the bus hung up', 'disconnected')))
  }

  /** Rejects with a `ResolverError` when nobody serves at `address`. */
  static async connect(address: string): Promise<Bus> {
    const raw = sessionBus({ busAddress: address })
    const bus = new Bus(raw)
    try {
      await bus.#limited(new Promise<void>((resolve) => raw.once('connect', resolve)), CONNECT_MS)
    } catch (error) {
      bus.close()
      throw new ResolverError(`the bus at ${address} does not answer: ${(error as Error).message}`)
    }
    return bus
  }

  get isClosed(): boolean {
    return this.#closed !== null
  }

  /** Calls and returns the answer's body. Rejects with a `CallFailed` after `ms` milliseconds, or with the other side's refusal. */
  async call(
    { to, path, interface: name, member, signature = '', body = [], startsNothing = false }: Call,
    ms: number,
  ): Promise<unknown[]> {
    if (this.#closed) throw new CallFailed(this.#closed.message, 'disconnected')
    const message = new Message({
      destination: to,
      path,
      interface: name,
      member,
      signature,
      body: [...body],
      ...(startsNothing && { flags: MessageFlag.NO_AUTO_START }),
    })
    this.#gather()
    const answer = this.#bus.call(message)
    // Its end may come long after anybody waits for it.
    answer.catch(() => {})
    try {
      return (await this.#limited(answer, ms))?.body ?? []
    } catch (error) {
      if (error instanceof CallFailed) throw error
      throw new CallFailed((error as Error).message, (error as DBusError).type ?? 'failed')
    }
  }

  /** Has `then` told of the signals that fit one of these rules, as D-Bus writes them. Rejects as `call` does. */
  async listen(rules: readonly string[], then: (signal: Signal) => void, ms: number): Promise<void> {
    this.#bus.on('message', ({ type, sender, path, member, body }) => {
      if (type !== MessageType.SIGNAL || this.#closed) return
      then({ from: sender ?? '', path: path ?? '', member: member ?? '', body: body ?? [] })
    })
    const daemon = 'org.freedesktop.DBus'
    const call = { to: daemon, path: '/org/freedesktop/DBus', interface: daemon, member: 'AddMatch' }
    await Promise.all(rules.map((rule) => this.call({ ...call, signature: 's', body: [rule] }, ms)))
  }

  /** Calls `then` once, when the connection is no more. */
  onEnd(then: () => void): void {
    if (this.#closed) then()
    else this.#ends.push(then)
  }

  /** Hundreds of calls of one moment go out as one: each would be a system call, and most of the time that asking takes. */
  #gather(): void {
    const { stream } = connectionOf(this.#bus)
    if (this.#gathering || !stream) return
    this.#gathering = true
    stream.cork()
    queueMicrotask(() => {
      this.#gathering = false
      stream.uncork()
    })
  }

  close(): void {
    if (!this.#closed) this.#end(new CallFailed('the connection was closed', 'disconnected'))
  }

  #end(error: Error): void {
    if (this.#closed) return
    this.#closed = error
    for (const reject of [...this.#pending]) reject(new CallFailed(error.message, 'disconnected'))
    this.#bus.disconnect()
    connectionOf(this.#bus).stream?.destroy()
    for (const then of this.#ends.splice(0)) then()
  }

  /** Waits for `promise`, `ms` milliseconds at most, and no longer than the connection lasts. */
  async #limited<T>(promise: Promise<T>, ms: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    let give = (_: Error) => {}
    const over = new Promise<never>((_, reject) => {
      give = reject
      timer = setTimeout(() => reject(new CallFailed(`no answer within ${ms} ms`, 'timeout')), ms)
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

/** What the library keeps to itself, and which alone tells that the bus hung up. */
function connectionOf(bus: MessageBus): {
  on(event: 'end', then: () => void): void
  stream?: { destroy(): void; cork(): void; uncork(): void }
} {
  return (bus as unknown as { _connection: ReturnType<typeof connectionOf> })._connection
}
