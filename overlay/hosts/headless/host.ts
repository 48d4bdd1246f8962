import type { DisplayRect } from '../../../protocol/overlay/companion.js'
import type { Display, Rect } from '../../../protocol/overlay/geometry.js'
import type { Mark } from '../../../protocol/overlay/marks.js'
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
import { type Backdrop, type Context2D, Stage } from '../../scene/index.js'
import { graphemesWithoutGlyph, loadCanvas } from '../canvas.js'
import { paintPatch, plain, toPixels } from '../paint.js'
import { HeadlessCompanion } from './companion.js'
import { parseDisplays } from './displays.js'

/** What lies under the marks where there is no screen. */
const GROUND = [0x2e, 0x34, 0x40, 0xff] as const

interface Sheet {
  readonly marks: Map<string, Mark>
  pointer: string | null
}

/** Displays that exist in memory only: for servers, CI, and wherever there is no screen. Paints when asked for a picture. */
export class HeadlessHost implements OverlayHost {
  readonly kind = 'headless'
  readonly #displays: readonly Display[]
  readonly #sheets = new Map<number, Sheet>()
  readonly companion: HeadlessCompanion
  #events: HostEvents | null = null

  /**
   * @param specs displays as `WIDTHxHEIGHT[+X+Y][@SCALE]`; throws when one is malformed
   * @param notes why this host was chosen, where a person would want to know
   */
  constructor(
    specs: readonly string[],
    private readonly notes: readonly string[] = [],
  ) {
    this.#displays = parseDisplays(specs)
    this.companion = new HeadlessCompanion(this.#displays, (event) => this.#events?.companion?.(event), {
      any: () => [...this.#sheets.values()].some(({ marks }) => marks.size > 0),
      occupied: ({ measure }) => this.#displays.flatMap((display) => this.#occupied(display, measure)),
    })
  }

  on(events: HostEvents): void {
    // Nothing ever happens on a display nobody looks at, but that the companion comes where it was sent.
    this.#events = events
  }

  async start(): Promise<readonly Display[]> {
    return this.#displays
  }

  async displays(): Promise<readonly Display[]> {
    return this.#displays
  }

  async apply({ display, put, remove, pointer }: SceneChange): Promise<Applied> {
    const sheet = this.#sheet(display)
    for (const id of remove) sheet.marks.delete(id)
    for (const mark of put) sheet.marks.set(mark.id, mark)
    if (pointer !== undefined) sheet.pointer = pointer
    await this.companion.marksMoved()
    return { visible: true }
  }

  async capture({ display: id, rect, marks, backdrop: _ }: CaptureRequest): Promise<Frame> {
    const display = this.#displays.find((one) => one.id === id)
    if (!display) throw new HostUnavailable(`display ${id} is not connected`)
    const { scale, logical_size: size } = display
    const whole: Rect = [0, 0, size[0], size[1]]
    const extent = { width: Math.round(size[0] * scale), height: Math.round(size[1] * scale) }
    const area = toPixels(rect ?? whole, scale, extent)
    if (!area) throw new HostUnavailable(`nothing of display ${id} is in the rectangle`)
    const kit = await loadCanvas()
    const stage = new Stage({ size, scale, reducedMotion: true, measure: kit.measure })
    if (marks) this.#show(stage, this.#sheet(id), whole)
    stage.frame(0)
    const ground = { width: area.width, height: area.height, data: plain(area, GROUND) }
    if (marks) this.companion.paintOver(kit, display, ground, area)
    return {
      width: area.width,
      height: area.height,
      scale,
      origin: [area.x / scale, area.y / scale],
      data: paintPatch(kit, stage, area, scale, 0, ground),
    }
  }

  missingGlyphs(text: string): Promise<readonly string[]> {
    return graphemesWithoutGlyph(text)
  }

  facts(): HostFacts {
    return { hotkey: 'none: there is no keyboard here', reduced_motion: true, notes: this.notes }
  }

  async stop(): Promise<void> {
    this.#sheets.clear()
    await this.companion.show(null)
  }

  #show(stage: Stage, sheet: Sheet, whole: Rect): void {
    const ground: Backdrop = { data: Uint8Array.from(GROUND), width: 1, height: 1, rect: whole }
    stage.setPointer(sheet.pointer, 0)
    for (const mark of sheet.marks.values()) stage.put(mark, 0, [ground])
  }

  #occupied({ id, logical_size: size, scale }: Display, measure: Context2D): DisplayRect[] {
    const stage = new Stage({ size, scale, reducedMotion: true, measure })
    this.#show(stage, this.#sheet(id), [0, 0, size[0], size[1]])
    return stage.occupied().map((rect) => ({ display: id, rect }))
  }

  #sheet(display: number): Sheet {
    let sheet = this.#sheets.get(display)
    if (!sheet) {
      sheet = { marks: new Map(), pointer: null }
      this.#sheets.set(display, sheet)
    }
    return sheet
  }
}
