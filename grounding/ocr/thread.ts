import { Worker } from 'node:worker_threads'
import type { Frame, Query } from '../resolver.js'
import { sharedPixels } from '../shared-pixels.js'
import type { OcrAnswer, OcrRequest, OcrSettings } from './worker.js'

export type Found = Extract<OcrAnswer, { candidates: unknown }>

/** How long the thread waits for the next picture before it ends, in ms: its memory is worth more than half a second. */
const IDLE_MS = 60_000

/** In ms: reading has a limit of its own below this; a thread that meets this one is stuck. */
const LIMIT_MS = 25_000

interface Waiting {
  resolve(found: Found): void
  reject(error: Error): void
}

/** The thread that reads, seen from the daemon's: started when it is needed, ended when it was not for a while. */
export class OcrThread {
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | null = null
  #next = 0
  readonly #waiting = new Map<number, Waiting>()

  constructor(
    private readonly settings: OcrSettings,
    private readonly idleMs = IDLE_MS,
    private readonly limitMs = LIMIT_MS,
  ) {}

  /** Rejects with the signal's reason at once when that is aborted, and with an `Error` when the thread fails. */
  async find(query: Query, frame: Frame, signal: AbortSignal): Promise<Found> {
    const pixels = await sharedPixels(frame.data, signal)
    const id = this.#next++
    const worker = this.#started()
    const { width, height, scale, origin } = frame
    const found = new Promise<Found>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    const cancel = () => {
      worker.postMessage({ cancel: id } satisfies OcrRequest)
      this.#waiting.get(id)?.reject(signal.reason as Error)
    }
    const limit = setTimeout(
      () => this.#failed(worker, `it took longer than ${this.limitMs} ms`),
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
        pixels,
      }
      worker.postMessage({ job } satisfies OcrRequest)
      return await found
    } finally {
      clearTimeout(limit)
      signal.removeEventListener('abort', cancel)
      this.#waiting.delete(id)
      this.#rest()
    }
  }

  /** Whether the thread is there now. */
  get runs(): boolean {
    return this.#worker !== null
  }

  async close(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    this.#failed(worker, 'it was closed')
    await worker.terminate()
  }

  #started(): Worker {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = null
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      name: 'lets-ocr',
      // What this process was started with need not make sense in a thread.
      execArgv: [],
      workerData: this.settings,
      // What a library prints there is not for the daemon's own output.
      stdout: true,
      stderr: true,
    })
    worker.on('message', (answer: OcrAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      if ('fault' in answer) waiting?.reject(new Error(answer.fault))
      else waiting?.resolve(answer)
    })
    worker.on('error', (error) => this.#failed(worker, error.message))
    worker.on('exit', () => this.#failed(worker, 'its thread ended'))
    // Those who wait keep the process alive; the thread itself does not.
    worker.unref()
    this.#worker = worker
    return worker
  }

  #failed(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(reason))
    void worker.terminate()
  }

  #rest(): void {
    if (this.#waiting.size > 0 || !this.#worker || this.#idle) return
    this.#idle = setTimeout(() => {
      this.#idle = null
      const worker = this.#worker
      this.#worker = null
      void worker?.terminate()
    }, this.idleMs)
    this.#idle.unref()
  }
}

/** What can be handed to another thread. */
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
