import type {
  AckMessage,
  CompanionEventMessage,
  RequestOf,
  RequestType,
} from '../../protocol/overlay/schema.js'
import { paths } from '../paths.js'
import { ConnectionError } from './errors.js'
import { Gone, type GoneMark } from './gone.js'
import { Unread } from './unread.js'
import { type Body, Wire } from './wire.js'

export interface ConnectOptions {
  /** Named in the daemon's log. */
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
  /** Whether an open connection keeps the process running while nothing is asked. Default true. */
  readonly keepProcess?: boolean
  /** How long the daemon may take to take up the session, in ms. Default 15000: a suspended one never does. */
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 15_000

/** The fields of a request for a method that knows its type; the display defaults to the primary one, 1. */
type Fields<T extends RequestType> = Omit<RequestOf<T>, 'v' | 'id' | 'type'>

/** The ack of a drawing request. */
export type DrawingAck = AckMessage & Required<Pick<AckMessage, 'annotation_id' | 'display'>>

/** Connects to the daemon and starts a session. Rejects with `ConnectionError` or `LetsError`. */
export async function connect(options: ConnectOptions): Promise<LetsClient> {
  const client = new LetsClient(options)
  await client.ready()
  return client
}

/** Where a daemon draws. */
export interface DrawsOn {
  readonly host: string
  /** The screen as its system calls it (`:0`, `wayland-1`); absent when there is none. */
  readonly screen?: string
  /** What can be done there, as `HOST_CAPABILITIES` calls it; absent: the daemon is too old to say. */
  readonly capabilities?: readonly string[]
}

/**
 * A session with the daemon. Field names are the wire's own, coordinates are logical points. Every method rejects with
 * `LetsError` when the daemon refuses and with `ConnectionError` when it cannot be reached.
 */
export class LetsClient {
  readonly #options: ConnectOptions
  readonly #gone = new Gone()
  readonly #companionEvents = new Unread<CompanionEventMessage>()
  /** What it listens to the companion with: said again on a new connection. */
  #listening: Fields<'companion'> | null = null
  #wire: Promise<Wire> | null = null
  /** The connection, from before its session is there. */
  #connected: Wire | null = null
  #sessionId: string | undefined
  #drawsOn: DrawsOn = { host: 'unknown' }
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

  /** Where the daemon draws, as it said when the session began. */
  get drawsOn(): DrawsOn {
    return this.#drawsOn
  }

  /** The session's id, for `resume`. */
  get sessionId(): string {
    return this.#sessionId ?? ''
  }

  /** Connects now, rather than with the first request. */
  async ready(): Promise<void> {
    await this.#current()
  }

  point(fields: Fields<'point'>): Promise<DrawingAck> {
    return this.#draw({ type: 'point', ...displayOf(fields), ...fields })
  }

  highlight(fields: Fields<'highlight'>): Promise<DrawingAck> {
    return this.#draw({ type: 'highlight', ...displayOf(fields), ...fields })
  }

  /** A note, or with `style: 'guide'` an instruction to the person. */
  textbox(fields: Fields<'textbox'>): Promise<DrawingAck> {
    return this.#draw({ type: 'textbox', ...(!fields.anchor && displayOf(fields)), ...fields })
  }

  draw(fields: Fields<'draw'>): Promise<DrawingAck> {
    return this.#draw({ type: 'draw', ...displayOf(fields), ...fields })
  }

  arrow(fields: Fields<'arrow'>): Promise<DrawingAck> {
    return this.#draw({ type: 'arrow', ...displayOf(fields), ...fields })
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

  /** Where the thing is that these words say; nothing is drawn. The person's consent decides. */
  locate(fields: Fields<'locate'>): Promise<AckMessage> {
    return this.request({ type: 'locate', ...fields })
  }

  async displays(): Promise<NonNullable<AckMessage['displays']>> {
    return (await this.request({ type: 'displays' })).displays ?? []
  }

  status(fields: Fields<'status'> = {}): Promise<AckMessage> {
    return this.request({ type: 'status', ...fields })
  }

  /** The companion: asks how it is, sends it a command, or with `listen` asks for `companionEvents`. */
  async companion(fields: Fields<'companion'> = {}): Promise<AckMessage> {
    const answer = await this.request({ type: 'companion', ...fields })
    if (fields.listen !== undefined) this.#listening = fields.listen ? fields : null
    return answer
  }

  /**
   * What the person did with the companion, since it was listened to. Each is told once: several readers share them. Ends
   * when the client is closed, or its connection is lost for good.
   */
  companionEvents(): AsyncIterableIterator<CompanionEventMessage> {
    return this.#companionEvents.iterate()
  }

  /** A picture of a display as a PNG file in a private folder. The person's consent decides. */
  capture(fields: Partial<Fields<'capture'>> = {}): Promise<AckMessage & Required<Pick<AckMessage, 'path'>>> {
    return this.request({ type: 'capture', display_id: 1, ...fields }) as Promise<
      AckMessage & Required<Pick<AckMessage, 'path'>>
    >
  }

  /**
   * Marks of this session that went away without it having asked, as they go; also those from before this was called.
   * Each is told once: several readers share them. Ends when the client is closed, or its connection is lost for good.
   */
  invalidations(): AsyncIterableIterator<GoneMark> {
    return this.#gone.iterate()
  }

  /** Resolves once the connection is gone, for whatever reason. */
  lost(): Promise<void> {
    return this.#lostOnce
  }

  /** Sends any request of the wire. */
  async request(body: Body): Promise<AckMessage> {
    const wire = await this.#current()
    return wire.request(body)
  }

  /** Ends the session and hangs up; its marks linger out. Calls under way are rejected. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#gone.end()
    this.#companionEvents.end()
    await this.#connected?.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #current(): Promise<Wire> {
    if (this.#closed) throw closed()
    this.#wire ??= this.#open()
    return this.#wire
  }

  #draw(body: Body): Promise<DrawingAck> {
    return this.request(body) as Promise<DrawingAck>
  }

  async #open(): Promise<Wire> {
    const { socket = paths().socket, reconnect = false, keepProcess = true } = this.#options
    try {
      const wire = await Wire.open(socket, {
        push: (message) => {
          if (message.type === 'companion_event') this.#companionEvents.add(message)
          else this.#gone.add({ annotation_id: message.annotation_id, reason: message.reason })
        },
        ack: ({ annotation_id, display }) => {
          if (annotation_id !== undefined && display) this.#gone.remember(annotation_id)
        },
        closed: () => this.#lost(reconnect),
      })
      this.#connected = wire
      if (this.#closed) {
        await wire.close()
        throw closed()
      }
      await this.#takeUp(wire, socket)
      wire.setKeepsProcess(keepProcess)
      return wire
    } catch (error) {
      if (reconnect) this.#wire = null
      throw error
    }
  }

  /** Starts the session, or resumes it; then tells of the marks that did not outlive the break. */
  async #takeUp(wire: Wire, socket: string): Promise<void> {
    const { clientName, lingerMs, acks, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options
    const timer = setTimeout(() => wire.abandon(unanswered(socket, timeoutMs)), timeoutMs)
    try {
      const { session_id, resumed, host, screen, capabilities } = await wire.request({
        type: 'session_start',
        client_name: clientName,
        ...(lingerMs !== undefined && { linger_ms: lingerMs }),
        ...(acks !== undefined && { acks }),
        ...(this.#sessionId !== undefined && { resume: this.#sessionId }),
      })
      this.#sessionId = session_id
      this.#drawsOn = {
        host: host ?? 'unknown',
        ...(screen !== undefined && { screen }),
        ...(capabilities && { capabilities }),
      }
      // A daemon that started anew knows nothing of the old marks: they are gone.
      if (!resumed) this.#gone.loseAll()
      else if (this.#gone.expectsAny) {
        const { marks = [] } = await wire.request({ type: 'status' })
        this.#gone.loseAllBut(new Set(marks.map(({ annotation_id }) => annotation_id)))
      }
      if (this.#listening) await wire.request({ type: 'companion', ...this.#listening })
    } catch (error) {
      // Refused, it is of no use to anybody, and must not hold the process.
      if (!(error instanceof ConnectionError)) await wire.close()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #lost(reconnect: boolean): void {
    this.#tellLost()
    if (this.#closed) return
    if (reconnect) this.#wire = null
    else {
      // Without a way back, nobody will ever hear what becomes of the marks, nor of any others.
      this.#gone.loseAll()
      this.#gone.end()
      this.#companionEvents.end()
    }
  }
}

/** The primary display, unless a frame or a window says where it is. */
function displayOf({ frame, window }: { readonly frame?: string; readonly window?: string }) {
  return frame === undefined && window === undefined ? { display_id: 1 } : {}
}

function closed(): ConnectionError {
  return new ConnectionError('closed', 'the client was closed')
}

function unanswered(socket: string, ms: number): ConnectionError {
  return new ConnectionError(
    'timeout',
    `the daemon of ${socket} takes connections but did not answer within ${ms / 1000} s: it hangs or is suspended; \`pgrep -f "lets daemon"\` finds its process`,
  )
}
