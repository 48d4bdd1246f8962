/** Drawing: from a first point over others to a last one, whether a pointer or keys say them. */
import { type Box, boxOf, type Color, clamp, type Kind, type Place } from './model.js'

export interface Point {
  readonly x: number
  readonly y: number
}

/** Kinds that are a point and no more. */
export const POINTS: readonly Kind[] = ['spot', 'number', 'text']

/** Less than this is a slip of the hand and no drawing, in pixels of the window. */
const LEAST = 5
/** Points of one line of the pen that are kept. */
const PEN = 400

export class Pen {
  #begun: Point | null = null
  #points: number[] = []

  constructor(
    private readonly size: () => { readonly w: number; readonly h: number },
    private readonly next: () => { readonly kind: Kind; readonly color: Color; readonly n: number },
  ) {}

  get down(): boolean {
    return this.#begun !== null
  }

  begin(at: Point): void {
    this.#begun = this.#inside(at)
    this.#points = [this.#begun.x, this.#begun.y]
  }

  /** What would be there, were it let go here. */
  move(at: Point): Place | null {
    if (!this.#begun) return null
    const { x, y } = this.#inside(at)
    this.#points.push(x, y)
    return this.#place({ x, y })
  }

  /** What was drawn; null when it is nothing. A click of a tool that needs two points is none. */
  end(at: Point, scale: number): Place | null {
    if (!this.#begun) return null
    const place = this.move(at)
    const begun = this.#begun
    this.cancel()
    if (!place || POINTS.includes(place.kind)) return place
    const box = place.kind === 'pen' ? boxOf(place) : extent(begun, this.#inside(at))
    return Math.max(box.w, box.h) * scale < LEAST ? null : place
  }

  cancel(): void {
    this.#begun = null
  }

  #place(at: Point): Place {
    const from = this.#begun as Point
    const base = { ...this.next(), by: 'person', text: '' } as const
    if (POINTS.includes(base.kind)) return { ...base, ...at }
    if (base.kind === 'arrow') return { ...base, ...from, x2: at.x, y2: at.y }
    if (base.kind === 'pen') return { ...base, ...from, points: thinned(this.#points) }
    return { ...base, ...extent(from, at) }
  }

  #inside({ x, y }: Point): Point {
    const { w, h } = this.size()
    return { x: clamp(x, w), y: clamp(y, h) }
  }
}

function extent(a: Point, b: Point): Box {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(a.x - b.x), h: Math.abs(a.y - b.y) }
}

/** A long line with fewer points; its ends stay. */
function thinned(points: readonly number[]): number[] {
  const every = Math.ceil(points.length / 2 / PEN)
  return points.filter((_, at) => Math.floor(at / 2) % every === 0 || at >= points.length - 2)
}

/** The same place somewhere else, inside the picture. */
export function moved(place: Place, dx: number, dy: number): Place {
  const { x, y, x2, y2, points } = place
  return {
    ...place,
    x: Math.round(x + dx),
    y: Math.round(y + dy),
    ...(x2 !== undefined && { x2: Math.round(x2 + dx) }),
    ...(y2 !== undefined && { y2: Math.round(y2 + dy) }),
    ...(points && { points: points.map((value, at) => Math.round(value + (at % 2 === 0 ? dx : dy))) }),
  }
}
