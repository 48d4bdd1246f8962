import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Frame, Query } from '../resolver.js'
import type { EngineName } from './engines.js'
import type { OcrAnswer, OcrRequest } from './process-main.js'

export type Found = Extract<OcrAnswer, { candidates: unknown }>

export interface OcrSettings {
  readonly engine: EngineName
  readonly env: NodeJS.ProcessEnv
  /** How much it gives way, as `nice` counts; default 10. */
  readonly nice?: number
}

/** About a tenth of the time where it and the daemon both want all of it. */
const NICE = 10

const MAIN = fileURLToPath(new URL('./process-main.js', import.meta.url))

/** How long the process waits for the next picture before it ends, in ms: its memory is worth more than half a second. */
const IDLE_MS = 60_000

/** In ms: reading has a limit of its own below this; a process that meets this one is stuck. */
const LIMIT_MS = 25_000

/** How long a process that is to end has for it, in ms. */
const GRACE_MS = 1000

interface Waiting {
  resolve(found: Found): void
  reject(error: Error): void
}

/** The process that reads, seen from the daemon: started when it is needed, ended when it was not for a while. */
export class OcrProcess {
  #child: ChildProcess | null = null
  #idle: NodeJS.Timeout | null = null
  #next = 0
  readonly #waiting = new Map<number, Waiting>()

  constructor(
    private readonly settings: OcrSettings,
    private readonly idleMs = IDLE_MS,
    private readonly limitMs = LIMIT_MS,
  ) {}

  /** Rejects with the signal's reason at once when that is aborted, and with an `Error` when the process fails. */
  async find(query: Query, frame: Frame, signal: AbortSignal): Promise<Found> {
    signal.throwIfAborted()
    const id = this.#next++
    const child = this.#started()
    const { width, height, scale, origin, data } = frame
    const found = new Promise<Found>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    const cancel = () => {
      tell(child, { cancel: id })
      this.#waiting.get(id)?.reject(signal.reason as Error)
    }
    const limit = setTimeout(
      () => this.#failed(child, `it took longer than ${this.limitMs} ms`),
      this.limitMs,
    )
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const job = {
        id,
        query: plain(query),
        width,
        height,
        scale,
        origin: [origin[0], origin[1]] as const,
        data,
      }
      tell(child, { job })
      return await found
    } finally {
      clearTimeout(limit)
      signal.removeEventListener('abort', cancel)
      this.#waiting.delete(id)
      this.#rest()
    }
  }

  /** The process that is there now, if one is. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async close(): Promise<void> {
    const child = this.#child
    if (!child) return
    const ended = new Promise((done) => child.once('exit', done))
    child.ref()
    this.#failed(child, 'it was closed')
    await ended
  }

  #started(): ChildProcess {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = null
    if (this.#child) return this.#child
    const child = fork(MAIN, [this.settings.engine, String(this.settings.nice ?? NICE)], {
      env: this.settings.env,
      // What this process was started with need not make sense in that one.
      execArgv: [],
      // What a library prints there is not for the daemon's own output.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // As bytes, not as their decimal digits.
      serialization: 'advanced',
    })
    child.on('message', (answer: OcrAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      if ('fault' in answer) waiting?.reject(new Error(answer.fault))
      else waiting?.resolve(answer)
    })
    child.on('error', (error) => this.#failed(child, error.message))
    child.on('exit', (code, signal) => this.#failed(child, `its process ended with ${code ?? signal}`))
    // Those who wait keep this process alive; that one does not.
    child.unref()
    child.channel?.unref()
    this.#child = child
    return child
  }

  #failed(child: ChildProcess, reason: string): void {
    if (this.#child !== child) return
    this.#child = null
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(reason))
    end(child)
  }

  #rest(): void {
    if (this.#waiting.size > 0 || !this.#child || this.#idle) return
    this.#idle = setTimeout(() => {
      this.#idle = null
      const child = this.#child
      this.#child = null
      if (child) end(child)
    }, this.idleMs)
    this.#idle.unref()
  }
}

/** It ends by itself and takes along what it started; one that is stuck is killed. */
function end(child: ChildProcess): void {
  if (child.connected) child.disconnect()
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
}

/** Whoever waits hears of a process that is gone by its end, not by this. */
function tell(child: ChildProcess, request: OcrRequest): void {
  if (child.connected) child.send(request, () => {})
}

/** What can be handed to another process. */
function plain({ text, display, windows, within, nth, app }: Query): Query {
  return {
    text,
    display,
    windows,
    ...(within && { within }),
    ...(nth !== undefined && { nth }),
    ...(app !== undefined && { app }),
  }
}
