/** The thread of the LIP host, seen from the daemon's: connections and the person's answers go in, questions and the log come out. */
import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { OpenHost } from './lip/serve.js'
import type { Level, Log } from './log.js'
import { descriptorOf } from './sockets/descriptor.js'
import type { Ask, UniquesSetup } from './uniques-host.js'
import type { FromUniques, ToUniques } from './uniques-messages.js'

/** How long it has to write what outlives it when it is to end, in ms. */
const STOP_MS = 5000

/**
 * What its heap may take, in MB. Young: so little that a flood of events does not grow the daemon, and so much that few of
 * them live long enough to be moved. Old: the ring and what may wait for 64 windows, twice; beyond that the thread ends, not the daemon.
 */
const LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 }

export interface ThreadParts {
  readonly log: Log
  readonly ask: Ask
  /** Another descriptor of what one is open on. */
  readonly duplicate: (fd: number) => number
  /** What the thread runs, where it is not the host. */
  readonly script?: URL
}

export class UniquesThread implements OpenHost {
  readonly ended: Promise<void>
  readonly #worker: Worker
  readonly #questions = new Map<number, AbortController>()
  /** Connections on their way: the thread may end before it has taken them. */
  #handed: { readonly fd: number; readonly taken: Int32Array }[] = []
  #stopping = false
  #ready = () => {}
  #stopped = () => {}
  #fault: Error | null = null

  /** Starts the thread; resolves when it serves, rejects when it ended before. */
  static async open(setup: UniquesSetup, parts: ThreadParts): Promise<UniquesThread> {
    const thread = new UniquesThread(setup, parts)
    const ready = new Promise<void>((resolve) => {
      thread.#ready = resolve
    })
    const failed = thread.ended.then(() => {
      throw thread.#fault ?? new Error('the thread of the LIP host ended before it served')
    })
    await Promise.race([ready, failed])
    failed.catch(() => {})
    return thread
  }

  private constructor(
    setup: UniquesSetup,
    private readonly parts: ThreadParts,
  ) {
    const { script = new URL('./uniques-worker.js', import.meta.url) } = parts
    this.#worker = new Worker(script, { name: 'lets-uniques', workerData: setup, resourceLimits: LIMITS })
    this.#worker.on('message', (message: FromUniques) => this.#hear(message))
    this.#worker.on('error', (error: Error) => {
      this.#fault = error
    })
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#gone()
        resolve()
      })
    })
  }

  serve(socket: Socket): void {
    const fd = this.parts.duplicate(descriptorOf(socket))
    // Closes our descriptor alone: the connection lives on with the other.
    socket.destroy()
    const taken = new Int32Array(new SharedArrayBuffer(4))
    this.#handed = this.#handed.filter((one) => Atomics.load(one.taken, 0) === 0)
    this.#handed.push({ fd, taken })
    this.#send({ fd, taken })
  }

  async stop(): Promise<void> {
    this.#stopping = true
    const stopped = new Promise<boolean>((resolve) => {
      this.#stopped = () => resolve(true)
      setTimeout(() => resolve(false), STOP_MS).unref()
    })
    this.#send({ stop: true })
    if (!(await Promise.race([stopped, this.ended.then(() => true)])))
      this.parts.log('error', 'lip_not_stopped', { ms: STOP_MS })
    await this.#worker.terminate()
    await this.ended
  }

  #send(message: ToUniques): void {
    this.#worker.postMessage(message)
  }

  #hear(message: FromUniques): void {
    if ('log' in message) this.#log(message.log)
    else if ('ask' in message) void this.#ask(message.ask, message.question)
    else if ('unask' in message) this.#questions.get(message.unask)?.abort()
    else if ('ready' in message) this.#ready()
    else this.#stopped()
  }

  #log(line: string): void {
    const { ts: _, level, event, ...fields } = JSON.parse(line)
    this.parts.log(level as Exclude<Level, 'off'>, event, fields)
  }

  async #ask(id: number, question: Parameters<Ask>[0]): Promise<void> {
    const withdrawn = new AbortController()
    this.#questions.set(id, withdrawn)
    const answer = await this.parts.ask(question, withdrawn.signal).catch((error) => {
      this.parts.log('error', 'run_not_asked', { error: String(error) })
      return null
    })
    this.#questions.delete(id)
    this.#send({ answered: id, answer })
  }

  /** Whoever was on the way is hung up on, and no question stays on the screen; pages connect again, and find the next thread. */
  #gone(): void {
    for (const { fd, taken } of this.#handed) if (Atomics.compareExchange(taken, 0, 0, 1) === 0) closeSync(fd)
    this.#handed = []
    for (const withdrawn of this.#questions.values()) withdrawn.abort()
    if (!this.#stopping)
      this.parts.log('error', 'lip_thread_ended', {
        error: String(this.#fault?.stack ?? this.#fault ?? 'it says nothing'),
      })
  }
}
