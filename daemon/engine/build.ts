/** Requests to marks: pure, and the only place that decides where a drawing request lands. */
import { arrowPath } from '../../protocol/overlay/arrow.js'
import { WireError } from '../../protocol/overlay/errors.js'
import { show } from '../../protocol/overlay/explain.js'
import {
  boundsOfPoints,
  inflate,
  intersects,
  type Point,
  type Rect,
  type Size,
} from '../../protocol/overlay/geometry.js'
import { LIMITS } from '../../protocol/overlay/limits.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { NAMED_POSITIONS, resolvePosition } from '../../protocol/overlay/positions.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'

export type DrawingRequest = RequestOf<'point' | 'highlight' | 'textbox' | 'draw' | 'arrow'>

/** What coordinates are relative to: a display, or a window, which has a label instead of an id. */
export interface Ground {
  readonly logical_size: Size
  readonly id?: number
  readonly label?: string
}

/** Drawn when the client names no width; part of how far a stroke reaches. In logical points. */
const DEFAULT_STROKE = 4

/** The display a drawing request names: its own id, or its anchor's. */
export function displayIdOf(request: DrawingRequest): number {
  if (request.type === 'textbox' && request.anchor) {
    if (request.display_id !== undefined && request.display_id !== request.anchor.display_id) {
      throw new WireError(
        'bad_schema',
        `textbox: display_id is ${request.display_id} but anchor.display_id is ${request.anchor.display_id}; send one`,
      )
    }
    return request.anchor.display_id
  }
  if (request.display_id === undefined)
    throw new WireError('bad_schema', `${request.type}: display_id is missing`)
  return request.display_id
}

/**
 * The mark a request asks for on `display`. Throws `bad_schema` when it would not touch the display or names no place.
 * Queries, windows and frames are resolved before; here they are faults.
 */
export function buildMark(request: DrawingRequest, ground: Ground, id: string): Mark {
  const mark = withStep(shape(request, ground, id), request.step)
  if (!touches(mark, ground)) {
    const [width, height] = ground.logical_size
    throw new WireError(
      'bad_schema',
      `${request.type}: ${sentPlace(request)} is off ${ground.label ?? `display ${ground.id}`}, which is ${width}x${height} logical points`,
    )
  }
  return mark
}

function shape(request: DrawingRequest, display: Ground, id: string): Mark {
  switch (request.type) {
    case 'point': {
      const at: Point =
        request.at === undefined
          ? [positive(request.x as number), positive(request.y as number)]
          : place(request.at, display, 'point: at')
      return { kind: 'point', id, at, ...(request.label ? { label: request.label } : {}) }
    }
    case 'highlight':
      return {
        kind: 'highlight',
        id,
        rect: (request.rect as Rect).map(positive) as unknown as Rect,
        shape: request.shape ?? 'rect',
        spotlight: request.spotlight ?? false,
        ...(request.label ? { label: request.label } : {}),
      }
    case 'textbox': {
      const rect = request.anchor ? request.anchor.screen_rect : request.rect
      return {
        kind: 'textbox',
        id,
        rect: (rect as Rect).map(positive) as unknown as Rect,
        text: request.text,
        style: request.style ?? 'note',
        ...(request.about !== undefined && { about: request.about }),
      }
    }
    case 'draw':
      return { kind: 'draw', id, path: request.path, ...request.style }
    case 'arrow': {
      const from = place(request.from, display, 'arrow: from')
      const to = place(request.to, display, 'arrow: to')
      if (Math.hypot(to[0] - from[0], to[1] - from[1]) < 1) {
        throw new WireError(
          'bad_schema',
          `arrow: from and to are the same place, ${show(to)}; an arrow needs a length`,
        )
      }
      return { kind: 'arrow', id, path: arrowPath(from, to, request.bow), ...request.style }
    }
  }
}

/** -0 is 0: it would read as a difference later. */
function positive(value: number): number {
  return value + 0
}

function withStep(mark: Mark, step: number | undefined): Mark {
  return step === undefined ? mark : { ...mark, step }
}

function place(value: string | Point, display: Ground, field: string): Point {
  if (typeof value !== 'string') return [positive(value[0]), positive(value[1])]
  const point = resolvePosition(value, display.logical_size)
  if (point) return point
  throw new WireError(
    'bad_schema',
    `${field} must be one of ${Object.keys(NAMED_POSITIONS).join(', ')}, or a pair like "50%,30%"; got ${show(value)}`,
  )
}

function sentPlace(request: DrawingRequest): string {
  switch (request.type) {
    case 'point':
      return show([request.x, request.y])
    case 'highlight':
      return `rect ${show(request.rect)}`
    case 'textbox':
      return `rect ${show(request.anchor?.screen_rect ?? request.rect)}`
    case 'draw':
      return 'the whole path'
    case 'arrow':
      return `from ${show(request.from)} to ${show(request.to)}`
  }
}

/** Where a mark is, in logical points on its display: what `status` reports. A point has no extent. */
export function rectOf(mark: Mark): Rect {
  if (mark.kind === 'point') return [mark.at[0], mark.at[1], 0, 0]
  if (mark.kind === 'highlight' || mark.kind === 'textbox') return mark.rect
  return boundsOfPoints(mark.path)
}

/** An instruction to the person is about the screen, not about what happens to be under it; so is a note that says so. */
export function isAboutTheScreen(mark: Mark): boolean {
  return mark.kind === 'textbox' && (mark.style === 'guide' || mark.about === 'screen')
}

/** The place a mark is about: an arrow's head, what a highlight encloses, the extent of anything else. */
export function subjectRect(mark: Mark): Rect {
  if (mark.kind !== 'arrow') return rectOf(mark)
  const [x, y] = mark.path.at(-1) as Point
  return [x, y, 0, 0]
}

/** Whether any of the mark itself (captions aside) is on the display. */
export function touches(mark: Mark, display: Ground): boolean {
  const [width, height] = display.logical_size
  const reach = mark.kind === 'draw' || mark.kind === 'arrow' ? (mark.width ?? DEFAULT_STROKE) / 2 : 0
  return intersects(inflate(rectOf(mark), reach), [0, 0, width, height])
}

/** The mark moved so that its rectangle's origin (a point's place) is at `to`, or by `by`. */
export function moved(mark: Mark, request: RequestOf<'move'>): Mark {
  const [x, y] = rectOf(mark)
  return inRange(
    shifted(mark, request.by ?? [(request.to as Point)[0] - x, (request.to as Point)[1] - y]),
    'move',
  )
}

/** The mark moved by `[dx, dy]` logical points. */
export function shifted(mark: Mark, [dx, dy]: Point): Mark {
  const shift = ([px, py]: Point): Point => [px + dx + 0, py + dy + 0]
  switch (mark.kind) {
    case 'point':
      return { ...mark, at: shift(mark.at) }
    case 'highlight':
    case 'textbox': {
      const [left, top] = shift([mark.rect[0], mark.rect[1]])
      return { ...mark, rect: [left, top, mark.rect[2], mark.rect[3]] }
    }
    default:
      return { ...mark, path: mark.path.map(shift) }
  }
}

/** Whether every coordinate of a mark is one whose sums are exact: repeated moves must not walk out of that range. */
export function isInRange(mark: Mark): boolean {
  const [x, y, width, height] = rectOf(mark)
  return [x, y, x + width, y + height].every((value) => Math.abs(value) <= LIMITS.coordinate)
}

/** The mark itself, or `bad_schema` when it is out of range. */
export function inRange(mark: Mark, type: string): Mark {
  if (isInRange(mark)) return mark
  throw new WireError('bad_schema', `${type}: that leads beyond ${LIMITS.coordinate} logical points`)
}

/** Text that the bundled Latin font may not cover, or null when it surely does. */
export function textBeyondLatin(mark: Mark): string | null {
  const text = mark.kind === 'textbox' ? mark.text : 'label' in mark ? mark.label : undefined
  return text !== undefined && /[^\u0020-\u007e\u00a0-\u00ff\n\r\t]/.test(text) ? text : null
}
