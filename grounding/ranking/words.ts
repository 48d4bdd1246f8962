/** Text to words that can be compared: case, accents, punctuation and scripts without spaces. Pure. */

/** Words that say nothing about which thing is meant. */
const FILLERS = new Set(
  'a an the this that these those please my your his her their its our there is are of on at in to it which who whose with and'.split(
    ' ',
  ),
)

/** What comes before the thing itself when somebody asks for it. */
const LEADS =
  /^(?:(?:please|can you|could you|where(?:'s| is| are)|show me|point(?: me)?(?: at| to)|click on|tap on|look at|go to|i (?:need|want)(?: to)?|how (?:do|can) i|how to|let me|take me to)\s+)+(?=\S)/

/** What comes before the thing, or is its name's first word: "Show all", "Find a shop", "Select". */
const VERBS =
  /^(?:(?:show|find|locate|point|click|press|tap|select|highlight|(?:go |get |take me )?back to|(?:return|jump) to|go)\s+)+(?=\S)/

/** What is done with a thing, or may as well be the name of one: "Open", "Start". */
const DEEDS =
  /^(?:(?:(?:un)?(?:tick|check)|toggle|(?:turn|switch) (?:on|off)|(?:en|dis)able|(?:de)?activate|open|choose|pick|start|create|make|view|expand|collapse|visit|play|hide|(?:un)?mute|set|adjust|use|(?:switch|change|jump|skip|move) to|change)\s+)(?=\S)/

/** Words that mean the same on a screen; the first of a line stands for all of it. */
const SYNONYMS = `
close dismiss x ×
delete remove trash bin erase discard
search find magnifier magnifying lookup 🔍
settings preferences prefs options configuration gear cog ⚙
signin login logon
signout logout logoff
signup register
add new create make
+ plus add increase ➕
- − – minus decrease reduce ➖
more actions options ⋯ ⋮
continue proceed keep
microphone mic
undo revert
download export
leave exit hangup
all every everyone everybody everything
spam junk
screen display monitor
participants people attendees
edit modify change pencil ✎
compose write
email mail e-mail
ok okay
cart basket bag
menu hamburger ☰
profile account avatar
submit send
back previous prev return ←
next forward →
picture image photo
phone telephone mobile
info information about
notifications alerts bell
favorite favourite star bookmark
download save-file
minimize minimise
maximize maximise
color colour
center centre
refresh reload
coupon voucher promo discount
postcode zip
newsletter news
town city
copy duplicate clone
quit exit
rotate turn
help support
buy purchase
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

/** Words that are one, or that are written in another way. */
const JOINED: readonly (readonly [RegExp, string | ((word: string) => string)])[] = [
  [/\b(?:sign|log)[\s-]+in\b/g, 'signin'],
  [/\b(?:sign|log)[\s-]+(?:out|off)\b/g, 'signout'],
  [/\bsign[\s-]+up\b/g, 'signup'],
  [/\be-mail\b/g, 'email'],
  [/\bcheck[\s-]+out\b/g, 'checkout'],
  [/\bset[\s-]+up\b/g, 'setup'],
  [/\b(?:throw(?:ing)?[\s-]+away|get(?:ting)?[\s-]+rid[\s-]+of)\b/g, 'discard'],
  [/\b(?:three|3)[\s-]+dots?\b/g, '⋯'],
  [/\bhang(?:ing)?[\s-]+up\b/g, 'hangup'],
  [/\b(?:two|double)[\s-]sided\b/g, 'twosided'],
  [/\b(?:zip|post|postal)[\s-]*codes?\b/g, 'postcode'],
  [/\b(?:surname|family[\s-]+name)\b/g, 'last name'],
  [/\b(?:forename|given[\s-]+name)\b/g, 'first name'],
  // Days and months stand on screens in short.
  [/\b(mon|tues?|wednes|thurs?|fri|satur|sun)day\b/g, (day) => day.slice(0, 3)],
  [
    /\b(?:january|february|march|april|june|july|august|september|october|november|december)\b/g,
    (month) => month.slice(0, 3),
  ],
]

/** A word may be in several lines: "add" is "new", and is "plus"; these two are not the same. */
const MEANINGS = new Map<string, readonly string[]>()
for (const line of SYNONYMS)
  for (const word of line) MEANINGS.set(word, [...(MEANINGS.get(word) ?? []), line[0] as string])

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Lower case, without accents on Latin letters, one kind of quotes and spaces. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‛`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[\s\u00a0\u200b]+/g, ' ')
    .trim()
}

/** A query as it is compared: without what people say around the thing. */
export function withoutLead(folded: string): string {
  // "Throw this page away": what is done is in two places.
  return folded.replace(LEADS, '').replace(/^throw (.+) away$/, 'discard $1')
}

/** The same without a verb that may only say what to do; null where there is none. */
export function withoutVerb(text: string): string | null {
  const rest = text.replace(VERBS, '')
  return rest === text ? null : rest
}

/** The same without a verb that is as likely a name's first word; null where there is none. */
export function withoutDeed(text: string): string | null {
  const rest = text.replace(DEEDS, '')
  return rest === text ? null : rest
}

/** Without words that only say again what the one before said: "settings gear", "add a new …"; null where there are none. */
export function withoutEcho(text: string): string | null {
  const parts = text.split(' ')
  const kept = parts.filter((word, index) => {
    const last = parts.slice(0, index).findLast((one) => !FILLERS.has(one))
    return last === undefined || last === word || !mean(last, word)
  })
  return kept.length < parts.length ? kept.join(' ') : null
}

/** The words of folded text; signs that are words on a screen (`+`, `×`) stay. */
export function words(folded: string): string[] {
  let text = folded
  for (const [pattern, word] of JOINED)
    text = text.replace(pattern, (found) => (typeof word === 'string' ? word : word(found)))
  const parts = text.match(/[\p{L}\p{N}\p{M}]+(?:['.@_-][\p{L}\p{N}\p{M}]+)*|[\p{S}×÷]+/gu) ?? []
  return parts.flatMap((part) => {
    if (!UNSPACED.test(part)) return [part]
    return [...segmenter.segment(part)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
  })
}

/** The words that tell things apart; all of them when there would be none left. */
export function telling(all: readonly string[]): readonly string[] {
  const kept = all.filter((word) => !FILLERS.has(word))
  return kept.length > 0 ? kept : all
}

/** What a word may stand for: itself, or the first word of each line of synonyms that it is in. */
export function meanings(word: string): readonly string[] {
  return MEANINGS.get(word) ?? [word]
}

function mean(a: string, b: string): boolean {
  const others = meanings(b)
  return meanings(a).some((one) => others.includes(one))
}

/** The box that is to be ticked; null where none is. */
export function ticked(text: string): string | null {
  return /^(?:un)?(?:tick|check)\s+(?:the\s+)?(.+?)(?:\s+(?:check ?)?box)?$/.exec(text)?.[1] ?? null
}

/** How alike a word of a query is to one of a name, 0..1: 1 the same, less for a synonym, a plural, a slip of the keyboard, a beginning. */
export function alike(a: string, b: string): number {
  if (a === b) return 1
  if (mean(a, b)) return 0.9
  if (stem(a) === stem(b)) return 0.96
  if (root(a) === root(b) || single(a) === single(b)) return 0.94
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length >= 5 && isSlip(short, long)) return 0.88
  // A name's first part, before its ending or its sign: "readme" of "readme.md", but not "web-03" of "web".
  if (
    (a === short || /\.\p{L}+$/u.test(a)) &&
    short.length >= 3 &&
    long.startsWith(short) &&
    /[^\p{L}\p{N}]/u.test(long[short.length] ?? 'x')
  )
    return 0.93
  if (short.length >= 4 && long.startsWith(short)) return 0.5 + 0.4 * (short.length / long.length)
  return 0
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:'s|ies|es|s)$/, '') : word
}

/** Of a verb, in any of its forms, and of what is named after it: encrypt, encryption. */
function root(word: string): string {
  if (word.length <= 4) return word
  return word.replace(/ied$/, 'y').replace(/(?:(?<=\p{L}{5})ions?|ing|ed|es|s|e)$/u, '')
}

/** The same of a verb whose last letter is doubled in its other forms: scan, scanning. */
function single(word: string): string {
  return word.length > 5 ? word.replace(/([bdgmnprt])\1(?:ing|ed)$/, '$1') : word
}

/** One letter more, less or another, or two swapped; in a word over eight letters, two of that. */
function isSlip(short: string, long: string): boolean {
  const most = short.length > 8 ? 2 : 1
  if (long.length - short.length > most || long.length > 40) return false
  // A number that differs is another number, not a slip.
  if (/\d/.test(short) || /\d/.test(long)) return false
  let before: number[] = []
  let row = Array.from({ length: long.length + 1 }, (_, index) => index)
  for (let i = 1; i <= short.length; i++) {
    const next = [i]
    for (let j = 1; j <= long.length; j++) {
      const same = short[i - 1] === long[j - 1]
      let cost = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (same ? 0 : 1),
      )
      if (i > 1 && j > 1 && short[i - 1] === long[j - 2] && short[i - 2] === long[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1)
      next.push(cost)
    }
    before = row
    row = next
  }
  return (row[long.length] as number) <= most
}
