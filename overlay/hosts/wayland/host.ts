import type {
  WaylandHost as Connection,
  NativeBinding,
  WaylandEvent,
  WaylandOutput,
} from '../../../native/index.js'
import type { Display, Rect } from '../../../protocol/overlay/geometry.js'
import {
  type Applied,
  type CaptureRequest,
  type Frame,
  type HostEvents,
  type HostFacts,
  HostUnavailable,
  type OverlayHost,
  type SceneChange,
} from '../../host.js'
import type { Backdrop } from '../../scene/index.js'
import { backdropsOf } from '../backdrops.js'
import { graphemesWithoutGlyph } from '../canvas.js'
import { Layout } from '../layout.js'
import { Look } from '../look.js'
import type { PixelRect } from '../paint.js'
import { type Easel, Screen } from '../screen.js'
import { Screens } from '../screens.js'
import { inTime } from '../time-limit.js'
import { WaylandCompanion } from './companion.js'
import { type PortalSetup, Portals } from './portals.js'

/** How long a compositor may take to answer, in ms. */
const CONNECT_MS = 3000

/** How long taking everything off the screen may take, in ms. */
const STOP_MS = 2000

/** Bytes a pixel. */
const PIXEL = 4

/** Marks on a real Wayland desktop whose compositor has the layer shell. It sees no windows of others and takes no keys. */
export class WaylandHost implements OverlayHost {
  readonly kind = 'wayland'
  readonly #layout = new Layout<WaylandOutput>('points')
  readonly #screens = new Screens<WaylandOutput>()
  readonly #look: Look<WaylandOutput>
  readonly #portals: Portals
  readonly companion = new WaylandCompanion({
    call: (use) => this.#call(use),
    places: () => this.#layout.places,
    displays: () => this.#layout.displays,
    reducedMotion,
    tell: (event) => this.#events?.companion?.(event),
    marks: this.#screens,
  })
  #events: HostEvents | null = null
  #connection: Connection | null = null
  #stopped = false

  constructor(
    private readonly native: NativeBinding,
    /** The compositor's socket: a name in `$XDG_RUNTIME_DIR`, or a path. */
    private readonly display: string,
    /** What the desktop's portals are for: by default nothing. */
    portals: PortalSetup = { bus: undefined, wantsKey: false },
  ) {
    const outputs = () => [...this.#layout.places.values()].map(({ monitor }) => monitor)
    this.#portals = new Portals(portals, outputs, () => this.#events?.clearRequested())
    const eye = {
      take: (output: WaylandOutput, area: PixelRect, target: Uint8Array) =>
        this.#call((connection) =>
          connection.captureInto({ output: output.name, ...area, overlay: false }, target),
        ),
      epoch: async () => (await this.#call((connection) => connection.outputs())).epoch,
    }
    this.#look = new Look(eye, (display) => this.#layout.places.get(display), this.#portals.pictures)
  }

  on(events: HostEvents): void {
    this.#events = events
  }

  async start(): Promise<readonly Display[]> {
    let connection: Connection | null = null
    try {
      connection = await this.native.WaylandHost.connect(
        { display: this.display, timeoutMs: CONNECT_MS },
        (event) => this.#take(event, connection),
      )
      const { epoch, outputs } = await inTime(connection.outputs())
      if (this.#stopped) throw new Error('the host was stopped while it started')
      this.#connection = connection
      this.#relay(epoch, outputs)
      this.#portals.begin(this.#seesScreen)
      return this.#layout.displays
    } catch (error) {
      connection?.close().catch(() => {})
      throw new HostUnavailable((error as Error).message)
    }
  }

  async displays(): Promise<readonly Display[]> {
    const { epoch, outputs } = await this.#call((connection) => connection.outputs())
    if (this.#relay(epoch, outputs)) this.#events?.displays(this.#layout.displays)
    return this.#layout.displays
  }

  async apply(change: SceneChange): Promise<Applied> {
    if (!this.#connection) throw new HostUnavailable(GONE)
    // A display that is gone shows nothing, which is what the engine is about to hear.
    return (await this.#screens.get(change.display)?.apply(change)) ?? { visible: false }
  }

  async capture(request: CaptureRequest): Promise<Frame> {
    const screen = this.#screens.get(request.display)
    if (!screen) throw new HostUnavailable(`display ${request.display} is not connected`)
    return this.#look.capture(request, this.companion.below(request.display, screen))
  }

  missingGlyphs(text: string): Promise<readonly string[]> {
    return graphemesWithoutGlyph(text)
  }

  facts(): HostFacts {
    return {
      screen: this.display,
      reduced_motion: reducedMotion(),
      notes: [...this.#look.notes, ...this.companion.notes],
      ...this.#portals.facts(this.#seesScreen),
    }
  }

  /** Whether the compositor shows its screen to ordinary programs. */
  get #seesScreen(): boolean {
    const info = this.#connection?.info()
    return info === undefined || info.capture !== undefined
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#portals.close()
    const connection = this.#connection
    this.#letGo()
    // A compositor that does not answer takes everything off by itself once this process is gone.
    await inTime(connection?.close() ?? Promise.resolve(), STOP_MS).catch(() => {})
  }

  async #call<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    if (!this.#connection) throw new HostUnavailable(GONE)
    try {
      return await inTime(use(this.#connection))
    } catch (error) {
      throw new HostUnavailable((error as Error).message)
    }
  }

  #take(event: WaylandEvent, from: Connection | null): void {
    // Events of a connection that was given up, or is not taken yet, are of no concern.
    if (!from || from !== this.#connection) return
    if (event.type === 'exit') this.#end(event.reason)
    else if (event.type === 'figure') this.companion.touched(event.touch)
    else if (event.type === 'displays' && this.#relay(event.epoch, event.outputs))
      this.#events?.displays(this.#layout.displays)
  }

  /** Takes a layout over; false when it is known already. */
  #relay(epoch: number, outputs: readonly WaylandOutput[]): boolean {
    const connection = this.#connection
    if (!connection || !this.#layout.take(epoch, outputs)) return false
    const easel = easelOf(connection, (output) => this.companion.on(output))
    // A connection that could not show what it was told to is not one to go on with: nothing half true stays.
    const failed = (error: unknown) => {
      if (connection !== this.#connection) return
      connection.close().catch(() => {})
      this.#end((error as Error).message)
    }
    this.#screens.lay(
      this.#layout.places,
      (place) => new Screen(easel, place, reducedMotion(), failed, () => this.companion.marksMoved()),
    )
    this.companion.relay()
    return true
  }

  #end(reason: string): void {
    this.#letGo()
    this.#events?.exit(reason)
  }

  #letGo(): void {
    this.#connection = null
    this.companion.forget()
    this.#screens.close()
    this.#layout.forget()
  }
}

const GONE = 'the Wayland compositor is gone'

function reducedMotion(): boolean {
  return process.env.LETS_REDUCED_MOTION === '1'
}

/** `companion`: what of an output it covers. */
function easelOf(connection: Connection, companion: (output: string) => Rect | null): Easel<WaylandOutput> {
  return {
    present: ({ monitor, epoch }, drawn) => connection.present({ epoch, output: monitor.name, ...drawn }),
    below: (output, inks, shown) => {
      const covered = companion(output.name)
      return below(connection, output, inks, covered ? [...shown, covered] : shown)
    },
  }
}

/**
 * What is below ink, where nothing of ours lies over it: taking marks off the screen to look below them would be seen as a
 * flicker, each time another one comes.
 */
async function below(
  connection: Connection,
  output: WaylandOutput,
  inks: readonly Rect[],
  shown: readonly Rect[],
): Promise<Backdrop[] | null> {
  const clear = inks.filter((ink) => !shown.some((other) => meet(ink, other)))
  const take = async (area: PixelRect) => {
    const data = new Uint8Array(area.width * area.height * PIXEL)
    await connection.captureInto({ output: output.name, ...area, overlay: true }, data)
    return { data, width: area.width, height: area.height }
  }
  // Each picture takes a frame, however small it is.
  return backdropsOf(output, take, clear, 1)
}

function meet(a: Rect, b: Rect): boolean {
  return a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3]
}
