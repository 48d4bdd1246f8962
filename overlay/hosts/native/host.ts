import type { X11Host as Connection, Monitor, NativeBinding, X11Event } from '../../../native/index.js'
import type { Display } from '../../../protocol/overlay/geometry.js'
import {
  type AnswerKeys,
  type Applied,
  type CaptureRequest,
  type ContentAccess,
  type Frame,
  type HostEvents,
  type HostFacts,
  HostUnavailable,
  type NextKey,
  type OverlayHost,
  type SceneChange,
  type WindowAccess,
} from '../../host.js'
import { graphemesWithoutGlyph } from '../canvas.js'
import { DisplayIds } from '../display-ids.js'
import { impressionOf } from '../impression.js'
import { plain, toPixels } from '../paint.js'
import type { PictureSource } from '../picture-source.js'
import { inTime } from '../time-limit.js'
import { ContentFollower } from './content.js'
import { Look } from './look.js'
import { Screen } from './screen.js'
import { moves, toHostWindow } from './windows.js'

/** How long an X server may take to answer, in ms. */
const CONNECT_MS = 3000

/** How long taking everything off the screen may take, in ms. */
const STOP_MS = 2000

/** The plain ground of a picture that shows the marks alone: of a middle tone, since inks were chosen for light and dark. */
const GROUND = [0x8c, 0x92, 0x9c, 0xff] as const

/** Marks on a real X display, through the addon: no Electron, no window manager's help, no input taken. */
export class NativeHost implements OverlayHost {
  readonly kind = 'x11'
  readonly #ids = new DisplayIds()
  readonly #screens = new Map<number, Screen>()
  #events: HostEvents | null = null
  #connection: Connection | null = null
  #content: ContentFollower | null = null
  #displays: readonly Display[] = []
  #layout = ''
  #stopped = false
  readonly #look: Look

  constructor(
    private readonly native: NativeBinding,
    private readonly display: string,
    /** Another way to the screen's pixels, for when the addon's does not work. */
    pictures: PictureSource | null = null,
  ) {
    this.#look = new Look((use) => this.#call(use), pictures)
  }

  on(events: HostEvents): void {
    this.#events = events
  }

  async start(): Promise<readonly Display[]> {
    let connection: Connection | null = null
    try {
      connection = await this.native.X11Host.connect(
        { display: this.display, timeoutMs: CONNECT_MS, hotkey: true },
        (event) => this.#take(event, connection),
      )
      const { epoch, monitors } = await inTime(connection.monitors())
      if (this.#stopped) throw new Error('the host was stopped while it started')
      this.#connection = connection
      this.#content = new ContentFollower(
        connection,
        (display) => this.#screens.get(display)?.monitor.scale,
        (change) => this.#events?.content?.(change),
      )
      this.#lay(epoch, monitors)
      return this.#displays
    } catch (error) {
      connection?.close().catch(() => {})
      throw new HostUnavailable((error as Error).message)
    }
  }

  async displays(): Promise<readonly Display[]> {
    const { epoch, monitors } = await this.#call((connection) => connection.monitors())
    this.#changed(epoch, monitors)
    return this.#displays
  }

  async apply(change: SceneChange): Promise<Applied> {
    if (!this.#connection) throw new HostUnavailable('the X display is gone')
    // A display that is gone shows nothing, which is what the engine is about to hear.
    return (await this.#screens.get(change.display)?.apply(change)) ?? { visible: false }
  }

  async capture({ display: id, rect, marks, backdrop }: CaptureRequest): Promise<Frame> {
    const screen = this.#screens.get(id)
    if (!screen) throw new HostUnavailable(`display ${id} is not connected`)
    const { monitor } = screen
    const { scale, width, height } = monitor
    const area = toPixels(rect ?? [0, 0, width / scale, height / scale], scale, monitor)
    if (!area) throw new HostUnavailable(`nothing of display ${id} is in the rectangle`)
    const place = { scale, origin: [area.x / scale, area.y / scale] as const }
    const size = { width: area.width, height: area.height }
    if (marks) await screen.settled()
    if (backdrop === 'none') {
      const data = plain(area, GROUND)
      await screen.paintOver({ ...size, data }, area)
      return { ...place, ...size, data }
    }
    const isSame = () => this.#screens.get(id) === screen
    const { data, hasMarks } = await this.#look.at({ id, screen, isSame }, area, marks)
    // The marks are painted over it here: what the root shows is a compositor's frame behind what was drawn.
    const impression = hasMarks ? undefined : impressionOf({ ...area, data }, scale)
    if (marks && !hasMarks) await screen.paintOver({ ...size, data }, area)
    return { ...place, ...size, data, ...(impression && { impression }) }
  }

  missingGlyphs(text: string): Promise<readonly string[]> {
    return graphemesWithoutGlyph(text)
  }

  readonly windows: WindowAccess = {
    list: async () => {
      const windows = await this.#call((connection) => connection.windows())
      return windows.map((window) => toHostWindow(window, this.#places()))
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

  readonly answerKeys: AnswerKeys = {
    names: { yes: ['Ctrl', 'Shift', 'Y'], no: ['Ctrl', 'Shift', 'N'] },
    take: async () => {
      const { yes, no } = await this.#call((connection) => connection.takeAnswerKeys())
      return { yes: yes === 'ready', no: no === 'ready' }
    },
    release: () => this.#call((connection) => connection.releaseAnswerKeys()),
  }

  readonly nextKey: NextKey = {
    names: ['Ctrl', 'Shift', 'Space'],
    take: async () => (await this.#call((connection) => connection.takeNextKey())) === 'ready',
    release: () => this.#call((connection) => connection.releaseNextKey()),
  }

  readonly content: ContentAccess = {
    follow: (id, place) => this.#content?.follow(id, place),
    release: (id) => this.#content?.release(id),
    recheck: (window) => this.#content?.recheck(window),
  }

  facts(): HostFacts {
    const info = this.#connection?.info()
    if (!info) {
      return { screen: this.display, hotkey: 'off: there is no X display', reduced_motion: false, notes: [] }
    }
    return {
      screen: this.display,
      compositor: info.compositor ? 'present' : 'none',
      hotkey: HOTKEY[info.hotkey],
      reduced_motion: this.#reducedMotion(),
      notes: [...info.notes, ...this.#look.notes, ...(this.#content?.notes ?? [])],
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    const connection = this.#connection
    this.#letGo()
    // A server that does not answer takes everything off by itself once this process is gone.
    await inTime(connection?.close() ?? Promise.resolve(), STOP_MS).catch(() => {})
  }

  #reducedMotion(): boolean {
    return process.env.LETS_REDUCED_MOTION === '1' || (this.#connection?.info().reducedMotion ?? false)
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
        this.#changed(event.epoch, event.monitors)
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
        this.#events?.windows?.(moves(event.changes, this.#places()))
        return
      case 'content':
        this.#content?.changed(event.window, event.scrolled)
        return
      case 'compositor':
        return
      case 'exit':
        this.#letGo()
        this.#events?.exit(event.reason)
    }
  }

  #places(): ReadonlyMap<number, Monitor> {
    return new Map([...this.#screens].map(([id, { monitor }]) => [id, monitor]))
  }

  #letGo(): void {
    this.#connection = null
    this.#content?.close()
    this.#content = null
    this.#layout = ''
    for (const screen of this.#screens.values()) screen.close()
    this.#screens.clear()
  }

  /** Announces a layout once, whether an event or an answer brought it first. */
  #changed(epoch: number, monitors: readonly Monitor[]): void {
    if (JSON.stringify([epoch, monitors]) === this.#layout) return
    this.#lay(epoch, monitors)
    this.#events?.displays(this.#displays)
  }

  #lay(epoch: number, monitors: readonly Monitor[]): void {
    this.#layout = JSON.stringify([epoch, monitors])
    // Some X servers name no primary; the first monitor is then the one everybody means.
    const primary = monitors.find((monitor) => monitor.primary) ?? monitors[0]
    const ids = this.#ids.assign(
      monitors.map((monitor) => ({ key: monitor.name, primary: monitor === primary })),
    )
    const connection = this.#connection as Connection
    const before = new Map(this.#screens)
    this.#screens.clear()
    this.#displays = monitors
      .map((monitor): Display => {
        const id = ids.get(monitor.name) as number
        const { scale } = monitor
        const kept = before.get(id)
        if (kept && sameSize(kept.monitor, monitor)) {
          before.delete(id)
          this.#screens.set(id, kept)
          kept.relocate(monitor, epoch)
        } else {
          const failed = (error: unknown) => this.#giveUp(connection, error)
          this.#screens.set(id, new Screen(connection, { monitor, epoch }, this.#reducedMotion(), failed))
        }
        return {
          id,
          scale,
          logical_size: [monitor.width / scale, monitor.height / scale],
          // Relative to the primary, as clients of every platform know it.
          origin: [(monitor.x - (primary?.x ?? 0)) / scale, (monitor.y - (primary?.y ?? 0)) / scale],
          primary: monitor === primary,
          name: monitor.name,
        }
      })
      .sort((a, b) => a.id - b.id)
    for (const screen of before.values()) screen.close()
  }

  /** A connection that could not show what it was told to is not one to go on with: nothing half true stays. */
  #giveUp(connection: Connection, error: unknown): void {
    if (connection !== this.#connection) return
    this.#letGo()
    connection.close().catch(() => {})
    this.#events?.exit((error as Error).message)
  }
}

function sameSize(a: Monitor, b: Monitor): boolean {
  return a.width === b.width && a.height === b.height && a.scale === b.scale
}

const HOTKEY = {
  ready: 'ready',
  taken: 'taken by another program; `lets clear --all-sessions` does the same',
  off: 'off',
} as const
