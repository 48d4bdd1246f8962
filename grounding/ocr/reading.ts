import { around, type Box, heightOf } from './picture.js'

/** A word as a reader told it, in pixels of the picture. */
export interface Word {
  readonly text: string
  readonly box: Box
  /** 0..100, as the reader sees it itself. */
  readonly confidence: number
}

/** A piece of text that is read as one: a label, a cell, a line. */
export interface Text {
  readonly text: string
  readonly box: Box
  readonly confidence: number
}

/** Below this a reader has guessed: an icon, a pattern. */
const GUESSED = 30
const SAYS_SOMETHING = /[\p{L}\p{N}]/u
/** Signs that are a button's whole label. */
const SIGNS = /^[+×✕✓?]$/u

/** Words of one line to texts: a gap much wider than the others is between two of them. */
export function textsOf(words: readonly Word[]): Text[] {
  const kept = words.filter(({ text }) => text.trim() !== '').sort((a, b) => a.box.left - b.box.left)
  const gaps = kept.slice(1).map((word, n) => word.box.left - kept[n]!.box.right)
  const least = Math.min(...gaps.filter((gap) => gap > 0))
  const line = Math.max(0, ...kept.map(({ box }) => heightOf(box)))
  const texts: Word[][] = []
  for (const [n, word] of kept.entries()) {
    const gap = gaps[n - 1]
    const wide = gap !== undefined && gap > 0.95 * line && (gaps.length === 1 || gap > 1.9 * least)
    if (n === 0 || wide) texts.push([word])
    else texts.at(-1)!.push(word)
  }
  return texts.map(joined).filter((text) => text !== null)
}

function joined(words: readonly Word[]): Text | null {
  // An icon before or after a label is read as some sign.
  const first = words.findIndex(isWord)
  if (first < 0) {
    const [sign] = words
    return words.length === 1 && sign && SIGNS.test(sign.text.trim()) ? sign : null
  }
  const last = words.findLastIndex(isWord)
  const own = words.slice(first, last + 1)
  let text = ''
  for (const [n, { text: word, box }] of own.entries()) {
    const before = own[n - 1]
    // Letters all as wide as each other make a dot look like the end of a sentence.
    const isSplit =
      before && /[\w][./_-]$/.test(before.text) && box.left - before.box.right < 0.75 * heightOf(before.box)
    text += before === undefined || isSplit ? word : ` ${word}`
  }
  const confidence = own.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / text.length
  if (confidence < GUESSED) return null
  return { text, box: own.map(({ box }) => box).reduce(around), confidence: Math.min(100, confidence) }
}

function isWord({ text, confidence }: Word): boolean {
  return SAYS_SOMETHING.test(text) && (confidence >= GUESSED || text.length > 3)
}
