/** The thread in which the screen is read: all of it but the reading of lines, which has a thread (or a program) of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Rect } from '../../protocol/overlay/geometry.js'
import { giveWay } from '../give-way.js'
import type { Item } from '../items.js'
import { rank } from '../ranking/rank.js'
import type { Candidate, Query, ScreenWindow } from '../resolver.js'
import { type EngineName, makeEngine } from './engines.js'
import { Reader, type Reading } from './reader.js'

export interface OcrJob {
  readonly id: number
  readonly query: Query
  readonly width: number
  readonly height: number
  readonly scale: number
  readonly origin: readonly [number, number]
  readonly pixels: SharedArrayBuffer
}

export type OcrRequest = { readonly job: OcrJob } | { readonly cancel: number }

export type OcrAnswer =
  | {
      readonly id: number
      readonly candidates: readonly Candidate[]
      readonly counts: Omit<Reading, 'items'>
    }
  | { readonly id: number; readonly fault: string }

export interface OcrSettings {
  readonly engine: EngineName
  readonly env: NodeJS.ProcessEnv
}

const settings = workerData as OcrSettings
const port = parentPort
if (!port) throw new Error('this is a thread, not a program')
giveWay()

const reader = makeEngine(settings.engine, settings.env).then((engine) => new Reader(engine))
reader.catch(() => {})
const running = new Map<number, AbortController>()
let last: Promise<void> = Promise.resolve()

port.on('message', (request: OcrRequest) => {
  if ('cancel' in request) {
    running.get(request.cancel)?.abort()
    return
  }
  const { job } = request
  const controller = new AbortController()
  running.set(job.id, controller)
  // One after the other: a cancelled one is passed over at once.
  last = last.then(() => answer(job, controller.signal))
})

async function answer(job: OcrJob, signal: AbortSignal): Promise<void> {
  try {
    signal.throwIfAborted()
    const { items, ...counts } = await (await reader).read(
      { ...job, data: new Uint8Array(job.pixels) },
      signal,
    )
    signal.throwIfAborted()
    const candidates = rank(job.query, items.map(inPoints(job)))
    port?.postMessage({ id: job.id, candidates, counts } satisfies OcrAnswer)
  } catch (error) {
    if (!signal.aborted) port?.postMessage({ id: job.id, fault: message(error) } satisfies OcrAnswer)
  } finally {
    running.delete(job.id)
  }
}

const message = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** From pixels of the picture to logical points of the display, with the window it is in. */
function inPoints({ scale, origin, query }: OcrJob): (item: Item) => Item {
  return (item) => {
    const [x, y, width, height] = item.rect
    const rect: Rect = [x / scale + origin[0], y / scale + origin[1], width / scale, height / scale]
    const window = windowAt(query.windows, rect)
    return { ...item, rect, ...(window && { app: window.app, title: window.title }) }
  }
}

/** The topmost window with the middle of a rectangle in it: windows come bottom to top. */
function windowAt(windows: readonly ScreenWindow[], [x, y, width, height]: Rect): ScreenWindow | undefined {
  const [px, py] = [x + width / 2, y + height / 2]
  return windows.findLast(
    ({ rect: [left, top, w, h] }) => px >= left && py >= top && px < left + w && py < top + h,
  )
}
