/** The canvas, in exactly the pixels of the screen it is on: one that was scaled to fit would be blurred. */

export interface SurfaceSize {
  /** Device pixels per logical point. */
  readonly ratio: number
  /** Device pixels. */
  readonly width: number
  readonly height: number
}

export class Surface {
  readonly context: CanvasRenderingContext2D
  #size: SurfaceSize
  /** What the browser says the canvas has, to the pixel; null until it has laid it out at this ratio. */
  #exact: SurfaceSize | null = null

  /** `onChange` is told when `fit` would change something; `onEmptied` when the graphics process died and took the pixels along. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    onChange: () => void,
    onEmptied: () => void,
  ) {
    const context = canvas.getContext('2d')
    if (!context) throw new Error('the page has no 2D canvas')
    this.context = context
    this.#size = this.#wanted()
    this.#resize()
    new ResizeObserver(([entry]) => {
      const box = entry?.devicePixelContentBoxSize?.[0]
      this.#exact = box ? { ratio: devicePixelRatio, width: box.inlineSize, height: box.blockSize } : null
      if (this.#isOther()) onChange()
    }).observe(canvas, { box: 'device-pixel-content-box' })
    this.#watchRatio(onChange)
    canvas.addEventListener('contextrestored', () => {
      prepare(context)
      onEmptied()
    })
  }

  /** Whether nothing can be drawn for now. */
  get lost(): boolean {
    return this.context.isContextLost()
  }

  get size(): SurfaceSize {
    return this.#size
  }

  /** Makes the canvas fit; whether it is another one now, and empty. */
  fit(): boolean {
    if (!this.#isOther()) return false
    this.#size = this.#wanted()
    this.#resize()
    return true
  }

  #isOther(): boolean {
    const { ratio, width, height } = this.#wanted()
    return ratio !== this.#size.ratio || width !== this.#size.width || height !== this.#size.height
  }

  /**
   * Until the window was laid out at this ratio (a hidden one is not), what it will be but for rounding. More than rounding is
   * between the two where the ratio is not that of a screen but emulated: the layout then knows nothing of it.
   */
  #wanted(): SurfaceSize {
    const ratio = devicePixelRatio
    const [width, height] = [innerWidth * ratio, innerHeight * ratio]
    const exact = this.#exact
    if (exact?.ratio === ratio && isNear(exact.width, width, ratio) && isNear(exact.height, height, ratio))
      return exact
    return { ratio, width: Math.round(width), height: Math.round(height) }
  }

  #resize(): void {
    this.canvas.width = this.#size.width
    this.canvas.height = this.#size.height
    prepare(this.context)
  }

  /** A query holds for one ratio: each change needs the next one. */
  #watchRatio(onChange: () => void): void {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        this.#watchRatio(onChange)
        if (this.#isOther()) onChange()
      },
      { once: true },
    )
  }
}

/** `innerWidth` is whole logical points, so that up to one is lost. */
function isNear(exact: number, computed: number, ratio: number): boolean {
  return Math.abs(exact - computed) <= Math.max(1, ratio)
}

/** A context to measure text with, as the surface paints it. */
export function measuring(): CanvasRenderingContext2D {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('the page has no 2D canvas')
  prepare(context)
  return context
}

function prepare(context: CanvasRenderingContext2D): void {
  // Glyphs are where their outlines say, as on every other host: else the system's hinting moves them to whole pixels.
  context.textRendering = 'geometricPrecision'
}
