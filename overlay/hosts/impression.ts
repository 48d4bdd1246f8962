import type { Impression } from '../host.js'

/** The side of a square, in logical points: less than a line of text, so that a scroll by a line shows. */
const SQUARE = 8

/** Squares are looked at in about so many places in each direction. */
const LOOKS = 4

/** RGBA pixels and where they are: `x`, `y` from their display's top left, all in physical pixels. */
export interface Part {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** How light the squares are that lie wholly in a part of a display. `scale`: physical pixels per logical point. */
export function impressionOf({ x, y, width, height, data }: Part, scale: number): Impression {
  const side = SQUARE * scale
  const [column, row] = [Math.ceil(x / side), Math.ceil(y / side)]
  const columns = Math.max(0, Math.floor((x + width) / side) - column)
  const rows = Math.max(0, Math.floor((y + height) / side) - row)
  const light = new Uint8Array(columns * rows)
  const step = Math.max(1, Math.floor(side / LOOKS))
  for (let down = 0; down < rows; down++) {
    const [top, bottom] = [Math.round((row + down) * side) - y, Math.round((row + down + 1) * side) - y]
    for (let across = 0; across < columns; across++) {
      const [left, right] = [
        Math.round((column + across) * side) - x,
        Math.round((column + across + 1) * side) - x,
      ]
      let [sum, count] = [0, 0]
      for (let line = top; line < bottom; line += step) {
        for (let place = left; place < right; place += step) {
          const at = (line * width + place) * 4
          sum += (data[at] as number) + 2 * (data[at + 1] as number) + (data[at + 2] as number)
          count += 4
        }
      }
      light[down * columns + across] = sum / count
    }
  }
  return { square: SQUARE, column, row, columns, rows, light }
}
