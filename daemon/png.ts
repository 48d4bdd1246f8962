/** Pictures to PNG, on a thread of its own that is there only while pictures are taken. */
import { Worker } from 'node:worker_threads'
import { WireError } from '../protocol/overlay/errors.js'
import type { Clock } from './engine/clock.js'
import type { Log } from './log.js'

/** How long the thread waits for the next picture before it ends, in ms. */
const IDLE_MS = 5000

/** How long one picture may take, in ms: the largest display there is takes a second or two. */
const LIMIT_MS = 20_000

export interface PngJob {
  readonly id: number
  /** Opaque RGBA, rows without padding. */
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
  /** Pixels of the picture that is made, shrunk where it is smaller. */
  readonly size: readonly [width: number, height: number]
}

export type PngAnswer =
  | { readonly id: number; readonly png: Uint8Array }
  | { readonly id: number; readonly fault: string }

interface Waiting {
  readonly resolve: (png: Uint8Array) => void
  readonly reject: (reason: string) => void
}

export class PngMaker {
  #worker: Worker | null = null
  readonly #waiting = new Map<number, Waiting>()
  #cancelIdle = () => {}
  #nextId = 0

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly script = new URL('./png-worker.js', import.meta.url),
  ) {}

  /** Gets the thread ready while the picture is being taken. */
  warm(): void {
    this.#started()
    this.#rest()
  }

  /**
   * The picture as a PNG file. Its pixels are handed over: they are empty afterwards, where they are JavaScript's own.
   * Rejects with `internal` when the thread fails; the next picture gets a new one.
   */
  async make(picture: Omit<PngJob, 'id'>): Promise<Uint8Array> {
    const id = this.#nextId++
    const worker = this.#started()
    this.#cancelIdle()
    const cancelLimit = this.clock.after(LIMIT_MS, () =>
      this.#failed(worker, `it took longer than ${LIMIT_MS / 1000} s`),
    )
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        this.#waiting.set(id, {
          resolve,
          reject: (reason) =>
            reject(new WireError('internal', `the picture could not be written as a PNG: ${reason}`)),
        })
        this.#hold()
        const pixels = whole(picture.pixels)
        worker.postMessage({ ...picture, pixels, id } satisfies PngJob, [pixels.buffer])
      })
    } finally {
      cancelLimit()
      this.#waiting.delete(id)
      this.#rest()
    }
  }

  /** Ends the thread; whoever waits for a picture is told. */
  close(): void {
    if (this.#worker) this.#failed(this.#worker, 'the daemon ends')
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(this.script, { name: 'lets-png' })
    // While nobody waits for a picture it must not keep the process alive; a start makes it do so.
    worker.once('online', () => this.#hold())
    worker.on('message', (answer: PngAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      if ('png' in answer) waiting?.resolve(answer.png)
      else waiting?.reject(answer.fault)
    })
    worker.on('error', (error: Error) => this.#failed(worker, error.message))
    worker.on('exit', (code) => this.#failed(worker, `its thread ended with ${code}`))
    this.#worker = worker
    return worker
  }

  #hold(): void {
    if (this.#waiting.size > 0) this.#worker?.ref()
    else this.#worker?.unref()
  }

  /** Lets the thread end once no picture was wanted for a while. */
  #rest(): void {
    this.#cancelIdle()
    this.#hold()
    if (this.#waiting.size > 0) return
    this.#cancelIdle = this.clock.after(IDLE_MS, () => {
      const worker = this.#worker
      this.#worker = null
      worker?.postMessage(null)
    })
  }

  #failed(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return
    this.#worker = null
    this.#cancelIdle()
    if (this.#waiting.size > 0) this.log('warn', 'png_failed', { reason })
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
    worker.terminate().catch(() => {})
  }
}

/** Pixels that are all of their memory: a part of it, such as of a pool, cannot change hands. */
function whole(pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = pixels
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === pixels.byteLength
  return isWhole ? (pixels as Uint8Array<ArrayBuffer>) : new Uint8Array(pixels)
}
