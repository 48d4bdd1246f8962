/** Where the companion may be, and what is there. */
import { type DesktopDisplay, FIGURE, keepOff, reachable as seen } from '../../overlay/companion/index.js'
import type { HostWindow } from '../../overlay/host.js'
import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import { WireError } from '../../protocol/overlay/errors.js'
import { show } from '../../protocol/overlay/explain.js'
import type { Display, Point, Rect } from '../../protocol/overlay/geometry.js'
import { NAMED_POSITIONS, resolvePosition } from '../../protocol/overlay/positions.js'

/** Where it starts, from the bottom right corner: above a panel. */
const HOME: Point = [72, 120]
/** How far it stays from the pointer it was called to, when its persona does not say. */
const DISTANCE = 40
/** What covers more of a display than this is its background: there is no being beside it. */
const MOST_OF_DISPLAY = 0.4

/** The corner it starts in, of the primary display. */
export function home(displays: readonly Display[]): DisplayPoint | null {
  const display = displays.find(({ primary }) => primary) ?? displays[0]
  if (!display) return null
  const [width, height] = display.logical_size
  return reachable({ display: display.id, at: [width - HOME[0], height - HOME[1]] }, displays)
}

/** The place itself, or the nearest one of its display at which all of it is seen; null: that display is not there. */
export function reachable(place: DisplayPoint, displays: readonly Display[]): DisplayPoint | null {
  const isThere = displays.some(({ id }) => id === place.display) && place.at.every(Number.isFinite)
  return isThere ? seen(place, displays.map(asDesktop)) : null
}

function asDesktop({ id, logical_size: size, scale }: Display): DesktopDisplay {
  return { id, size, scale }
}

/** `to` of a move: a named position or a pair, in logical points. Throws `bad_schema`. */
export function named(to: string, display: Display): Point {
  const point = resolvePosition(to, display.logical_size)
  if (point) return point
  throw new WireError(
    'bad_schema',
    `data.to must be cursor, one of ${Object.keys(NAMED_POSITIONS).join(', ')}, or a pair like "50%,30%"; got ${show(to)}`,
  )
}

/** Beside the pointer, so that neither covers the other: on the side with more room. */
export function beside(
  { display: id, at: [x, y] }: DisplayPoint,
  displays: readonly Display[],
  distance = DISTANCE,
) {
  const width = displays.find((display) => display.id === id)?.logical_size[0] ?? 0
  const away = FIGURE.width / 2 + Math.max(distance, 8)
  return reachable({ display: id, at: [x < width / 2 ? x + away : x - away, y] }, displays)
}

/** The same place when it covers nothing of what is there, else the nearest one that does not, or covers much less. */
export function aside(
  place: DisplayPoint,
  displays: readonly Display[],
  occupied: readonly Rect[],
  pointer: Point | null,
): DisplayPoint {
  const { display } = place
  const size = displays.find(({ id }) => id === display)?.logical_size ?? [0, 0]
  const rects = occupied
    .filter(([, , width, height]) => width * height < size[0] * size[1] * MOST_OF_DISPLAY)
    // A point has no extent, and is something all the same.
    .map(([x, y, width, height]) => ({
      display,
      rect: [x - 1, y - 1, width + 2, height + 2] as const satisfies Rect,
    }))
  const points = pointer ? [{ display, at: pointer }] : []
  return keepOff(place, { displays: displays.map(asDesktop), rects, points }) ?? place
}

/** What its body covers there. */
export function bodyAt([x, y]: Point, margin = 0): Rect {
  return [
    x - FIGURE.width / 2 - margin,
    y - FIGURE.height / 2 - margin,
    FIGURE.width + 2 * margin,
    FIGURE.height + 2 * margin,
  ]
}

export function contains([left, top, width, height]: Rect, [x, y]: Point): boolean {
  return x >= left && y >= top && x < left + width && y < top + height
}

/** The window that a person sees at a place. */
export function topmost(
  { display, at }: DisplayPoint,
  windows: readonly HostWindow[],
): HostWindow | undefined {
  return windows.findLast(({ rects, visible, transient }) => {
    const rect = rects.get(display)
    // Menus and tooltips come and go over a window without it being another one.
    return rect !== undefined && visible && !transient && contains(rect, at)
  })
}

/** Whether a film, a talk or a game has the display: over another window that is on top of it the companion may be. */
export function isCovered(
  place: DisplayPoint,
  displays: readonly Display[],
  windows: readonly HostWindow[],
): boolean {
  const size = displays.find(({ id }) => id === place.display)?.logical_size
  if (!size) return false
  const middle: DisplayPoint = { display: place.display, at: [size[0] / 2, size[1] / 2] }
  return [place, middle].some((one) => topmost(one, windows)?.fullScreen === true)
}

/** Where to look from one place to another: a side, above or below. */
export function towards([x, y]: Point, rect: Rect): readonly [x: -1 | 0 | 1, y: -1 | 0 | 1] {
  const dx = rect[0] + rect[2] / 2 - x
  const dy = rect[1] + rect[3] / 2 - y
  const most = Math.max(Math.abs(dx), Math.abs(dy), 1)
  const side = (by: number) => (Math.abs(by) < most * 0.4 ? 0 : by < 0 ? -1 : 1)
  return [side(dx), side(dy)]
}
