/** The companion on Wayland: a small surface of the addon's own, which never has the keyboard. */
import type { WaylandHost as Connection, PresentResult, Touch, WaylandOutput } from '../../../native/index.js'
import type { CompanionEvent, CompanionScene, DisplayPoint } from '../../../protocol/overlay/companion.js'
import type { Display, Rect } from '../../../protocol/overlay/geometry.js'
import type { Applied, CompanionAccess } from '../../host.js'
import {
  CompanionDriver,
  type MarksAbove,
  type SurfaceFrame,
  type SurfaceResult,
} from '../companion-driver.js'
import { logicalSpace } from '../desktop-space.js'
import type { Place } from '../layout.js'
import type { Painter } from '../look.js'
import type { PixelRect } from '../paint.js'
import { withCompanion } from '../with-companion.js'
import { clickable, type Fit, fitOf, sheetOf } from './figure-sheet.js'

/** Buttons, as Linux numbers them. */
const BUTTONS: Readonly<Record<number, 'primary' | 'secondary'>> = { 272: 'primary', 273: 'secondary' }

/** The pointer has left it for so long, in ms: the person is at something else. */
const LEFT_MS = 3000

/** Between two words on where the pointer is, in ms. */
const MOVES_MS = 1000 / 60

export interface WaylandCompanionOptions {
  /** Rejects with `HostUnavailable`. */
  readonly call: <T>(use: (connection: Connection) => Promise<T>) => Promise<T>
  readonly places: () => ReadonlyMap<number, Place<WaylandOutput>>
  readonly displays: () => readonly Display[]
  readonly reducedMotion: () => boolean
  readonly tell: (event: CompanionEvent) => void
  readonly marks: MarksAbove
}

/** What was last put on the surface. */
interface Shown {
  readonly display: number
  readonly fit: Fit
  readonly pixels: Uint8Array
  readonly input: Uint8Array
  readonly sheet: Uint8Array
  readonly clicks: PixelRect[]
}

/**
 * No program is told of the pointer, or of presses, but over its own surfaces; and keys are to be had only with the focus,
 * which is the person's. So an open menu is closed by a click on the body, or by leaving it for a while.
 */
export class WaylandCompanion implements CompanionAccess {
  readonly nearsighted = true
  #driver: CompanionDriver | null = null
  /** Why it is not on the screen although it should be. */
  #fault: string | null = null
  #shown: Shown | null = null
  /** Where the pointer is over it. */
  #pointer: DisplayPoint | null = null
  #menu = false
  #leaving: NodeJS.Timeout | null = null
  #watched = false
  #toldMove: NodeJS.Timeout | null = null
  #untoldMove: DisplayPoint | null = null

  constructor(private readonly options: WaylandCompanionOptions) {}

  async show(scene: CompanionScene | null): Promise<Applied> {
    // Without anything to take off nothing is loaded for it.
    if (!scene && !this.#driver) return { visible: false }
    this.#driver ??= new CompanionDriver({
      surface: { put: (frame) => this.#put(frame), clear: () => this.#clear() },
      reducedMotion: this.options.reducedMotion,
      // It reaches over the edge of its output, which cuts it off: so it is one size, and one surface, all the way.
      desktop: () => logicalSpace(this.options.displays(), true),
      tell: this.options.tell,
      marks: this.options.marks,
      // Marks are none the worse for it: what is wrong with the connection itself is told by that.
      failed: (error) => {
        this.#fault = error.message
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

  async watchPointer(on: boolean): Promise<void> {
    this.#watched = on
    if (!on) this.#forgetMoves()
  }

  async pointer(): Promise<DisplayPoint | null> {
    return this.#pointer
  }

  /** What paints the marks of a display, and below them the companion. */
  below(display: number, marks: Painter): Painter {
    return withCompanion(this.#driver, display, marks)
  }

  /** What of an output it covers, in logical points; null: nothing. */
  on(output: string): Rect | null {
    if (!this.#shown) return null
    const { display, fit } = this.#shown
    const { x, y, width, height } = fit.place
    return this.options.places().get(display)?.monitor.name === output ? [x, y, width, height] : null
  }

  get notes(): readonly string[] {
    return this.#fault === null ? [] : [`The companion could not be shown: ${this.#fault}.`]
  }

  /** The outputs changed, and the surface went with that. */
  relay(): void {
    this.#pointer = null
    this.#closeSoon()
    this.#driver?.relay()
  }

  /** The connection is gone, and with it everything on the screen. */
  forget(): void {
    this.#driver?.close()
    this.#driver = null
    this.#fault = null
    this.#watched = false
    this.#forgetSurface()
  }

  /** Takes what the pointer did over it. */
  touched({ kind, output, x, y, button }: Touch): void {
    const driver = this.#driver
    if (!driver || !this.#shown) return
    if (kind === 'leave') {
      this.#pointer = null
      driver.over(null)
      this.#closeSoon()
      return
    }
    const display = [...this.options.places()].find(([, { monitor }]) => monitor.name === output)?.[0]
    if (display === undefined) return
    const at: DisplayPoint = { display, at: [x, y] }
    this.#pointer = at
    this.#stayOpen()
    driver.over(at)
    this.#moved(at)
    const which = button === undefined ? undefined : BUTTONS[button]
    if (kind === 'press' && which) driver.pressed(at, which)
  }

  async #put({ display, rect, pixels, input, menu }: SurfaceFrame): Promise<SurfaceResult> {
    const place = this.options.places().get(display)
    if (!place) return { stale: true, visible: false }
    const { monitor, epoch } = place
    const before = this.#shown
    const shown = next(before, { display, rect, pixels, input }, monitor.scale)
    this.#shown = shown
    // Another surface takes its place: what the pointer is over is told anew.
    const replaced = before?.display !== display || !sameSize(before.fit, shown.fit)
    if (replaced) this.#pointer = null
    this.#menu = menu
    if (!menu) this.#stayOpen()
    else if (!this.#pointer) this.#closeSoon()
    const { shown: isShown, covered, stale } = await this.#figure(epoch, monitor.name, shown)
    if (stale) return { stale: true, visible: false }
    this.#fault = null
    if (replaced && !this.#pointer) this.#driver?.over(null)
    return { stale: false, visible: isShown && !covered }
  }

  #figure(epoch: number, output: string, { fit, sheet, clicks }: Shown): Promise<PresentResult> {
    const { place } = fit
    return this.options.call((one) => one.showFigure({ epoch, output, place, pixels: sheet, input: clicks }))
  }

  #clear(): Promise<void> {
    this.#forgetSurface()
    return this.options.call((one) => one.hideFigure())
  }

  #forgetSurface(): void {
    this.#shown = null
    this.#pointer = null
    this.#menu = false
    this.#stayOpen()
    this.#forgetMoves()
  }

  #closeSoon(): void {
    if (!this.#menu || this.#leaving) return
    this.#leaving = setTimeout(() => {
      this.#leaving = null
      this.options.tell({ kind: 'elsewhere' })
    }, LEFT_MS)
  }

  #stayOpen(): void {
    if (this.#leaving) clearTimeout(this.#leaving)
    this.#leaving = null
  }

  /** Mice tell a thousand times a second where they are. */
  #moved(at: DisplayPoint): void {
    if (!this.#watched) return
    if (this.#toldMove) {
      this.#untoldMove = at
      return
    }
    this.options.tell({ kind: 'pointer', ...at })
    this.#toldMove = setTimeout(() => {
      const last = this.#untoldMove
      this.#forgetMoves()
      if (last) this.#moved(last)
    }, MOVES_MS)
  }

  #forgetMoves(): void {
    if (this.#toldMove) clearTimeout(this.#toldMove)
    this.#toldMove = null
    this.#untoldMove = null
  }
}

/** What is on the surface with this frame; what the frame leaves out is as it was. */
function next(before: Shown | null, frame: Omit<SurfaceFrame, 'menu'>, scale: number): Shown {
  const pixels = frame.pixels ?? before?.pixels
  const input = frame.input ?? before?.input
  if (!pixels || !input) throw new Error('a companion that is not known yet needs its pixels and its input')
  const fit = fitOf(frame.rect, scale)
  const moved = !before || fit.left !== before.fit.left || fit.top !== before.fit.top
  const isNew = moved || !sameSize(before.fit, fit)
  return {
    display: frame.display,
    fit,
    pixels,
    input,
    sheet: isNew || frame.pixels ? sheetOf(pixels, frame.rect, fit) : before.sheet,
    clicks: isNew || frame.input ? clickable(input, frame.rect, fit, scale) : before.clicks,
  }
}

function sameSize(a: Fit, b: Fit): boolean {
  return a.width === b.width && a.height === b.height
}
