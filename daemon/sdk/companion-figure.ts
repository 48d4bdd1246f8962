/** The companion's figure in a page: the very one of the screen, on a canvas. It is drawn again only while it moves. */
import { Actor, type Part } from '../../overlay/companion/actor.js'
import type { Desktop } from '../../overlay/companion/desktop.js'
import { paintFigure, REACH } from '../../overlay/companion/figure.js'
import type { Point } from '../../protocol/overlay/geometry.js'
import { h } from './dom.js'

/** Width and height of what is clicked, its middle the figure's. */
export const SIZE = 64

const STILL = matchMedia('(prefers-reduced-motion: reduce)')

export class Figure {
  readonly canvas = h('canvas', { 'aria-hidden': 'true' })
  #part: Part | null = null
  #actor = new Actor({ reducedMotion: STILL.matches, desktop: page() })
  #frame = 0

  /** `moved`: the middle of it is there now. */
  constructor(private readonly moved: (at: Point) => void) {
    addEventListener('resize', () => {
      this.#actor.relay(page(), performance.now())
      this.#go()
    })
    STILL.addEventListener('change', () => {
      this.#actor = new Actor({ reducedMotion: STILL.matches, desktop: page() })
      this.set(this.#part && { ...this.#part, reaction: null })
    })
  }

  /** What it is to be from now on; null: it is not shown. */
  set(part: Part | null): void {
    this.#part = part
    this.#actor.set(part, performance.now())
    this.#go()
  }

  /** Where it is, or null when it is not shown. */
  at(): Point | null {
    return this.#actor.at(performance.now())?.at ?? null
  }

  /** The first frame is drawn at once: nothing that was said is shown late. */
  #go(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    const now = performance.now()
    const place = this.#actor.at(now)
    if (!place || !this.#part) return
    this.#paint(now)
    this.moved(place.at)
    if (this.#actor.isMoving(now)) this.#frame = requestAnimationFrame(() => this.#go())
  }

  #paint(now: number): void {
    const scale = devicePixelRatio
    const { canvas } = this
    const [width, height] = [Math.ceil(2 * REACH.across * scale), Math.ceil((REACH.up + REACH.down) * scale)]
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width
      canvas.height = height
    }
    const context = canvas.getContext('2d')
    if (!context) return
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, width, height)
    context.setTransform(scale, 0, 0, scale, REACH.across * scale, REACH.up * scale)
    const color = this.#part?.look.color
    paintFigure(context, { channels: this.#actor.pose(now), ...(color !== undefined && { color }) })
    canvas.dataset.mood = this.#part?.mood
  }
}

/** The window, as the one display there is for it. */
function page(): Desktop {
  const size = [innerWidth, innerHeight] as const
  return {
    displays: () => [{ id: 0, size, scale: devicePixelRatio }],
    toDesktop: ({ at }) => at,
    fromDesktop: ([x, y]) => ({
      display: 0,
      at: [Math.max(0, Math.min(x, size[0])), Math.max(0, Math.min(y, size[1]))],
    }),
  }
}
