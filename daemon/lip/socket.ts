/** A page's WebSocket: hello, then events up and commands down. */
import type { WebSocket } from 'ws'
import { LipError } from '../../protocol/lip/errors.js'
import { readJson } from '../../protocol/lip/json.js'
import { asSent, checkCoreData, members } from '../../protocol/lip/messages.js'
import { windowOf } from './app.js'
import type { Called } from './guards.js'
import type { LipHost } from './host.js'
import type { Outcome } from './inbound.js'
import { commandFrom } from './stamp.js'
import { CLOSE, type Link, type LipWindow } from './window.js'

/** How long a connection may be silent about who it is, in ms. */
const HELLO_MS = 10_000
/** Messages of one connection that may wait for their turn. */
const WAITING = 64
/** What may wait for a page that does not read, in bytes. */
const UNREAD = 8 * 1024 * 1024

/** Serves a connection; `known` is its window, where its address or a header said so. */
export function serveSocket(host: LipHost, socket: WebSocket, called: Called, known: LipWindow | null): void {
  new PageSocket(host, socket, called, known)
}

class PageSocket {
  readonly #link: Link
  #window: LipWindow | null = null
  #cancelHello: () => void
  #resume: (() => void) | null = null
  /** Messages that came and are not worked off. */
  #waiting = 0

  constructor(
    private readonly host: LipHost,
    private readonly socket: WebSocket,
    private readonly called: Called,
    private readonly known: LipWindow | null,
  ) {
    this.#link = {
      send: (text) => {
        if (socket.readyState !== socket.OPEN) return
        socket.send(text)
        // It catches up from where it was, when it connects again.
        if (socket.bufferedAmount > UNREAD) socket.terminate()
      },
      close: (code, reason) => this.#close(code, reason),
    }
    this.#cancelHello = host.options.clock.after(HELLO_MS, () => this.#close(CLOSE.slow, 'no lip.hello came'))
    socket.on('message', (data, isBinary) => this.#came(data as Buffer, isBinary))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#closed())
  }

  #came(data: Buffer, isBinary: boolean): void {
    this.#waiting++
    if (this.#waiting > WAITING) this.socket.pause()
    this.host.turns.run(() => {
      this.#take(data, isBinary)
      this.#waiting--
      this.#goOn()
    })
  }

  #take(data: Buffer, isBinary: boolean): void {
    let all: readonly unknown[]
    try {
      if (isBinary) throw new LipError('bad_envelope', 'a message is text; bytes go to /lip/upload')
      all = members(readJson(data.toString('utf8')))
    } catch (error) {
      this.#refuse(error as LipError)
      if (!this.#window) this.#close(CLOSE.unauthorized, 'no lip.hello came')
      return
    }
    let rest = all
    if (!this.#window) {
      if (!this.#hello(all[0])) return
      rest = all.slice(1)
    }
    const window = this.#window as unknown as LipWindow
    for (const one of rest) {
      const outcome = this.host.inbound.take(window, one)
      if (outcome instanceof Promise) void outcome.then((settled) => this.#tell(settled))
      else this.#tell(outcome)
    }
    window.budget.spend(rest.length, data.length)
    this.#slowDown(window)
  }

  /** Whether the connection is that of a window now. */
  #hello(value: unknown): boolean {
    try {
      const { type, data } = asSent(value)
      if (type !== 'lip.hello') throw new LipError('unauthorized', 'the first message must be lip.hello')
      checkCoreData('up', type, data)
      const { token, last } = data as { readonly token?: string; readonly last?: string }
      if (!this.known && token === undefined)
        throw new LipError('unauthorized', 'lip.hello came without a token')
      const window = token === undefined ? this.known : windowOf(this.host, token, this.called)
      if (this.known && window !== this.known)
        throw new LipError('forbidden', 'the token of lip.hello is another window’s')
      this.#cancelHello()
      this.#window = window
      this.host.attach(window as LipWindow, this.#link, last)
      return true
    } catch (error) {
      const known = error instanceof LipError ? error : new LipError('internal', 'a fault of the host')
      this.#refuse(known)
      this.#close(known.code === 'window_closed' ? CLOSE.ended : CLOSE.unauthorized, known.code)
      return false
    }
  }

  #tell(outcome: Outcome): void {
    if (outcome.kind === 'refused') this.#refuse(outcome.error, outcome.re)
    else if (outcome.own === undefined) return
    else if (outcome.kind === 'taken') this.#say('lip.ack', { id: outcome.id }, outcome.own)
    // It is not sent again, nor waited for.
    else this.#say('lip.ack', { id: outcome.own, ignored: true }, outcome.own)
  }

  #refuse({ code, message }: LipError, re?: string): void {
    this.#say('lip.error', { code, message, ...(re !== undefined && { re }) }, re)
  }

  #say(type: string, data: Readonly<Record<string, unknown>>, re?: string): void {
    this.#link.send(JSON.stringify(commandFrom('host', { type, data, re })))
  }

  /** Not read for as long as it takes to pay back what came too fast: nothing is lost, and nobody else waits. */
  #slowDown(window: LipWindow): void {
    const ms = window.budget.debtMs
    if (ms === 0 || this.#resume) return
    this.socket.pause()
    this.#resume = this.host.options.clock.after(ms, () => {
      this.#resume = null
      if (window.budget.debtMs > 0) this.#slowDown(window)
      else this.#goOn()
    })
  }

  /** Reads on, unless there is something to wait for. */
  #goOn(): void {
    if (!this.#resume && this.#waiting <= WAITING / 2 && this.socket.isPaused) this.socket.resume()
  }

  #close(code: number, reason: string): void {
    // A paused socket would never see the other side's answer.
    this.#resume?.()
    this.socket.resume()
    this.socket.close(code, reason)
  }

  #closed(): void {
    this.#cancelHello()
    this.#resume?.()
    if (this.#window) this.host.detach(this.#window, this.#link)
  }
}
