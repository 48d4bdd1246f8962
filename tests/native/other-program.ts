/**
 * A program that opens windows as it is told: a line of JSON each way. It stands in for a renderer of another process,
 * and for the application below it.
 */
import { createInterface } from 'node:readline'
import { ATOM, BareX } from './bare-x.js'

export type Place = readonly [x: number, y: number, width: number, height: number]

export interface Wanted {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** ARGB, premultiplied; without alpha: a plain window. */
  readonly color: number
  readonly alpha?: boolean
  readonly overrideRedirect?: boolean
  /** Where it takes clicks, in its own pixels; absent: everywhere. */
  readonly input?: readonly Place[]
  readonly inputOnly?: boolean
  /** Names of `_NET_WM_STATE`. */
  readonly states?: readonly string[]
  /** What it says its process is. */
  readonly pid?: number
  /** No frame is wanted. */
  readonly bare?: boolean
  readonly title?: string
  /** The window of another program to be embedded in, as an icon in a panel. */
  readonly into?: number
}

export type Order =
  | { readonly open: Wanted }
  | { readonly close: number }
  /** Other places to take clicks in, in the window's pixels. */
  | { readonly shape: number; readonly input: readonly Place[] }
  | {
      readonly paint: number
      readonly rect: readonly [number, number, number, number]
      readonly color: number
    }

const CREATE = { background: 2, border: 8, override: 512, events: 2048, colormap: 8192 }
const BUTTON_PRESS = 4

async function main(display: string): Promise<void> {
  const x = await BareX.open(display)
  const shape = await x.extension('SHAPE')
  const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`)
  x.onEvent = (event) => {
    if ((event.readUInt8(0) & 0x7f) === BUTTON_PRESS) say({ click: event.readUInt32LE(12) })
  }

  function takeClicks(window: number, places: readonly Place[]): void {
    const rects = places.flatMap(([left, top, width, height]) => [
      (left & 0xffff) | (top << 16),
      width | (height << 16),
    ])
    // Set, of the input shape, unsorted.
    x.send(shape, 1, [2 << 8, window, 0, ...rects])
  }

  async function open(wanted: Wanted): Promise<number> {
    const window = x.id()
    const { inputOnly = false, alpha = false, overrideRedirect = false } = wanted
    const visual = inputOnly ? 0 : alpha ? x.argbVisual : x.rootVisual
    const depth = inputOnly ? 0 : alpha ? 32 : x.rootDepth
    const colormap = x.id()
    const override = Number(overrideRedirect)
    const corner = (wanted.x & 0xffff) | (wanted.y << 16)
    const place = [window, x.root, corner, wanted.width | (wanted.height << 16)]
    if (inputOnly) {
      const flags = CREATE.override | CREATE.events
      x.send(1, depth, [...place, 2 << 16, visual, flags, override, BUTTON_PRESS])
    } else {
      x.send(78, 0, [colormap, x.root, visual])
      const flags = CREATE.background | CREATE.border | CREATE.override | CREATE.events | CREATE.colormap
      const values = [wanted.color, 0, override, BUTTON_PRESS, colormap]
      x.send(1, depth, [...place, 1 << 16, visual, flags, ...values])
    }
    const title = Buffer.from(wanted.title ?? 'other')
    x.send(18, 0, [window, ATOM.wmName, ATOM.string, 8, title.length], title)
    // The place and size are the person's own, so that a window manager keeps them.
    x.property(window, ATOM.normalHints, ATOM.sizeHints, [3, ...new Array(17).fill(0)])
    if (wanted.input) takeClicks(window, wanted.input)
    if (wanted.states) {
      const atoms = await Promise.all(wanted.states.map((name) => x.atom(name)))
      x.property(window, await x.atom('_NET_WM_STATE'), ATOM.atom, atoms)
    }
    if (wanted.pid !== undefined) x.property(window, await x.atom('_NET_WM_PID'), ATOM.cardinal, [wanted.pid])
    if (wanted.bare === true) {
      const hints = await x.atom('_MOTIF_WM_HINTS')
      x.property(window, hints, hints, [2, 0, 0, 0, 0])
    }
    if (wanted.into !== undefined) {
      const embed = await x.atom('_XEMBED_INFO')
      x.property(window, embed, embed, [0, 1])
      x.send(7, 0, [window, wanted.into, 0])
    }
    x.send(8, 0, [window])
    await x.done()
    return window
  }

  async function obey(order: Order): Promise<object> {
    if ('open' in order) return { id: await open(order.open) }
    if ('close' in order) x.send(4, 0, [order.close])
    else if ('shape' in order) takeClicks(order.shape, order.input)
    else {
      const gc = x.id()
      const [left, top, width, height] = order.rect
      x.send(55, 0, [gc, order.paint, 4, order.color])
      x.send(70, 0, [order.paint, gc, left | (top << 16), width | (height << 16)])
    }
    await x.done()
    return { id: 0 }
  }

  say({ ready: true })
  for await (const line of createInterface({ input: process.stdin })) say(await obey(JSON.parse(line)))
}

if (process.argv[2] !== undefined) await main(process.argv[2])
