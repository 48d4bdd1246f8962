/** One connection to the daemon's socket: requests matched to replies by id, pushes handed on. */
import { connect, type Socket } from 'node:net'
import { LineReader } from '../../protocol/ndjson.js'
import { LIMITS } from '../../protocol/overlay/limits.js'
import { parseDaemonMessage } from '../../protocol/overlay/replies.js'
import type { AckMessage, PushMessage, Reply, Request } from '../../protocol/overlay/schema.js'
import { PROTOCOL_VERSION } from '../../protocol/overlay/version.js'
import { socketPathFault } from '../paths.js'
import { ConnectionError, LetsError } from './errors.js'

/** A request without its envelope, one member of the union at a time. */
export type Body = Request extends infer R ? (R extends Request ? Omit<R, 'v' | 'id'> : never) : never

interface Waiting {
  resolve(message: AckMessage): void
  reject(error: Error): void
}

export interface WireEvents {
  push(message: PushMessage): void
  /** Called before the request's promise resolves, so that a push right behind an ack finds it handled. */
  ack(message: AckMessage): void
  closed(reason: ConnectionError): void
}

/** How long a daemon has to hang up after us, in ms. */
const GOODBYE_MS = 1000

const HUNG_UP = 'the daemon closed the connection'
const TURNED_AWAY = 'the daemon hung up without a word: it belongs to another user, or it is just ending'

export class Wire {
  readonly #socket: Socket
  readonly #reader = new LineReader(LIMITS.lineBytes * 4)
  readonly #waiting = new Map<number, Waiting>()
  readonly #events: WireEvents
  #nextId = 1
  #closed: ConnectionError | null = null
  #heard = false
  #keepsProcess = true

  private constructor(socket: Socket, events: WireEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('data', (chunk) => this.#read(chunk))
    socket.once('close', () => this.#fail(new ConnectionError('closed', this.#heard ? HUNG_UP : TURNED_AWAY)))
    socket.on('error', (error) =>
      this.#fail(new ConnectionError('closed', `the connection broke: ${error.message}`)),
    )
  }

  /** Connects; rejects with `not_running` when nothing listens at `path`. */
  static open(path: string, events: WireEvents): Promise<Wire> {
    return new Promise((resolve, reject) => {
      // Node would connect to a name cut short.
      const fault = socketPathFault(path)
      if (fault) return reject(new ConnectionError('not_running', fault))
      const socket = connect(path)
      socket.once('error', (cause: NodeJS.ErrnoException) => {
        const absent = cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED'
        const message = absent
          ? `no daemon serves ${path}; start one with \`lets daemon\``
          : `the daemon's socket ${path} cannot be reached: ${cause.message}`
        reject(new ConnectionError('not_running', message, { cause }))
      })
      socket.once('connect', () => {
        socket.removeAllListeners('error')
        resolve(new Wire(socket, events))
      })
    })
  }

  /** Sends a request and resolves with its ack; rejects with `LetsError` or `ConnectionError`. */
  request(body: Body): Promise<AckMessage> {
    if (this.#closed) return Promise.reject(this.#closed)
    const id = this.#nextId++
    // Before anything is waited for: what cannot be written must not hold the process. The id is ours alone to choose.
    const line = `${JSON.stringify({ ...body, v: PROTOCOL_VERSION, id })}\n`
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#socket.ref()
      this.#socket.write(line)
    })
  }

  /** Hangs up, and resolves once the daemon has too. Calls under way are rejected with `closed`. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) return resolve()
      // A daemon that hangs never answers a goodbye; what was written is on its way all the same.
      const timer = setTimeout(() => this.#socket.destroy(), GOODBYE_MS)
      this.#socket.once('close', () => {
        clearTimeout(timer)
        resolve()
      })
      this.#socket.ref()
      this.#socket.end()
      this.#fail(new ConnectionError('closed', 'the client was closed'), false)
    })
  }

  /** Gives up on the connection, for this reason. */
  abandon(reason: ConnectionError): void {
    this.#fail(reason)
    this.#socket.destroy()
  }

  /** Whether an open connection keeps the process running while nothing is asked. */
  setKeepsProcess(keeps: boolean): void {
    this.#keepsProcess = keeps
    this.#letProcessEnd()
  }

  #letProcessEnd(): void {
    if (this.#waiting.size > 0 || this.#keepsProcess) this.#socket.ref()
    else this.#socket.unref()
  }

  #read(chunk: Uint8Array): void {
    this.#heard = true
    for (const event of this.#reader.push(chunk)) {
      if (event.kind === 'too_large') {
        this.abandon(new ConnectionError('closed', 'the daemon sent a line without end'))
        return
      }
      const message = event.kind === 'line' ? parseDaemonMessage(event.text) : null
      if (!message) {
        if (event.kind === 'line') this.#unreadable(event.text)
      } else if (message.type === 'ack' || message.type === 'error') this.#answer(message)
      else this.#events.push(message)
    }
  }

  /** What a newer daemon says beyond this version is not for us; but whoever waits for it must not wait for ever. */
  #unreadable(line: string): void {
    const id = idOf(line)
    const waiting = id === null ? undefined : this.#waiting.get(id)
    if (id === null || !waiting) return
    this.#waiting.delete(id)
    this.#letProcessEnd()
    waiting.reject(new LetsError('internal', 'the daemon sent a reply that this client cannot read'))
  }

  #answer(message: Reply): void {
    const waiting = typeof message.id === 'number' ? this.#waiting.get(message.id) : undefined
    if (!waiting) {
      // An error without an id is about the connection itself: too many, or a line it could not read.
      if (message.type === 'error') this.#fail(new ConnectionError('closed', message.msg))
      return
    }
    this.#waiting.delete(message.id as number)
    this.#letProcessEnd()
    if (message.type === 'ack') {
      this.#events.ack(message)
      waiting.resolve(message)
    } else waiting.reject(new LetsError(message.code, message.msg, message.candidates))
  }

  #fail(reason: ConnectionError, tell = true): void {
    if (this.#closed) return
    this.#closed = reason
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
    if (tell) this.#events.closed(reason)
  }
}

function idOf(line: string): number | null {
  try {
    const { id } = JSON.parse(line) as { id?: unknown }
    return typeof id === 'number' ? id : null
  } catch {
    return null
  }
}
