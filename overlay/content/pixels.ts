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

/** The block's brightness around its mean; returns the sum of squares. */
function center({ data, width }: Pixels, x: number, y: number, into: Float64Array): number {
  let sum = 0
  for (let row = 0, index = 0; row < BLOCK; row++) {
    for (let column = 0; column < BLOCK; column++, index++) {
      const value = data[(y + row) * width + x + column] as number
      // Green counts twice, and red and blue alike: the order of the channels does not matter.
      const light = (value & 0xff) + ((value >>> 7) & 0x1fe) + ((value >>> 16) & 0xff)
      into[index] = light
      sum += light
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
