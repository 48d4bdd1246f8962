/** Pictures of made-up windows, for the tests. */
import type { PixelArea, Pixels } from './pixels.js'

export const WHITE = 0xffffffff
export const BLACK = 0xff000000
export const GREY = 0xffe0e0e0

/** How far apart letters begin, and how high one is, in pixels. */
const ADVANCE = 8
const [GLYPH_WIDTH, GLYPH_HEIGHT] = [7, 11]

/** So much of a letter is ink. */
const INK = 0.4

/** A source of numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = seeded(1)
const glyphs = Array.from({ length: 128 }, () =>
  Array.from({ length: GLYPH_WIDTH * GLYPH_HEIGHT }, () => random() < INK),
)

/** A picture to draw on. */
export class Sheet implements Pixels {
  readonly data: Uint32Array

  constructor(
    readonly width: number,
    readonly height: number,
    ground = WHITE,
  ) {
    this.data = new Uint32Array(width * height).fill(ground)
  }

  fill([x, y, width, height]: PixelArea, color: number): this {
    for (let row = Math.max(0, y); row < Math.min(this.height, y + height); row++) {
      const start = row * this.width
      this.data.fill(color, start + Math.max(0, x), start + Math.max(0, Math.min(this.width, x + width)))
    }
    return this
  }

  /** Each letter has a look of its own; what is outside of `clip` is not drawn. */
  text(
    x: number,
    y: number,
    words: string,
    { color = BLACK, clip = [0, 0, this.width, this.height] as PixelArea } = {},
  ): this {
    const [left, top, width, height] = clip
    for (const [index, letter] of [...words].entries()) {
      const glyph = letter === ' ' ? [] : (glyphs[letter.charCodeAt(0) % glyphs.length] as boolean[])
      for (const [pixel, isInk] of glyph.entries()) {
        const atX = x + index * ADVANCE + (pixel % GLYPH_WIDTH)
        const atY = y + Math.floor(pixel / GLYPH_WIDTH)
        const isSeen = atX >= left && atX < left + width && atY >= top && atY < top + height
        if (isInk && isSeen) this.data[atY * this.width + atX] = color
      }
    }
    return this
  }

  /** A copy with other colours in an area: each is turned into its negative. */
  inverted([x, y, width, height]: PixelArea): Sheet {
    const sheet = this.copy()
    for (let row = y; row < y + height; row++) {
      for (let at = row * this.width + x; at < row * this.width + x + width; at++) {
        sheet.data[at] = (~(sheet.data[at] as number) | 0xff000000) >>> 0
      }
    }
    return sheet
  }

  copy(): Sheet {
    return this.resized(this.width, this.height)
  }

  /** A copy of another size, cut off or blank at the right and at the bottom. */
  resized(width: number, height: number): Sheet {
    const sheet = new Sheet(width, height)
    for (let row = 0; row < Math.min(height, this.height); row++) {
      const start = row * this.width
      sheet.data.set(this.data.subarray(start, start + Math.min(width, this.width)), row * width)
    }
    return sheet
  }
}

/** Words that are not used twice. */
export function unlike(index: number, length = 24): string {
  const random = seeded(index * 7919 + 13)
  return Array.from({ length }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
}
