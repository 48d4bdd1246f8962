/** 32-bit pixels, rows without padding. Which channel comes first does not matter, as long as it is the same everywhere. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint32Array
}

/** Whole pixels of a picture. */
export type PixelArea = readonly [x: number, y: number, width: number, height: number]

/**
 * The side of the squares that pictures are compared by, in pixels: about half a line of text. It does not grow with the
 * display's scale: where letters are larger, more blocks tell of each, and none tells less.
 */
export const BLOCK = 8

/** Whether a whole block at this place is within the picture. */
export function holds({ width, height }: Pixels, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x + BLOCK <= width && y + BLOCK <= height
}

/** Whether a whole area is within the picture. */
export function holdsArea({ width, height }: Pixels, [x, y, wide, high]: PixelArea): boolean {
  return x >= 0 && y >= 0 && x + wide <= width && y + high <= height
}

/** Whether a block is of one colour. */
export function isPlain({ data, width }: Pixels, x: number, y: number): boolean {
  const first = data[y * width + x]
  for (let row = 0, at = y * width + x; row < BLOCK; row++, at += width) {
    for (let column = 0; column < BLOCK; column++) if (data[at + column] !== first) return false
  }
  return true
}

/** Whether two blocks side by side are together of one colour. */
export function isPlainPair({ data, width }: Pixels, x: number, y: number): boolean {
  const first = data[y * width + x]
  for (let row = 0, at = y * width + x; row < BLOCK; row++, at += width) {
    for (let column = 0; column < 2 * BLOCK; column++) if (data[at + column] !== first) return false
  }
  return true
}

/** Whether a block has something to be told by in both directions: not plain, and not just a line or an even shade. */
export function isDetailed({ data, width }: Pixels, x: number, y: number): boolean {
  let down = false
  let across = false
  for (let row = 0, at = y * width + x; row < BLOCK; row++, at += width) {
    if (!down && row > 0) down = !isSameRun(data, at, at - width, BLOCK)
    if (!across) across = !isSameRun(data, at + 1, at, BLOCK - 1)
    if (down && across) return true
  }
  return false
}

/** Whether so many pixels from two places on are the same. */
function isSameRun(data: Uint32Array, a: number, b: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (data[a + index] !== data[b + index]) return false
  return true
}

/** Whether a block of one picture is, pixel by pixel, a block of another. Both must be within their picture. */
export function isEqual(a: Pixels, ax: number, ay: number, b: Pixels, bx: number, by: number): boolean {
  return areEqual(a, ax, ay, b, bx, by, 1)
}

/** Whether so many blocks side by side are, pixel by pixel, those of another picture. All must be within their picture. */
export function areEqual(
  { data: a, width: stepA }: Pixels,
  ax: number,
  ay: number,
  { data: b, width: stepB }: Pixels,
  bx: number,
  by: number,
  blocks: number,
): boolean {
  for (let row = 0; row < BLOCK; row++) {
    const [start, other] = [(ay + row) * stepA + ax, (by + row) * stepB + bx]
    for (let column = 0; column < blocks * BLOCK; column += BLOCK) {
      if (differ(a, start + column, b, other + column)) return false
    }
  }
  return true
}

/** Whether any of `BLOCK` pixels from two places on differs: all at once, which is quicker than one after the other. */
function differ(a: Uint32Array, atA: number, b: Uint32Array, atB: number): boolean {
  const first =
    ((a[atA] as number) ^ (b[atB] as number)) |
    ((a[atA + 1] as number) ^ (b[atB + 1] as number)) |
    ((a[atA + 2] as number) ^ (b[atB + 2] as number)) |
    ((a[atA + 3] as number) ^ (b[atB + 3] as number))
  if (first !== 0) return true
  const second =
    ((a[atA + 4] as number) ^ (b[atB + 4] as number)) |
    ((a[atA + 5] as number) ^ (b[atB + 5] as number)) |
    ((a[atA + 6] as number) ^ (b[atB + 6] as number)) |
    ((a[atA + 7] as number) ^ (b[atB + 7] as number))
  return second !== 0
}

/** Whether two pictures of one size are the same in an area, so far as it is within them. */
export function isEqualWithin(a: Pixels, b: Pixels, [x, y, wide, high]: PixelArea): boolean {
  const [left, right] = [Math.max(0, x), Math.min(a.width, x + wide)]
  for (let row = Math.max(0, y); row < Math.min(a.height, y + high); row++) {
    for (let at = row * a.width + left; at < row * a.width + right; at++) {
      if (a.data[at] !== b.data[at]) return false
    }
  }
  return true
}

/** Whether an area is, pixel by pixel, also at another place of its picture. Both must be within it. */
export function recursAt({ data, width }: Pixels, area: PixelArea, otherX: number, otherY: number): boolean {
  const [x, y, wide, high] = area
  for (let row = 0; row < high; row++) {
    if (!isSameRun(data, (y + row) * width + x, (otherY + row) * width + otherX, wide)) return false
  }
  return true
}

/** Two pairs of pixels that tell an area from most others at a glance: they differ from each other, which most do not. */
export interface Probe {
  /** Where they are, from the area's top left corner, in its picture. */
  readonly offsets: readonly [number, number, number, number]
  readonly values: readonly [number, number, number, number]
}

/** The probe of an area, or null when it is plain: the first and the last change of colour along its lines. */
export function probeOf({ data, width }: Pixels, [x, y, wide, high]: PixelArea): Probe | null {
  const corner = y * width + x
  const value = (offset: number) => data[corner + offset] as number
  const changeIn = (row: number) => {
    for (let offset = row * width; offset + 1 < row * width + wide; offset++) {
      if (value(offset) !== value(offset + 1)) return offset
    }
    return -1
  }
  let [first, last] = [-1, -1]
  for (let row = 0; row < high && first < 0; row++) first = changeIn(row)
  for (let row = high - 1; row >= 0 && last < 0; row--) last = changeIn(row)
  const offsets: Probe['offsets'] =
    first < 0 ? unlikeLine(high, width, value) : [first, first + 1, last, last + 1]
  const values = offsets.map(value) as unknown as Probe['values']
  return values[0] === values[1] ? null : { offsets, values }
}

/** Where an area of which each line is of one colour has another colour than in its first line, and its corner. */
function unlikeLine(high: number, width: number, value: (offset: number) => number): Probe['offsets'] {
  let row = 0
  while (row + 1 < high && value(row * width) === value(0)) row++
  return [0, row * width, 0, row * width]
}

/**
 * Of the corners `first`, `first + step`… before `end`, the first one at which an area may be the one a probe is of, or -1.
 * The picture must be as wide as that one's.
 */
export function nextLike(
  { offsets, values }: Probe,
  data: Uint32Array,
  first: number,
  step: number,
  end: number,
): number {
  const [atA, atB, atC, atD] = offsets
  const [a, b, c, d] = values
  for (let at = first; at < end; at += step) {
    // Two at once: in a text each alone agrees so often that guessing whether it does costs more than looking.
    if ((((data[at + atA] as number) ^ a) | ((data[at + atB] as number) ^ b)) !== 0) continue
    if (data[at + atC] === c && data[at + atD] === d) return at
  }
  return -1
}

/** A part of a picture as a picture of its own; it must be within it. */
export function cut({ data, width }: Pixels, [left, top, wide, high]: PixelArea): Pixels {
  const part = new Uint32Array(wide * high)
  for (let row = 0; row < high; row++) {
    const start = (top + row) * width + left
    part.set(data.subarray(start, start + wide), row * wide)
  }
  return { width: wide, height: high, data: part }
}

/** The colour most pixels of an area have, so far as it is within the picture. */
export function groundOf({ data, width, height }: Pixels, [left, top, wide, high]: PixelArea): number {
  const counts = new Map<number, number>()
  for (let y = Math.max(0, top); y < Math.min(height, top + high); y++) {
    for (let x = Math.max(0, left); x < Math.min(width, left + wide); x++) {
      const color = data[y * width + x] as number
      counts.set(color, (counts.get(color) ?? 0) + 1)
    }
  }
  let [ground, most] = [0, 0]
  for (const [color, count] of counts) if (count > most) [ground, most] = [color, count]
  return ground
}
