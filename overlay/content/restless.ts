import type { PixelArea, Pixels } from './pixels.js'

/** The side of the squares that are watched for restlessness, in pixels. */
const CELL = 32

/** A square that changed at so many looks in a row changes by itself. */
const OFTEN = 3

/**
 * Where a window changes all the time although nothing moves: a film, a spinner. What happens there tells nothing, and
 * need not wake anybody.
 */
export class Restless {
  #columns = 0
  #rows = 0
  #counts = new Uint8Array()
  #changed = new Uint8Array()
  #isOther = true

  /** Takes note of what changed from one look to the next. */
  note(before: Pixels, after: Pixels): void {
    this.#isOther = before.width !== after.width || before.height !== after.height
    if (this.#isOther) {
      this.forget()
      return
    }
    this.#columns = Math.ceil(after.width / CELL)
    this.#rows = Math.ceil(after.height / CELL)
    if (this.#counts.length !== this.#columns * this.#rows) {
      this.#counts = new Uint8Array(this.#columns * this.#rows)
      this.#changed = new Uint8Array(this.#columns * this.#rows)
    }
    for (let row = 0; row < this.#rows; row++) {
      for (let column = 0; column < this.#columns; column++) {
        const at = row * this.#columns + column
        const count = this.#counts[at] as number
        const changed = differs(before, after, column, row)
        this.#changed[at] = changed ? 1 : 0
        this.#counts[at] = changed ? Math.min(OFTEN * 2, count + 1) : Math.max(0, count - 1)
      }
    }
  }

  /** Whether the last look found something else in an area than before, apart from what changes by itself. */
  hasChanged([left, top, width, height]: PixelArea): boolean {
    if (this.#isOther) return true
    for (let y = top; y < top + height; y = next(y)) {
      for (let x = left; x < left + width; x = next(x)) {
        if (this.#at(this.#changed, x, y) > 0 && !this.has(x, y)) return true
      }
    }
    return false
  }

  /** Something moved: what was restless may be elsewhere now. */
  forget(): void {
    this.#counts.fill(0)
  }

  /** Whether this place changes by itself. */
  has(x: number, y: number): boolean {
    return this.#at(this.#counts, x, y) >= OFTEN
  }

  #at(cells: Uint8Array, x: number, y: number): number {
    const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)]
    const isOut = column < 0 || row < 0 || column >= this.#columns || row >= this.#rows
    return isOut ? 0 : (cells[row * this.#columns + column] as number)
  }

  /** How much of an area changes by itself, 0 to 1. */
  share(area: PixelArea): number {
    const calm = this.calm(area).reduce((sum, [, , width, height]) => sum + width * height, 0)
    const all = area[2] * area[3]
    return all === 0 ? 0 : 1 - calm / all
  }

  /** An area without what changes by itself, as rectangles. */
  calm([left, top, width, height]: PixelArea): PixelArea[] {
    const parts: PixelArea[] = []
    for (let y = top; y < top + height; y = next(y)) {
      const bottom = Math.min(next(y), top + height)
      let start: number | null = null
      for (let x = left; x < left + width; x = next(x)) {
        if (!this.has(x, y)) start ??= x
        else if (start !== null) {
          parts.push([start, y, x - start, bottom - y])
          start = null
        }
      }
      if (start !== null) parts.push([start, y, left + width - start, bottom - y])
    }
    return parts
  }
}

/** Where the next square begins. */
function next(place: number): number {
  return (Math.floor(place / CELL) + 1) * CELL
}

function differs(before: Pixels, after: Pixels, column: number, row: number): boolean {
  const { width, height } = after
  const right = Math.min(width, (column + 1) * CELL)
  const bottom = Math.min(height, (row + 1) * CELL)
  for (let y = row * CELL; y < bottom; y++) {
    const line = y * width
    for (let x = column * CELL; x < right; x++)
      if (before.data[line + x] !== after.data[line + x]) return true
  }
  return false
}
