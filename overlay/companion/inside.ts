import type { Point } from '../../protocol/overlay/geometry.js'
import type { Sink } from './outline.js'

const PIECES = 10

/** Tells whether a place is in what was traced, or within `by` of its edge: what a fill and a stroke of that width paint. */
export class Inside implements Sink {
  #winding = 0
  #near = false
  #start: Point = [0, 0]
  #from: Point = [0, 0]

  constructor(
    private readonly at: Point,
    private readonly by: number,
  ) {}

  get isInside(): boolean {
    return this.#near || this.#winding !== 0
  }

  moveTo(x: number, y: number): void {
    this.#start = [x, y]
    this.#from = [x, y]
  }

  lineTo(x: number, y: number): void {
    const [ax, ay] = this.#from
    const [px, py] = this.at
    const side = (x - ax) * (py - ay) - (px - ax) * (y - ay)
    if (ay <= py && y > py && side > 0) this.#winding++
    else if (ay > py && y <= py && side < 0) this.#winding--
    const length = (x - ax) ** 2 + (y - ay) ** 2
    const share =
      length === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * (x - ax) + (py - ay) * (y - ay)) / length))
    const away = Math.hypot(px - ax - share * (x - ax), py - ay - share * (y - ay))
    if (away <= this.by) this.#near = true
    this.#from = [x, y]
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    const [x0, y0] = this.#from
    for (let step = 1; step <= PIECES; step++) {
      const t = step / PIECES
      const u = 1 - t
      const a = u * u * u
      const b = 3 * u * u * t
      const c = 3 * u * t * t
      const d = t * t * t
      this.lineTo(a * x0 + b * x1 + c * x2 + d * x, a * y0 + b * y1 + c * y2 + d * y)
    }
  }

  closePath(): void {
    this.lineTo(...this.#start)
  }
}
