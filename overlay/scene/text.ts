const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })

const PLAIN = /^[\x20-\x7e]*$/
const LINE_BREAK = /\r\n?|[\u2028\u2029\u0085\v\f]/g
const CONTROL = /(?!\n)\p{Cc}/gu
const LONE_SURROGATE = /\p{Surrogate}/gu
/** Scripts written without spaces whose words only a dictionary knows. */
const DICTIONARY = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u
const IDEOGRAPH =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{Extended_Pictographic}\p{RI}\u3000-\u303f\uff01-\uff60]/u
const LETTER = /\p{L}/u
const SPACE = /^[ \u1680\u2000-\u2006\u2008-\u200b\u205f\u3000]$/
const NEVER_BEFORE = new Set(
  '!%),.:;?]}\u00a0\u00bb\u2019\u201d\u2026\u2060\u202f\u2030\u3001\u3002\u3005\u3009\u300b\u300d\u300f\u3011\u3015\u3017\u301c\u30fb\u30fc\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee\uff01\uff05\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3d\uff5d\uff60',
)
const NEVER_AFTER = new Set(
  '([{\u00a0\u00ab\u2018\u201c\u2060\u202f\u3008\u300a\u300c\u300e\u3010\u3014\u3016\uff08\uff3b\uff5b\uff5f$\u00a3\u00a5\u20ac#@',
)

/** What a person perceives as characters, in order; an emoji family is one. */
export function graphemes(text: string): string[] {
  if (PLAIN.test(text)) return text.split('')
  return Array.from(graphemeSegmenter.segment(text), (part) => part.segment)
}

/** Text fit for painting: every kind of line break is `\n`, tabs are spaces, control characters are gone. */
export function clean(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .replace(LINE_BREAK, '\n')
    .replace(/\t/g, '    ')
    .replace(CONTROL, '')
    .replace(LONE_SURROGATE, '\ufffd')
}

/** A run that is kept on one line when it fits on one, and the white space after it. */
interface Piece {
  readonly text: string
  readonly space: string
}

/** Splits a paragraph where a line may break: after spaces and hyphens, around ideographs, between Thai words. */
export function pieces(paragraph: string): Piece[] {
  const parts = graphemes(paragraph)
  const words = DICTIONARY.test(paragraph) ? wordStarts(paragraph) : null
  const found: Piece[] = []
  let text = ''
  let space = ''
  let offset = 0
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as string
    if (SPACE.test(part)) space += part
    else {
      const breaks =
        space !== '' ||
        (text !== '' && mayBreak(parts, index)) ||
        (text !== '' && words !== null && words.has(offset))
      if (breaks) {
        found.push({ text, space })
        text = ''
        space = ''
      }
      text += part
    }
    offset += part.length
  }
  if (text !== '' || space !== '') found.push({ text, space })
  return found
}

function mayBreak(parts: readonly string[], index: number): boolean {
  const before = parts[index - 1] as string
  const after = parts[index] as string
  if (NEVER_BEFORE.has(after.charAt(0)) || NEVER_AFTER.has(before.charAt(0))) return false
  if (before === '\u2013' || before === '\u2014') return true
  if (before === '-' || before === '\u2010' || before === '/') {
    // Not after a leading hyphen or slash (`-v`, `/etc`), and not inside numbers (`24/7`, `5-6`).
    return LETTER.test(after) && LETTER.test(parts[index - 2] ?? '')
  }
  return IDEOGRAPH.test(before) || IDEOGRAPH.test(after)
}

function wordStarts(paragraph: string): Set<number> {
  const starts = new Set<number>()
  let previous = ''
  for (const { index, segment } of wordSegmenter.segment(paragraph)) {
    if (DICTIONARY.test(segment) && DICTIONARY.test(previous)) starts.add(index)
    previous = segment
  }
  return starts
}
