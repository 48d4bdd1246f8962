import { type Rect, type Size, union } from '../../protocol/overlay/geometry.js'

export type Side = 'right' | 'left' | 'below' | 'above'

/** What a caption belongs to, and where it may go. */
export interface Subject {
  /** Never covered: the thing pointed at, the pointer, the badge. Not empty. */
  readonly avoid: readonly Rect[]
  /** Where along a side it goes first. */
  readonly align: 'start' | 'middle'
  /** Sides in order of preference. */
  readonly sides: readonly Side[]
  /** Where it may go when there is room nowhere else: inside the thing's own edge. */
  readonly inside?: Rect
}

/** Between a caption and what it belongs to, in logical points. */
const GAP = 5
const EDGE = 4
/** More things than these, nearest first, are not worth the time. */
const MOST_CAPTIONS = 16
const MOST_OTHERS = 32

/** What is on the display already, in rectangles a caption keeps off when there is room. */
export interface Taken {
  /** Captions and text boxes: places beside them are tried. */
  readonly captions: readonly Rect[]
  readonly others: readonly Rect[]
}

export interface Placed {
  readonly rect: Rect
  /** Lower is better; from `CROWDED` on it covers something. */
  readonly cost: number
}

export const CROWDED = 1000

/**
 * The best place for a box of `[width, height]` on a display: inside it, off everything in `subject.avoid`, and off
 * `taken` when there is room. Null when it fits nowhere.
 */
export function place(box: Size, subject: Subject, taken: Taken, display: Size): Placed | null {
  if (box[0] > display[0] || box[1] > display[1]) return null
  const whole = subject.avoid.reduce(union)
  const captions = nearest(taken.captions, whole, MOST_CAPTIONS)
  const near = [...captions, ...nearest(taken.others, whole, MOST_OTHERS)]
  let best: Placed | null = null as Placed | null
  const consider = (x: number, y: number, cost: number) => {
    const rect: Rect = [within(x, box[0], display[0]), within(y, box[1], display[1]), box[0], box[1]]
    let total = cost + distance(rect, whole) * 0.6
    const least = best?.cost ?? Number.POSITIVE_INFINITY
    if (total >= least || subject.avoid.some((avoided) => overlap(rect, avoided) > 0)) return
    for (const other of near) {
      const share = overlap(rect, other) / (box[0] * box[1])
      if (share > 0) total += CROWDED * (1 + share)
      if (total >= least) return
    }
    best = { rect, cost: total }
  }
  beside(box, whole, subject, consider)
  if (!best || best.cost >= CROWDED) around(box, [whole, ...captions], consider)
  return best
}

/** The usual places: each side, aligned with the start, the middle and the end. */
function beside(
  [width, height]: Size,
  [left, top, wide, high]: Rect,
  { sides, align }: Subject,
  consider: (x: number, y: number, cost: number) => void,
): void {
  const middle = left + (wide - width) / 2
  const columns =
    align === 'start' ? [left, middle, left + wide - width] : [middle, left, left + wide - width]
  const rows = [top + (high - height) / 2, top + high - height, top]
  sides.forEach((side, rank) => {
    for (let index = 0; index < 3; index++) {
      const cost = rank * 12 + index * 2
      const x = columns[index] as number
      const y = rows[index] as number
      if (side === 'right') consider(left + wide + GAP, y, cost)
      else if (side === 'left') consider(left - GAP - width, y, cost)
      else if (side === 'below') consider(x, top + high + GAP, cost)
      else consider(x, top - GAP - height, cost)
    }
  })
}

/** Places that touch the subject or one of the captions already there, on either axis. */
function around(
  [width, height]: Size,
  beside: readonly Rect[],
  consider: (x: number, y: number, cost: number) => void,
): void {
  const xs: number[] = []
  const ys: number[] = []
  for (const [left, top, wide, high] of beside) {
    xs.push(left, left + wide - width, left - GAP - width, left + wide + GAP)
    ys.push(top, top + high - height, top - GAP - height, top + high + GAP)
  }
  for (const x of xs) for (const y of ys) consider(x, y, 50)
}

/** The strips of the display beside `avoid`, largest first, that captions on a crowded or tiny display have to use. */
export function strips(avoid: readonly Rect[], display: Size): Rect[] {
  const [left, top, wide, high] = avoid.reduce(union)
  const found: Rect[] = [
    [left + wide, 0, display[0] - left - wide, display[1]],
    [0, 0, left, display[1]],
    [0, top + high, display[0], display[1] - top - high],
    [0, 0, display[0], top],
  ]
  return found.filter((strip) => strip[2] > 0 && strip[3] > 0).sort((a, b) => b[2] * b[3] - a[2] * a[3])
}

function within(start: number, length: number, room: number): number {
  const edge = Math.min(EDGE, (room - length) / 2)
  return Math.max(edge, Math.min(start, room - length - edge))
}

function nearest(rects: readonly Rect[], to: Rect, most: number): readonly Rect[] {
  if (rects.length <= most) return rects
  return [...rects].sort((a, b) => distance(a, to) - distance(b, to)).slice(0, most)
}

export function overlap(a: Rect, b: Rect): number {
  const width = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0])
  const height = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1])
  return width > 0 && height > 0 ? width * height : 0
}

function distance(a: Rect, b: Rect): number {
  const dx = Math.max(0, a[0] - b[0] - b[2], b[0] - a[0] - a[2])
  const dy = Math.max(0, a[1] - b[1] - b[3], b[1] - a[1] - a[3])
  return Math.hypot(dx, dy)
}
