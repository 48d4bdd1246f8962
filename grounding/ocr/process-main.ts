/**
 * The process in which the screen is read, with a thread (or a program) of its own for the reading of lines. It is no thread of
 * the daemon: what the engine compiles and collects for one is done by threads that all of a process share, at their own priority.
 */
import type { Rect } from '../../protocol/overlay/geometry.js'
import { giveWay } from '../give-way.js'
import type { Item } from '../items.js'
import { rank } from '../ranking/rank.js'
import type { Candidate, Query, ScreenWindow } from '../resolver.js'
import { isEngineName, makeEngine } from './engines.js'
import { Reader, type Reading } from './reader.js'

export interface OcrJob {
  readonly id: number
  readonly query: Query
  readonly width: number
  readonly height: number
  readonly scale: number
  readonly origin: readonly [number, number]
  readonly data: Uint8Array
}

export type OcrRequest = { readonly job: OcrJob } | { readonly cancel: number }

export type OcrAnswer =
  | {
      readonly id: number
      readonly candidates: readonly Candidate[]
      readonly counts: Omit<Reading, 'items'>
    }
  | { readonly id: number; readonly fault: string }

const engine = process.argv[2] ?? ''
if (!process.send || !isEngineName(engine)) throw new Error('this is a part of the daemon, not a program')
giveWay(Number(process.argv[3]))
// Nobody is left who could ask: it ends with the program that it may have started, and there is nothing to be written.
process.on('disconnect', () => {
  for (const one of running.values()) one.abort()
  setImmediate(() => process.kill(process.pid, 'SIGKILL'))
})

const reader = makeEngine(engine, process.env).then((engine) => new Reader(engine))
reader.catch(() => {})
const running = new Map<number, AbortController>()
let last: Promise<void> = Promise.resolve()

process.on('message', (request: OcrRequest) => {
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
    const { items, ...counts } = await (await reader).read(job, signal)
    signal.throwIfAborted()
    const candidates = rank(job.query, items.map(inPoints(job)))
    say({ id: job.id, candidates, counts })
  } catch (error) {
    if (!signal.aborted) say({ id: job.id, fault: message(error) })
  } finally {
    running.delete(job.id)
  }
}

const say = (answer: OcrAnswer) => process.send?.(answer, () => {})
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
