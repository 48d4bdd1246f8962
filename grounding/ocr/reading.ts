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
  readonly words: readonly Word[]
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u
/** Icons that are read as a sign, and are called by that. */
const SIGNS: Readonly<Record<string, string>> = { x: '×', X: '×', '×': '×', '+': '+' }
/** How sure a reader must be of a text of so many letters: the fewer, the likelier it is an icon. */
const LEAST_SURE = [Infinity, 90, 78, 45] as const
const LEAST_SURE_OF_LONG = 30

/** Words of one line to texts: a gap much wider than the others is between two of them. */
export function textsOf(words: readonly Word[]): Text[] {
  const kept = words.filter(({ text }) => text.trim() !== '').sort((a, b) => a.box.left - b.box.left)
  const gaps = kept.slice(1).map((word, n) => word.box.left - (kept[n] as Word).box.right)
  const least = Math.min(...gaps.filter((gap) => gap > 0))
  const line = Math.max(0, ...kept.map(({ box }) => heightOf(box)))
  const texts: Word[][] = []
  for (const [n, word] of kept.entries()) {
    const gap = gaps[n - 1]
    const wide =
      gap !== undefined &&
      (gap > 1.2 * line || (gap > 0.95 * line && (gaps.length === 1 || gap > 1.9 * least)))
    const last = texts.at(-1)
    if (last === undefined || wide) texts.push([word])
    else last.push(word)
  }
  return texts.map(joined).filter((text) => text !== null)
}

function joined(words: readonly Word[]): Text | null {
  // An icon before or after a label is read as some sign.
  const begin = words.findIndex(isWord)
  const first = begin >= 0 && isIconBefore(words[begin] as Word, words[begin + 1]) ? begin + 1 : begin
  const last = words.findLastIndex(isWord)
  const own = words.slice(first, last + 1)
  if (first < 0 || isIcon(own)) return sign(words)
  let text = ''
  for (const [n, { text: word, box }] of own.entries()) {
    const before = own[n - 1]
    // Letters all as wide as each other make a dot look like the end of a sentence.
    const isSplit =
      before && /\w[./_-]$/.test(before.text) && /^[\p{Ll}\d]/u.test(word) && isNear(before.box, box)
    text += before === undefined || isSplit ? word : ` ${word}`
  }
  const box = own.map((word) => word.box).reduce(around)
  const letters = text.replace(/[^\p{L}\p{N}]/gu, '')
  const confidence =
    own.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / joinedLength(own)
  const sure = confidence >= (LEAST_SURE[letters.length] ?? LEAST_SURE_OF_LONG)
  return sure ? { text, box, confidence, words: own } : sign(words)
}

const isNear = (before: Box, after: Box) => after.left - before.right < 0.75 * heightOf(before)

const joinedLength = (words: readonly Word[]) => words.reduce((sum, { text }) => sum + text.length, 0)

/** One letter alone is an icon more often than a label; a digit is a number. */
function isIcon(words: readonly Word[]): boolean {
  return words.length === 1 && /^\p{L}$/u.test(words[0]?.text ?? '')
}

/** A magnifier before a hint is read as a letter, which stands farther off than a word would. */
function isIconBefore({ text, box }: Word, next: Word | undefined): boolean {
  return /^[B-HJ-Zb-z]$/.test(text) && next !== undefined && next.box.left - box.right > 0.3 * heightOf(box)
}

function sign(words: readonly Word[]): Text | null {
  const [one, more] = words
  const text = SIGNS[one?.text ?? '']
  return one && !more && text && one.confidence >= 60 ? { ...one, text, words: [one] } : null
}

function isWord({ text, confidence }: Word): boolean {
  return SAYS_SOMETHING.test(text) && (confidence >= 30 || text.length > 3)
}
