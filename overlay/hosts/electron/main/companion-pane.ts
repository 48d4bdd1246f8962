/** The companion's window and the page in it. What goes wrong with it takes no mark along: it is off the screen, and that is told. */
import type { HostOrderOf, HostReportOf } from '../../../../protocol/host/orders-schema.js'
import { checkFromCompanion, type FromCompanion, type ToCompanion } from '../../../../protocol/host/page.js'
import { CHANNELS, COMPANION_URL } from '../bridge.js'
import type { ElectronApi, OverlayWindow } from './api.js'
import { guardContents, guardSession } from './guard.js'
import type { Painted } from './pane.js'
import { type Platform, prepareCompanion, showCompanion, takeClicks, windowOptions } from './recipe.js'

/** How long its page may take to be there and to draw what it was told, in ms. */
const PAGE_MS = 8000

type Order = Omit<HostOrderOf<'companion'>, 'type' | 'seq'>
type Touch = HostReportOf<'touched'>['touch']

export interface CompanionSetup {
  readonly api: ElectronApi
  readonly platform: Platform
  readonly preload: string
  readonly note: (event: string, detail: string) => void
  readonly touched: (touch: Touch) => void
}

interface Waiter {
  readonly seq: number
  readonly timer: NodeJS.Timeout
  readonly resolve: (painted: Painted) => void
  readonly reject: (error: Error) => void
}

const ACCELERATORS = { Up: 'up', Down: 'down', Return: 'enter', Enter: 'enter', Escape: 'escape' } as const

export class CompanionPane {
  #window: OverlayWindow | null = null
  /** All that its page would have to be told anew. */
  #known: Order | null = null
  #ready = false
  #hidden = false
  #shown = false
  #takes = false
  #seq = 0
  #waiters: Waiter[] = []
  readonly #keys = new Set<keyof typeof ACCELERATORS>()

  constructor(private readonly setup: CompanionSetup) {}

  /** Whose messages are to be handed to `take`; null while there is no window. */
  get contents(): OverlayWindow['webContents'] | null {
    return this.#window?.webContents ?? null
  }

  /** Resolves once it is drawn. */
  show(order: Order): Promise<Painted> {
    const before = this.#known
    const pixels = order.pixels ?? before?.pixels
    const input = order.input ?? before?.input
    const other = String(before?.size) !== String(order.size)
    if (pixels === undefined || input === undefined || (other && !(order.pixels && order.input)))
      return Promise.reject(new Error('a companion that is not known yet needs its pixels and its input'))
    this.#known = { ...order, pixels, input }
    const window = this.#window ?? this.#open(order)
    const [x, y, width, height] = order.bounds
    if (String(before?.bounds) !== String(order.bounds)) window.setBounds({ x, y, width, height })
    this.#takeKeys(order.menu)
    const mapped = this.#map()
    return new Promise((resolve, reject) => {
      const seq = ++this.#seq
      const timer = setTimeout(() => this.#fail(`its page did not draw within ${PAGE_MS} ms`), PAGE_MS)
      const answer = (painted: Painted) => resolve({ ...painted, mapped })
      this.#waiters.push({ seq, timer, resolve: answer, reject })
      if (this.#ready) this.#send(seq, order)
    })
  }

  /** Off the screen for now, or back. */
  hide(hidden: boolean): void {
    this.#hidden = hidden
    if (!hidden) this.#map()
    else if (this.#shown) {
      this.#shown = false
      this.#window?.hide()
    }
  }

  /** Takes it off, and gives its keys back. */
  close(): void {
    this.#takeKeys(false)
    const window = this.#window
    this.#window = null
    this.#known = null
    this.#ready = false
    this.#shown = false
    this.#takes = false
    if (window && !window.isDestroyed()) window.destroy()
    for (const { timer, resolve } of this.#waiters.splice(0)) {
      clearTimeout(timer)
      resolve({ visible: false, mapped: false })
    }
  }

  /** Takes a message of its own page. */
  take(value: unknown): void {
    const checked = checkFromCompanion(value)
    if (checked.ok) this.#do(checked.message)
    else this.setup.note('page_message_refused', checked.reason)
  }

  #do(message: FromCompanion): void {
    switch (message.type) {
      case 'waiting':
        this.#ready = true
        this.#setTakes(false)
        if (this.#known) this.#send(this.#seq, this.#known)
        return
      case 'drawn':
        this.#drawn(message.seq)
        return
      case 'takes':
        this.#setTakes(message.takes)
        return
      case 'press':
        this.setup.touched({ kind: 'press', button: message.button, at: this.#onDesktop(message.at) })
        return
      case 'over':
        this.setup.touched({ kind: 'over', at: message.at && this.#onDesktop(message.at) })
        return
      case 'failed':
        this.#fail(`its page failed: ${message.reason.slice(0, 400)}`)
    }
  }

  #open({ bounds: [x, y, width, height] }: Order): OverlayWindow {
    const { api, platform, preload } = this.setup
    guardSession(api, 1)
    const window = new api.BrowserWindow(windowOptions(platform, { x, y, width, height }, preload, 1))
    this.#window = window
    prepareCompanion(platform, window)
    guardContents(window.webContents)
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (window === this.#window) this.#fail(`its page's process ended (${reason})`)
    })
    window.on('unresponsive', () => {
      if (window === this.#window) this.#fail('its page does not answer')
    })
    window.on('closed', () => {
      if (window === this.#window) this.#fail('its window was closed')
    })
    window.loadURL(COMPANION_URL).catch((error: Error) => {
      if (window === this.#window) this.setup.note('page_load', error.message)
    })
    return window
  }

  /** It is off the screen; what is shown next begins anew. */
  #fail(reason: string): void {
    this.setup.note('companion', reason)
    const waiters = this.#waiters.splice(0)
    this.close()
    for (const { timer, reject } of waiters) {
      clearTimeout(timer)
      reject(new Error(`the companion is off the screen: ${reason}`))
    }
  }

  #drawn(seq: number): void {
    const done = this.#waiters.filter((waiter) => waiter.seq <= seq)
    this.#waiters = this.#waiters.filter((waiter) => waiter.seq > seq)
    for (const { timer, resolve } of done) {
      clearTimeout(timer)
      resolve({ visible: this.#shown, mapped: false })
    }
  }

  #map(): boolean {
    if (this.#shown || this.#hidden || !this.#window || !this.#known) return false
    this.#shown = true
    showCompanion(this.#window, this.#takes)
    return true
  }

  #setTakes(takes: boolean): void {
    if (takes === this.#takes || !this.#window) return
    this.#takes = takes
    takeClicks(this.#window, takes)
  }

  #takeKeys(wanted: boolean): void {
    const { globalShortcut } = this.setup.api
    if (wanted && this.#keys.size === 0) {
      for (const [accelerator, key] of Object.entries(ACCELERATORS))
        if (globalShortcut.register(accelerator, () => this.setup.touched({ kind: 'key', key })))
          this.#keys.add(accelerator as keyof typeof ACCELERATORS)
    } else if (!wanted) {
      for (const accelerator of this.#keys) globalShortcut.unregister(accelerator)
      this.#keys.clear()
    }
  }

  #onDesktop([x, y]: readonly [number, number]): [number, number] {
    const bounds = this.#window?.getBounds() ?? { x: 0, y: 0 }
    return [bounds.x + x, bounds.y + y]
  }

  #send(seq: number, { size, offset, menu, pixels, input }: Order): void {
    const message: ToCompanion = {
      type: 'companion',
      seq,
      size,
      offset,
      menu,
      ...(pixels !== undefined && { pixels }),
      ...(input !== undefined && { input }),
    }
    this.#window?.webContents.send(CHANNELS.toPage, message)
  }
}
