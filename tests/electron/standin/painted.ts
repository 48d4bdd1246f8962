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

/** What all windows of one process share. */
export class Glass {
  #browser: Promise<Browser> | null = null
  #connection: Promise<X11Host> | null = null

  /** Whose each monitor's window is: here all windows of a monitor are one. */
  readonly owners = new Map<string, PaintedPage>()
  /** One after the other, whoever draws. */
  queue: Promise<void> = Promise.resolve()

  constructor(private readonly display: string) {}

  browser(): Promise<Browser> {
    this.#browser ??= chromium.launch({
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
  #page: Promise<TestedPage> | null = null
  #opened: TestedPage | null = null
  #loads = 0
  #bounds: Electron.Rectangle
  #shown = false
  #watch: NodeJS.Timeout | null = null
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
    const opened = this.glass
      .browser()
      .then((browser) =>
        openPage(
          { teardown() {}, is() {}, fail: this.note } as unknown as Parameters<typeof openPage>[0],
          { size: [Math.round(width / ratio), Math.round(height / ratio)], ratio },
          browser,
        ),
      )
    this.#page = opened
    const tested = await opened
    if (load !== this.#loads) return
    this.#opened = tested
    const { told } = tested
    let heard = 0
    this.#watch = setInterval(() => {
      if (load !== this.#loads) return
      for (; heard < told.length; heard++) {
        const message = told[heard] as FromPage
        // What the page has painted is on the screen before main hears of it, as with a window of its own.
        if (message.type === 'painted') {
          void this.#present(message.ink).then(() => tell(message))
          this.#settle(message.ink)
        } else tell(message)
      }
    }, 2)
  }

  send(message: unknown): void {
    void this.#page?.then((page) => page.send(message as object)).catch(this.note)
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
    if (this.#watch) clearInterval(this.#watch)
    if (this.#settling) clearTimeout(this.#settling)
    void this.#page?.then(({ page }) => page.context().close()).catch(() => {})
    this.#page = null
    this.#opened = null
  }

  destroy(): void {
    this.#loads++
    this.crash()
    this.hide()
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
