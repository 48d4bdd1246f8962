/**
 * The real page in Debian's Chromium, and its pixels in a click-through window of this process: what a working Electron puts on
 * an X display, by other means. Clicks pass, or do not, as the stand-in was told to.
 */
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type Electron from 'electron'
import { type Browser, chromium } from 'playwright-core'
import { loadNative, type X11Host } from '../../../native/index.js'
import type { FromPage } from '../../../protocol/host/page.js'
import { openPage, type TestedPage } from '../page.js'
import type { Backing } from './electron.js'

/** Longer than any flight, in ms. */
const SETTLED_MS = 900

type Size = readonly [width: number, height: number]

/** A page, and what was said to it by all that had it: it takes no number twice. */
interface Held {
  readonly tested: TestedPage
  readonly ratio: number
  size: Size
  /** What is added to the numbers of whoever has it. */
  base: number
  last: number
  hear: (message: FromPage) => void
}

/** What all windows of one process share. */
export class Glass {
  #browser: Promise<Browser> | null = null
  #connection: Promise<X11Host> | null = null
  readonly #spare: Promise<Held>[] = []

  /** Whose each monitor's window is: here all windows of a monitor are one. */
  readonly owners = new Map<string, PaintedPage>()
  /** One after the other, whoever draws. */
  queue: Promise<void> = Promise.resolve()

  constructor(
    private readonly display: string,
    private readonly note: (error: unknown) => void,
    /** A browser that runs already. */
    private readonly address: string | undefined,
    /** So many pages are loaded before somebody wants them: windows then come as fast as a real one's, and faster than here. */
    spares = 0,
  ) {
    for (let index = 0; index < spares; index++) this.#spare.push(this.#open([640, 400], 1))
  }

  /** A page that nobody has. Loading one is all that takes long, so what was used once is used again. */
  async take(size: Size, ratio: number): Promise<Held> {
    for (let tries = this.#spare.length; tries > 0; tries--) {
      const held = await (this.#spare.shift() as Promise<Held>)
      if (held.ratio !== ratio) {
        this.#spare.push(Promise.resolve(held))
        continue
      }
      held.base = held.last + 1
      await fit(held, size)
      return held
    }
    return this.#open(size, ratio)
  }

  give(held: Held): void {
    held.hear = () => {}
    this.#spare.push(Promise.resolve(held))
  }

  async #open(size: Size, ratio: number): Promise<Held> {
    let isReady = () => {}
    const ready = new Promise<void>((resolve) => {
      isReady = resolve
    })
    let held: Held | null = null
    const tested = await openPage(
      { teardown() {}, is() {}, fail: this.note } as unknown as Parameters<typeof openPage>[0],
      {
        ...{ size, ratio },
        onTold: (message) => {
          if (held) held.hear(message)
          else if (message.type === 'ready') isReady()
        },
      },
      await this.browser(),
    )
    await ready
    held = { tested, ratio, size, base: 0, last: -1, hear() {} }
    return held
  }

  browser(): Promise<Browser> {
    this.#browser ??= this.address
      ? chromium.connect(this.address)
      : chromium.launch({
          executablePath: '/usr/bin/chromium',
          args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
        })
    return this.#browser
  }

  connection(): Promise<X11Host> {
    const loaded = loadNative()
    if (!loaded.ok) throw new Error(loaded.reason)
    this.#connection ??= loaded.native.X11Host.connect(
      { display: this.display, timeoutMs: 5000, hotkey: false },
      // Its surfaces belong to a layout, as windows do not: all are drawn again.
      ({ type }) => {
        if (type !== 'displays') return
        for (const page of new Set(this.owners.values())) page.redraw()
      },
    )
    return this.#connection
  }

  async close(): Promise<void> {
    await Promise.all([
      this.#browser?.then((browser) => browser.close()).catch(() => {}),
      this.#connection?.then((connection) => connection.close()).catch(() => {}),
    ])
  }
}

async function fit(held: Held, size: Size): Promise<void> {
  if (String(size) === String(held.size)) return
  const [width, height] = size
  await held.tested.page.setViewportSize({ width, height })
  held.size = size
}

export class PaintedPage implements Backing {
  #held: Promise<Held> | null = null
  /** Once it has painted what it was told by whoever has it now. */
  #opened: TestedPage | null = null
  #loads = 0
  #bounds: Electron.Rectangle
  #shown = false
  #settling: NodeJS.Timeout | null = null

  constructor(
    private readonly glass: Glass,
    private readonly options: Electron.BrowserWindowConstructorOptions,
    private readonly note: (error: unknown) => void,
  ) {
    const { x = 0, y = 0, width = 1, height = 1 } = options
    this.#bounds = { x, y, width, height }
  }

  async load(tell: (message: unknown) => void): Promise<void> {
    this.crash()
    const load = ++this.#loads
    const ratio = this.options.webPreferences?.zoomFactor ?? 1
    const { width, height } = this.#bounds
    const taken = this.glass.take([Math.round(width / ratio), Math.round(height / ratio)], ratio)
    this.#held = taken
    const held = await taken
    if (load !== this.#loads) return
    const { base } = held
    held.hear = (message) => {
      const told =
        'seq' in message && message.seq !== undefined ? { ...message, seq: message.seq - base } : message
      // What it says to whoever had it before.
      if ('seq' in told && told.seq !== undefined && told.seq < 0) return
      // What the page has painted is on the screen before main hears of it, as with a window of its own.
      if (told.type === 'painted') {
        this.#opened = held.tested
        void this.#present(told.ink).then(() => tell(told))
        this.#settle(told.ink)
      } else tell(told)
    }
    tell({ type: 'ready', ratio, pixels: held.size.map((side) => Math.round(side * ratio)) })
  }

  send(message: unknown): void {
    void this.#held
      ?.then((held) => {
        const { seq } = message as { seq?: number }
        if (seq === undefined) return held.tested.send(message as object)
        held.last = Math.max(held.last, held.base + seq)
        return held.tested.send({ ...(message as object), seq: held.base + seq })
      })
      .catch(this.note)
  }

  show(bounds: Electron.Rectangle): void {
    this.#bounds = bounds
    this.#shown = true
    // An empty window is on the screen all the same: one pixel of it, clear.
    void this.#present(true)
  }

  redraw(): void {
    void this.#present(true)
  }

  hide(): void {
    this.#shown = false
    void this.#present(false)
  }

  crash(): void {
    void this.#leave()
      ?.then(({ tested: { page } }) => page.context().close())
      .catch(() => {})
  }

  destroy(): void {
    this.#loads++
    void this.#leave()
      ?.then((held) => this.glass.give(held))
      .catch(() => {})
    this.hide()
  }

  #leave(): Promise<Held> | null {
    if (this.#settling) clearTimeout(this.#settling)
    const held = this.#held
    this.#held = null
    this.#opened = null
    return held
  }

  /** Frames that follow are not told: what moved is put on the screen once more when it has come to rest. */
  #settle(ink: boolean): void {
    if (this.#settling) clearTimeout(this.#settling)
    this.#settling = setTimeout(() => void this.#present(ink), SETTLED_MS)
  }

  #present(ink: boolean): Promise<void> {
    const drawn = this.glass.queue.then(() => this.#draw(ink)).catch(this.note)
    this.glass.queue = drawn
    return drawn
  }

  /** Onto the monitor that the window's middle is on. */
  async #draw(ink: boolean): Promise<void> {
    const connection = await this.glass.connection()
    const { epoch, monitors } = await connection.monitors()
    const { x, y, width, height } = this.#bounds
    const [middleX, middleY] = [x + width / 2, y + height / 2]
    const monitor = monitors.find(
      (one) =>
        middleX >= one.x && middleY >= one.y && middleX < one.x + one.width && middleY < one.y + one.height,
    )
    const { owners } = this.glass
    const nothing = (name: string) => ({
      epoch,
      monitor: name,
      patches: [],
      pixels: new Uint8Array(0),
      ink: [],
    })
    if (!ink || !this.#shown) {
      for (const { name } of monitors) {
        if (owners.get(name) !== this) continue
        owners.delete(name)
        await connection.present(nothing(name))
      }
      return
    }
    // A window of its own would be there all the same.
    const on = monitor ?? monitors[0]
    if (!on) return
    owners.set(on.name, this)
    const whole = { x: 0, y: 0, width: on.width, height: on.height }
    const pixels = await this.#pixels(on, whole)
    const drawn = { epoch, monitor: on.name, patches: [whole], pixels, ink: [whole] }
    // The monitors changed meanwhile; a window of its own would not mind.
    if ((await connection.present(drawn)).stale) await this.#draw(ink)
  }

  /** Premultiplied, of the monitor. */
  async #pixels(
    at: { x: number; y: number },
    { width, height }: { width: number; height: number },
  ): Promise<Uint8Array> {
    // Until its page is there, a window is on the screen with nothing on it.
    const tested = this.#opened
    if (!tested) return new Uint8Array(width * height * 4)
    const png = await tested.page.screenshot({ omitBackground: true, animations: 'allow' })
    const canvas = createCanvas(width, height)
    const context = canvas.getContext('2d')
    context.drawImage(await loadImage(png), this.#bounds.x - at.x, this.#bounds.y - at.y)
    return canvas.data()
  }
}
