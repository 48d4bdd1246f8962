/** One display's window and the page in it: shown while there is ink, told everything again whenever the page comes anew. */
import type Electron from 'electron'
import type { HostOrderOf, HostPlace } from '../../../../protocol/host/orders-schema.js'
import {
  checkFromPage,
  type FromPage,
  type SentBackdrop,
  type ToPage,
} from '../../../../protocol/host/page.js'
import { SceneRecord } from '../../scene-record.js'
import { CHANNELS, PAGE_URL } from '../bridge.js'
import type { ElectronApi, OverlayWindow } from './api.js'
import { guardContents, guardSession } from './guard.js'
import { overhang, type Platform, prepare, show, windowOptions } from './recipe.js'

/** How long a page may take to paint what it was told, or to answer at all, before it is loaded again, in ms. */
const PAGE_MS = 4000
/** How long it may take to be there, on a machine with other things to do, in ms. */
const LOAD_MS = 8000
/** A page that failed this often within `RELOADS_MS` is not loaded again. */
const MAX_RELOADS = 3
const RELOADS_MS = 60_000
/** So many pictures of what is below are kept for a page that comes anew; beyond, its oldest marks get the default colour. */
const MAX_BACKDROPS = 64

export interface PaneSetup {
  readonly api: ElectronApi
  readonly platform: Platform
  readonly preload: string
  readonly reducedMotion: boolean
  /** Told when this pane cannot show anything any more. */
  readonly onHopeless: (reason: string) => void
  readonly note: (event: string, detail: string) => void
}

export interface Painted {
  /** The window with it is on the screen. */
  readonly visible: boolean
  /** The window came onto the screen with this. */
  readonly mapped: boolean
}

interface Waiter {
  readonly seq: number
  readonly mapped: boolean
  readonly resolve: (painted: Painted) => void
  readonly reject: (error: Error) => void
}

export class Pane {
  readonly #window: OverlayWindow
  readonly #record = new SceneRecord()
  readonly #asked = new Map<number, (answer: FromPage | null) => void>()
  #backdrops: SentBackdrop[] = []
  #waiters: Waiter[] = []
  #seq = 0
  #nextId = 0
  /** The page has told that it is there, and has the scene. */
  #ready = false
  #hidden = false
  /** The page's process is ended from here, which will be told as if it had ended by itself. */
  #ending = false
  #closed = false
  #shown = false
  #offset = ''
  #reloads: number[] = []
  #watchdog: NodeJS.Timeout | null = null

  constructor(
    private readonly place: HostPlace,
    others: readonly HostPlace[],
    private readonly setup: PaneSetup,
    /** The pane this display had before, when only its place is another now: what it showed is shown again. */
    before?: Pane,
  ) {
    if (before) {
      this.#record.take({ ...before.#record.all, remove: [] })
      this.#backdrops = before.#backdrops
    }
    const { api, platform, preload } = setup
    guardSession(api, place.zoom)
    this.#bounds = windowBounds(platform, place, others)
    this.#window = new api.BrowserWindow(windowOptions(platform, this.#bounds, preload, place.zoom))
    prepare(platform, this.#window)
    const { webContents } = this.#window
    guardContents(webContents)
    webContents.on('render-process-gone', (_event, { reason }) => {
      // Once for each time that it is ended from here.
      if (this.#ending) this.#ending = false
      else this.#again(`its process ended (${reason})`, true)
    })
    this.#window.on('unresponsive', () => this.#again('it does not answer'))
    this.#window.on('closed', () => {
      if (!this.#closed) this.#giveUp('its window was closed')
    })
    this.#showIfInked()
    this.#load()
  }

  readonly #bounds: Electron.Rectangle

  get id(): number {
    return this.place.id
  }

  /** Whose messages are to be handed to `take`. */
  get contents(): OverlayWindow['webContents'] {
    return this.#window.webContents
  }

  get hasInk(): boolean {
    return !this.#record.isEmpty
  }

  /** Whether this is its place, and its window where one would be made for it. */
  isAt(place: HostPlace, others: readonly HostPlace[]): boolean {
    const bounds = windowBounds(this.setup.platform, place, others)
    return JSON.stringify([place, bounds]) === JSON.stringify([this.place, this.#bounds])
  }

  /** Whether what it shows would be the same there. */
  suits({ size, zoom }: HostPlace): boolean {
    return JSON.stringify([size, zoom]) === JSON.stringify([this.place.size, this.place.zoom])
  }

  /** Resolves once it is painted. */
  apply({
    put,
    remove,
    pointer,
    thinking,
    prompt,
    jump,
    opening,
    backdrop,
  }: Omit<HostOrderOf<'apply'>, 'type' | 'seq' | 'display'>): Promise<Painted> {
    if (this.#closed) return Promise.resolve({ visible: false, mapped: false })
    const change = {
      put,
      remove,
      ...(pointer !== undefined && { pointer }),
      ...(thinking !== undefined && { thinking }),
      ...(prompt !== undefined && { prompt }),
      ...(opening !== undefined && { opening }),
    }
    this.#record.take(change)
    if (backdrop) this.#backdrops = [...this.#backdrops, ...backdrop].slice(-MAX_BACKDROPS)
    if (this.#record.isEmpty) this.#backdrops = []
    const mapped = this.#showIfInked()
    return new Promise((resolve, reject) => {
      // A page that is not there yet gets everything with its first message.
      const seq = this.#seq + 1
      this.#waiters.push({ seq, mapped, resolve, reject })
      this.#watch()
      if (!this.#ready) return
      if (this.#offset !== JSON.stringify(this.#offsetNow())) this.#sendScene()
      else {
        this.#seq = seq
        this.#send({
          type: 'change',
          seq,
          ...change,
          ...(jump && { jump }),
          ...(backdrop && { backdrop }),
        })
      }
    })
  }

  /** Resolves when the page answered; rejects when it does not in time. */
  async ping(): Promise<void> {
    if (!(await this.#ask((id) => ({ type: 'ping', id }))))
      throw new Error(`the page of display ${this.id} does not answer`)
  }

  /** The graphemes that no font of the page can show; null when the page is not there. */
  async missing(text: string): Promise<readonly string[] | null> {
    const answer = await this.#ask((id) => ({ type: 'glyphs', id, text }))
    return answer?.type === 'missing' ? answer.graphemes : null
  }

  /** Off the screen for now, whatever is on it, or back. */
  hide(hidden: boolean): void {
    this.#hidden = hidden
    if (!hidden) this.#showIfInked()
    else this.#unmap()
  }

  /** Takes a message of this pane's own page. */
  take(value: unknown): void {
    const { note } = this.setup
    const checked = checkFromPage(value)
    if (!checked.ok) {
      note('page_message_refused', checked.reason)
      return
    }
    const { message } = checked
    switch (message.type) {
      case 'ready':
        this.#ready = true
        this.#watch()
        this.#showIfInked()
        this.#sendScene()
        return
      case 'surface':
        return
      case 'painted':
        this.#painted(message)
        return
      case 'missing':
      case 'pong':
        this.#asked.get(message.id)?.(message)
        this.#asked.delete(message.id)
        return
      case 'refused':
        // Ours to have got right; that change is not on the screen, and whoever waits is told.
        note('page_refused', message.reason)
        this.#settle(
          (waiter) => waiter.seq === message.seq,
          ({ reject }) => reject(new Error(`the page refused it: ${message.reason}`)),
        )
        return
      case 'fault':
        this.#again(message.reason)
        return
    }
  }

  /** Takes it off the screen for good. Whoever waits hears that nothing is visible. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#settleAll(({ resolve }) => resolve({ visible: false, mapped: false }))
    if (!this.#window.isDestroyed()) this.#window.destroy()
  }

  #load(): void {
    this.#ready = false
    // Rejects when the window goes, or another load begins, while it loads; both are known already.
    this.#window.loadURL(PAGE_URL).catch((error: Error) => {
      if (!this.#closed) this.setup.note('page_load', error.message)
    })
    this.#watch()
  }

  /** The page is not to be trusted any more: nothing of it stays on the screen, and it starts anew. */
  #again(reason: string, gone = false): void {
    if (this.#closed) return
    this.#unmap()
    this.#ready = false
    this.#answerNobody()
    const now = performance.now()
    this.#reloads = [...this.#reloads.filter((at) => now - at < RELOADS_MS), now]
    this.setup.note('page_again', `display ${this.id}: ${reason}`)
    if (this.#reloads.length > MAX_RELOADS) {
      this.#giveUp(`its page failed ${MAX_RELOADS + 1} times, at last: ${reason}`)
      return
    }
    // Seqs go on rising, so that a late word of the old page answers for nothing new.
    const asked = this.#seq
    this.#waiters = this.#waiters.map((waiter) => ({ ...waiter, seq: Math.max(waiter.seq, asked + 1) }))
    // A page that hangs would not even unload.
    if (!gone) {
      this.#ending = true
      this.#window.webContents.forcefullyCrashRenderer()
    }
    this.#load()
  }

  #giveUp(reason: string): void {
    this.close()
    this.setup.onHopeless(`display ${this.id}: ${reason}`)
  }

  #painted({ seq, presented, ink }: Extract<FromPage, { type: 'painted' }>): void {
    if (seq > this.#seq) return
    if (!ink && seq === this.#seq && this.#record.isEmpty) this.#unmap()
    // Nothing there to be seen is seen as it should be.
    const visible = !ink || (presented && this.#shown)
    this.#settle(
      (waiter) => waiter.seq <= seq,
      ({ resolve, mapped }) => resolve({ visible, mapped }),
    )
  }

  /** True when the window came onto the screen just now. */
  #showIfInked(): boolean {
    if (this.#shown || this.#hidden || this.#closed || this.#record.isEmpty) return false
    this.#shown = true
    show(this.#window)
    return true
  }

  #unmap(): void {
    if (!this.#shown) return
    this.#shown = false
    if (!this.#window.isDestroyed()) this.#window.hide()
  }

  #sendScene(): void {
    const { size } = this.place
    const offset = this.#offsetNow()
    this.#offset = JSON.stringify(offset)
    this.#seq++
    this.#send({
      type: 'scene',
      seq: this.#seq,
      size: [size[0], size[1]],
      offset,
      reduced_motion: this.setup.reducedMotion,
      put: this.#record.marks as HostOrderOf<'apply'>['put'],
      pointer: this.#record.pointer,
      thinking: this.#record.thinking,
      prompt: this.#record.prompt as HostOrderOf<'apply'>['prompt'] & object,
      ...(this.#record.opening && { opening: [...this.#record.opening] }),
      ...(this.#backdrops.length > 0 && { backdrop: this.#backdrops }),
    })
  }

  /** Where the window's content begins on the display, in logical points: also where a system put it elsewhere than it was told. */
  #offsetNow(): [number, number] {
    const { x, y } = this.#window.getBounds()
    const { bounds, zoom } = this.place
    return [(x - bounds[0]) / zoom, (y - bounds[1]) / zoom]
  }

  #send(message: ToPage): void {
    this.#window.webContents.send(CHANNELS.toPage, message)
  }

  #ask(message: (id: number) => ToPage): Promise<FromPage | null> {
    if (!this.#ready || this.#closed) return Promise.resolve(null)
    const id = this.#nextId++
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#asked.delete(id)
        resolve(null)
        this.#again('it does not answer')
      }, PAGE_MS)
      this.#asked.set(id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      this.#send(message(id))
    })
  }

  #answerNobody(): void {
    for (const resolve of this.#asked.values()) resolve(null)
    this.#asked.clear()
  }

  /** While somebody waits for the page, it has `PAGE_MS` for each step. */
  #watch(): void {
    if (this.#watchdog) clearTimeout(this.#watchdog)
    this.#watchdog = null
    if (this.#waiters.length === 0) return
    const limit = this.#ready ? PAGE_MS : LOAD_MS
    this.#watchdog = setTimeout(() => this.#again(`it did not paint within ${limit} ms`), limit)
  }

  #settleAll(settle: (waiter: Waiter) => void): void {
    this.#settle(() => true, settle)
    this.#answerNobody()
  }

  #settle(which: (waiter: Waiter) => boolean, settle: (waiter: Waiter) => void): void {
    const settled = this.#waiters.filter(which)
    this.#waiters = this.#waiters.filter((waiter) => !settled.includes(waiter))
    this.#watch()
    for (const waiter of settled) settle(waiter)
  }
}

function windowBounds(platform: Platform, place: HostPlace, all: readonly HostPlace[]): Electron.Rectangle {
  const [x, y, width, height] = place.bounds
  const { left, top } = overhang(platform, place, all)
  return { x: x - left, y: y - top, width: width + left, height: height + top }
}
