/**
 * The order in which a line of mixed directions is painted: the Unicode Bidirectional Algorithm (UAX #9), judged for the
 * whole paragraph and not for each of its lines. A canvas orders what it is given in one piece by itself, but a line knows
 * nothing of the ones before it.
 */
import bidiFactory, { type Bidi, type BidiCharTypeName } from 'bidi-js'

export type Direction = 'ltr' | 'rtl'

/** What is painted in one piece, in one direction. */
export interface Run {
  readonly text: string
  readonly rtl: boolean
}

/** A line of text. */
export interface Line {
  /** In the order in which it is read. */
  readonly text: string
  /** Its paragraph’s: where the line begins. */
  readonly rtl: boolean
  /** From left to right; null: it is one run from left to right. */
  readonly runs: readonly Run[] | null
}

/** Nothing else is ever painted, or begins, from the right: letters and digits of such scripts, and what says so unseen. */
const TURNS =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** What says a direction and is seen nowhere. */
const UNSEEN = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const ASTRAL = /[\u{10000}-\u{10ffff}]/gu

/** For each kind of character one of a single code unit. */
const STAND_INS: Partial<Record<BidiCharTypeName, string>> = {
  R: '\u05d0',
  AL: '\u0627',
  AN: '\u0660',
  EN: '0',
  ET: '%',
  NSM: '\u0300',
  BN: '\u200b',
  ON: '!',
}

/** How a direction is said against what the letters say themselves. */
const FORCED = { ltr: '\u202d', rtl: '\u202e' } as const
const END_FORCED = '\u202c'

// Its tables take a moment to unpack, and most texts never need them.
let made: Bidi | undefined
const bidi = (): Bidi => {
  // It is a CommonJS module to the compiler, which gives the function itself, as in a browser.
  made ??= (bidiFactory as unknown as typeof bidiFactory.default)()
  return made
}

/** The base direction: that of the first letter that has one (P2, P3), of all paragraphs; null: none has. */
export function directionOf(text: string): Direction | null {
  if (!TURNS.test(text)) return /\p{L}/u.test(text) ? 'ltr' : null
  let isolates = 0
  for (const character of text) {
    const type = bidi().getBidiCharTypeName(character)
    if (type === 'B') isolates = 0
    else if (type === 'LRI' || type === 'RLI' || type === 'FSI') isolates++
    else if (type === 'PDI') isolates = Math.max(0, isolates - 1)
    else if (isolates === 0 && type === 'L') return 'ltr'
    else if (isolates === 0 && (type === 'R' || type === 'AL')) return 'rtl'
  }
  return null
}

/** Cuts lines out of one paragraph. `direction`: its base direction; absent: as its first letter says, or else `fallback`. */
export class Paragraph {
  readonly #rtl: boolean
  readonly #text: string
  /** One for each code unit; null: all of it goes from left to right. */
  readonly #levels: Uint8Array | null

  constructor(text: string, fallback: Direction, direction?: Direction) {
    const base = direction ?? directionOf(text) ?? fallback
    this.#rtl = base === 'rtl'
    const turns = this.#rtl || TURNS.test(text)
    this.#text = turns ? singleUnits(text) : text
    this.#levels = turns && text !== '' ? bidi().getEmbeddingLevels(this.#text, base).levels : null
  }

  /** The line of `text`, which begins at `start` of the paragraph; what is longer than the paragraph is at its end. */
  line(text: string, start: number, ownLength = text.length): Line {
    if (!this.#levels || text === '') return { text, rtl: this.#rtl, runs: this.#rtl ? [] : null }
    const base = this.#rtl ? 1 : 0
    const levels = new Uint8Array(text.length).fill(base)
    levels.set(this.#levels.subarray(start, start + ownLength))
    const units = singleUnits(text)
    const all = { levels, paragraphs: [{ start: 0, end: text.length - 1, level: base }] }
    const order = bidi().getReorderedIndices(units, all)
    const runs: Run[] = []
    for (let from = 0; from < order.length; ) {
      const level = levels[order[from] as number] as number
      let to = from + 1
      while (to < order.length && levels[order[to] as number] === level && isBeside(order, to)) to++
      const part = order.slice(from, to)
      const rtl = level % 2 === 1
      runs.push(runOf(text.slice(Math.min(...part), Math.max(...part) + 1), rtl))
      from = to
    }
    return { text, rtl: this.#rtl, runs: runs.filter((run) => run.text !== '') }
  }
}

/** A text without line breaks as a line. */
export function lineOf(text: string, direction?: Direction): Line {
  return new Paragraph(text, 'ltr', direction).line(text, 0)
}

function isBeside(order: readonly number[], at: number): boolean {
  return Math.abs((order[at] as number) - (order[at - 1] as number)) === 1
}

function runOf(text: string, rtl: boolean): Run {
  const seen = text.replace(UNSEEN, '')
  const isAgainst = [...seen].some((character) => {
    const type = bidi().getBidiCharTypeName(character)
    return rtl ? type === 'L' || type === 'EN' || type === 'AN' : type === 'R' || type === 'AL'
  })
  return { text: isAgainst ? `${FORCED[rtl ? 'rtl' : 'ltr']}${seen}${END_FORCED}` : seen, rtl }
}

/** The library looks at code units: a character of two is told as two of its kind. */
function singleUnits(text: string): string {
  return text.replace(ASTRAL, (character) =>
    (STAND_INS[bidi().getBidiCharTypeName(character)] ?? 'a').repeat(2),
  )
}
