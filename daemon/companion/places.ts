/** Where the companion may be, and what is there. */
import type { HostWindow } from '../../overlay/host.js'
import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import { WireError } from '../../protocol/overlay/errors.js'
import { show } from '../../protocol/overlay/explain.js'
import type { Display, Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import { NAMED_POSITIONS, resolvePosition } from '../../protocol/overlay/positions.js'

/** What it covers, around the middle of its body, in logical points. */
export const BODY: Size = [88, 96]
/** From the edges of a display: panels are there. */
const INSET = 12
/** Where it starts, from the bottom right corner: above a panel. */
const HOME: Point = [84, 132]
/** How far it stays from the pointer it was called to, when its persona does not say. */
const DISTANCE = 56

/** The corner it starts in, of the primary display. */
export function home(displays: readonly Display[]): DisplayPoint | null {
  const display = displays.find(({ primary }) => primary) ?? displays[0]
  if (!display) return null
  const [width, height] = display.logical_size
  return reachable({ display: display.id, at: [width - HOME[0], height - HOME[1]] }, displays)
}

/** The place itself, or the nearest one of its display at which all of it is seen; null: that display is not there. */
export function reachable(place: DisplayPoint, displays: readonly Display[]): DisplayPoint | null {
  const display = displays.find(({ id }) => id === place.display)
  if (!display || !place.at.every(Number.isFinite)) return null
  const [width, height] = display.logical_size
  return {
    display: display.id,
    at: [within(place.at[0], BODY[0] / 2 + INSET, width), within(place.at[1], BODY[1] / 2 + INSET, height)],
  }
}

/** At least `margin` from both ends, or in the middle where there is no room. */
function within(value: number, margin: number, extent: number): number {
  return margin * 2 > extent ? extent / 2 : Math.min(Math.max(value, margin), extent - margin)
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
export function beside({ display: id, at: [x, y] }: DisplayPoint, displays: readonly Display[], distance = DISTANCE) {
  const width = displays.find((display) => display.id === id)?.logical_size[0] ?? 0
  const away = BODY[0] / 2 + Math.max(distance, 8)
  return reachable({ display: id, at: [x < width / 2 ? x + away : x - away, y] }, displays)
}

/** What covers more of a display than this is its background: there is no being beside it. */
const MOST_OF_DISPLAY = 0.4
/** Between the body and what it keeps off. */
const CLEARANCE = 10
/** How far it looks for room, in logical points, and in which steps. */
const REACH = 480
const STEP = 24

/** The same place when it covers nothing of what is there, else the nearest one that does not; the same where there is none. */
export function aside(
  place: DisplayPoint,
  displays: readonly Display[],
  occupied: readonly Rect[],
  pointer: Point | null,
): DisplayPoint {
  const size = displays.find(({ id }) => id === place.display)?.logical_size
  if (!size) return place
  const small = occupied.filter(([, , width, height]) => width * height < size[0] * size[1] * MOST_OF_DISPLAY)
  const isFree = (at: Point) => {
    const body = bodyAt(at, CLEARANCE)
    return (
      !small.some((rect) => meets(body, rect)) && !(pointer && contains(bodyAt(at, CLEARANCE * 4), pointer))
    )
  }
  if (isFree(place.at)) return place
  for (let radius = STEP; radius <= REACH; radius += STEP) {
    for (let turn = 0; turn < 16; turn++) {
      const angle = (turn * Math.PI) / 8
      const at: Point = [place.at[0] + Math.cos(angle) * radius, place.at[1] + Math.sin(angle) * radius]
      const there = reachable({ display: place.display, at }, displays)
      if (there && isFree(there.at)) return there
    }
  }
  return place
}

/** A mark without an extent, such as a point, is something too. */
function meets([x, y, width, height]: Rect, [left, top, wide, high]: Rect): boolean {
  return x <= left + wide && left <= x + width && y <= top + high && top <= y + height
}

/** What its body covers there. */
export function bodyAt([x, y]: Point, margin = 0): Rect {
  return [
    x - BODY[0] / 2 - margin,
    y - BODY[1] / 2 - margin,
    BODY[0] + 2 * margin,
    BODY[1] + 2 * margin,
  ]
}

export function contains([left, top, width, height]: Rect, [x, y]: Point): boolean {
  return x >= left && y >= top && x < left + width && y < top + height
}

/** The window that a person sees at a place. */
export function topmost({ display, at }: DisplayPoint, windows: readonly HostWindow[]): HostWindow | undefined {
  return windows.findLast(({ rects, visible, transient }) => {
    const rect = rects.get(display)
    // Menus and tooltips come and go over a window without it being another one.
    return rect !== undefined && visible && !transient && contains(rect, at)
  })
}

/** Whether a film, a talk or a game has the display: over another window that is on top of it the companion may be. */
export function isCovered(place: DisplayPoint, displays: readonly Display[], windows: readonly HostWindow[]): boolean {
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
