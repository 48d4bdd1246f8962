import { type Direction, directionOf, type Line, Paragraph } from './bidi.js'
import { clean, graphemes, pieces } from './text.js'

/** Width of a run of text in logical points. */
export type Width = (text: string) => number

export interface Wrapped {
  readonly lines: readonly Line[]
  /** Whether text was left out; the last line then ends in an ellipsis. */
  readonly cut: boolean
}

const ELLIPSIS = '\u2026'

/** A line as it was cut out of its paragraph, which it begins in at `start`. */
interface Cut {
  readonly text: string
  readonly paragraph: string
  readonly start: number
}

/**
 * Breaks `text` into lines at most `most` points wide and at most `mostLines` many. A run wider than a line is broken
 * between graphemes, never inside one. `direction`: that of every paragraph; absent: each has its own.
 */
export function wrap(
  text: string,
  most: number,
  width: Width,
  mostLines = 10_000,
  direction?: Direction,
): Wrapped {
  const lines: Cut[] = []
  const content = clean(text)
  for (const paragraph of content.split('\n')) {
    wrapParagraph(paragraph, most, width, lines, mostLines)
    if (lines.length > mostLines) break
  }
  const isCut = lines.length > mostLines
  return {
    lines: ordered(isCut ? lines.slice(0, Math.max(1, mostLines)) : lines, content, direction, (last) =>
      isCut ? shorten(last, most, width) : last,
    ),
    cut: isCut,
  }
}

/** Each line in the order in which it is painted. `end`: what the last one becomes. */
function ordered(
  lines: readonly Cut[],
  content: string,
  direction: Direction | undefined,
  end: (last: string) => string,
): Line[] {
  // What has no direction of its own goes with the rest.
  const fallback = directionOf(content) ?? 'ltr'
  const paragraphs = new Map<string, Paragraph>()
  return lines.map(({ text, paragraph, start }, index) => {
    const of = paragraphs.get(paragraph) ?? new Paragraph(paragraph, fallback, direction)
    paragraphs.set(paragraph, of)
    if (index < lines.length - 1) return of.line(text, start)
    const last = end(text)
    return of.line(last, start, last === text ? text.length : last.length - ELLIPSIS.length)
  })
}

function wrapParagraph(paragraph: string, most: number, width: Width, lines: Cut[], mostLines: number): void {
  let line = ''
  let used = 0
  let gap = ''
  /** How far into the paragraph the piece, and the line, begin. */
  let at = 0
  let start = 0
  const push = (text: string, from: number) => lines.push({ text, paragraph, start: from })
  for (const piece of pieces(paragraph)) {
    if (lines.length > mostLines) return
    const gapWidth = gap === '' ? 0 : width(gap)
    const own = piece.text === '' ? 0 : width(piece.text)
    if (used + gapWidth + own <= most) {
      line += gap + piece.text
      used += gapWidth + own
    } else {
      if (line.trim() !== '') push(line, start)
      start = at
      if (own <= most) {
        line = piece.text
        used = own
      } else {
        const parts = splitRun(piece.text, most, width)
        line = parts.pop() as string
        used = width(line)
        for (const part of parts) {
          push(part, start)
          start += part.length
        }
      }
    }
    gap = piece.space
    at += piece.text.length + gap.length
  }
  push(line, start)
}

/** How much of a text is in these lines. */
export function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0)
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
