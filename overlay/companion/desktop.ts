import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import { FIGURE } from './figure.js'

/** The displays as one space, in which ways are measured: on X11 that of the pixels. */
export interface Desktop {
  /** Null: that display is not there. */
  toDesktop(place: DisplayPoint): Point | null
  /** Always a place on a display, the nearest one. */
  fromDesktop(point: Point): DisplayPoint
  displays(): readonly DesktopDisplay[]
  /** What is drawn may reach over from one display onto the next: it is not cut off at their edges. */
  readonly seamless?: boolean
}

export interface DesktopDisplay {
  readonly id: number
  /** In logical points. */
  readonly size: Size
  readonly scale: number
}

/** Between the figure and the edges of its display. */
const MARGIN = 4

/**
 * The place nearest to `wanted` where all of the figure is on its display. On a display that is not there, or with
 * numbers that are none, it is `otherwise`, or else the lower right of the first display; null without displays.
 */
export function reachable(
  wanted: DisplayPoint,
  displays: readonly DesktopDisplay[],
  otherwise: DisplayPoint | null = null,
): DisplayPoint | null {
  const known = displays.find(({ id }) => id === wanted.display)
  const [x, y] = wanted.at
  if (known && Number.isFinite(x) && Number.isFinite(y))
    return { display: known.id, at: kept(wanted.at, known.size) }
  if (otherwise) return reachable(otherwise, displays)
  const first = known ?? displays[0]
  if (!first) return null
  const [width, height] = first.size
  return { display: first.id, at: kept([width - FIGURE.width, height - FIGURE.height * 1.4], first.size) }
}

function kept([x, y]: Point, [width, height]: Size): Point {
  return [within(x, FIGURE.width, width), within(y, FIGURE.height, height)]
}

function within(middle: number, length: number, room: number): number {
  const least = Math.min(length / 2 + MARGIN, room / 2)
  return Math.max(least, Math.min(middle, room - least))
}

/** Desktop units of one logical point of a display. */
export function unitOf(desktop: Desktop, display: number): number {
  const from = desktop.toDesktop({ display, at: [0, 0] })
  const to = desktop.toDesktop({ display, at: [100, 0] })
  const unit = from && to ? Math.hypot(to[0] - from[0], to[1] - from[1]) / 100 : 1
  return unit > 0 && Number.isFinite(unit) ? unit : 1
}

/** Where displays are in the desktop. */
export function rectsOf(desktop: Desktop): Rect[] {
  const rects: Rect[] = []
  for (const { id, size } of desktop.displays()) {
    const from = desktop.toDesktop({ display: id, at: [0, 0] })
    const to = desktop.toDesktop({ display: id, at: size })
    if (from && to) rects.push([from[0], from[1], to[0] - from[0], to[1] - from[1]])
  }
  return rects
}
