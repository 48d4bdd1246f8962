/** One client: its lines in, the responses out. Knows no socket; bytes go in and text comes out. */
import { timingSafeEqual } from 'node:crypto'
import { type LineEvent, LineReader } from '../../protocol/ndjson.js'
import { ShellError } from '../../protocol/shell/errors.js'
import { SHELL_LIMITS } from '../../protocol/shell/limits.js'
import { failure, type ParsedShellRequest, parseShellRequest } from '../../protocol/shell/requests.js'
import { type Answer, dispatch, type Reached } from './dispatch.js'
import type { ShellLog } from './limits.js'
import type { ShellService } from './service.js'

/** Requests under way before the client is not read any further. */
const MAX_UNDER_WAY = 1024
/** Pieces are gathered up to that many characters. */
const PIECE = 256 * 1024
/** How long what a client asked for may still be waited for after it sent its last, in ms. */
const END_MS = 5000

export interface ChannelOutput {
  /** Sends text; false when the client is slow and `drained` should be waited for. */
  write(text: string): boolean
  drained(): Promise<void>
  /** Sends nothing more and closes once what was written is out. */
  end(): void
  /** Stops or resumes reading. */
  setReading(reading: boolean): void
}

export interface ChannelOptions {
  readonly reached: Reached
  /** The first line must be a request, or the connection is closed before anything runs: whoever speaks HTTP is no client. */
  readonly strict: boolean
  /** The secret that the first request must carry. */
  readonly token?: string | undefined
  /** Ends after one request. */
  readonly once?: boolean
  readonly log: ShellLog
}

export class Channel {
  readonly #service: ShellService
  readonly #output: ChannelOutput
  readonly #options: ChannelOptions
  readonly #reader = new LineReader(SHELL_LIMITS.lineBytes)
  readonly #gone = new AbortController()
  /** Responses that are being sent, one after another. */
  #sending: Promise<void> | null = null
  #slow = false
  #underWay = 0
  #reading = true
  #admitted: boolean
  #finishing = false
  #closed = false

  constructor(service: ShellService, output: ChannelOutput, options: ChannelOptions) {
    this.#service = service
    this.#output = output
    this.#options = options
    this.#admitted = !options.strict && options.token === undefined
  }

  /** Takes bytes from the client. */
  push(chunk: Uint8Array): void {
    if (!this.#admitted && this.#options.strict && !mayBeginRequest(chunk)) this.#refuse('not a request')
    if (this.#closed) return
    for (const event of this.#reader.push(chunk)) this.#take(event)
    this.#balance()
  }

  /** The client sends no more: what it asked for is still answered. */
  end(): void {
    for (const event of this.#reader.end()) this.#take(event)
    this.finish()
    setTimeout(() => this.#gone.abort(), END_MS).unref()
  }

  /** Takes no more requests, and ends once all are answered. */
  finish(): void {
    this.#finishing = true
    if (this.#closed || this.#underWay > 0 || this.#sending) return
    this.close()
    this.#output.end()
  }

  /** The client is gone: nobody waits any more. */
  close(): void {
    this.#closed = true
    this.#gone.abort()
  }

  #take(event: LineEvent): void {
    if (this.#closed || this.#finishing) return
    const parsed = read(event)
    if (!this.#admitted && !this.#admits(parsed)) return
    if (this.#options.once) this.#finishing = true
    this.#underWay++
    const answered = parsed.ok ? this.#carryOut(parsed) : this.#send(failure(parsed.idText, parsed.error))
    answered.catch((error: unknown) => this.#fault(error)).finally(() => this.#settled())
    if (event.kind === 'too_large') this.#finishing = true
  }

  /** The first line decides. */
  #admits(parsed: ParsedShellRequest): boolean {
    const { token } = this.#options
    const isRequest = parsed.ok || parsed.error.code !== 'invalid_request'
    if (isRequest && (token === undefined || sameSecret(token, parsed.token))) {
      this.#admitted = true
      return true
    }
    this.#refuse(isRequest ? 'token' : 'not a request')
    return false
  }

  #refuse(reason: string): void {
    if (this.#closed) return
    this.#options.log('warn', 'client_refused', { reason })
    this.close()
    if (this.#options.strict) this.#output.end()
  }

  async #carryOut({ idText, request }: Extract<ParsedShellRequest, { ok: true }>): Promise<void> {
    let answer: Answer
    try {
      answer = await dispatch(this.#service, this.#options.reached, request, { signal: this.#gone.signal })
    } catch (error) {
      return this.#send(failure(idText, this.#refusal(error, request.method)))
    }
    const head = `{"id":${idText},"ok":true,"result":`
    if ('value' in answer) return this.#send(`${head}${JSON.stringify(answer.value)}}`)
    return this.#sendPieces(head, answer.pieces)
  }

  /** A refusal is the client's to read; anything else is our fault, said so, and logged with what we know. */
  #refusal(error: unknown, method: string): ShellError {
    if (error instanceof ShellError) return error
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#options.log('error', 'internal', { method, error: text })
    return new ShellError('internal_error', 'a fault of the daemon; its log has the details')
  }

  /** One line at a time; while one is on its way in pieces, others wait. */
  #send(line: string): Promise<void> {
    if (this.#sending || this.#slow) return this.#after(() => this.#write(`${line}\n`))
    if (!this.#closed && !this.#output.write(`${line}\n`)) {
      this.#slow = true
      return this.#after(() => this.#drained())
    }
    return Promise.resolve()
  }

  #sendPieces(head: string, pieces: Iterable<string>): Promise<void> {
    return this.#after(async () => {
      let text = head
      for (const piece of pieces) {
        text += piece
        if (text.length < PIECE) continue
        await this.#write(text)
        if (this.#closed) return
        text = ''
      }
      await this.#write(`${text}}\n`)
    })
  }

  #after(send: () => Promise<void>): Promise<void> {
    const sent = (this.#sending ?? Promise.resolve()).then(send)
    const sending = sent
      .catch(() => {})
      .then(() => {
        if (this.#sending === sending) this.#sending = null
      })
    this.#sending = sending
    return sent
  }

  async #write(text: string): Promise<void> {
    if (this.#closed) return
    if (!this.#output.write(text)) await this.#drained()
    // Others are served between two pieces.
    else if (text.length >= PIECE) await new Promise((resolve) => setImmediate(resolve))
  }

  async #drained(): Promise<void> {
    this.#slow = true
    this.#balance()
    await this.#output.drained()
    this.#slow = false
    this.#balance()
  }

  /** Something went wrong in the middle of a line: there is no way to say so on it. */
  #fault(error: unknown): void {
    this.#options.log('error', 'internal', { error: error instanceof Error ? error.stack : String(error) })
    this.close()
    this.#output.end()
  }

  #settled(): void {
    this.#underWay--
    this.#balance()
    if (this.#finishing) void (this.#sending ?? Promise.resolve()).then(() => this.finish())
  }

  #balance(): void {
    const reading = this.#underWay < MAX_UNDER_WAY && !this.#slow
    if (reading === this.#reading || this.#closed) return
    this.#reading = reading
    this.#output.setReading(reading)
  }
}

function read(event: LineEvent): ParsedShellRequest {
  if (event.kind === 'line') return parseShellRequest(event.text)
  const message =
    event.kind === 'invalid_utf8'
      ? 'the line is not valid UTF-8'
      : `a line is over ${SHELL_LIMITS.lineBytes} bytes; the connection is closed`
  return {
    ok: false,
    id: null,
    idText: 'null',
    token: undefined,
    error: new ShellError('invalid_request', message),
  }
}

/**
 * Whether what comes first may be the beginning of a request: after white space, or a byte order mark, an object. What is
 * not (TLS) may never send a line end.
 */
function mayBeginRequest(chunk: Uint8Array): boolean {
  const first = chunk.find((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d))
  return first === undefined || first === 0x7b || first === 0xef
}

function sameSecret(secret: string, given: string | undefined): boolean {
  const [a, b] = [Buffer.from(secret), Buffer.from(given ?? '')]
  return a.length === b.length && timingSafeEqual(a, b)
}
