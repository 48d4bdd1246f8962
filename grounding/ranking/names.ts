/** How well a name fits words. Pure. */
import type { Item } from '../items.js'
import { bare } from './quotes.js'
import type { Reading } from './reading.js'
import { alike, fold, telling, withoutEcho, words } from './words.js'

/** An item with its words, taken apart once. */
export interface Prepared {
  readonly item: Item
  readonly words: readonly string[]
  /** The ways to say its name, the whole one first. */
  readonly says: readonly Said[]
  /** The words of what else is known of it. */
  readonly more: readonly string[]
  /** The same, each as a whole: what is typed into a field may be what it is called by. */
  readonly shown: readonly string[]
}

/** Names are compared up to here, in characters: what is longer is a page, not a name. */
const LONGEST = 400

export function prepare(item: Item): Prepared {
  const more = (item.also ?? []).flatMap((text) => words(fold(text.slice(0, LONGEST))))
  const says = takenApart(item.name)
  const shown = (item.also ?? []).map((text) => bare(fold(text.slice(0, LONGEST))))
  return { item, says, words: says[0]?.words ?? [], more, shown }
}

interface Said {
  readonly phrase: string
  readonly words: readonly string[]
  /** How surely a thing is called so, 0..1. */
  readonly worth: number
}

/** So many names are remembered: the next query is about the same screen, most of the time. */
const MOST_REMEMBERED = 5000

const remembered = new Map<string, readonly Said[]>()

function takenApart(name: string): readonly Said[] {
  const known = remembered.get(name)
  if (known) return known
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  const whole = bare(fold(name.slice(0, LONGEST)))
  const said = (phrase: string, worth: number): Said => ({ phrase, words: telling(words(phrase)), worth })
  const says = [said(whole, 1)]
  for (const [pattern, worth] of BESIDES) {
    const rest = bare(whole.replace(pattern, ''))
    if (rest !== '' && rest !== whole && /\p{L}/u.test(rest)) says.push(said(rest, worth))
  }
  // "More actions" says one thing twice.
  const once = withoutEcho(whole)
  if (once !== null) says.push(said(once, 0.99))
  remembered.set(name, says)
  return says
}

/** What is on a control besides its name, and how surely the rest is its name. */
const BESIDES: readonly (readonly [RegExp, number])[] = [
  // Arrows, crosses and signs before or after it.
  [/^(?:[^\p{L}\p{N}\s]+\s+)+|(?:\s+(?:[^\p{L}\p{N}\s]+|[xv]))+$/gu, 0.99],
  // What is chosen: "Role: any".
  [/(?<=^\S+(?:\s\S+)?):\s\S+(?:\s\S+)?$/, 0.985],
  [/\s*\([^()]*\)$/, 0.986],
  [/^\d{1,2}[.)]\s+/, 0.96],
  // What it does with it, which is said as "the alerts", and never surely meant.
  [/^(?:go to|get|view|show|see|open|find|manage)\s+(?:a\s+|the\s+|your\s+|my\s+)?/, 0.82],
]

/** How much each word of a query tells, by how many items have it: a word that is everywhere tells little. */
export function weights(reading: Pick<Reading, 'words'>, items: readonly Prepared[]): readonly number[] {
  return reading.words.map((word) => {
    const having = items.filter((one) => one.words.includes(word)).length
    return Math.log(2 + items.length / (1 + having))
  })
}

/** 0..1: 1 says the same, about 0.7 says it among other words, below 0.5 only in part. */
export function nameFit(reading: Reading, weight: readonly number[], one: Prepared): number {
  if (reading.words.length === 0 || one.words.length + one.more.length === 0) return 0
  const shown = one.shown.includes(reading.phrase) ? 0.88 : 0
  return Math.max(shown, ...one.says.map((said) => said.worth * fitOf(reading, weight, said, one.more)))
}

function fitOf(
  { phrase, words: wanted, among }: Reading,
  weight: readonly number[],
  said: Said,
  more: readonly string[],
): number {
  if (said.phrase === phrase) return 1
  if (sameWords(wanted, said.words)) return 0.98
  const taken = new Set<number>()
  let found = 0
  let all = 0
  let other = 1
  for (const [index, word] of wanted.entries()) {
    // "Export as CSV" is "Export CSV", though not for sure: "Save as" is not "Save".
    const worth = (weight[index] ?? 1) * (GLUE.has(word) ? 0.5 : 1)
    all += worth
    const best = bestOf(word, said.words, more, taken)
    found += worth * best
    // Another number is another thing.
    if (best < 0.85 && /^\D{0,2}\d/.test(word)) other = 0.5
  }
  const covered = found / all
  const share = said.words.length === 0 ? 0.6 : taken.size / said.words.length
  const rest = among ? Math.max(0.5, share) : share
  const begins = said.phrase.startsWith(`${phrase} `) ? 0.05 : 0
  // Words found here and there in a sentence, in another order, are hardly what was said.
  const strewn = share < 0.5 && !isOrdered(taken) ? 0.8 : 1
  return Math.min(0.97, other * strewn * covered ** 2 * (0.45 + 0.5 * rest + begins))
}

/** How well a word is found in a name, or in what else is known; which word of the name that took. */
function bestOf(word: string, named: readonly string[], more: readonly string[], taken: Set<number>): number {
  let best = 0
  let at = -1
  for (const [index, other] of named.entries()) {
    if (taken.has(index)) continue
    const likeness = alike(word, other)
    if (likeness > best) {
      best = likeness
      at = index
      if (best === 1) break
    }
  }
  if (best < 0.85) {
    const beside = Math.max(0, ...more.map((other) => alike(word, other))) * 0.85
    if (beside > best) return beside
  }
  if (at >= 0) taken.add(at)
  return best
}

/** Whether they were found in the order they were asked for: a set keeps that. */
function isOrdered(taken: ReadonlySet<number>): boolean {
  const at = [...taken]
  return at.every((one, n) => n === 0 || one > (at[n - 1] as number))
}

const GLUE: ReadonlySet<string> = new Set(['as', 'by', 'for', 'from', 'about', 'into', 'up'])

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index])
}

/** Whether an application or title is the one that is named: the same, or with that in it, whatever the case. */
export function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase().includes(wanted.trim().toLowerCase())
}
