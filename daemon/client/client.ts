import type { AckMessage, RequestOf, RequestType } from '../../protocol/overlay/schema.js'
import { paths } from '../paths.js'
import { ConnectionError } from './errors.js'
import { Gone, type GoneMark } from './gone.js'
import { type Body, Wire } from './wire.js'

export interface ConnectOptions {
  /** Shown to the person in `lets status` and the log. */
  readonly clientName: string
  /** The daemon's socket; default: where `LETS_SOCKET` and `LETS_HOME` say. */
  readonly socket?: string
  /** How long marks stay after the connection is gone, in ms (0..600000, default 5000). */
  readonly lingerMs?: number
  /** `painted`: an ack means that the mark is on the screen. Default `accepted`. */
  readonly acks?: 'accepted' | 'painted'
  /** Take up this session again if its marks still linger. */
  readonly resume?: string
  /** Connect again, and resume the session, at the first request after the connection was lost. Default false. */
  readonly reconnect?: boolean
  /** Whether an open connection keeps the process running. Default true. */
  readonly keepProcess?: boolean
}

/** The fields of a request for a method that knows its type; the display defaults to the primary one, 1. */
type Fields<T extends RequestType> = Omit<RequestOf<T>, 'v' | 'id' | 'type'>

/** The ack of a drawing request. */
export type DrawingAck = AckMessage & Required<Pick<AckMessage, 'annotation_id' | 'display'>>

/** Connects to the daemon and starts a session. Rejects with `ConnectionError` or `LetsError`. */
export async function connect(options: ConnectOptions): Promise<LetsClient> {
  const client = new LetsClient(options)
  await client.status()
  return client
}

/**
 * A session with the daemon. Field names are the wire's own, coordinates are logical points. Every method rejects with
 * `LetsError` when the daemon refuses and with `ConnectionError` when it cannot be reached.
 */
export class LetsClient {
  readonly #options: ConnectOptions
  readonly #gone = new Gone()
  #wire: Promise<Wire> | null = null
  #sessionId: string | undefined
  #closed = false
  #tellLost = () => {}
  readonly #lostOnce = new Promise<void>((resolve) => {
    this.#tellLost = resolve
  })

  /** Use `connect`. */
  constructor(options: ConnectOptions) {
    this.#options = options
    this.#sessionId = options.resume
  }

  /** The session's id, for `resume`. */
  get sessionId(): string {
    return this.#sessionId ?? ''
  }

  point(fields: Fields<'point'>): Promise<DrawingAck> {
    return this.#draw({ type: 'point', display_id: 1, ...fields })
  }

  highlight(fields: Fields<'highlight'>): Promise<DrawingAck> {
    return this.#draw({ type: 'highlight', display_id: 1, ...fields })
  }

  /** A note, or with `style: 'guide'` an instruction to the person. */
  textbox(fields: Fields<'textbox'>): Promise<DrawingAck> {
    return this.#draw({ type: 'textbox', ...(!fields.anchor && { display_id: 1 }), ...fields })
  }

  draw(fields: Fields<'draw'>): Promise<DrawingAck> {
    return this.#draw({ type: 'draw', display_id: 1, ...fields })
  }

  arrow(fields: Fields<'arrow'>): Promise<DrawingAck> {
    return this.#draw({ type: 'arrow', display_id: 1, ...fields })
  }

  /** Glides a mark of this session to a new place; it keeps its id. */
  move(fields: Fields<'move'>): Promise<DrawingAck> {
    return this.request({ type: 'move', ...fields }) as Promise<DrawingAck>
  }

  /** Removes one mark of this session, or all of them. Resolves with how many there were. */
  async clear(annotationId?: string): Promise<number> {
    const target = annotationId === undefined ? { all: true as const } : { annotation_id: annotationId }
    const { cleared } = await this.request({ type: 'clear', ...target })
    if (annotationId === undefined) this.#gone.forgetAll()
    else this.#gone.forget(annotationId)
    return cleared ?? 0
  }

  async displays(): Promise<NonNullable<AckMessage['displays']>> {
    return (await this.request({ type: 'displays' })).displays ?? []
  }

  status(): Promise<AckMessage> {
    return this.request({ type: 'status' })
  }

  /** A picture of a display as a PNG file in a private folder. The person's consent decides. */
  capture(fields: Partial<Fields<'capture'>> = {}): Promise<AckMessage & Required<Pick<AckMessage, 'path'>>> {
    return this.request({ type: 'capture', display_id: 1, ...fields }) as Promise<
      AckMessage & Required<Pick<AckMessage, 'path'>>
    >
  }

  /** Marks of this session that went away without it having asked, as they go. Ends when the client is closed. */
  invalidations(): AsyncIterableIterator<GoneMark> {
    return this.#gone.iterate()
  }

  /** Resolves once the connection is gone, for whatever reason. */
  lost(): Promise<void> {
    return this.#lostOnce
  }

  /** Sends any request of the wire. */
  async request(body: Body): Promise<AckMessage> {
    if (this.#closed) throw new ConnectionError('closed', 'the client was closed')
    this.#wire ??= this.#open()
    const wire = await this.#wire
    return wire.request(body)
  }

  /** Ends the session and hangs up; its marks linger out. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#gone.end()
    // A connection that never came about, or broke, needs no closing.
    const wire = await this.#wire?.catch(() => null)
    await wire?.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #draw(body: Body): Promise<DrawingAck> {
    return this.request(body) as Promise<DrawingAck>
  }

  async #open(): Promise<Wire> {
    const { clientName, lingerMs, acks, socket = paths().socket, reconnect, keepProcess } = this.#options
    try {
      const wire = await Wire.open(socket, {
        push: ({ annotation_id, reason }) => this.#gone.add({ annotation_id, reason }),
        ack: ({ annotation_id, display }) => {
          if (annotation_id !== undefined && display) this.#gone.remember(annotation_id)
        },
        closed: () => this.#lost(reconnect ?? false),
      })
      wire.setKeepsProcess(keepProcess ?? true)
      const { session_id, resumed } = await wire.request({
        type: 'session_start',
        client_name: clientName,
        ...(lingerMs !== undefined && { linger_ms: lingerMs }),
        ...(acks !== undefined && { acks }),
        ...(this.#sessionId !== undefined && { resume: this.#sessionId }),
      })
      // A daemon that started anew knows nothing of the old marks: they are gone, and the caller is told.
      if (!resumed) this.#gone.loseAll()
      this.#sessionId = session_id
      return wire
    } catch (error) {
      if (reconnect) this.#wire = null
      throw error
    }
  }

  #lost(reconnect: boolean): void {
    this.#tellLost()
    if (this.#closed) return
    if (reconnect) this.#wire = null
    // Without a way back, nobody will ever hear what becomes of the marks.
    else this.#gone.loseAll()
  }
}
