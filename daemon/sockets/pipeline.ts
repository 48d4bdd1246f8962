/** One connection's requests and replies: framing, order, back-pressure. Knows no socket; bytes go in and out. */
import { type LineEvent, LineReader } from '../../protocol/ndjson.js'
import { WireError } from '../../protocol/overlay/errors.js'
import { LIMITS } from '../../protocol/overlay/limits.js'
import { ack, errorReply, type RequestId } from '../../protocol/overlay/replies.js'
import { type Parsed, parseRequest } from '../../protocol/overlay/requests.js'
import type { Reply, Request } from '../../protocol/overlay/schema.js'
import type { Connection, Outcome } from '../engine/connection.js'
import type { Engine } from '../engine/engine.js'
import type { Log } from '../log.js'

/** Requests that wait or are under way before the connection is not read any further. */
const MAX_WAITING = 1024

/** What is gathered before it goes out all the same: answers can be many times what asked for them. */
const MAX_GATHERED = 64 * 1024

/** A request, or the end of a stream that has no safe point to resume from. */
type Step = Parsed | 'hang_up'

export interface PipelineOutput {
  /** Sends text; the pipeline gathers what one chunk of input causes. */
  write(text: string): void
  /** Sends nothing more and closes once what was written is out. */
  end(): void
  /** Stops or resumes reading. */
  setReading(reading: boolean): void
}

/**
 * Every request gets exactly one reply, in order; one with an `id` may overtake slower ones. Requests without an id
 * are also carried out in order: a later one starts when the one before it was answered.
 */
export class Pipeline {
  readonly #reader = new LineReader(LIMITS.lineBytes)
  readonly #connection: Connection
  readonly #waiting: Step[] = []
  #output = ''
  /** While true, output is gathered; what is written outside goes out at once. */
  #gathering = false
  /** A request without an id is under way. */
  #busy = false
  #underWay = 0
  /** Those of them that can be called off, by their ids. */
  readonly #byId = new Map<RequestId, Set<AbortController>>()
  #reading = true
  /** Nothing more is taken; the connection ends with the last reply. */
  #finishing = false
  #closed = false

  constructor(
    engine: Engine,
    private readonly output: PipelineOutput,
    private readonly log: Log,
    pid?: number,
  ) {
    this.#connection = engine.connect((message) => this.#send(JSON.stringify(message)), pid)
  }

  /** Takes bytes from the client. */
  push(chunk: Uint8Array): void {
    this.#takeAll(this.#reader.push(chunk))
  }

  /** The client sends no more: what it asked for is still answered, and then the connection ends. */
  end(): void {
    this.#takeAll(this.#reader.end())
    this.#connection.ending()
    this.#finish()
  }

  /** The client is gone. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#waiting.length = 0
    this.#connection.close()
  }

  #takeAll(events: readonly LineEvent[]): void {
    if (this.#closed) return
    this.#gathering = true
    for (const event of events) {
      if (event.kind === 'line') this.#take(parseRequest(event.text))
      else if (event.kind === 'invalid_utf8')
        this.#take(refusal(new WireError('bad_schema', 'the line is not valid UTF-8')))
      else this.#take('hang_up')
    }
    this.#flush()
    this.#balance()
  }

  #take(step: Step): void {
    if (this.#closed || this.#finishing) return
    const ordered = step === 'hang_up' || step.id === undefined
    if (ordered && this.#busy) {
      this.#waiting.push(step)
      if (step !== 'hang_up' && step.ok) this.#connection.announced(step.request)
    } else this.#run(step)
  }

  #run(step: Step): void {
    if (step === 'hang_up') this.#hangUp()
    else if (step.ok) this.#carryOut(step.request, step.id)
    else this.#reply(errorReply(step.error, step.id))
  }

  #carryOut(request: Request, id: RequestId | undefined): void {
    if (request.type === 'cancel') {
      this.#reply(ack({ cancelled: this.#callOff(request.request) }, id))
      return
    }
    const off = new AbortController()
    let outcome: Outcome
    try {
      outcome = this.#connection.handle(request, off.signal)
    } catch (error) {
      this.#reply(this.#failure(error, id))
      return
    }
    if (!(outcome instanceof Promise)) {
      this.#reply(ack(outcome, id))
      return
    }
    this.#underWay++
    if (id === undefined) this.#busy = true
    else this.#byId.set(id, (this.#byId.get(id) ?? new Set()).add(off))
    outcome
      .then(
        (fields) => this.#reply(ack(fields, id)),
        (error: unknown) => this.#reply(this.#failure(error, id)),
      )
      .finally(() => this.#settled(id, off))
  }

  /** Whether a request with this id was under way: it is told to end, and answers how it did. */
  #callOff(id: RequestId): boolean {
    const known = this.#byId.get(id)
    for (const off of known ?? []) off.abort()
    return known !== undefined
  }

  #settled(id: RequestId | undefined, off: AbortController): void {
    this.#underWay--
    if (id !== undefined) {
      const others = this.#byId.get(id)
      others?.delete(off)
      if (others?.size === 0) this.#byId.delete(id)
    } else {
      this.#busy = false
      this.#gathering = true
      while (!this.#busy && !this.#closed) {
        const next = this.#waiting.shift()
        if (!next) break
        this.#run(next)
      }
      this.#flush()
    }
    this.#balance()
    if (this.#finishing) this.#finish()
  }

  /** A refusal is the client's to read; anything else is our fault, said so, and logged with what we know. */
  #failure(error: unknown, id: RequestId | undefined): Reply {
    if (error instanceof WireError) return errorReply(error, id)
    this.log('error', 'internal', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
    return errorReply(new WireError('internal', 'a fault of the daemon; its log has the details'), id)
  }

  #hangUp(): void {
    const { lineBytes } = LIMITS
    this.#reply(
      errorReply(
        new WireError('payload_too_large', `a line is over ${lineBytes} bytes; the connection is closed`),
      ),
    )
    this.#finish()
  }

  /** Ends the connection once everything that is under way or waits was answered. */
  #finish(): void {
    this.#finishing = true
    if (this.#closed || this.#underWay > 0 || this.#waiting.length > 0) return
    this.#flush()
    this.close()
    this.output.end()
  }

  #reply(reply: Reply): void {
    this.#send(JSON.stringify(reply))
  }

  #send(line: string): void {
    if (this.#closed) return
    this.#output += `${line}\n`
    if (!this.#gathering || this.#output.length > MAX_GATHERED) this.#writeOut()
  }

  #flush(): void {
    this.#gathering = false
    this.#writeOut()
  }

  #writeOut(): void {
    if (this.#output === '') return
    const text = this.#output
    this.#output = ''
    this.output.write(text)
  }

  #balance(): void {
    const reading = this.#waiting.length + this.#underWay < MAX_WAITING
    if (reading === this.#reading) return
    this.#reading = reading
    this.output.setReading(reading)
  }
}

function refusal(error: WireError): Parsed {
  return { ok: false, error, id: undefined }
}
