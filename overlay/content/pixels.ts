/** 32-bit pixels, rows without padding. Which channel comes first does not matter, as long as it is the same everywhere. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint32Array
}

/** Whole pixels of a picture. */
export type PixelArea = readonly [x: number, y: number, width: number, height: number]

/** The side of the squares that pictures are compared by, in pixels: about half a line of text. */
export const BLOCK = 8

/** Structures that agree this well are the same, in other colours: a row under the pointer, a page dimmed by a dialog. */
const ALIKE = 0.97

/** How far the colour of a plain place may change and still be that place, per channel. */
const SHADE = 56

/** Whether a whole block at this place is within the picture. */
export function holds({ width, height }: Pixels, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x + BLOCK <= width && y + BLOCK <= height
}

/** Whether a block is of one colour. */
export function isPlain({ data, width }: Pixels, x: number, y: number): boolean {
  const first = data[y * width + x]
  for (let row = 0, at = y * width + x; row < BLOCK; row++, at += width) {
    for (let column = 0; column < BLOCK; column++) if (data[at + column] !== first) return false
  }
  return true
}

/** Whether a block has something to be told by in both directions: not plain, and not just a line or an even shade. */
export function isDetailed({ data, width }: Pixels, x: number, y: number): boolean {
  let down = false
  let across = false
  for (let row = 0, at = y * width + x; row < BLOCK; row++, at += width) {
    for (let column = 0; column < BLOCK; column++) {
      across ||= column > 0 && data[at + column] !== data[at + column - 1]
      down ||= row > 0 && data[at + column] !== data[at + column - width]
    }
    if (down && across) return true
  }
  return false
}

/** Pixels of an area that tell it from most others at a glance: where the first, middle and last one differ from its corner. */
export interface Probe {
  readonly at: readonly [number, number, number]
  readonly values: readonly [number, number, number]
}

/** The probe of an area that is not plain; offsets are from its top left corner in its picture. */
export function probeOf({ data, width }: Pixels, [x, y, wide, high]: PixelArea): Probe {
  const corner = y * width + x
  const other: number[] = []
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < wide; column++) {
      const offset = row * width + column
      if (data[corner + offset] !== data[corner]) other.push(offset)
    }
  }
  const at = [other[0] ?? 0, other[other.length >> 1] ?? 0, other.at(-1) ?? 0] as const
  const values = at.map((offset) => data[corner + offset] as number) as unknown as Probe['values']
  return { at, values }
}

/** Whether an area at this corner may be the one a probe is of; the picture must be as wide as that one's. */
export function mayBe({ at, values }: Probe, data: Uint32Array, corner: number): boolean {
  return (
    data[corner + at[0]] === values[0] &&
    data[corner + at[1]] === values[1] &&
    data[corner + at[2]] === values[2]
  )
}

/** Whether a block of one picture is, pixel by pixel, a block of another. Both must be within their picture. */
export function isEqual(a: Pixels, ax: number, ay: number, b: Pixels, bx: number, by: number): boolean {
  let left = ay * a.width + ax
  let right = by * b.width + bx
  for (let row = 0; row < BLOCK; row++, left += a.width, right += b.width) {
    for (let column = 0; column < BLOCK; column++) {
      if (a.data[left + column] !== b.data[right + column]) return false
    }
  }
  return true
}

const left = new Float64Array(BLOCK * BLOCK)
const right = new Float64Array(BLOCK * BLOCK)

/**
 * Whether two blocks show the same, perhaps in other colours: structure agrees in brightness, also when it is turned
 * into its negative and `inverse` allows that (selected text). Plain blocks agree when their colours are close.
 */
export function isAlike(
  a: Pixels,
  ax: number,
  ay: number,
  b: Pixels,
  bx: number,
  by: number,
  inverse = false,
): boolean {
  if (isEqual(a, ax, ay, b, bx, by)) return true
  const plain = isPlain(a, ax, ay)
  if (plain !== isPlain(b, bx, by)) return false
  if (plain) return isShade(a.data[ay * a.width + ax] as number, b.data[by * b.width + bx] as number)
  const spreadA = center(a, ax, ay, left)
  const spreadB = center(b, bx, by, right)
  let product = 0
  for (let index = 0; index < left.length; index++) {
    product += (left[index] as number) * (right[index] as number)
  }
  const agreement = product / Math.sqrt(spreadA * spreadB)
  return agreement >= ALIKE || (inverse && agreement <= -ALIKE)
}

/**
 * How far two pictures of the same size have their outlines in the same places, -1 to 1, whatever the colours: of `b` the
 * part from `bx`, `by`.
 */
export function outlineAgreement(a: Pixels, b: Pixels, bx: number, by: number): number {
  let [sumA, sumB, squaresA, squaresB, products, count] = [0, 0, 0, 0, 0, 0]
  for (let y = 0; y + 1 < a.height; y++) {
    for (let x = 0; x + 1 < a.width; x++) {
      const edgeA = edgeAt(a, x, y)
      const edgeB = edgeAt(b, bx + x, by + y)
      sumA += edgeA
      sumB += edgeB
      squaresA += edgeA * edgeA
      squaresB += edgeB * edgeB
      products += edgeA * edgeB
      count++
    }
  }
  const spread = (squaresA - (sumA * sumA) / count) * (squaresB - (sumB * sumB) / count)
  return spread > 0 ? (products - (sumA * sumB) / count) / Math.sqrt(spread) : 0
}

/** How much brightness changes from a pixel to the next ones; capped, so that one strong line does not outweigh all. */
function edgeAt({ data, width }: Pixels, x: number, y: number): number {
  const at = y * width + x
  const here = light(data[at] as number)
  const across = Math.abs(light(data[at + 1] as number) - here)
  const down = Math.abs(light(data[at + width] as number) - here)
  return Math.min(across + down, 128)
}

/** Brightness, 0 to 1020. Green counts twice, and red and blue alike: the order of the channels does not matter. */
function light(value: number): number {
  return (value & 0xff) + ((value >>> 7) & 0x1fe) + ((value >>> 16) & 0xff)
}

/** The block's brightness around its mean; returns the sum of squares. */
function center({ data, width }: Pixels, x: number, y: number, into: Float64Array): number {
  let sum = 0
  for (let row = 0, index = 0; row < BLOCK; row++) {
    for (let column = 0; column < BLOCK; column++, index++) {
      const value = light(data[(y + row) * width + x + column] as number)
      into[index] = value
      sum += value
    }
  }
  const mean = sum / into.length
  let squares = 0
  for (let index = 0; index < into.length; index++) {
    const off = (into[index] as number) - mean
    into[index] = off
    squares += off * off
  }
  // Colours may differ where brightness does not; then nothing can be said, and nothing agrees.
  return squares || Number.POSITIVE_INFINITY
}

function isShade(a: number, b: number): boolean {
  return [0, 8, 16].every((shift) => Math.abs(((a >>> shift) & 0xff) - ((b >>> shift) & 0xff)) <= SHADE)
}

/**
 * Whether a block of `before` is at `to` in `after` as far as it is in sight: each of its lines, or each of its columns,
 * is there, or lies under something that stands still, or belonged to that. So what reaches over the edge of a pane fits.
 */
export function fitsInSight(
  before: Pixels,
  after: Pixels,
  from: readonly [number, number],
  to: readonly [number, number],
): boolean {
  return fitsAlong(before, after, from, to, 'lines') || fitsAlong(before, after, from, to, 'columns')
}

function fitsAlong(
  before: Pixels,
  after: Pixels,
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  by: 'lines' | 'columns',
): boolean {
  for (let outer = 0; outer < BLOCK; outer++) {
    let moved = true
    let covered = true
    let stood = true
    for (let inner = 0; inner < BLOCK && (moved || covered || stood); inner++) {
      const [x, y] = by === 'lines' ? [inner, outer] : [outer, inner]
      const source = (fromY + y) * before.width + fromX + x
      const target = (toY + y) * after.width + toX + x
      const now = after.data[target]
      moved &&= before.data[source] === now
      covered &&= before.data[(toY + y) * before.width + toX + x] === now
      stood &&= before.data[source] === after.data[(fromY + y) * after.width + fromX + x]
    }
    if (!moved && !covered && !stood) return false
  }
  return true
}
