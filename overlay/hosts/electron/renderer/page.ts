/** The page of one display: does what main tells it, and answers. */
import { checkToPage, type FromPage, type ToPage } from '../../../../protocol/host/page.js'
import { type Context2D, missingGlyphs, type Stage } from '../../../scene/index.js'
import type { Bridge } from '../bridge.js'
import { Painter } from './painter.js'
import { type Change, faultOf, type Scene, Sheet } from './sheet.js'
import { measuring, Surface } from './surface.js'

export class Page {
  readonly #surface: Surface
  readonly #painter: Painter
  readonly #measure: Context2D
  readonly #stillness = matchMedia('(prefers-reduced-motion: reduce)')
  #sheet: Sheet | null = null
  #stage: Stage | null = null
  /** The last message that counted. */
  #seq = -1

  /** The fonts are loaded. Tells `ready`. */
  constructor(
    private readonly bridge: Bridge,
    canvas: HTMLCanvasElement,
  ) {
    this.#measure = measuring()
    const again = () => {
      this.#lay()
      this.#painter.wake()
    }
    this.#surface = new Surface(canvas, () => this.#painter.wake(), again)
    this.#painter = new Painter(
      this.#surface,
      (painted) => this.#tell({ type: 'painted', ...painted }),
      () => this.#refit(),
    )
    this.#stillness.addEventListener('change', again)
    bridge.listen((message) => this.#take(message))
    this.#tell({ type: 'ready', ...this.#surfaceNow() })
  }

  #take(value: unknown): void {
    const checked = checkToPage(value)
    if (checked.ok) this.#do(checked.message)
    else this.#refuse(checked.reason, checked.seq)
  }

  #do(message: ToPage): void {
    switch (message.type) {
      case 'scene':
      case 'change': {
        const fault = this.#faultIn(message)
        if (fault === null) this.#draw(message)
        else this.#refuse(`${message.type}: ${fault}`, message.seq)
        return
      }
      case 'glyphs': {
        const graphemes = missingGlyphs(this.#measure, message.text)
        this.#tell({ type: 'missing', id: message.id, graphemes })
        return
      }
      case 'ping':
        this.#tell({ type: 'pong', id: message.id })
    }
  }

  #draw(message: Scene | Change): void {
    this.#seq = message.seq
    if (message.type === 'scene') {
      this.#sheet = new Sheet(message)
      this.#lay()
    } else if (this.#sheet && this.#stage) {
      this.#sheet.apply(message, this.#stage, this.#painter.now())
      this.#painter.keepOpen(this.#sheet.opening)
    }
    this.#painter.wake(message.seq)
  }

  #faultIn(message: Scene | Change): string | null {
    if (message.type === 'change' && !this.#sheet) return 'there was no scene before'
    if (message.seq <= this.#seq) return `seq must be more than ${this.#seq}, got ${message.seq}`
    return faultOf(message.backdrop)
  }

  /** Lays everything out for the surface as it is. */
  #lay(): void {
    if (!this.#sheet) return
    const still = this.#sheet.reducedMotion || this.#stillness.matches
    const { ratio } = this.#surface.size
    this.#stage = this.#sheet.stage(ratio, still, this.#measure, this.#painter.now())
    this.#painter.show({ stage: this.#stage, offset: this.#sheet.offset })
    this.#painter.keepOpen(this.#sheet.opening)
  }

  #refit(): void {
    if (!this.#surface.fit()) return
    this.#lay()
    this.#tell({ type: 'surface', ...this.#surfaceNow() })
  }

  #surfaceNow(): { ratio: number; pixels: [number, number] } {
    const { ratio, width, height } = this.#surface.size
    return { ratio, pixels: [width, height] }
  }

  #refuse(reason: string, seq: number | undefined): void {
    this.#tell({ type: 'refused', reason, ...(seq !== undefined && { seq }) })
  }

  #tell(message: FromPage): void {
    this.bridge.tell(message)
  }
}

/** A message of the page's own failure; main loads the page again. */
export function faultMessage(error: unknown): Extract<FromPage, { type: 'fault' }> {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { type: 'fault', reason: reason.slice(0, 2000) }
}
