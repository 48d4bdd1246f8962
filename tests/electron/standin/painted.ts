/**
 * The real page in Debian's Chromium, and its pixels in a click-through window of this process: what a working Electron puts on
 * an X display, by other means. Clicks pass, or do not, as the stand-in was told to.
 */
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type Electron from 'electron'
import { type Browser, chromium } from 'playwright-core'
import { loadNative, type X11Host } from '../../../native/index.js'
import type { TestedPage } from '../page.js'
import type { Backing } from './electron.js'
import { type Held, PagePool } from './page-pool.js'

/** Longer than any flight, in ms. */
const SETTLED_MS = 900

/** What all windows of one process share. */
export class Glass {
  #browser: Promise<Browser> | null = null
  #connection: Promise<X11Host> | null = null
  readonly pages: PagePool

  /** Whose each monitor's window is: here all windows of a monitor are one. */
  readonly owners = new Map<string, PaintedPage>()
  /** One after the other, whoever draws. */
  queue: Promise<void> = Promise.resolve()

  constructor(
    private readonly display: string,
    note: (error: unknown) => void,
    /** A browser that runs already. */
    private readonly address: string | undefined,
  ) {
    this.pages = new PagePool(() => this.browser(), note)
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

export class PaintedPage implements Backing {
  #held: Promise<Held | null> | null = null
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
    const size = [Math.round(width / ratio), Math.round(height / ratio)] as const
    const taken = this.glass.pages.take(size, ratio, () => load === this.#loads)
    this.#held = taken
    const held = await taken
    if (!held || load !== this.#loads) return
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
        if (!held) return
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
      ?.then((held) => held?.tested.page.context().close())
      .catch(() => {})
  }

  destroy(): void {
    this.#loads++
    void this.#leave()
      ?.then((held) => held && this.glass.pages.give(held))
      .catch(() => {})
    this.hide()
  }

  #leave(): Promise<Held | null> | null {
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
