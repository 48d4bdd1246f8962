/**
 * Whether two canvases painted the same. Shapes must be the same to a hair. Text is rasterised in another way by each build of
 * Skia (its weight and the smoothing of its edges), so of text it is asked that it is there, in place and of the same tone.
 */

export interface Pixels {
  readonly width: number
  readonly height: number
  /** RGBA, opaque. */
  readonly data: Uint8ClampedArray
}

export interface Likeness {
  /** Outside of text: the pixels with a channel that differs by more than `SHAPE_TOLERANCE`. */
  readonly shapes: number
  /** The mean difference of all pixels that text is on; 0 where there is none. */
  readonly text: number
  /** The same, of the worst of all squares of `TILE` pixels: a single letter would be one. */
  readonly letter: number
  /** The same, were it moved by one pixel in the best of the four directions. */
  readonly moved: number
}

const TILE = 24

/** Of 255: what a picture loses by being written to a file. */
const ROUNDING = 8

/** Of 255: shapes differ by less, but for single pixels where curves are smoothed. */
const SHAPE_TOLERANCE = 24

/**
 * Measured with Chromium 156 beside @napi-rs/canvas: at most 1 pixel of shapes; a mean of 14 to 32 on text, where another digit is 37 and no text
 * 54 or more; at most 52 on a single letter, where another letter would be 70 or more; text moved by a pixel fits better where it was, by a fifth or more.
 */
export function isAlike(found: Likeness): boolean {
  if (found.shapes > 3) return false
  const { text } = found
  return text < 34 && found.letter < 60 && text * 0.9 <= found.moved
}

/** `without`: the wanted picture, had no text been painted: where the two differ, there is text. */
export function likeness(wanted: Pixels, without: Pixels, got: Pixels): Likeness {
  const { width, height } = wanted
  const text = textOf(wanted, without)
  let shapes = 0
  const [ours, theirs] = [words(wanted), words(got)]
  for (let at = 0; at < width * height; at++) {
    if (ours[at] !== theirs[at] && !text[at] && apart(wanted, at, got, at) > SHAPE_TOLERANCE) shapes++
  }
  const at = (dx: number, dy: number) => meanApart(wanted, got, text, dx, dy)
  // Measured when somebody asks: where the shapes differ, nobody does.
  return {
    shapes,
    get text() {
      return at(0, 0)
    },
    get letter() {
      return worstTile(wanted, got, text)
    },
    get moved() {
      return Math.min(at(1, 0), at(-1, 0), at(0, 1), at(0, -1))
    },
  }
}

/** The pixels of text, and those beside them. */
export function textOf(wanted: Pixels, without: Pixels): Uint8Array {
  const { width, height } = wanted
  const text = new Uint8Array(width * height)
  const [ours, theirs] = [words(wanted), words(without)]
  for (let at = 0; at < width * height; at++) {
    if (ours[at] === theirs[at] || apart(wanted, at, without, at) <= ROUNDING) continue
    for (const beside of [-width, 0, width]) text.fill(1, Math.max(0, at + beside - 1), at + beside + 2)
  }
  return text
}

/** A pixel each: most are the same, which is told at once. */
function words({ data }: Pixels): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
}

function meanApart(wanted: Pixels, got: Pixels, text: Uint8Array, dx: number, dy: number): number {
  let sum = 0
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const other = at + dx + dy * wanted.width
    if (!text[at] || other < 0 || other >= text.length) continue
    sum += apart(wanted, at, got, other)
    count++
  }
  return count === 0 ? 0 : sum / count
}

function worstTile(wanted: Pixels, got: Pixels, text: Uint8Array): number {
  let worst = 0
  for (let top = 0; top < wanted.height; top += TILE / 2) {
    for (let left = 0; left < wanted.width; left += TILE / 2) {
      const [right, bottom] = [Math.min(left + TILE, wanted.width), Math.min(top + TILE, wanted.height)]
      let sum = 0
      let count = 0
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const at = y * wanted.width + x
          if (!text[at]) continue
          sum += apart(wanted, at, got, at)
          count++
        }
      }
      // The edge of a letter that is mostly in the next square says little.
      if (count >= TILE) worst = Math.max(worst, sum / count)
    }
  }
  return worst
}

function apart(a: Pixels, at: number, b: Pixels, other: number): number {
  let most = 0
  for (let channel = 0; channel < 3; channel++) {
    const difference = (a.data[at * 4 + channel] ?? 0) - (b.data[other * 4 + channel] ?? 0)
    most = Math.max(most, Math.abs(difference))
  }
  return most
}
