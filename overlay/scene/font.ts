import type { Context2D } from './context.js'
import { clean, graphemes } from './text.js'

/** The family name hosts register the bundled files under. */
export const FONT_FAMILY = 'Lets Sans'

/** The bundled files, beside this source in `fonts/`; every host registers both before it paints. */
export const fontFiles = [
  { file: 'LetsSans-Regular.woff2', family: FONT_FAMILY, weight: 400 },
  { file: 'LetsSans-SemiBold.woff2', family: FONT_FAMILY, weight: 600 },
] as const

export type Weight = 400 | 600

/** A CSS font; scripts the bundled files lack come from the system. */
export function fontOf(size: number, weight: Weight): string {
  return `${weight} ${size}px "${FONT_FAMILY}", system-ui, sans-serif`
}

/** Of the bundled font, as shares of its size: capital letters are centred in a line by this. */
export const CAP_HEIGHT = 0.727

const MEASURED_AT = 32
const MOST_CACHED = 20_000
const ONE_IDEOGRAPH = /^\p{sc=Han}$/u

/** Measures text; remembers, because measuring is the slowest thing a canvas does with text. */
export class Ruler {
  readonly #context: Context2D
  readonly #widths = { 400: new Map<string, number>(), 600: new Map<string, number>() }

  constructor(context: Context2D) {
    this.#context = context
  }

  /** Width in logical points. Measured at one size and scaled: outlines are not hinted, so widths are linear. */
  width(text: string, size: number, weight: Weight): number {
    const known = this.#widths[weight]
    // Ideographs are all as wide as they are high; measuring thousands of them one by one would take long.
    const key = ONE_IDEOGRAPH.test(text) ? '\u6c38' : text
    let width = known.get(key)
    if (width === undefined) {
      this.#context.font = fontOf(MEASURED_AT, weight)
      width = this.#context.measureText(key).width / MEASURED_AT
      if (known.size >= MOST_CACHED) known.clear()
      known.set(key, width)
    }
    return width * size
  }
}

/** Code points no font has a glyph for by design: joiners, selectors, marks of direction, spaces, tags. */
const INVISIBLE = /^(?:[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}]|\p{Emoji_Modifier})$/u

/** Never assigned, so no font may have a glyph for it. */
const NONCHARACTER = '\u{10ffff}'

/**
 * The graphemes of `text` for which neither the bundled nor a system font has glyphs, each once, in order. A code
 * point counts as missing when it measures exactly like one that cannot exist. `context` needs the host's fonts
 * registered; its `font` is changed.
 */
export function missingGlyphs(context: Context2D, text: string): string[] {
  context.font = fontOf(64, 400)
  const absent = fingerprint(context, NONCHARACTER)
  const known = new Map<string, boolean>()
  const missing = new Set<string>()
  for (const grapheme of graphemes(clean(text))) {
    if (/^[\x20-\x7e\n]$/.test(grapheme) || missing.has(grapheme)) continue
    for (const point of grapheme) {
      if (INVISIBLE.test(point)) continue
      let lacks = known.get(point)
      if (lacks === undefined) {
        lacks = fingerprint(context, point) === absent
        known.set(point, lacks)
      }
      if (lacks) {
        missing.add(grapheme)
        break
      }
    }
  }
  return [...missing]
}

function fingerprint(context: Context2D, text: string): string {
  const extent = context.measureText(text)
  return [
    extent.width,
    extent.actualBoundingBoxLeft,
    extent.actualBoundingBoxRight,
    extent.actualBoundingBoxAscent,
    extent.actualBoundingBoxDescent,
  ].join()
}
