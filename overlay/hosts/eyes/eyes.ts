/** What a host can see and hear of an X display, whoever draws on it. */
import type {
  X11Host as Connection,
  Monitor,
  NativeBinding,
  OwnedSurface,
  Owner,
  X11Event,
} from '../../../native/index.js'
import type { Display, Rect } from '../../../protocol/overlay/geometry.js'
import {
  type AnswerKeys,
  type CaptureRequest,
  type ContentAccess,
  type Frame,
  type HostEvents,
  type HostFacts,
  HostUnavailable,
  type NextKey,
  type WindowAccess,
} from '../../host.js'
import type { Backdrop } from '../../scene/index.js'
import { backdropsOf } from '../backdrops.js'
import { Layout, type Place } from '../layout.js'
import { Look, type Painter } from '../look.js'
import type { PixelRect } from '../paint.js'
import type { PictureSource } from '../picture-source.js'
import { inTime } from '../time-limit.js'
import { X11Companion } from './companion.js'
import { ContentFollower } from './content.js'
import { moves, toHostWindow } from './windows.js'

/** How long an X server may take to answer, in ms. */
const CONNECT_MS = 3000

/** How long taking everything off the screen may take, in ms. */
const STOP_MS = 2000

/** From so many small pictures on, a larger one takes less time. */
const MOST_LOOKS = 4

export interface EyesOptions {
  /** As X names it, such as `:0`. */
  readonly display: string
  /** Whether marks are also drawn with `connection`. The companion is in any case. */
  readonly draws: boolean
  /** Another way to the screen's pixels, for when the addon's does not work. */
  readonly pictures?: PictureSource | null
}

export interface EyesEvents extends HostEvents {
  /** A compositor came or went. Without one, a transparent window of another program is black. */
  compositor?(present: boolean): void
  /**
   * Claimed windows came, went, moved, were framed or take clicks elsewhere: ask `surfacesOf`. Told once until that is
   * asked. Not told: that other windows came above them.
   */
  surfaces?(): void
}

/**
 * The eyes, ears and keys of a host on X11: displays, windows, what they show, pictures without marks, global keys. Where
 * another process draws the marks, tell whose windows those are with `claim`, before that process can have opened any.
 * Promises reject with `HostUnavailable`.
 */
export class X11Eyes {
  readonly #layout = new Layout()
  readonly #look: Look<Monitor>
  #events: EyesEvents | null = null
  #connection: Connection | null = null
  #content: ContentFollower | null = null
  #stopped = false

  constructor(
    private readonly native: NativeBinding,
    private readonly options: EyesOptions,
  ) {
    const placeOf = (display: number) => this.#layout.places.get(display)
    const eye = {
      take: (monitor: Monitor, area: PixelRect, target: Uint8Array) =>
        this.#call((connection) => connection.captureInto(onRoot(monitor, area), target)),
      epoch: async () => (await this.#call((connection) => connection.monitors())).epoch,
    }
    this.#look = new Look(eye, placeOf, options.pictures ?? null)
  }

  /** Registers the one listener; called before `start`. */
  on(events: EyesEvents): void {
    this.#events = events
  }

  /** Connects and returns the displays. */
  async start(): Promise<readonly Display[]> {
    const { display, draws } = this.options
    let connection: Connection | null = null
    try {
      connection = await this.native.X11Host.connect(
        { display, timeoutMs: CONNECT_MS, hotkey: true, eyesOnly: !draws },
        (event) => this.#take(event, connection),
      )
      const { epoch, monitors } = await inTime(connection.monitors())
      if (this.#stopped) throw new Error('the host was stopped while it started')
      this.#connection = connection
      this.#content = new ContentFollower(
        connection,
        (id) => this.#layout.places.get(id)?.monitor.scale,
        (change) => this.#events?.content?.(change),
      )
      this.#layout.take(epoch, monitors)
      return this.#layout.displays
    } catch (error) {
      connection?.close().catch(() => {})
      throw new HostUnavailable((error as Error).message)
    }
  }

  /** The displays as they are at this moment, asked anew; a change is also told through the events. */
  async displays(): Promise<readonly Display[]> {
    const { epoch, monitors } = await this.#call((connection) => connection.monitors())
    this.#lay(epoch, monitors)
    return this.#layout.displays
  }

  /** Where each display is in physical pixels, by its id. */
  get places(): ReadonlyMap<number, Place> {
    return this.#layout.places
  }

  /** What is drawn with and looked with; null once it is gone. */
  get connection(): Connection | null {
    return this.#connection
  }

  /**
   * These processes' windows and these windows are the marks, and no others are: they are in no list, no picture and no
   * event from when this resolves, and neither are those that these processes open later. Claim nobody's when a process has
   * ended: its number may become another's.
   */
  claim(owner: Owner): Promise<void> {
    return this.#call((connection) => connection.claim(owner))
  }

  /**
   * Whether the X server knows processes. Otherwise `claim` and `surfacesOf` take windows at their word (`_NET_WM_PID`),
   * and miss those that do not say whose they are.
   */
  get tellsProcesses(): boolean {
    return this.#connection?.info().tellsProcesses ?? false
  }

  /**
   * What the X server says of the windows of these processes, and of these windows, at this moment: above all where they
   * take clicks. Empty when there are none. Asked once; nothing runs because of it.
   */
  surfacesOf(owner: Owner): Promise<OwnedSurface[]> {
    return this.#call((connection) => connection.surfacesOf(owner))
  }

  /** A picture as `OverlayHost.capture` gives it; `painter` draws on that display. */
  async capture(request: CaptureRequest, painter: Painter): Promise<Frame> {
    if (this.isGuest && request.backdrop === 'screen') throw new HostUnavailable(UNSEEN)
    return this.#look.capture(request, this.companion.below(request.display, painter))
  }

  /**
   * The pixels under ink, in logical points of a display, without marks: for `Stage.put`. Null when none of it is on the
   * display, or the pixels are not to be had: colours are then chosen without knowing.
   */
  async backdrops(display: number, inks: readonly Rect[]): Promise<Backdrop[] | null> {
    const place = this.#layout.places.get(display)
    if (!this.#connection || !place || this.isGuest) return null
    return backdropsBelow(this.#connection, place.monitor, inks).catch(() => null)
  }

  /**
   * The X server is an Xwayland: a guest on a Wayland desktop, that knows only the windows of X programs, is told of no key
   * while another window has the focus, and has no pixels of the screen. What is not known whole is not offered at all: a
   * mark over a Wayland window would follow an X window below it.
   */
  get isGuest(): boolean {
    return this.#connection?.info().xwayland ?? false
  }

  get windows(): WindowAccess | undefined {
    return this.isGuest ? undefined : this.#windows
  }

  get answerKeys(): AnswerKeys | undefined {
    return this.isGuest ? undefined : this.#answerKeys
  }

  get nextKey(): NextKey | undefined {
    return this.isGuest ? undefined : this.#nextKey
  }

  get content(): ContentAccess | undefined {
    return this.isGuest ? undefined : this.#followed
  }

  readonly #windows: WindowAccess = {
    list: async () => {
      const windows = await this.#call((connection) => connection.windows())
      return windows.map((window) => toHostWindow(window, this.#layout.places))
    },
    watch: (on) => this.#call((connection) => connection.watchWindows(on)),
    activate: (id) =>
      this.#call(async (connection) => {
        // The application's own window is what a window manager brings forward, not the frame around it.
        const window = (await connection.windows()).find((one) => one.id === id)
        if (!window) throw new Error('the window has closed')
        await connection.activate(window.client)
      }),
  }

  readonly #answerKeys: AnswerKeys = {
    names: { yes: ['Ctrl', 'Shift', 'Y'], no: ['Ctrl', 'Shift', 'N'] },
    take: async () => {
      const { yes, no } = await this.#call((connection) => connection.takeAnswerKeys())
      return { yes: yes === 'ready', no: no === 'ready' }
    },
    release: () => this.#call((connection) => connection.releaseAnswerKeys()),
  }

  readonly #nextKey: NextKey = {
    names: ['Ctrl', 'Shift', 'Space'],
    take: async () => (await this.#call((connection) => connection.takeNextKey())) === 'ready',
    release: () => this.#call((connection) => connection.releaseNextKey()),
  }

  /** The companion, in a window of the addon's: also where another process draws the marks. */
  readonly companion = new X11Companion({
    call: (use) => this.#call(use),
    places: () => this.#layout.places,
    reducedMotion: () => this.reducedMotion,
    tell: (event) => this.#events?.companion?.(event),
  })

  readonly #followed: ContentAccess = {
    follow: (id, place) => this.#content?.follow(id, place),
    release: (id) => this.#content?.release(id),
    recheck: (window) => this.#content?.recheck(window),
  }

  facts(): HostFacts {
    const info = this.#connection?.info()
    const screen = this.options.display
    if (!info) return { screen, hotkey: 'off: there is no X display', reduced_motion: false, notes: [] }
    const common = {
      screen,
      reduced_motion: this.reducedMotion,
      notes: [...info.notes, ...this.#look.notes, ...(this.#content?.notes ?? []), ...this.companion.notes],
    }
    if (info.xwayland) {
      const hotkey = 'off: an Xwayland is told of no key while a Wayland window has the focus'
      return { ...common, hotkey, capture: UNSEEN, notes: [GUEST, ...common.notes.filter(isNotOfKeys)] }
    }
    return {
      ...common,
      compositor: info.compositor ? 'present' : 'none',
      hotkey: HOTKEY[info.hotkey],
    }
  }

  /** Whether the person wants no animations. */
  get reducedMotion(): boolean {
    return process.env.LETS_REDUCED_MOTION === '1' || (this.#connection?.info().reducedMotion ?? false)
  }

  /** Lets go of the display at once and tells `exit`; for a connection that is of no use any more. */
  giveUp(reason: string): void {
    const connection = this.#connection
    if (!connection) return
    this.#letGo()
    connection.close().catch(() => {})
    this.#events?.exit(reason)
  }

  /** Lets go of the display. Safe to call twice, and before `start` has settled. */
  async stop(): Promise<void> {
    this.#stopped = true
    const connection = this.#connection
    this.#letGo()
    // A server that does not answer takes everything off by itself once this process is gone.
    await inTime(connection?.close() ?? Promise.resolve(), STOP_MS).catch(() => {})
  }

  async #call<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    if (!this.#connection) throw new HostUnavailable('the X display is gone')
    try {
      return await inTime(use(this.#connection))
    } catch (error) {
      throw new HostUnavailable((error as Error).message)
    }
  }

  #take(event: X11Event, from: Connection | null): void {
    // Events of a connection that was given up, or is not taken yet, are of no concern.
    if (!from || from !== this.#connection) return
    switch (event.type) {
      case 'displays':
        this.#lay(event.epoch, event.monitors)
        return
      case 'hotkey':
        this.#events?.clearRequested()
        return
      case 'answer':
        this.#events?.answered?.(event.yes)
        return
      case 'next':
        this.#events?.next?.()
        return
      case 'windows':
        this.#events?.windows?.(moves(event.changes, this.#layout.places))
        return
      case 'content':
        this.#content?.changed(event.window, event.scrolled)
        return
      case 'compositor':
        this.#events?.compositor?.(event.present)
        return
      case 'surfaces':
        this.#events?.surfaces?.()
        return
      case 'exit':
        this.#letGo()
        this.#events?.exit(event.reason)
        return
      default:
        this.companion.take(event)
    }
  }

  #lay(epoch: number, monitors: readonly Monitor[]): void {
    if (!this.#layout.take(epoch, monitors)) return
    this.companion.relay()
    this.#events?.displays(this.#layout.displays)
  }

  #letGo(): void {
    this.#connection = null
    this.companion.forget()
    this.#content?.close()
    this.#content = null
    this.#layout.forget()
  }
}

const UNSEEN = 'an Xwayland has no picture of the Wayland desktop that it is a guest on'
const GUEST =
  'The marks go through Xwayland: windows are not known, nothing is followed or pictured, and no key is heard. How they look above Wayland windows is untried.'
const isNotOfKeys = (note: string) => !/Ctrl\+Shift\+|hotkey/.test(note)

/** The pixels below inks, in logical points of a monitor, as `backdropsOf`. */
export function backdropsBelow(
  connection: Pick<Connection, 'capture'>,
  monitor: Monitor,
  inks: readonly Rect[],
): Promise<Backdrop[] | null> {
  return backdropsOf(monitor, (area) => connection.capture(onRoot(monitor, area)), inks, MOST_LOOKS)
}

/** A part of a monitor, as the addon captures it. */
function onRoot({ x, y }: Monitor, area: PixelRect) {
  return { ...area, x: x + area.x, y: y + area.y, overlay: false }
}

const HOTKEY = {
  ready: 'ready',
  taken: 'taken by another program; `lets clear --all-sessions` does the same',
  off: 'off',
} as const
