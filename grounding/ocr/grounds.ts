import { around, type Box, type Picture } from './picture.js'

/**
 * A stretch of one colour that things are written on: a page, a button's fill, a field. A gentle gradient is one too.
 */
export interface Ground {
  readonly box: Box
  /** How many pixels of the box are its own. */
  readonly area: number
  /** Its colour, in the middle of what was met. */
  readonly color: readonly [red: number, green: number, blue: number]
}

/** Which ground every pixel lies on, and how much it differs from that. */
export interface Grounds {
  readonly grounds: readonly Ground[]
  /** For each pixel the number of its ground, or of the one nearest to it. */
  readonly of: Uint16Array
  /** For each pixel how far its colour is from its ground's there: 0 is the ground itself. */
  readonly distance: Uint8Array
}

/** Neighbours that differ by no more than this, in each channel, are one surface. */
const EVEN = 3
/** A ground is at least a square of this side, in points: the strokes of large letters are narrower. */
const SIDE = 9
/** More grounds than this are a photograph; what is left of it counts as lying on the ground around it. */
const MOST = 65_000

/** Finds the grounds of a picture: text is what differs from the ground that it lies on, whichever of them is light. */
export function findGrounds(picture: Picture): Grounds {
  const { width, height, scale } = picture
  const pixels = new Uint32Array(width * height)
  const { data } = picture
  for (let i = 0, at = 0; i < pixels.length; i++, at += 4) {
    pixels[i] = ((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number)
  }
  const of = new Uint16Array(width * height)
  const grounds = fill(pixels, of, width, height, Math.round(SIDE * scale))
  const distance = spread(pixels, of, width, height)
  return { grounds, of, distance }
}

function even(a: number, b: number): boolean {
  if (a === b) return true
  const red = (a >> 16) - (b >> 16)
  const green = ((a >> 8) & 255) - ((b >> 8) & 255)
  const blue = (a & 255) - (b & 255)
  return red <= EVEN && red >= -EVEN && green <= EVEN && green >= -EVEN && blue <= EVEN && blue >= -EVEN
}

/** Numbers the pixels of each ground from 1 and returns the grounds; number 0 stays with what is on them. */
function fill(pixels: Uint32Array, of: Uint16Array, width: number, height: number, side: number): Ground[] {
  const squares = evenSquares(pixels, width, height, side)
  const stack = new Int32Array(width * height)
  const grounds: Ground[] = [
    { box: { left: 0, top: 0, right: width, bottom: height }, area: 0, color: [255, 255, 255] },
  ]
  for (let seed = 0; seed < squares.length; seed++) {
    if ((squares[seed] as number) < side || of[seed] !== 0 || grounds.length > MOST) continue
    const number = grounds.length
    let box: Box = boxAt(seed, width)
    let area = 0
    let depth = 0
    stack[depth++] = seed
    of[seed] = number
    let { left, top, right, bottom } = box
    while (depth > 0) {
      const at = stack[--depth] as number
      area++
      const x = at % width
      const y = (at - x) / width
      if (x < left) left = x
      if (x >= right) right = x + 1
      if (y < top) top = y
      if (y >= bottom) bottom = y + 1
      const color = pixels[at] as number
      if (x > 0 && of[at - 1] === 0 && even(color, pixels[at - 1] as number)) {
        of[at - 1] = number
        stack[depth++] = at - 1
      }
      if (x < width - 1 && of[at + 1] === 0 && even(color, pixels[at + 1] as number)) {
        of[at + 1] = number
        stack[depth++] = at + 1
      }
      if (y > 0 && of[at - width] === 0 && even(color, pixels[at - width] as number)) {
        of[at - width] = number
        stack[depth++] = at - width
      }
      if (y < height - 1 && of[at + width] === 0 && even(color, pixels[at + width] as number)) {
        of[at + width] = number
        stack[depth++] = at + width
      }
    }
    box = around(box, { left, top, right, bottom })
    const color = pixels[seed] as number
    grounds.push({ box, area, color: [color >> 16, (color >> 8) & 255, color & 255] })
  }
  return grounds
}

/** For each pixel the side of the largest even square of which it is the bottom right corner, up to `side`. */
function evenSquares(pixels: Uint32Array, width: number, height: number, side: number): Uint8Array {
  const squares = new Uint8Array(width * height)
  const most = Math.min(side, 255)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (x === 0 || y === 0) {
        squares[at] = 1
        continue
      }
      const color = pixels[at] as number
      if (!even(color, pixels[at - 1] as number) || !even(color, pixels[at - width] as number)) {
        squares[at] = 1
        continue
      }
      const least = Math.min(
        squares[at - 1] as number,
        squares[at - width] as number,
        squares[at - width - 1] as number,
      )
      squares[at] = Math.min(least + 1, most)
    }
  }
  return squares
}

function boxAt(at: number, width: number): Box {
  const left = at % width
  const top = (at - left) / width
  return { left, top, right: left + 1, bottom: top + 1 }
}

/** Gives what is on a ground the number of the nearest one, and measures how it differs from that there. */
function spread(pixels: Uint32Array, of: Uint16Array, width: number, height: number): Uint8Array {
  const count = width * height
  const far = new Uint16Array(count)
  const ground = new Uint32Array(count)
  for (let at = 0; at < count; at++) {
    ground[at] = pixels[at] as number
    far[at] = of[at] === 0 ? 65_000 : 0
  }
  const take = (at: number, from: number, steps: number) => {
    const reach = (far[from] as number) + steps
    if (reach >= (far[at] as number)) return
    far[at] = reach
    ground[at] = ground[from] as number
    of[at] = of[from] as number
  }
  // Straight steps cost 3 and oblique ones 4: near enough to true distance for who is nearest.
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (far[at] === 0) continue
      if (x > 0) take(at, at - 1, 3)
      if (y === 0) continue
      take(at, at - width, 3)
      if (x > 0) take(at, at - width - 1, 4)
      if (x < width - 1) take(at, at - width + 1, 4)
    }
  }
  for (let y = height - 1, at = count - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, at--) {
      if (far[at] === 0) continue
      if (x < width - 1) take(at, at + 1, 3)
      if (y === height - 1) continue
      take(at, at + width, 3)
      if (x < width - 1) take(at, at + width + 1, 4)
      if (x > 0) take(at, at + width - 1, 4)
    }
  }
  const distance = new Uint8Array(count)
  for (let at = 0; at < count; at++) {
    if (far[at] !== 0) distance[at] = apart(pixels[at] as number, ground[at] as number)
  }
  return distance
}

function apart(a: number, b: number): number {
  const red = Math.abs((a >> 16) - (b >> 16))
  const green = Math.abs(((a >> 8) & 255) - ((b >> 8) & 255))
  const blue = Math.abs((a & 255) - (b & 255))
  return Math.max(red, green, blue)
}
