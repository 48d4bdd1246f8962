/** Electron's windows on X11, with the addon's eyes, ears and keys: it sees what those windows are, and stops them if it must. */
import { setTimeout as delay } from 'node:timers/promises'
import type { NativeBinding, OwnedSurface } from '../../../native/index.js'
import type { HostPlace, HostSelfReport } from '../../../protocol/host/orders-schema.js'
import type { SentBackdrop } from '../../../protocol/host/page.js'
import { type Display, differs, type Rect } from '../../../protocol/overlay/geometry.js'
import type { Mark } from '../../../protocol/overlay/marks.js'
import {
  type Applied,
  type CaptureRequest,
  type Frame,
  type HostEvents,
  type HostFacts,
  HostUnavailable,
  type OverlayHost,
  type Panel,
  type SceneChange,
} from '../../host.js'
import type { Backdrop } from '../../scene/index.js'
import { X11Eyes } from '../eyes/eyes.js'
import type { Place } from '../layout.js'
import type { PictureSource } from '../picture-source.js'
import { RecordPainter } from '../record-painter.js'
import type { Program } from './child.js'
import { Inks } from './inks.js'
import { ElectronMarks } from './marks-above.js'
import { ElectronSurface } from './surface.js'
import type { SurfaceSetup, SurfaceTimes } from './surface-setup.js'

/** How long a window may take to come onto the screen once Electron says that it showed it, in ms. */
const MAPPED_MS = 5000
/** A backdrop is made at most this large before it is sent, in pixels a side. */
const BACKDROP_SIDE = 64

export interface X11Setup {
  readonly native: NativeBinding
  /** As X names it, such as `:0`. */
  readonly display: string
  readonly program: Program
  /** Of Lets. */
  readonly version: string
  /** Another way to the screen's pixels, for when the addon's does not work. */
  readonly pictures?: PictureSource | null
  readonly log: SurfaceSetup['log']
  readonly times?: Partial<SurfaceTimes>
}

export class ElectronOnX11 implements OverlayHost {
  readonly kind = 'electron'
  readonly #eyes: X11Eyes
  readonly #surface: ElectronSurface
  readonly #inks: Inks
  #displays: readonly Display[] = []
  #events: HostEvents | null = null

  constructor({ native, display, pictures, program, version, log, times }: X11Setup) {
    this.#eyes = new X11Eyes(native, { display, draws: false, ...(pictures && { pictures }) })
    this.#inks = new Inks((id) => this.#displays.find((one) => one.id === id))
    this.#surface = new ElectronSurface({
      program,
      version,
      log,
      ...(times && { times }),
      reducedMotion: () => this.#eyes.reducedMotion,
      places: () => places(this.#eyes.places, this.#displays),
      fault: (report, wanted) => this.#fault(report, wanted),
      onProcess: (...pids) => this.#eyes.claim({ pids, windows: [] }),
      backdrop: (id, marks) => this.#backdrop(id, marks),
      onScreens: () => {
        // The addon's reading of the displays is the one that counts here.
      },
      onPressed: () => {
        // Keys come through the addon, which knows when they were let go.
      },
      onChosen: (id) => this.#events?.chosen?.(id),
      onGivenUp: (reason) => this.#events?.exit(reason),
    })
    this.#eyes.companion.marks = new ElectronMarks(this.#surface, () => this.#displays)
  }

  on(events: HostEvents): void {
    this.#events = events
    // One by one: an object's own properties are not all that it can do.
    this.#eyes.on({
      displays: (displays) => {
        this.#lay(displays)
        events.displays(displays)
      },
      windows: (change) => events.windows?.(change),
      content: (change) => events.content?.(change),
      clearRequested: () => events.clearRequested(),
      answered: (yes) => events.answered?.(yes),
      next: () => events.next?.(),
      companion: (event) => events.companion?.(event),
      // They may take clicks now that they did not take when they were looked at last.
      surfaces: () => this.#surface.verify(),
      compositor: (present) => {
        if (!present) this.#surface.giveUp(NO_COMPOSITOR)
      },
      exit: (reason) => {
        void this.#surface.stop()
        events.exit(reason)
      },
    })
  }

  async start(): Promise<readonly Display[]> {
    this.#displays = await this.#eyes.start()
    try {
      if (this.#eyes.isGuest) throw new HostUnavailable(GUEST)
      if (this.#eyes.facts().compositor !== 'present') throw new HostUnavailable(NO_COMPOSITOR)
      await this.#surface.start()
      return this.#displays
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  displays(): Promise<readonly Display[]> {
    return this.#eyes.displays()
  }

  async apply(change: SceneChange): Promise<Applied> {
    if (!this.#displays.some(({ id }) => id === change.display)) return { visible: false }
    const fresh = change.put.filter(({ id }) => !change.jump?.includes(id))
    return this.#inOrder(change.display, async () => {
      const backdrop = await this.#backdrop(change.display, fresh)
      return async () => {
        // It went while it was looked at; a record of it would be of nothing that is shown.
        if (!this.#displays.some(({ id }) => id === change.display)) return { visible: false }
        const applied = this.#surface.apply(change, backdrop)
        this.#eyes.companion.marksMoved()
        const { visible } = await applied
        return { visible: visible && !(await this.#isCovered(change.display)) }
      }
    })
  }

  capture(request: CaptureRequest): Promise<Frame> {
    const display = this.#displays.find(({ id }) => id === request.display)
    if (!display) return Promise.reject(new HostUnavailable(`display ${request.display} is not connected`))
    return this.#eyes.capture(request, new RecordPainter(this.#surface.recordOf(display.id), display))
  }

  missingGlyphs(text: string): Promise<readonly string[]> {
    return this.#surface.missingGlyphs(text)
  }

  get windows() {
    return this.#eyes.windows
  }

  get content() {
    return this.#eyes.content
  }

  get companion() {
    return this.#eyes.companion
  }

  get answerKeys() {
    return this.#eyes.answerKeys
  }

  get nextKey() {
    return this.#eyes.nextKey
  }

  readonly panel: Panel = { show: (state) => this.#surface.show(state) }

  facts(): HostFacts {
    const facts = this.#eyes.facts()
    return { ...facts, notes: [...facts.notes, ...this.#surface.notes] }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#surface.stop(), this.#eyes.stop()])
  }

  readonly #queues = new Map<number, Promise<unknown>>()

  /** Looking takes a moment, and changes of a display must not overtake each other in it. Painting is not waited for. */
  #inOrder(display: number, prepare: () => Promise<() => Promise<Applied>>): Promise<Applied> {
    const before = this.#queues.get(display) ?? Promise.resolve()
    const ready = before.then(prepare)
    const sent = ready.then((send) => ({ painted: send() }))
    this.#queues.set(
      display,
      sent.then(
        ({ painted }) => void painted.catch(() => {}),
        () => {},
      ),
    )
    return sent.then(({ painted }) => painted)
  }

  #lay(displays: readonly Display[]): void {
    const before = this.#displays
    this.#displays = displays
    for (const then of before) {
      const now = displays.find(({ id }) => id === then.id)
      if (differs(then, now)) this.#surface.forget(then.id)
    }
    this.#surface.lay(places(this.#eyes.places, displays))
  }

  async #backdrop(display: number, marks: readonly Mark[]): Promise<SentBackdrop[] | null> {
    const inks = await this.#inks.of(display, marks)
    if (inks.length === 0) return null
    const backdrops = await this.#eyes.backdrops(display, inks)
    return backdrops?.map(small) ?? null
  }

  /** Whether all of a display lies behind another window: a screen locker, or one that insists on being on top. */
  async #isCovered(display: number): Promise<boolean> {
    const pid = this.#surface.report?.pid
    const place = this.#eyes.places.get(display)?.monitor
    if (pid === undefined || !place) return false
    try {
      const surfaces = await this.#eyes.surfacesOf({ pids: [pid], windows: [] })
      const over = surfaces
        .filter((one) => one.viewable && overlaps(one, place))
        .flatMap(({ coveredBy }) => coveredBy)
      if (over.length === 0) return false
      const [width, height] = [place.width / place.scale, place.height / place.scale]
      const isWhole = (rect: Rect | undefined) =>
        rect !== undefined &&
        rect[0] <= 0 &&
        rect[1] <= 0 &&
        rect[0] + rect[2] >= width &&
        rect[1] + rect[3] >= height
      const windows = (await this.#eyes.windows?.list()) ?? []
      return windows.some(({ id, rects }) => over.includes(id) && isWhole(rects.get(display)))
    } catch {
      // The display is going; what becomes of the marks is told another way.
      return false
    }
  }

  /** What is wrong with the windows: none may take a click anywhere on a display, and all must be transparent. */
  async #fault({ pid, window }: HostSelfReport, wanted: boolean): Promise<string | null> {
    const deadline = performance.now() + (wanted ? MAPPED_MS : 0)
    let shown: OwnedSurface[] = []
    for (;;) {
      shown = (await this.#eyes.surfacesOf({ pids: [pid], windows: [] })).filter(({ viewable }) => viewable)
      if (shown.length > 0 || performance.now() > deadline) break
      // Nothing is to be shown any more: it was taken off again meanwhile.
      if (this.#surface.report !== null && !this.#surface.hasInk) return null
      await delay(20)
    }
    if (shown.length === 0 && !wanted) return null
    if (shown.length === 0)
      return `Electron says that its window is on the screen, and the X server that it has none (${window.shown ? 'shown' : 'not shown'})`
    const monitors = [...this.#eyes.places.values()].map(({ monitor }) => monitor)
    const clicked = shown
      .flatMap(({ input }) => input)
      .find((part) => monitors.some((monitor) => overlaps(part, monitor)))
    if (clicked) {
      return `its windows would take the clicks of the person (${clicked.width}x${clicked.height} pixels at ${clicked.x},${clicked.y}): this version of Electron does not let them through on X11`
    }
    if (shown.some(({ depth, inputOnly }) => !inputOnly && depth !== 32))
      return 'its windows are not transparent'
    return null
  }
}

const GUEST = 'the X server is an Xwayland, which nobody can ask whether clicks really pass'
const NO_COMPOSITOR = 'no compositor runs, and without one the windows of Electron would be black'

function places(known: ReadonlyMap<number, Place>, displays: readonly Display[]): HostPlace[] {
  return displays.flatMap(({ id, logical_size: size, scale }) => {
    const monitor = known.get(id)?.monitor
    if (!monitor) return []
    return [
      { id, bounds: [monitor.x, monitor.y, monitor.width, monitor.height], size: [...size], zoom: scale },
    ]
  })
}

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function overlaps(a: Area, b: Area): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Of a size that a message can carry: a colour is chosen by samples, not by every pixel. */
function small({ data, width, height, rect }: Backdrop): SentBackdrop {
  const columns = Math.min(width, BACKDROP_SIDE)
  const rows = Math.min(height, BACKDROP_SIDE)
  const rgba = new Uint8Array(columns * rows * 4)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = Math.floor(((column + 0.5) * width) / columns)
      const y = Math.floor(((row + 0.5) * height) / rows)
      const from = (y * width + x) * 4
      rgba.set(data.subarray(from, from + 4), (row * columns + column) * 4)
    }
  }
  return { rect: [...rect], width: columns, height: rows, rgba: Buffer.from(rgba).toString('base64') }
}
