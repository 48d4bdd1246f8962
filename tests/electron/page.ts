/**
 * The page of the Electron host in Debian's Chromium: its real files by the same function that main serves them with, and its
 * real preload, run before the page as a classic script that is given a stand-in for the two things it takes of Electron.
 */
import { readFileSync } from 'node:fs'
import type { ExecutionContext } from 'ava'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { CHANNELS, COMPANION_URL, PAGE_URL } from '../../overlay/hosts/electron/bridge.js'
import { PRELOAD_FILE, pageFile } from '../../overlay/hosts/electron/page-files.js'
import { checkFromCompanion, checkFromPage, type FromPage, type ToPage } from '../../protocol/host/page.js'
import { until, type XServer } from '../support/xserver.js'
import { sharedBrowser } from './browsers.js'

/** A scheme of our own only Electron can have; this origin stands for it. */
const ORIGIN = 'https://overlay.example'
const origin = new URL(PAGE_URL).href.replace(/^(lets:\/\/[^/]+).*/, '$1')

export interface PageOptions {
  /** The window's content in logical points. */
  readonly size?: readonly [width: number, height: number]
  /** Emulated; absent: that of the screen, of which the window is then a part of some size. */
  readonly ratio?: number
  readonly reducedMotion?: boolean
  /** The page's clock stands still, and frames come only with `step`. */
  readonly clock?: boolean
  /** Files that are not there. */
  readonly lacks?: RegExp
  /** Run in the page before anything else. */
  readonly before?: string
  /** The companion's page, and not that of a display: what it tells is of other types then. */
  readonly companion?: boolean
  /** Told of each message, after it was put to those that were told. */
  readonly onTold?: (message: FromPage) => void
}

export interface TestedPage {
  readonly page: Page
  readonly cdp: CDPSession
  /** All it told, checked as main does. */
  readonly told: readonly FromPage[]
  /**
   * Sends what main could send, also what it should not, and takes these steps at once: between two calls so much time may
   * pass on a busy machine that the page counts as one that shows no frames.
   */
  send(message: ToPage | object | string | null, ...steps: readonly number[]): Promise<void>
  /** Waits for the next message of a kind that was not waited for yet. */
  hears<T extends FromPage['type']>(type: T): Promise<Extract<FromPage, { type: T }>>
  /** Lets this much time pass for the page, and one frame at its end. */
  step(ms: number): Promise<void>
  /** The number of the next message. */
  seq(): number
}

export type Scene = Extract<ToPage, { type: 'scene' }>
type Change = Extract<ToPage, { type: 'change' }>

/** A scene with nothing in it, but for what is said. */
export function scene(on: Pick<TestedPage, 'seq'>, more: Partial<Scene>): Scene {
  return {
    ...{ type: 'scene', seq: on.seq(), size: [800, 600], offset: [0, 0], reduced_motion: false },
    ...{ put: [], pointer: null, thinking: false, prompt: null, ...more },
  }
}

/** Counts what the page does. */
export const COUNTED = `globalThis.counts = { frames: 0, paints: 0, timers: 0, pixels: 0 }
{
  const { requestAnimationFrame: request, setTimeout: soon, setInterval: again } = globalThis
  globalThis.uncountedFrame = (callback) => request(callback)
  globalThis.requestAnimationFrame = (callback) => { counts.frames++; return request(callback) }
  globalThis.setTimeout = (...args) => { counts.timers++; return soon(...args) }
  globalThis.setInterval = (...args) => { counts.timers++; return again(...args) }
  const { clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.clearRect = function (x, y, width, height) {
    counts.paints++
    counts.pixels += width * height
    return clearRect.call(this, x, y, width, height)
  }
}`

export interface Counts {
  readonly frames: number
  readonly paints: number
  readonly timers: number
  /** Device pixels that were painted. */
  readonly pixels: number
}

export const point = (id: string, at: [number, number], label?: string): Scene['put'][number] => ({
  ...{ kind: 'point', id, at },
  ...(label !== undefined && { label }),
})

export const box = (
  id: string,
  rect: [number, number, number, number],
  label?: string,
): Scene['put'][number] => ({
  ...{ kind: 'highlight', id, rect, shape: 'rect', spotlight: false },
  ...(label !== undefined && { label }),
})

/** What is on the canvas, in brief: two that are the same have the same pixels. */
export interface Seen {
  readonly width: number
  readonly height: number
  /** Pixels that are not clear. */
  readonly inked: number
  readonly hash: string
}

export function canvasOf({ page }: Pick<TestedPage, 'page'>): Promise<Seen> {
  return page.evaluate(`(async () => {
    const canvas = document.querySelector('canvas')
    const { width, height } = canvas
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
    const inked = new Uint32Array(data.buffer).reduce((count, pixel) => count + (pixel === 0 ? 0 : 1), 0)
    const hash = [...new Uint8Array(await crypto.subtle.digest('SHA-256', data))].join()
    return { width, height, inked, hash }
  })()`)
}

export function change(on: Pick<TestedPage, 'seq'>, more: Partial<Change>): Change {
  return { type: 'change', seq: on.seq(), put: [], remove: [], ...more }
}

/** A browser whose windows are shown there. */
export async function launch(t: Pick<ExecutionContext, 'teardown'>, on: XServer): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    headless: false,
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--window-size=900,700', '--test-type'],
    env: { ...(process.env as Record<string, string>), DISPLAY: on.display },
  })
  t.teardown(() => browser.close())
  return browser
}

/** The page, once it is ready. */
export async function openPage(
  t: Pick<ExecutionContext, 'teardown' | 'is' | 'fail'>,
  options: PageOptions = {},
  browser?: Browser,
): Promise<TestedPage> {
  const { size: [width, height] = [800, 600], ratio, reducedMotion } = options
  const context = await (browser ?? (await sharedBrowser())).newContext({
    ...(ratio === undefined ? { viewport: null } : { viewport: { width, height }, deviceScaleFactor: ratio }),
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
  })
  t.teardown(() => context.close())
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const told: FromPage[] = []
  const heard = new Map<string, number>()
  await page.route('**/*', async (route) => {
    const file = await pageFile(route.request().url().replace(ORIGIN, origin))
    if (!file || options.lacks?.test(route.request().url())) return route.fulfill({ status: 404 })
    return route.fulfill({ body: Buffer.from(file.body), headers: { ...file.headers } })
  })
  await page.exposeBinding('tellMain', (_source, channel: unknown, message: unknown) => {
    t.is(channel, CHANNELS.fromPage)
    const checked = options.companion ? checkFromCompanion(message) : checkFromPage(message)
    if (checked.ok) {
      told.push(checked.message as FromPage)
      options.onTold?.(checked.message as FromPage)
    } else t.fail(checked.reason)
  })
  await page.addInitScript({ content: `${options.clock ? CLOCK : ''};${options.before ?? ''}` })
  await page.addInitScript({ content: withStandIn(readFileSync(PRELOAD_FILE, 'utf8')) })
  let seq = 0
  const tested: TestedPage = {
    page,
    cdp,
    told,
    async send(message, ...steps) {
      const event = JSON.stringify([CHANNELS.toPage, message])
      await page.evaluate(`document.dispatchEvent(new CustomEvent('from-main', { detail: ${event} }))
        for (const ms of [${steps}]) testClock.step(ms)`)
    },
    async hears(type) {
      const from = heard.get(type) ?? 0
      const is = (one: FromPage): one is Extract<FromPage, { type: typeof type }> => one.type === type
      const found = await until(`the page tells ${type}`, () => told.filter(is)[from])
      heard.set(type, from + 1)
      return found
    },
    async step(ms) {
      await page.evaluate(`testClock.step(${ms})`)
    },
    seq: () => seq++,
  }
  await page.goto((options.companion ? COMPANION_URL : PAGE_URL).replace(origin, ORIGIN))
  return tested
}

/**
 * What Electron gives a preload: `require` of one module alone, `ipcRenderer` that sends and hears, and `contextBridge`, behind
 * which everything is a copy, frozen, and functions are all that reaches through.
 */
function withStandIn(preload: string): string {
  return `{
  const tell = globalThis.tellMain
  delete globalThis.tellMain
  const across = (value) => (typeof value === 'function' ? (...args) => { value(...args.map(across)) } : structuredClone(value))
  const electron = {
    ipcRenderer: {
      send: (channel, message) => { tell(channel, structuredClone(message)) },
      on: (channel, listener) => {
        document.addEventListener('from-main', ({ detail: [to, message] }) => {
          if (to === channel) listener({ sender: electron.ipcRenderer }, structuredClone(message))
        })
      },
    },
    contextBridge: {
      exposeInMainWorld: (name, api) => {
        const copy = {}
        for (const key of Object.keys(api)) {
          copy[key] = (...args) => { api[key](...args.map(across)) }
        }
        Object.defineProperty(globalThis, name, { value: Object.freeze(copy), enumerable: true })
      },
    },
  }
  const require = (name) => {
    if (name !== 'electron') throw new Error('module not found: ' + name)
    return electron
  };
  (function (require, exports, module) {
${preload}
  })(require, {}, { exports: {} })
}`
}

const CLOCK = `{
  let now = 1000
  let waiting = []
  performance.now = () => now
  globalThis.requestAnimationFrame = (callback) => waiting.push(callback)
  globalThis.testClock = {
    step(ms) {
      now += ms
      const due = waiting
      waiting = []
      for (const callback of due) callback(now)
    },
  }
}`
