/** Electron's windows alone, on systems without other eyes (macOS, Windows): no windows are watched, no content is followed. */
import type { GlobalKey, HostPlace, HostScreen } from '../../../protocol/host/orders-schema.js'
import type { Display } from '../../../protocol/overlay/geometry.js'
import {
  type AnswerKeys,
  type Applied,
  type CaptureRequest,
  type Frame,
  type HostEvents,
  type HostFacts,
  HostUnavailable,
  type NextKey,
  type OverlayHost,
  type Panel,
  type SceneChange,
} from '../../host.js'
import { DisplayIds } from '../display-ids.js'
import { impressionOf } from '../impression.js'
import { plain, toPixels } from '../paint.js'
import type { PictureSource } from '../picture-source.js'
import { RecordPainter } from '../record-painter.js'
import type { Program } from './child.js'
import { ElectronCompanion } from './companion.js'
import { ElectronSurface } from './surface.js'
import type { SurfaceSetup, SurfaceTimes } from './surface-setup.js'

/** The plain ground of a picture that shows the marks alone: of a middle tone, since inks were chosen for light and dark. */
const GROUND = [0x8c, 0x92, 0x9c, 0xff] as const

export interface AloneSetup {
  readonly program: Program
  /** Of Lets. */
  readonly version: string
  readonly pictures: PictureSource
  readonly log: SurfaceSetup['log']
  readonly times?: Partial<SurfaceTimes>
}

export class ElectronHost implements OverlayHost {
  readonly kind = 'electron'
  readonly #ids = new DisplayIds()
  readonly #surface: ElectronSurface
  readonly companion: ElectronCompanion
  #screens: ReadonlyMap<number, HostScreen> = new Map()
  #displays: readonly Display[] = []
  #events: HostEvents | null = null
  #clearKey = false
  /** Pictures hide the marks for a moment: one at a time. */
  #picturing: Promise<unknown> = Promise.resolve()

  constructor(private readonly setup: AloneSetup) {
    const { program, version, log, times } = setup
    this.#surface = new ElectronSurface({
      program,
      version,
      log,
      ...(times && { times }),
      reducedMotion: () => process.env.LETS_REDUCED_MOTION === '1',
      places: (screens) => {
        this.#take(screens)
        return this.#places()
      },
      // Nobody here can ask the system whether clicks pass; the rest it says itself.
      fault: async ({ window }) => {
        if (!window.shown) return 'its window does not come onto the screen'
        if (window.focusable) return 'its window could take the focus'
        return null
      },
      // Colours are chosen without knowing what is below: taking a picture for each mark would ask for a permission.
      backdrop: async () => null,
      onScreens: (screens) => this.#changed(screens),
      onPressed: (key) => this.#pressed(key),
      onChosen: (id) => this.#events?.chosen?.(id),
      onTouched: (touch) => this.companion.touched(touch),
      onAgain: () => this.companion.relay(),
      onGivenUp: (reason) => {
        this.companion.forget()
        this.#events?.exit(reason)
      },
    })
    this.companion = new ElectronCompanion({
      surface: this.#surface,
      displays: () => this.#displays,
      screens: () => this.#screens,
      reducedMotion: () => this.#surface.report?.reduced_motion ?? false,
      tell: (event) => this.#events?.companion?.(event),
    })
  }

  on(events: HostEvents): void {
    this.#events = events
  }

  async start(): Promise<readonly Display[]> {
    await this.#surface.start()
    // A key that another program has is no reason not to draw.
    this.#clearKey = await this.#surface.takeKeys(['clear']).then(
      (had) => had.includes('clear'),
      () => false,
    )
    return this.#displays
  }

  async displays(): Promise<readonly Display[]> {
    this.#changed(await this.#surface.screens())
    return this.#displays
  }

  async apply(change: SceneChange): Promise<Applied> {
    if (!this.#screens.has(change.display)) return { visible: false }
    const applied = this.#surface.apply(change, null)
    this.companion.marksMoved()
    return applied
  }

  async capture({ display: id, rect, marks, backdrop }: CaptureRequest): Promise<Frame> {
    const screen = this.#screens.get(id)
    const display = this.#displays.find((one) => one.id === id)
    if (!screen || !display) throw new HostUnavailable(`display ${id} is not connected`)
    const { scale, name, primary, pixels } = screen
    const [x, y, width, height] = pixels
    const area = toPixels(rect ?? [0, 0, ...display.logical_size], scale, { width, height })
    if (!area) throw new HostUnavailable(`nothing of display ${id} is in the rectangle`)
    const size = { width: area.width, height: area.height }
    const frame = { scale, origin: [area.x / scale, area.y / scale] as const, ...size }
    const painter = new RecordPainter(this.#surface.recordOf(id), display)
    if (backdrop === 'none') {
      const data = plain(area, GROUND)
      await painter.paintOver({ ...size, data }, area)
      return { ...frame, data }
    }
    const take = () => this.setup.pictures.take({ id, name, primary, bounds: { x, y, width, height } }, area)
    const data = await this.#oneByOne(() => (this.#isSeen ? this.#surface.hidden(take) : take()))
    if (this.#screens.get(id) !== screen)
      throw new HostUnavailable(`the displays changed while display ${id} was pictured; ask again`)
    const impression = impressionOf({ ...area, data }, scale)
    if (marks) await painter.paintOver({ ...size, data }, area)
    return { ...frame, data, ...(impression && { impression }) }
  }

  missingGlyphs(text: string): Promise<readonly string[]> {
    return this.#surface.missingGlyphs(text)
  }

  readonly answerKeys: AnswerKeys = {
    names: { yes: ['Ctrl', 'Shift', 'Y'], no: ['Ctrl', 'Shift', 'N'] },
    take: async () => {
      const had = await this.#surface.takeKeys(['yes', 'no'])
      return { yes: had.includes('yes'), no: had.includes('no') }
    },
    release: () => this.#surface.releaseKeys(['yes', 'no']),
  }

  readonly nextKey: NextKey = {
    names: ['Ctrl', 'Shift', 'Space'],
    take: async () => (await this.#surface.takeKeys(['next'])).includes('next'),
    release: () => this.#surface.releaseKeys(['next']),
  }

  readonly panel: Panel = { show: (state) => this.#surface.show(state) }

  facts(): HostFacts {
    const report = this.#surface.report
    return {
      hotkey: this.#clearKey
        ? 'ready'
        : 'taken by another program; `lets clear --all-sessions` does the same',
      reduced_motion: report?.reduced_motion ?? false,
      notes: [
        'Marks stay where they were put: this system does not tell of windows that move or scroll.',
        'The marks are off the screen for a moment while a picture of it is taken.',
        ...(report && !report.window.above
          ? ['The system does not keep the marks above other windows.']
          : []),
        ...this.#surface.notes,
      ],
    }
  }

  async stop(): Promise<void> {
    this.companion.forget()
    await this.#surface.stop()
  }

  get #isSeen(): boolean {
    return this.#surface.hasInk || this.companion.isShown
  }

  #pressed(key: GlobalKey): void {
    if (key === 'clear') this.#events?.clearRequested()
    else if (key === 'next') this.#events?.next?.()
    else if (key === 'summon') this.companion.summoned()
    else this.#events?.answered?.(key === 'yes')
  }

  #changed(screens: readonly HostScreen[]): void {
    if (JSON.stringify(sorted(screens)) === JSON.stringify(sorted([...this.#screens.values()]))) return
    const then = this.#screens
    this.#take(screens)
    for (const [id, { scale, size }] of then) {
      const now = this.#screens.get(id)
      if (!now || now.scale !== scale || String(now.size) !== String(size)) this.#surface.forget(id)
    }
    this.#surface.lay(this.#places())
    this.companion.relay()
    this.#events?.displays(this.#displays)
  }

  #take(screens: readonly HostScreen[]): void {
    const ids = this.#ids.assign(screens)
    const primary = screens.find((screen) => screen.primary)?.origin ?? [0, 0]
    this.#screens = new Map(screens.map((screen) => [ids.get(screen.key) as number, screen]))
    this.#displays = [...this.#screens]
      .map(
        ([id, { scale, size, origin, primary: isPrimary, name }]): Display => ({
          id,
          scale,
          logical_size: size,
          origin: [origin[0] - primary[0], origin[1] - primary[1]],
          primary: isPrimary,
          name,
        }),
      )
      .sort((a, b) => a.id - b.id)
  }

  #places(): HostPlace[] {
    return [...this.#screens].map(([id, { origin, size }]) => ({
      id,
      bounds: [origin[0], origin[1], size[0], size[1]],
      size: [...size],
      zoom: 1,
    }))
  }

  #oneByOne<T>(take: () => Promise<T>): Promise<T> {
    const taken = this.#picturing.then(take)
    this.#picturing = taken.catch(() => {})
    return taken
  }
}

function sorted(screens: readonly HostScreen[]): HostScreen[] {
  return [...screens].sort((a, b) => a.key.localeCompare(b.key))
}
