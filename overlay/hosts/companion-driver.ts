/** The companion's stage, and the loop that paints it: for every host that can give it a surface. */
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type {
  CompanionEvent,
  CompanionScene,
  DisplayPoint,
  DisplayRect,
} from '../../protocol/overlay/companion.js'
import { type CompanionFrame, CompanionStage, type Desktop } from '../companion/index.js'
import { type Applied, HostUnavailable } from '../host.js'
import type { Context2D } from '../scene/index.js'
import { type CanvasKit, loadCanvas } from './canvas.js'
import { type Picture, type PixelRect, paintOver } from './paint.js'

/** Between frames while something moves, in ms. */
const FRAME_MS = 1000 / 60
/** How long a picture waits for it to settle, in ms. */
const SETTLE_MS = 1500

/** Where the frames go. Both reject when that cannot be. */
export interface CompanionSurface {
  put(frame: SurfaceFrame): Promise<SurfaceResult>
  /** Takes it off. */
  clear(): Promise<void>
}

export interface SurfaceFrame {
  readonly display: number
  /** In physical pixels of the display, perhaps beyond its edges. */
  readonly rect: PixelRect
  /** RGBA, premultiplied; null: as they were, and so is the size. */
  readonly pixels: Uint8Array | null
  /** RGBA: clicks are taken where it is half there or more; null: where they were. */
  readonly input: Uint8Array | null
  /** Its menu is open. */
  readonly menu: boolean
}

export interface SurfaceResult {
  /** Nothing was done, because the displays are others: all of it is put again once they are known. */
  readonly stale: boolean
  /** A person sees it. */
  readonly visible: boolean
}

export interface CompanionDriverOptions {
  readonly surface: CompanionSurface
  readonly reducedMotion: () => boolean
  readonly desktop: () => Desktop
  readonly tell: (event: CompanionEvent) => void
  /** A frame could not be shown. */
  readonly failed: (error: HostUnavailable) => void
  /** Absent: nobody draws marks above it. */
  readonly marks?: MarksAbove
}

/** Whoever draws the marks, which are above the companion. */
export interface MarksAbove {
  /** Where they are, or are going to be: what it says and offers keeps off them. `kit`: what it is drawn with. */
  occupied(kit: CanvasKit): readonly DisplayRect[]
  /** Its menu is open there, and no mark is to be drawn over it; null: it is closed. Told with every frame of it. */
  keepOpen(menu: OpenMenu | null): void
}

/** Where the companion with its open menu is. */
export interface OpenMenu {
  readonly display: number
  /** In physical pixels of the display, perhaps beyond its edges. */
  readonly rect: PixelRect
}

/** What is on the surface. */
interface Last {
  readonly frame: CompanionFrame
  readonly rect: PixelRect
  readonly scale: number
  readonly menu: boolean
}

/** Frames are painted only while it moves; at rest nothing runs. */
export class CompanionDriver {
  #stage: CompanionStage | null = null
  #kit: CanvasKit | null = null
  #scene: CompanionScene | null = null
  #last: Last | null = null
  #frame: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  /** When the frame that is to come is due. */
  #due = 0
  #moving = false
  /** Everything is to be put anew, not only what changed. */
  #all = false
  #visible = false
  /** Marks leave no place for what it says. */
  #crowded = false
  #hovered: number | null = null
  #isOpen = false
  /** How often the displays changed. */
  #layouts = 0
  #tellLaidOut = () => {}
  #sheet: { readonly canvas: Canvas; readonly context: SKRSContext2D } | null = null
  #closed = false

  constructor(private readonly options: CompanionDriverOptions) {}

  /** As `CompanionAccess.show`. */
  async show(scene: CompanionScene | null): Promise<Applied> {
    if (!this.#stage && !scene) return { visible: false }
    const stage = await this.#ready()
    if (this.#closed) throw new HostUnavailable('the display is gone')
    this.#scene = scene
    stage.set(scene, performance.now())
    this.#avoidMarks(stage)
    await this.#paintNext()
    if (!scene?.menu) this.#hovered = null
    return { visible: this.#visible }
  }

  /** Marks are going to be elsewhere. */
  marksMoved(): void {
    if (!this.#stage || !this.#hasCards || this.#closed) return
    this.#avoidMarks(this.#stage)
    this.#paintNext().catch(() => {})
  }

  /** There is something to say, and marks leave no place for it. */
  get isCrowded(): boolean {
    return this.#crowded
  }

  /** The displays changed; the surface may have lost what it showed. */
  relay(): void {
    this.#layouts += 1
    this.#tellLaidOut()
    if (!this.#stage) return
    this.#stage.relay(this.options.desktop(), performance.now())
    this.#all = true
    this.#paintNext().catch(() => {})
  }

  /** A button was pressed where it takes clicks. */
  pressed(place: DisplayPoint, button: 'primary' | 'secondary'): void {
    const hit = this.#stage?.hit(place, performance.now())
    if (hit?.part === 'item') {
      if (button === 'primary') this.options.tell({ kind: 'picked', item: hit.item })
      return
    }
    // It may have moved on since the press. What is no item and not beside one, in the menu, is its body.
    if (hit || !this.#scene?.menu) this.options.tell({ kind: 'clicked', button, ...place })
  }

  /** The pointer is there, over it, or has left it. */
  over(place: DisplayPoint | null): void {
    const hit = place && this.#scene?.menu ? this.#stage?.hit(place, performance.now()) : null
    const item = hit?.part === 'item' ? hit.item : null
    if (item === this.#hovered) return
    this.#hovered = item
    this.options.tell({ kind: 'hovered', item })
  }

  /** Whether any of it is on that display. */
  isOn(display: number): boolean {
    return this.#last?.frame.display === display
  }

  /** Waits until it moves no more, for a while at most. */
  async settled(): Promise<void> {
    const deadline = performance.now() + SETTLE_MS
    while ((this.#moving || this.#frame) && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, FRAME_MS))
  }

  /** Paints it into a picture of that display, which is of `rect`. */
  paintOver(display: number, picture: Picture, rect: PixelRect): void {
    const [stage, kit, last] = [this.#stage, this.#kit, this.#last]
    if (!stage || !kit || last?.frame.display !== display) return
    const inked = {
      ink: () => [last.frame.rect],
      paint: (context: Context2D, _rect: unknown, now: number) => stage.paint(context, now),
    }
    paintOver(kit, inked, picture, rect, last.scale, performance.now())
  }

  /** Paints nothing any more. What is on the surface is the connection's to take away. */
  close(): void {
    this.#closed = true
    this.#tellLaidOut()
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  get #hasCards(): boolean {
    return this.#scene?.bubble != null || this.#scene?.menu != null
  }

  #avoidMarks(stage: CompanionStage): void {
    if (this.#kit && this.#hasCards) stage.avoid(this.options.marks?.occupied(this.#kit) ?? [])
  }

  async #ready(): Promise<CompanionStage> {
    this.#kit ??= await loadCanvas()
    this.#stage ??= new CompanionStage({
      measure: this.#kit.measure,
      reducedMotion: this.options.reducedMotion(),
      desktop: this.options.desktop(),
    })
    return this.#stage
  }

  /** Waits for a frame that begins after now. */
  async #paintNext(): Promise<void> {
    while (this.#frame) await this.#frame.catch(() => {})
    await this.#paint()
  }

  #paint(): Promise<void> {
    this.#frame = this.#paintOnce()
      .catch((cause: Error) => {
        const error = cause instanceof HostUnavailable ? cause : new HostUnavailable(cause.message)
        // Whatever became of it, the next frame is a whole one.
        this.#all = true
        if (!this.#closed) this.options.failed(error)
        throw error
      })
      .finally(() => {
        this.#frame = null
      })
    return this.#frame
  }

  async #paintOnce(): Promise<void> {
    const stage = await this.#ready()
    for (;;) {
      if (this.#closed) return
      const now = performance.now()
      const layout = this.#layouts
      const whole = this.#all || this.#last === null
      const frame = stage.frame(now)
      this.#moving = frame?.animating ?? false
      this.#crowded = frame?.crowded ?? false
      if (!frame) return this.#takeOff()
      const { stale, visible } = await this.#put(stage, frame, now)
      if (!stale) {
        this.#visible = visible
        if (frame.arrived) this.options.tell({ kind: 'arrived', display: frame.display, at: frame.at })
        if (frame.animating) this.#schedule(now)
        return
      }
      // Drawn for displays that are no more: once the new ones are known (they may be already), all of it is drawn again.
      this.#all = true
      if (whole && layout === this.#layouts && !this.#closed) await this.#laidOut()
    }
  }

  async #takeOff(): Promise<void> {
    this.#visible = false
    if (!this.#last) return
    this.#last = null
    this.#tellMenu(null)
    await this.options.surface.clear()
  }

  #tellMenu(menu: OpenMenu | null): void {
    if (menu || this.#isOpen) this.options.marks?.keepOpen(menu)
    this.#isOpen = menu !== null
  }

  async #put(stage: CompanionStage, frame: CompanionFrame, now: number): Promise<SurfaceResult> {
    const display = this.options
      .desktop()
      .displays()
      .find(({ id }) => id === frame.display)
    if (!display) return { stale: true, visible: false }
    const { scale } = display
    const [left, top, width, height] = frame.rect.map((side) => Math.round(side * scale)) as Four
    const rect = { x: left, y: top, width, height }
    const menu = this.#scene?.menu != null
    const last = this.#all ? null : this.#last
    const fresh = !last || last.scale !== scale
    const repaint = fresh || frame.repaint
    const reshape = fresh || frame.inputChanged
    const rests = last && last.frame.display === frame.display && same(last.rect, rect) && last.menu === menu
    this.#all = false
    this.#last = { frame, rect, scale, menu }
    if (rests && !repaint && !reshape) return { stale: false, visible: this.#visible }
    this.#tellMenu(menu ? { display: frame.display, rect } : null)
    const paint = (draw: (context: SKRSContext2D) => void) => this.#pixels(rect, scale, draw)
    return this.options.surface.put({
      display: frame.display,
      rect,
      pixels: repaint ? paint((context) => stage.paint(context, now)) : null,
      input: reshape ? paint((context) => stage.paintInput(context, now)) : null,
      menu,
    })
  }

  #pixels(
    { x, y, width, height }: PixelRect,
    scale: number,
    draw: (context: SKRSContext2D) => void,
  ): Uint8Array {
    let sheet = this.#sheet
    if (sheet?.canvas.width !== width || sheet.canvas.height !== height) {
      sheet = (this.#kit as CanvasKit).create(width, height)
      this.#sheet = sheet
    }
    const { canvas, context } = sheet
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, width, height)
    context.setTransform(scale, 0, 0, scale, -x, -y)
    draw(context)
    // A copy: the canvas is painted on again while these are still being read.
    return Buffer.from(canvas.data())
  }

  #laidOut(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellLaidOut = resolve
    })
  }

  #schedule(now: number): void {
    if (this.#timer) return
    // From when the last one was due rather than from when it was painted, so that late ones do not add up.
    this.#due = now - this.#due < 2 * FRAME_MS ? this.#due + FRAME_MS : now + FRAME_MS
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        if (this.#frame || this.#closed) return
        this.#paint().catch(() => {})
      },
      Math.max(0, this.#due - performance.now()),
    )
  }
}

type Four = [number, number, number, number]

function same(a: PixelRect, b: PixelRect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height
}
