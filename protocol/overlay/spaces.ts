/**
 * The coordinates that models answer in, to pixels of the picture they were shown, and on to logical points. What a number
 * means is declared and never guessed: 500 may be a pixel, or the middle of 0..1000.
 */
import { show } from './explain.js'
import type { Point, Rect, Size } from './geometry.js'

/** How far a whole edge of the picture is in each space; `pixels` depend on the picture. */
const EXTENTS = { pixels: null, '0..1000': 1000, fractions: 1, percent: 100 } as const

export const SPACES = Object.keys(EXTENTS) as readonly Space[]
export const ORDERS = ['xy', 'yx'] as const
export const RECT_FORMS = ['size', 'corners'] as const

/** What 0 to the far edge is: the picture's own pixels, 0 to 1000, 0 to 1, or 0 to 100. */
export type Space = keyof typeof EXTENTS
/** Which axis comes first, in points and in each pair of a rectangle. */
export type Order = (typeof ORDERS)[number]
/** A rectangle's second pair: its `size` (`[x, y, width, height]`), or its far corner (`[x0, y0, x1, y1]`). */
export type RectForm = (typeof RECT_FORMS)[number]

export interface Declared {
  readonly space: Space
  readonly order: Order
  /** The picture as the model got it: width and height in pixels. */
  readonly image: Size
}

export interface DeclaredRect extends Declared {
  readonly form: RectForm
}

/** What a picture shows. */
export interface Shown {
  readonly image: Size
  /** The display it is of, as `displays` lists it. */
  readonly display: { readonly logical_size: Size }
  /** The part of the display it shows, in logical points; absent: all of it. */
  readonly part?: Rect
}

/** Something was not declared, or is out of its range. `message` names the field, what was sent and what would be right. */
export class SpaceError extends Error {
  override readonly name = 'SpaceError'
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message)
  }
}

/** Sums of fractions may miss the edge by a rounding error, which is no mistake of the model's. */
const ROUNDING = 1e-9

/**
 * A point or a rectangle of a model's answer as pixels of its picture; a rectangle is `[x, y, width, height]` then. Throws
 * `SpaceError` for what is undeclared or beyond the picture.
 */
export function toPixels(place: Point, declared: Declared): [x: number, y: number]
export function toPixels(
  place: Rect,
  declared: DeclaredRect,
): [x: number, y: number, width: number, height: number]
export function toPixels(place: readonly number[], declared: Declared | DeclaredRect): number[]
export function toPixels(place: readonly number[], declared: Declared | DeclaredRect): number[] {
  const { order, image } = checked(declared)
  const extents = extentsOf(declared)
  if (isPoint(place)) {
    const point = inOrder(place, order)
    for (const axis of AXES) within(point[axis], AXIS_NAMES[axis], axis, declared)
    return AXES.map((axis) => scaled(point[axis], extents[axis], image[axis]))
  }
  const { form } = declared as Partial<DeclaredRect>
  if (place.length !== 4) {
    throw new SpaceError('place', `a place is two numbers or four; got ${show(place)}`)
  }
  oneOf(
    RECT_FORMS,
    form,
    'form',
    'four numbers may be [x, y, width, height] (size) or [x0, y0, x1, y1] (corners)',
  )
  const start = inOrder([place[0] as number, place[1] as number], order)
  const second = inOrder([place[2] as number, place[3] as number], order)
  const edges = AXES.map((axis) => {
    const [near, far] = span(start[axis], second[axis], axis, form as RectForm, declared)
    return [scaled(near, extents[axis], image[axis]), scaled(far, extents[axis], image[axis])] as const
  })
  return [...edges.map(([near]) => near), ...edges.map(([near, far]) => far - near)]
}

/** Pixels of a picture in another space: to tell a model a place in its own words. The inverse of `toPixels`. */
export function fromPixels(place: Point, declared: Declared): [number, number]
export function fromPixels(place: Rect, declared: DeclaredRect): [number, number, number, number]
export function fromPixels(place: readonly number[], declared: Declared | DeclaredRect): number[] {
  const { order, image } = checked(declared)
  const extents = extentsOf(declared)
  const pixels = { ...declared, space: 'pixels', order: 'xy', form: 'size' } as const
  const [x = 0, y = 0, width, height] = toPixels(place, pixels)
  const back = (point: Point) => {
    const [u, v] = AXES.map((axis) => scaled(point[axis], image[axis], extents[axis]))
    return inOrder([u as number, v as number], order)
  }
  if (width === undefined || height === undefined) return [...back([x, y])]
  const { form } = declared as Partial<DeclaredRect>
  oneOf(RECT_FORMS, form, 'form', 'a rectangle is given by its size or by its corners')
  return [...back([x, y]), ...back(form === 'size' ? [width, height] : [x + width, y + height])]
}

/**
 * Pixels of a picture that somebody else took (what `lets capture` took has a frame: name that) as logical points of the
 * display it shows. Throws `SpaceError` when the picture cannot be one of that display or part.
 */
export function toPoints(pixels: Point, shown: Shown): [x: number, y: number]
export function toPoints(pixels: Rect, shown: Shown): [x: number, y: number, width: number, height: number]
export function toPoints(pixels: readonly number[], shown: Shown): number[]
export function toPoints(pixels: readonly number[], shown: Shown): number[] {
  const { image, display } = shown
  sizeOf(image, 'image')
  const [width, height] = sizeOf(display?.logical_size, 'display.logical_size')
  const [left, top, ...extent] = partOf(shown.part ?? [0, 0, width, height], [width, height])
  sameShape(image, [extent[0], extent[1]], shown.part === undefined ? 'display' : 'part')
  const declared = { space: 'pixels', order: 'xy', form: 'size', image } as const
  const [x = 0, y = 0, ...size] = toPixels(pixels, declared)
  return [
    left + scaled(x, image[0], extent[0]),
    top + scaled(y, image[1], extent[1]),
    ...size.map((length, axis) => scaled(length, image[axis as 0 | 1], extent[axis as 0 | 1])),
  ]
}

const AXES = [0, 1] as const
const AXIS_NAMES = ['x', 'y'] as const
const FAR_EDGES = ['x1', 'y1'] as const
const LENGTHS = ['width', 'height'] as const
type Axis = (typeof AXES)[number]

function isPoint(place: readonly number[]): place is Point {
  if (!Array.isArray(place))
    throw new SpaceError('place', `a place is two numbers or four; got ${show(place)}`)
  return place.length === 2
}

function inOrder([first, second]: Point, order: Order): Point {
  return order === 'xy' ? [first, second] : [second, first]
}

/** In this order of operations the far edge comes out exactly. */
function scaled(value: number, from: number, to: number): number {
  return value === from ? to : (value / from) * to
}

function extentsOf({ space, image }: Declared): Size {
  const extent = EXTENTS[space]
  return extent === null ? image : [extent, extent]
}

function checked(declared: Declared): Declared {
  const { space, order, image } = declared ?? {}
  oneOf(SPACES, space, 'space', 'the same number means another place in each, so it is never guessed')
  oneOf(ORDERS, order, 'order', 'models answer in both, so it is never guessed')
  sizeOf(image, 'image')
  return declared
}

function oneOf(allowed: readonly string[], value: unknown, field: string, why: string): void {
  if (typeof value === 'string' && allowed.includes(value)) return
  const got = value === undefined ? 'it was not declared' : `got ${show(value)}`
  throw new SpaceError(field, `${field} must be one of ${allowed.join(', ')}; ${got} (${why})`)
}

function sizeOf(size: unknown, field: string): Size {
  const isSize =
    Array.isArray(size) && size.length === 2 && size.every((edge) => Number.isFinite(edge) && edge > 0)
  if (isSize) return size as unknown as Size
  const got = size === undefined ? 'it was not given' : `got ${show(size)}`
  throw new SpaceError(field, `${field} must be [width, height], both above 0; ${got}`)
}

/** A place along one axis, which must be on the picture. Returns it without a rounding error beyond the edge. */
function within(value: number, field: string, axis: Axis, declared: Declared): number {
  const limit = extentsOf(declared)[axis]
  if (Number.isFinite(value) && value >= 0 && value <= limit * (1 + ROUNDING)) return Math.min(value, limit)
  const edge = axis === 0 ? 'the left edge' : 'the top'
  const { space, order, image } = declared
  const picture = space === 'pixels' ? ` of a picture of ${image.join('x')}` : ''
  throw new SpaceError(
    field,
    `${field} must be 0 to ${limit} from ${edge} (space ${space}${picture}, order ${order}); got ${sent(value)}`,
  )
}

/** What JSON has no word for (NaN) is said all the same. */
function sent(value: unknown): string {
  return typeof value === 'number' ? String(value) : show(value)
}

/** Both edges of a rectangle along one axis. */
function span(near: number, second: number, axis: Axis, form: RectForm, declared: Declared): Point {
  if (form === 'corners') {
    const [from, to] = [`${AXIS_NAMES[axis]}0`, FAR_EDGES[axis]] as const
    const start = within(near, from, axis, declared)
    const end = within(second, to, axis, declared)
    if (end > start) return [start, end]
    throw new SpaceError(to, `${to} must be beyond ${from}, which is ${near}; got ${second} (form corners)`)
  }
  const name = AXIS_NAMES[axis]
  const start = within(near, name, axis, declared)
  const length = LENGTHS[axis]
  if (!Number.isFinite(second) || second <= 0) {
    throw new SpaceError(length, `${length} must be above 0 (form size); got ${sent(second)}`)
  }
  const limit = extentsOf(declared)[axis]
  if (near + second <= limit * (1 + ROUNDING)) return [start, Math.min(near + second, limit)]
  throw new SpaceError(
    length,
    `${length} must be at most ${limit - near}, where the picture ends (space ${declared.space}, form size, ${name} ${near}); got ${second}`,
  )
}

function partOf(part: Rect, [width, height]: Size): Rect {
  const [x, y, w, h] = part
  const fits = x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= width && y + h <= height
  if (part.length === 4 && part.every(Number.isFinite) && fits) return part
  throw new SpaceError(
    'part',
    `part must be [x, y, width, height] on the display, which is ${width}x${height} logical points; got ${show(part)}`,
  )
}

/** A picture of another shape shows something else: its pixels would mean other places. Sides are rounded to pixels. */
function sameShape(image: Size, extent: Size, of: 'display' | 'part'): void {
  if (Math.abs(image[0] * extent[1] - image[1] * extent[0]) <= extent[0] + extent[1]) return
  const remedy = of === 'display' ? 'say which part of it the picture shows' : 'it is not of that part alone'
  throw new SpaceError(
    'image',
    `image is ${image.join('x')} pixels, another shape than the ${of}'s ${extent.join('x')} logical points; ${remedy}`,
  )
}
