import { Worker } from 'node:worker_threads'
import type { Rect } from '../protocol/overlay/geometry.js'
import {
  type Availability,
  type Candidate,
  type Frame,
  type LiveElement,
  type Query,
  type Resolution,
  type Resolver,
  ResolverError,
  type Screen,
} from './resolver.js'
import { sharedPixels } from './shared-pixels.js'
import type { Answers, Ask, Facts, FromThread, SentCandidate, ToThread } from './thread-messages.js'

type Log = (level: 'debug' | 'info' | 'warn', event: string, fields?: Record<string, unknown>) => void

/** How long the thread waits for the next question before it ends, in ms. */
const IDLE_MS = 120_000

/** How long a thread that is to end has for it, in ms. */
const GRACE_MS = 1000

interface Waiting {
  readonly resolve: (answer: never) => void
  readonly reject: (error: Error) => void
}

/** The resolvers, on a thread of their own that is there only while there are questions, or things to be found again. */
export class ResolverThread {
  #worker: Worker | null = null
  readonly #waiting = new Map<number, Waiting>()
  /** Rises with each thread: what was seen by an earlier one is not known to the next. */
  #generation = 0
  #kept = 0
  #nextId = 1
  #idle: NodeJS.Timeout | undefined

  constructor(
    private readonly names: readonly string[],
    private readonly log: Log,
    private readonly script = new URL('./thread-worker.js', import.meta.url),
  ) {}

  /** The resolvers in their order, each asked on the thread. Rejects when one cannot be loaded. */
  async resolvers(): Promise<readonly Resolver[]> {
    const facts = await this.ask<'facts'>({ kind: 'facts' })
    return facts.map((one) => this.#resolver(one))
  }

  /** Ends the thread; whoever waits is told. */
  close(): void {
    const worker = this.#worker
    if (worker) this.#ended(worker, 'the daemon ends')
  }

  #resolver(facts: Facts): Resolver {
    const resolver = facts.name
    return {
      ...facts,
      available: (): Promise<Availability> =>
        this.ask<'available'>({ kind: 'available', resolver }).catch((error: Error) => ({
          available: false,
          reason: error.message,
          fix: 'see the log of the daemon',
        })),
      resolve: async (query: Query, frame: Frame | null, signal: AbortSignal): Promise<Resolution> => {
        const pixels = frame && { ...frame, data: new Uint8Array(await sharedPixels(frame.data, signal)) }
        const found = await this.ask<'resolve'>({ kind: 'resolve', resolver, query, frame: pixels }, signal)
        const generation = this.#generation
        return { ...found, candidates: found.candidates.map((one) => this.#candidate(one, generation)) }
      },
    }
  }

  #candidate({ element, ...rest }: SentCandidate, generation: number): Candidate {
    return element === undefined ? rest : { ...rest, element: this.#element(element, generation) }
  }

  #element(element: number, generation: number): LiveElement {
    const ask = async <K extends 'locate' | 'isAt'>(
      question: Ask,
      signal: AbortSignal,
    ): Promise<Answers[K]> => {
      if (generation !== this.#generation || !this.#worker)
        throw new ResolverError('that thing is not remembered any more')
      return this.ask<K>(question, signal)
    }
    return {
      locate: (screen: Screen, signal) => ask<'locate'>({ kind: 'locate', element, screen }, signal),
      isAt: (rect: Rect, screen: Screen, signal) =>
        ask<'isAt'>({ kind: 'isAt', element, rect, screen }, signal),
      keep: () => {
        if (generation !== this.#generation) return () => {}
        this.#kept++
        this.#send({ keep: element })
        this.#rest()
        let held = true
        return () => {
          if (!held || generation !== this.#generation) return
          held = false
          this.#kept--
          this.#send({ release: element })
          this.#rest()
        }
      },
    }
  }

  /** Asks the thread. Rejects with the signal's reason as soon as that is aborted, however busy the thread is. */
  async ask<K extends keyof Answers>(question: Ask, signal?: AbortSignal): Promise<Answers[K]> {
    signal?.throwIfAborted()
    const id = this.#nextId++
    const worker = this.#started()
    let abort = () => {}
    try {
      return await new Promise<Answers[K]>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        this.#rest()
        abort = () => {
          this.#send({ abort: id })
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', abort)
        worker.postMessage({ id, ask: question } satisfies ToThread)
      })
    } finally {
      signal?.removeEventListener('abort', abort)
      this.#waiting.delete(id)
      this.#rest()
    }
  }

  #send(message: ToThread): void {
    this.#worker?.postMessage(message)
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(this.script, { name: 'lets-resolvers', workerData: { names: this.names } })
    this.#generation++
    this.#kept = 0
    worker.once('online', () => this.#rest())
    worker.on('message', (message: FromThread) => this.#hear(message))
    worker.on('error', (error: Error) => this.#ended(worker, error.message))
    worker.on('exit', (code) => this.#ended(worker, `it ended with ${code}`))
    this.#worker = worker
    return worker
  }

  #hear(message: FromThread): void {
    if ('log' in message) {
      this.log(message.log.level, message.log.event, message.log.fields)
      return
    }
    const waiting = this.#waiting.get(message.id)
    if ('answer' in message) waiting?.resolve(message.answer as never)
    else if (message.fault !== undefined) {
      this.log('warn', 'resolver_fault', { error: message.fault })
      waiting?.reject(new ResolverError(`a fault of ours: ${message.error}`, 'see the log of the daemon'))
    } else waiting?.reject(new ResolverError(message.error, message.fix))
  }

  /** While nobody waits, the thread keeps no process alive; and it ends once there were no questions for a while. */
  #rest(): void {
    clearTimeout(this.#idle)
    if (this.#waiting.size > 0) {
      this.#worker?.ref()
      return
    }
    this.#worker?.unref()
    if (this.#kept > 0 || !this.#worker) return
    this.#idle = setTimeout(() => this.close(), IDLE_MS)
    this.#idle.unref()
  }

  #ended(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return
    this.#worker = null
    this.#kept = 0
    clearTimeout(this.#idle)
    for (const { reject } of this.#waiting.values()) {
      reject(new ResolverError(`the resolvers’ thread is gone: ${reason}`, 'ask again'))
    }
    this.#waiting.clear()
    worker.unref()
    // A moment to end what it started itself.
    worker.postMessage({ close: true } satisfies ToThread)
    setTimeout(() => worker.terminate().catch(() => {}), GRACE_MS).unref()
  }
}
