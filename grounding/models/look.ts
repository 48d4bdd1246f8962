import { Worker } from 'node:worker_threads'
import type { Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Frame, Query } from '../resolver.js'
import { sharedPixels } from '../shared-pixels.js'
import type { ShrinkJob } from './shrink-worker.js'

/** What a model is shown. */
export interface Look {
  readonly png: Uint8Array
  /** In pixels, as the model gets it. */
  readonly size: Size
  /** What it shows, in logical points of the display. */
  readonly part: Rect
}

/** Models see in patches of this side, and resize what does not inPatches: sizes that inPatches keep their pixels. */
const PATCH = 28

/** How large a picture may be, in pixels. */
export interface LookLimits {
  readonly edge: number
  readonly pixels: number
}

/** A picture of no more of the display than the query is about. On a thread of its own, which ends with it. */
export async function lookAt(
  query: Query,
  frame: Frame,
  limits: LookLimits,
  signal: AbortSignal,
): Promise<Look> {
  const part = partOf(query, frame)
  const crop = part.map((edge, n) =>
    Math.round((edge - (n < 2 ? (frame.origin[n as 0 | 1] as number) : 0)) * frame.scale),
  )
  const [x = 0, y = 0, width = 0, height = 0] = crop
  const size = sizeFor([width, height], limits)
  const job: ShrinkJob = {
    data: await sharedPixels(frame.data, signal),
    frame: [frame.width, frame.height],
    crop: [x, y, width, height],
    size,
  }
  return { png: await shrink(job, signal), size, part }
}

/** The region that is named, or the topmost window of the application that is named, or everything. */
function partOf({ within, app, windows }: Query, frame: Frame): Rect {
  const whole: Rect = [...frame.origin, frame.width / frame.scale, frame.height / frame.scale]
  const wanted = app?.trim().toLowerCase()
  const window =
    wanted === undefined
      ? undefined
      : windows.findLast((one) => [one.app, one.title].some((name) => name.toLowerCase().includes(wanted)))
  return overlap(overlap(whole, window?.rect ?? whole) ?? whole, within ?? whole) ?? whole
}

function overlap(a: Rect, b: Rect): Rect | null {
  const [left, top] = [Math.max(a[0], b[0]), Math.max(a[1], b[1])]
  const [right, bottom] = [Math.min(a[0] + a[2], b[0] + b[2]), Math.min(a[1] + a[3], b[1] + b[3])]
  return right - left >= 1 && bottom - top >= 1 ? [left, top, right - left, bottom - top] : null
}

function sizeFor([width, height]: Size, { edge, pixels }: LookLimits): Size {
  const shrink = Math.min(1, edge / Math.max(width, height), Math.sqrt(pixels / (width * height)))
  const inPatches = (length: number) => {
    const exact = (length * shrink) / PATCH
    const patches = Math.min(shrink < 1 ? Math.floor(exact) : Math.round(exact), Math.floor(edge / PATCH))
    return Math.max(1, patches) * PATCH
  }
  return [inPatches(width), inPatches(height)]
}

function shrink(job: ShrinkJob, signal: AbortSignal): Promise<Uint8Array> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./shrink-worker.js', import.meta.url), {
    name: 'lets-look',
    workerData: job,
  })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  return new Promise<Uint8Array>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(signal.aborted ? signal.reason : new Error('its thread ended')))
  }).finally(() => signal.removeEventListener('abort', stop))
}
