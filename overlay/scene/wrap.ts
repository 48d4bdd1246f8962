import { clean, graphemes, pieces } from './text.js'

/** Width of a run of text in logical points. */
export type Width = (text: string) => number

/** Lines in logical order; shaping and reordering within a line are the canvas' work. */
export interface Wrapped {
  readonly lines: readonly string[]
  /** Whether text was left out; the last line then ends in an ellipsis. */
  readonly cut: boolean
}

const ELLIPSIS = '\u2026'

/**
 * Breaks `text` into lines at most `most` points wide and at most `mostLines` many. A run wider than a line is broken
 * between graphemes, never inside one.
 */
export function wrap(text: string, most: number, width: Width, mostLines = 10_000): Wrapped {
  const lines: string[] = []
  for (const paragraph of clean(text).split('\n')) {
    wrapParagraph(paragraph, most, width, lines, mostLines)
    if (lines.length > mostLines) break
  }
  if (lines.length <= mostLines) return { lines, cut: false }
  const kept = lines.slice(0, Math.max(1, mostLines))
  const last = kept.length - 1
  kept[last] = shorten(kept[last] as string, most, width)
  return { lines: kept, cut: true }
}

function wrapParagraph(
  paragraph: string,
  most: number,
  width: Width,
  lines: string[],
  mostLines: number,
): void {
  let line = ''
  let used = 0
  let gap = ''
  for (const piece of pieces(paragraph)) {
    if (lines.length > mostLines) return
    const gapWidth = gap === '' ? 0 : width(gap)
    const own = piece.text === '' ? 0 : width(piece.text)
    if (used + gapWidth + own <= most) {
      line += gap + piece.text
      used += gapWidth + own
    } else {
      if (line.trim() !== '') lines.push(line)
      line = ''
      used = 0
      if (own <= most) {
        line = piece.text
        used = own
      } else {
        const parts = splitRun(piece.text, most, width)
        line = parts.pop() as string
        used = width(line)
        lines.push(...parts)
      }
    }
    gap = piece.space
  }
  lines.push(line)
}

/** A run too wide for a line, in parts that fit; each part holds at least one grapheme. */
function splitRun(run: string, most: number, width: Width): string[] {
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const grapheme of graphemes(run)) {
    const own = width(grapheme)
    if (part !== '' && used + own > most) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += grapheme
    used += own
  }
  parts.push(part)
  return parts
}

function shorten(line: string, most: number, width: Width): string {
  const kept = graphemes(line.trimEnd())
  while (kept.length > 0 && width(kept.join('') + ELLIPSIS) > most) kept.pop()
  return kept.join('').trimEnd() + ELLIPSIS
}

/**
 * The narrowest width, in whole points, that needs no more lines than `most` does: a last line of one word looks like
 * a mistake.
 */
export function balanced(text: string, most: number, width: Width, lines: number): number {
  let low = Math.floor(most / 2)
  let high = Math.ceil(most)
  while (high - low > 4) {
    const middle = (low + high) >> 1
    if (wrap(text, middle, width, lines).cut) low = middle
    else high = middle
  }
  return Math.min(high, most)
}
