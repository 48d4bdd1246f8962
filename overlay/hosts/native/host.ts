import type { X11Host as Connection, Monitor, NativeBinding } from '../../../native/index.js'
import type { Display } from '../../../protocol/overlay/geometry.js'
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
import { graphemesWithoutGlyph } from '../canvas.js'
import { backdropsBelow, X11Eyes } from '../eyes/eyes.js'
import type { PictureSource } from '../picture-source.js'
import { type Easel, Screen } from '../screen.js'
import { Screens } from '../screens.js'

/** Marks on a real X display, through the addon: no Electron, no window manager's help, no input taken. */
export class NativeHost implements OverlayHost {
  readonly kind = 'x11'
  readonly #screens = new Screens<Monitor>()
  readonly #eyes: X11Eyes

  constructor(
    native: NativeBinding,
    display: string,
    /** Another way to the screen's pixels, for when the addon's does not work. */
    pictures: PictureSource | null = null,
  ) {
    this.#eyes = new X11Eyes(native, { display, draws: true, pictures })
    this.#eyes.companion.marks = this.#screens
  }

  on(events: HostEvents): void {
    this.#eyes.on({
      displays: (displays) => {
        this.#lay()
        events.displays(displays)
      },
      windows: (change) => events.windows?.(change),
      content: (change) => events.content?.(change),
      clearRequested: () => events.clearRequested(),
      answered: (yes) => events.answered?.(yes),
      next: () => events.next?.(),
      companion: (event) => events.companion?.(event),
      exit: (reason) => {
        this.#screens.close()
        events.exit(reason)
      },
    })
  }

  async start(): Promise<readonly Display[]> {
    const displays = await this.#eyes.start()
    this.#lay()
    return displays
  }

  displays(): Promise<readonly Display[]> {
    return this.#eyes.displays()
  }

  async apply(change: SceneChange): Promise<Applied> {
    if (!this.#eyes.connection) throw new HostUnavailable('the X display is gone')
    // A display that is gone shows nothing, which is what the engine is about to hear.
    return (await this.#screens.get(change.display)?.apply(change)) ?? { visible: false }
  }

  async capture(request: CaptureRequest): Promise<Frame> {
    const screen = this.#screens.get(request.display)
    if (!screen) throw new HostUnavailable(`display ${request.display} is not connected`)
    return this.#eyes.capture(request, screen)
  }

  missingGlyphs(text: string): Promise<readonly string[]> {
    return graphemesWithoutGlyph(text)
  }

  get windows() {
    return this.#eyes.windows
  }

  get answerKeys() {
    return this.#eyes.answerKeys
  }

  get nextKey() {
    return this.#eyes.nextKey
  }

  get companion() {
    return this.#eyes.companion
  }

  get content() {
    return this.#eyes.content
  }

  facts(): HostFacts {
    return this.#eyes.facts()
  }

  async stop(): Promise<void> {
    this.#screens.close()
    await this.#eyes.stop()
  }

  #lay(): void {
    const { connection, places, reducedMotion } = this.#eyes
    if (!connection) return
    const easel = easelOf(connection)
    // A connection that could not show what it was told to is not one to go on with: nothing half true stays.
    const failed = (error: unknown) => {
      if (connection === this.#eyes.connection) this.#eyes.giveUp((error as Error).message)
    }
    this.#screens.lay(
      places,
      (place) => new Screen(easel, place, reducedMotion, failed, () => this.#eyes.companion.marksMoved()),
    )
  }
}

function easelOf(connection: Connection): Easel<Monitor> {
  return {
    present: ({ monitor, epoch }, drawn) => connection.present({ epoch, monitor: monitor.name, ...drawn }),
    below: async (monitor, inks) =>
      connection.info().xwayland ? null : backdropsBelow(connection, monitor, inks),
  }
}
