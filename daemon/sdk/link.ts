/** The connection to the host: what is sent is kept until the host has it, and what was missed comes first afterwards. */
import { LIP_LIMITS } from '../../protocol/lip/limits.js'
import type { DownData, Envelope } from '../../protocol/lip/schema.js'
import { keepLast, lastOf } from './credential.js'

/** `online`, `waiting` to connect (again), or over: `closed`, `taken` by another page, `refused`. */
export type LinkState = 'waiting' | 'online' | 'closed' | 'taken' | 'refused'

export interface LinkParts {
  readonly token: string
  readonly received: (envelope: Envelope) => void
  readonly changed: (state: LinkState) => void
}

export interface Outgoing {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly re?: string
  readonly ttl?: number
}

/** The host refused what was sent; `code` is one of LIP's. */
export class LipRefused extends Error {
  override readonly name = 'LipRefused'
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

interface Pending {
  readonly text: string
  readonly resolve: (id: string) => void
  readonly reject: (error: LipRefused) => void
}

const SDK = 'lets-overlay/1'
/** Time between tries to connect, in ms: doubled each time. */
const BACK_OFF = { first: 200, most: 15_000 }
/** One message to the host, in characters: half of what it takes. */
const CHARACTERS = 400_000
/** Events the host has not acknowledged: all of those, sent once more, it still knows. The rest waits. */
const UNDER_WAY = LIP_LIMITS.remembered
const OVER: Readonly<Record<number, LinkState>> = { 4410: 'closed', 4409: 'taken', 4401: 'refused' }

export class Link {
  state: LinkState = 'waiting'
  readonly #pending = new Map<string, Pending>()
  readonly #name = crypto.randomUUID().slice(0, 8)
  #unsent: string[] = []
  #socket: WebSocket | null = null
  #ready = false
  #tries = 0
  #count = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly parts: LinkParts) {
    const again = () => {
      // Nobody waits for a page that nobody sees.
      if (this.state === 'waiting' && document.visibilityState === 'visible') this.#connect()
    }
    addEventListener('online', again)
    document.addEventListener('visibilitychange', again)
    // Kept alive by the browser when the person goes elsewhere, and shown again: the connection is gone by then.
    addEventListener('pageshow', (event) => event.persisted && again())
    this.#connect()
  }

  /** Resolves with the event's id when the host has it; rejects with `LipRefused`. */
  send({ type, data, re, ttl }: Outgoing): Promise<string> {
    if (this.state !== 'online' && this.state !== 'waiting')
      return Promise.reject(new LipRefused('window_closed', 'this window is not connected any more'))
    this.#count++
    const id = `${this.#name}-${this.#count}`
    const text = JSON.stringify({ lip: 1, type, data, id, re, ttl })
    return new Promise<string>((resolve, reject) => {
      this.#pending.set(id, { text, resolve, reject })
      this.#unsent.push(id)
      // All that is said in one go is one message.
      if (this.#unsent.length === 1) queueMicrotask(() => this.#flush())
    })
  }

  /** Connects once more where another page took the window. */
  takeBack(): void {
    if (this.state === 'taken') this.#connect()
  }

  #connect(): void {
    clearTimeout(this.#timer)
    if (this.#socket) return
    this.#set('waiting')
    const { protocol, host } = location
    const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/lip/ws`)
    this.#socket = socket
    this.#ready = false
    socket.addEventListener('open', () => {
      const { token } = this.parts
      const hello = { sdk: SDK, capabilities: [], token, last: lastOf(token) }
      socket.send(JSON.stringify({ lip: 1, type: 'lip.hello', data: hello }))
    })
    socket.addEventListener('message', ({ data }) => this.#take(String(data)))
    socket.addEventListener('close', ({ code }) => this.#closed(code))
  }

  #take(text: string): void {
    const value = JSON.parse(text)
    for (const envelope of (Array.isArray(value) ? value : [value]) as Envelope[]) {
      const { type, data, re, id } = envelope
      if (type === 'lip.ack') this.#settle(re)?.resolve((data as DownData['lip.ack']).id)
      else if (type === 'lip.error' && this.#pending.has(re ?? '')) {
        const { code, message } = data as DownData['lip.error']
        this.#settle(re)?.reject(new LipRefused(code, message))
      } else {
        if (type === 'lip.ready') this.#online()
        // What the host says of the connection is not repeated; what others say may be.
        if (!type.startsWith('lip.')) keepLast(this.parts.token, id)
        this.parts.received(envelope)
      }
    }
  }

  #online(): void {
    this.#ready = true
    this.#tries = 0
    // The host takes what it knows already for the same event.
    this.#unsent = [...this.#pending.keys()]
    this.#set('online')
    this.#flush()
  }

  #flush(): void {
    if (!this.#ready) return
    let batch: string[] = []
    let characters = 0
    const hand = () => {
      if (batch.length > 0)
        this.#socket?.send(batch.length === 1 ? (batch[0] as string) : `[${batch.join(',')}]`)
      batch = []
      characters = 0
    }
    const room = UNDER_WAY - (this.#pending.size - this.#unsent.length)
    for (const id of this.#unsent.splice(0, Math.max(0, room))) {
      const text = this.#pending.get(id)?.text
      if (text === undefined) continue
      if (characters + text.length > CHARACTERS) hand()
      batch.push(text)
      characters += text.length
    }
    hand()
  }

  #settle(id: string | undefined): Pending | undefined {
    const pending = id === undefined ? undefined : this.#pending.get(id)
    if (id !== undefined) this.#pending.delete(id)
    // Half at a time: an event for each acknowledgement would be a message for each event.
    if (this.#unsent.length > 0 && this.#pending.size - this.#unsent.length <= UNDER_WAY / 2) this.#flush()
    return pending
  }

  #closed(code: number): void {
    this.#socket = null
    this.#ready = false
    const over = OVER[code]
    if (over === undefined) {
      this.#set('waiting')
      const ms = Math.min(BACK_OFF.most, BACK_OFF.first * 2 ** this.#tries) * (0.75 + Math.random() / 2)
      this.#tries++
      if (document.visibilityState === 'visible' || this.#tries < 8)
        this.#timer = setTimeout(() => this.#connect(), ms)
      return
    }
    this.#set(over)
    if (over === 'taken') return
    for (const id of [...this.#pending.keys()])
      this.#settle(id)?.reject(
        new LipRefused('window_closed', 'the window was closed before this came to the host'),
      )
  }

  #set(state: LinkState): void {
    if (this.state === state) return
    this.state = state
    this.parts.changed(state)
  }
}
