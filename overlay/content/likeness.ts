/** Whether things look alike although they are not the same, pixel by pixel: in other colours, or partly out of sight. */
import { BLOCK, isEqual, isPlain, type PixelArea, type Pixels } from './pixels.js'

/** Structures that agree this well are the same, in other colours: a row under the pointer, a page dimmed by a dialog. */
const ALIKE = 0.97

/** How far the colour of a plain place may change and still be that place, per channel. */
const SHADE = 56

/** A change of brightness that counts as much as any stronger one, so that one strong line does not outweigh all. */
const STRONGEST_EDGE = 128

/** The brightness of the two blocks that are being compared, around its mean. */
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
 * How far an area of `a` and the one of `b` at a corner have their outlines in the same places, -1 to 1, whatever the
 * colours. Both must be within their picture.
 */
export function outlineAgreement(
  a: Pixels,
  [left, top, width, height]: PixelArea,
  b: Pixels,
  bx: number,
  by: number,
): number {
  const count = (width - 1) * (height - 1)
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0]
  for (let y = 0; y + 1 < height; y++) {
    let atA = (top + y) * a.width + left
    let atB = (by + y) * b.width + bx
    let lightA = light(a.data[atA] as number)
    let lightB = light(b.data[atB] as number)
    for (let x = 0; x + 1 < width; x++, atA++, atB++) {
      const nextA = light(a.data[atA + 1] as number)
      const nextB = light(b.data[atB + 1] as number)
      const edgeA = edge(lightA, nextA, light(a.data[atA + a.width] as number))
      const edgeB = edge(lightB, nextB, light(b.data[atB + b.width] as number))
      sumA += edgeA
      sumB += edgeB
      squaresA += edgeA * edgeA
      squaresB += edgeB * edgeB
      products += edgeA * edgeB
      lightA = nextA
      lightB = nextB
    }
  }
  const spread = (squaresA - (sumA * sumA) / count) * (squaresB - (sumB * sumB) / count)
  return spread > 0 ? (products - (sumA * sumB) / count) / Math.sqrt(spread) : 0
}

/** How much brightness changes from a pixel to the one beside it and the one below it. */
function edge(here: number, beside: number, below: number): number {
  return Math.min(Math.abs(beside - here) + Math.abs(below - here), STRONGEST_EDGE)
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
