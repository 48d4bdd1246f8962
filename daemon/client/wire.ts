/** One connection to the daemon's socket: requests matched to replies by id, pushes handed on. */
import { connect, type Socket } from 'node:net'
import { LineReader } from '../../protocol/ndjson.js'
import { LIMITS } from '../../protocol/overlay/limits.js'
import { parseDaemonMessage } from '../../protocol/overlay/replies.js'
import type { AckMessage, InvalidatedMessage, Request } from '../../protocol/overlay/schema.js'
import { PROTOCOL_VERSION } from '../../protocol/overlay/version.js'
import { ConnectionError, LetsError } from './errors.js'

/** A request without its envelope, one member of the union at a time. */
export type Body = Request extends infer R ? (R extends Request ? Omit<R, 'v' | 'id'> : never) : never

interface Waiting {
  resolve(message: AckMessage): void
  reject(error: Error): void
}

export interface WireEvents {
  push(message: InvalidatedMessage): void
  /** Called before the request's promise resolves, so that a push right behind an ack finds it handled. */
  ack(message: AckMessage): void
  closed(reason: ConnectionError): void
}

export class Wire {
  readonly #socket: Socket
  readonly #reader = new LineReader(LIMITS.lineBytes * 4)
  readonly #waiting = new Map<number, Waiting>()
  readonly #events: WireEvents
  #nextId = 1
  #closed: ConnectionError | null = null

  private constructor(socket: Socket, events: WireEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('data', (chunk) => this.#read(chunk))
    socket.once('close', () => this.#fail(new ConnectionError('closed', 'the daemon closed the connection')))
    socket.on('error', (error) => this.#fail(new ConnectionError('closed', `the connection broke: ${error.message}`)))
  }

  /** Connects; rejects with `not_running` when nothing listens at `path`. */
  static open(path: string, events: WireEvents): Promise<Wire> {
    return new Promise((resolve, reject) => {
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
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#socket.write(`${JSON.stringify({ v: PROTOCOL_VERSION, id, ...body })}\n`)
    })
  }

  /** Hangs up. Calls under way are rejected with `closed`. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) return resolve()
      this.#socket.once('close', () => resolve())
      this.#socket.end()
      this.#fail(new ConnectionError('closed', 'the client was closed'), false)
    })
  }

  /** Whether an open connection keeps the process running. */
  setKeepsProcess(keeps: boolean): void {
    if (keeps) this.#socket.ref()
    else this.#socket.unref()
  }

  #read(chunk: Uint8Array): void {
    for (const event of this.#reader.push(chunk)) {
      const message = event.kind === 'line' ? parseDaemonMessage(event.text) : null
      if (event.kind === 'too_large') this.#socket.destroy()
      // What a newer daemon says beyond this version is not for us.
      if (!message) continue
      if (message.type === 'invalidated') this.#events.push(message)
      else this.#answer(message)
    }
  }

  #answer(message: Exclude<ReturnType<typeof parseDaemonMessage>, InvalidatedMessage | null>): void {
    const waiting = typeof message.id === 'number' ? this.#waiting.get(message.id) : undefined
    if (!waiting) {
      // An error without an id is about the connection itself: too many, or a line it could not read.
      if (message.type === 'error') this.#fail(new ConnectionError('closed', message.msg))
      return
    }
    this.#waiting.delete(message.id as number)
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
