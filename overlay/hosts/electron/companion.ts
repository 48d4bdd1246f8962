/** The companion where Electron alone draws: painted here, as on every host, and shown by a small window of Electron's. */
import type { HostReportOf, HostScreen } from '../../../protocol/host/orders-schema.js'
import type { CompanionEvent, CompanionScene, DisplayPoint } from '../../../protocol/overlay/companion.js'
import type { Display, Point } from '../../../protocol/overlay/geometry.js'
import type { Applied, CompanionAccess } from '../../host.js'
import { CompanionDriver, type SurfaceFrame, type SurfaceResult } from '../companion-driver.js'
import { logicalSpace } from '../desktop-space.js'
import { ElectronMarks } from './marks-above.js'
import type { ElectronSurface } from './surface.js'

export interface ElectronCompanionOptions {
  readonly surface: Pick<ElectronSurface, 'companion' | 'takeKeys' | 'releaseKeys' | 'recordOf' | 'keepOpen'>
  readonly displays: () => readonly Display[]
  readonly screens: () => ReadonlyMap<number, HostScreen>
  readonly reducedMotion: () => boolean
  readonly tell: (event: CompanionEvent) => void
}

/**
 * These systems tell no program of presses and moves elsewhere without being asked for a permission: no pointer is told, and no
 * press elsewhere. Where the pointer is can be asked.
 */
export class ElectronCompanion implements CompanionAccess {
  readonly nearsighted = true
  #driver: CompanionDriver | null = null
  #shown = false

  constructor(private readonly options: ElectronCompanionOptions) {}

  #made(): CompanionDriver {
    const { options } = this
    return new CompanionDriver({
      surface: {
        put: (frame) => this.#put(frame),
        clear: async () => {
          this.#shown = false
          await options.surface.companion({ type: 'no_companion' }, 'done')
        },
      },
      reducedMotion: options.reducedMotion,
      desktop: () => logicalSpace(options.displays()),
      tell: options.tell,
      marks: new ElectronMarks(options.surface, options.displays),
      failed: () => {
        // Whoever waits hears of it, and main has noted why.
        this.#shown = false
      },
    })
  }

  /** Something of it is on the screen. */
  get isShown(): boolean {
    return this.#shown
  }

  async show(scene: CompanionScene | null): Promise<Applied> {
    if (!scene && !this.#driver) return { visible: false }
    this.#driver ??= this.#made()
    return this.#driver.show(scene)
  }

  /** Electron is no more, and with it everything on the screen. */
  forget(): void {
    this.#driver?.close()
    this.#driver = null
    this.#shown = false
  }

  marksMoved(): void {
    this.#driver?.marksMoved()
  }

  get isCrowded(): boolean {
    return this.#driver?.isCrowded ?? false
  }

  async watchPointer(): Promise<void> {
    // There is no telling it.
  }

  async pointer(): Promise<DisplayPoint | null> {
    const { at } = await this.options.surface.companion({ type: 'where' }, 'pointer')
    return this.#placeOf(at)
  }

  readonly summonKey = {
    names: ['Ctrl', 'Shift', '.'],
    take: async () => (await this.options.surface.takeKeys(['summon'])).includes('summon'),
    release: () => this.options.surface.releaseKeys(['summon']),
  }

  /** The displays changed, or another process shows it from now on. */
  relay(): void {
    this.#driver?.relay()
  }

  /** The summoning key was pressed. */
  summoned(): void {
    this.pointer().then(
      (place) => place && this.options.tell({ kind: 'summoned', ...place }),
      () => {
        // It has just gone; there is nobody to come.
      },
    )
  }

  touched(touch: HostReportOf<'touched'>['touch']): void {
    if (touch.kind === 'key') this.options.tell({ kind: 'key', key: touch.key })
    else if (touch.kind === 'over') this.#driver?.over(touch.at && this.#placeOf(touch.at))
    else this.#driver?.pressed(this.#placeOf(touch.at), touch.button)
  }

  async #put({ display, rect, pixels, input, menu }: SurfaceFrame): Promise<SurfaceResult> {
    const screen = this.options.screens().get(display)
    if (!screen) return { stale: true, visible: false }
    const { scale, origin } = screen
    // A window is of whole units of the system; the picture has its own place in it, to the pixel.
    const [left, top] = [Math.floor(rect.x / scale), Math.floor(rect.y / scale)]
    const right = Math.ceil((rect.x + rect.width) / scale)
    const bottom = Math.ceil((rect.y + rect.height) / scale)
    const { visible } = await this.options.surface.companion(
      {
        type: 'companion',
        bounds: [Math.round(origin[0]) + left, Math.round(origin[1]) + top, right - left, bottom - top],
        offset: [rect.x - Math.round(left * scale), rect.y - Math.round(top * scale)],
        size: [rect.width, rect.height],
        menu,
        ...(pixels && { pixels: base64(pixels) }),
        ...(input && { input: base64(input) }),
      },
      'painted',
    )
    this.#shown = true
    return { stale: false, visible }
  }

  #placeOf([x, y]: Point): DisplayPoint {
    // Displays are told from the primary one, screens as their system has them.
    const primary = [...this.options.screens().values()].find((screen) => screen.primary)?.origin ?? [0, 0]
    return logicalSpace(this.options.displays()).fromDesktop([x - primary[0], y - primary[1]])
  }
}

function base64(pixels: Uint8Array): string {
  return Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength).toString('base64')
}
