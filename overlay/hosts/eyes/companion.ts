/**
 * The companion on X11: a small window of the addon's own, whoever draws the marks. Electron's windows cannot see the
 * pointer there, and cannot take clicks in a part of themselves alone.
 */
import type { X11Host as Connection, X11Event } from '../../../native/index.js'
import type { CompanionEvent, CompanionScene, DisplayPoint } from '../../../protocol/overlay/companion.js'
import type { Desktop } from '../../companion/index.js'
import type { Applied, CompanionAccess } from '../../host.js'
import {
  CompanionDriver,
  type MarksAbove,
  type SurfaceFrame,
  type SurfaceResult,
} from '../companion-driver.js'
import { type Area, desktopSpace } from '../desktop-space.js'
import type { Place } from '../layout.js'
import type { Painter } from '../look.js'
import { withCompanion } from '../with-companion.js'

export interface X11CompanionOptions {
  /** Rejects with `HostUnavailable`. */
  readonly call: <T>(use: (connection: Connection) => Promise<T>) => Promise<T>
  readonly places: () => ReadonlyMap<number, Place>
  readonly reducedMotion: () => boolean
  readonly tell: (event: CompanionEvent) => void
}

export class X11Companion implements CompanionAccess {
  /** Whoever draws the marks. */
  marks: MarksAbove | null = null
  #driver: CompanionDriver | null = null
  /** Why it is not on the screen although it should be. */
  #fault: string | null = null

  constructor(private readonly options: X11CompanionOptions) {}

  async show(scene: CompanionScene | null): Promise<Applied> {
    // Without anything to take off nothing is loaded for it.
    if (!scene && !this.#driver) return { visible: false }
    this.#driver ??= new CompanionDriver({
      surface: {
        put: (frame) => this.#put(frame),
        clear: () => this.options.call((one) => one.hideCompanion()),
      },
      reducedMotion: this.options.reducedMotion,
      desktop: () => desktopOf(this.options.places()),
      tell: this.options.tell,
      // Marks are none the worse for it: what is wrong with the connection itself is told by that.
      failed: (error) => {
        this.#fault = error.message
      },
      marks: {
        occupied: (kit) => this.marks?.occupied(kit) ?? [],
        keepOpen: (menu) => this.marks?.keepOpen(menu),
      },
    })
    return this.#driver.show(scene)
  }

  marksMoved(): void {
    this.#driver?.marksMoved()
  }

  get isCrowded(): boolean {
    return this.#driver?.isCrowded ?? false
  }

  watchPointer(on: boolean): Promise<void> {
    return this.options.call((connection) => connection.watchPointer(on))
  }

  async pointer(): Promise<DisplayPoint | null> {
    const { x, y } = await this.options.call((connection) => connection.pointer())
    return this.#placeOf(x, y)
  }

  readonly summonKey = {
    names: ['Ctrl', 'Shift', '.'],
    take: async () => (await this.options.call((connection) => connection.takeSummonKey())) === 'ready',
    release: () => this.options.call((connection) => connection.releaseSummonKey()),
  }

  /** What paints the marks of a display, and below them the companion. */
  below(display: number, marks: Painter): Painter {
    return withCompanion(this.#driver, display, marks)
  }

  get notes(): readonly string[] {
    return this.#fault === null ? [] : [`The companion could not be shown: ${this.#fault}.`]
  }

  /** The displays changed. */
  relay(): void {
    this.#driver?.relay()
  }

  /** The connection is gone, and with it everything on the screen. */
  forget(): void {
    this.#driver?.close()
    this.#driver = null
    this.#fault = null
  }

  /** Takes an event of the connection; false when it is not about the companion. */
  take(event: X11Event): boolean {
    switch (event.type) {
      case 'press': {
        const place = this.#placeOf(event.x, event.y)
        if (place) this.#driver?.pressed(place, event.button)
        return true
      }
      case 'over':
        this.#driver?.over(event.inside ? this.#placeOf(event.x, event.y) : null)
        return true
      case 'menu':
        this.options.tell({ kind: 'key', key: event.key })
        return true
      case 'elsewhere':
        this.options.tell({ kind: 'elsewhere' })
        return true
      case 'summon':
      case 'pointer': {
        const place = this.#placeOf(event.x, event.y)
        const kind = event.type === 'summon' ? 'summoned' : 'pointer'
        if (place) this.options.tell({ kind, ...place })
        return true
      }
      default:
        return false
    }
  }

  async #put({ display, rect, pixels, input, menu }: SurfaceFrame): Promise<SurfaceResult> {
    const place = this.options.places().get(display)
    if (!place) return { stale: true, visible: false }
    const { monitor, epoch } = place
    const { width, height } = rect
    const at = { x: monitor.x + rect.x, y: monitor.y + rect.y, width, height }
    const changed = { ...(pixels && { pixels }), ...(input && { input }) }
    const { stale, covered } = await this.options.call((one) =>
      one.showCompanion({ epoch, ...at, ...changed, menu }),
    )
    this.#fault = null
    return { stale, visible: !covered }
  }

  #placeOf(x: number, y: number): DisplayPoint | null {
    const places = this.options.places()
    return places.size > 0 ? desktopOf(places).fromDesktop([x, y]) : null
  }
}

/** The monitors of a root as one space, that of its pixels. */
export function desktopOf(places: ReadonlyMap<number, Place>): Desktop {
  const areas = [...places].map(([id, { monitor }]): Area => {
    const { x, y, width, height, scale } = monitor
    return { id, origin: [x, y], unit: scale, size: [width / scale, height / scale], scale }
  })
  return desktopSpace(areas, true)
}
