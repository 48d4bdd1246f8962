/** A client that takes nothing for granted: it sends any bytes and keeps every message, in order. */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A message of the daemon, as it came. */
export interface Message {
  readonly v: string
  readonly type: string
  readonly id?: string | number
  readonly code?: string
  readonly msg?: string
  readonly annotation_id?: string
  readonly session_id?: string
  readonly resumed?: boolean
  readonly reason?: string
  readonly cleared?: number
  readonly mark_count?: number
  readonly marks?: readonly { readonly annotation_id: string; readonly rect: readonly number[] }[]
  readonly [field: string]: unknown
}

const SLOW_MS = 30_000

export class RawClient {
  /** Everything that came, in order. */
  readonly all: Message[] = []
  /** Whether the daemon hung up. */
  closed = false
  #text = ''
  #read = 0
  #changed: (() => void) | null = null

  private constructor(readonly socket: Socket) {
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => this.#take(chunk))
    // A broken pipe is a hang-up too.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.closed = true
      this.#changed?.()
    })
  }

  static open(path: string): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(path)
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(new RawClient(socket))
      })
    })
  }

  get replies(): Message[] {
    return this.all.filter(({ type }) => type !== 'invalidated' && type !== 'companion_event')
  }

  get pushes(): Message[] {
    return this.all.filter(({ type }) => type === 'invalidated')
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes)
  }

  /** Sends messages in one write; `v` is filled in. */
  send(...messages: readonly object[]): void {
    this.write(messages.map((message) => `${JSON.stringify({ v: '0.2', ...message })}\n`).join(''))
  }

  /** Sends one message and waits for the next reply; only for one at a time. */
  async ask(message: object): Promise<Message> {
    const before = this.replies.length
    this.send(message)
    await this.until(() => this.replies.length > before)
    return this.replies[before]!
  }

  /** Starts a session with no time to linger, unless told otherwise. */
  async begin(fields: object = {}): Promise<this> {
    await this.ask({ type: 'session_start', client_name: 'test', linger_ms: 0, ...fields })
    return this
  }

  /** Draws a point and returns its id. */
  async point(fields: object = {}): Promise<string> {
    const ack = await this.ask({ type: 'point', x: 10, y: 10, display_id: 1, ...fields })
    if (ack.annotation_id === undefined) throw new Error(`no mark: ${JSON.stringify(ack)}`)
    return ack.annotation_id
  }

  /** The next message that was not read yet. */
  async next(): Promise<Message> {
    await this.until(() => this.all.length > this.#read)
    return this.all[this.#read++]!
  }

  /** Waits for what messages bring about. */
  async until(condition: () => boolean): Promise<void> {
    const timeout = delay(SLOW_MS, 'late' as const, { ref: false })
    while (!condition()) {
      if (this.closed)
        throw new Error(`the daemon hung up; it had sent ${JSON.stringify(this.all.slice(-5))}`)
      const changed = new Promise<void>((resolve) => {
        this.#changed = resolve
      })
      if ((await Promise.race([changed, timeout])) === 'late') {
        throw new Error(`nothing came in time; there was ${JSON.stringify(this.all.slice(-5))}`)
      }
    }
  }

  async untilClosed(): Promise<void> {
    if (!this.closed) await new Promise<void>((resolve) => this.socket.once('close', () => resolve()))
  }

  /** Hangs up. */
  async end(): Promise<void> {
    this.socket.destroy()
    await this.untilClosed()
  }

  #take(chunk: string): void {
    const lines = (this.#text + chunk).split('\n')
    this.#text = lines.pop() ?? ''
    for (const line of lines) this.all.push(JSON.parse(line))
    this.#changed?.()
  }
}
