/** What a query may mean: the same words read in several ways, since a name may itself hold a role, a place or a number. Pure. */

import { beforeKind, called, isKind, ofKind, withoutSize } from './phrases.js'
import { bare, isQuoted, unquoted } from './quotes.js'
import { EMPTY, literal, type Reading, type Relation, UNSURE, WHOLE } from './reading.js'
import { deeds, LISTED, spoken } from './spoken.js'
import { takeColor, takeOrdinal, takePlace, takeRole } from './taking.js'
import { fold, telling, ticked, withoutDeed, withoutEcho, withoutLead, withoutVerb, words } from './words.js'

const RELATIONS: readonly (readonly [RegExp, Relation])[] = [
  [/(?:to the )?left of/, 'left'],
  [/(?:to the )?right of/, 'right'],
  [/(?:just |right |directly )?(?:below|under|underneath|beneath)/, 'below'],
  [/(?:just |right |directly )?above/, 'above'],
  [/next to|beside|near|close to|by|for|of|on|from|to|belonging to/, 'beside'],
  [/in|inside|within|at/, 'in'],
  [/with|containing|that (?:has|contains)/, 'has'],
]

const NAMED =
  /\b(?:labell?ed|named|called|titled|marked|captioned|(?:that|which) (?:says|reads)|saying|reading)\b/g

/** Longer queries are cut for reading, in words: nobody names a thing with more. */
const MOST_WORDS = 200

/** Longer ones, in words, are not taken apart. */
const MOST_READ = 30

/** Relations that are tried in one query: more only happens in text that is not a query. */
const MOST_SPLITS = 6

/** The ways to read a query, the plainest first. */
export function readingsOf(query: string): readonly Reading[] {
  const text = withoutLead(fold(query))
    .split(' ')
    .slice(0, MOST_WORDS)
    .join(' ')
    .replace(/[.!?]+$/, '')
  const verbless = withoutVerb(text)
  if (verbless === null) return [...allOf(text), ...withoutDeeds(text)]
  // "Show Epsilon" may be a name, and is then surely that; "show" may be what to do with Epsilon.
  const less = allOf(verbless).map((reading) => ({ ...reading, weight: reading.weight * VERB_WEIGHT }))
  return [literal(text), ...mains(text), ...deeds(text), ...less]
}

/** What is said, taken apart in the plain ways. */
const parts = (text: string): Reading[] => [literal(text), ...mains(text), ...splits(text)]

/** Without a verb that may be the name of a control, and without what is said twice. */
function withoutDeeds(text: string): readonly Reading[] {
  const box = ticked(text)
  if (box !== null) return toTick(box)
  const deedless = withoutDeed(text)
  const once = withoutEcho(text)
  return [
    ...(deedless === null
      ? []
      : allOf(deedless).map(
          (reading): Reading => ({
            ...reading,
            weight: reading.weight * VERB_WEIGHT,
            used: true,
            // "Hide this post" is no "Saved posts".
            ...(isKind(reading.words.join(' ')) && { least: WHOLE }),
          }),
        )),
    ...(once === null ? [] : [literal(once), ...mains(once)].map((one) => ({ ...one, weight: 0.97 }))),
  ]
}

/** "Tick Anna": the box that says so, or that is beside what does; nothing else can be ticked. */
function toTick(name: string): readonly Reading[] {
  const said = literal(beforeKind(name) ?? name)
  const anchor = { reading: said, relation: 'beside' as const, itself: true }
  return [
    { ...said, roles: TICKED, only: true, weight: 0.97 },
    { ...EMPTY, phrase: '', words: [], roles: TICKED, only: true, anchor, weight: UNSURE },
  ]
}

const TICKED = ['checkbox', 'switch', 'radio'] as const

/** Of readings that take a query's first verb for what is to be done with a thing. */
const VERB_WEIGHT = 0.84

function allOf(text: string): readonly Reading[] {
  // So much text names no one thing: it is only compared as a whole.
  if (text.split(' ').length > MOST_READ) return [literal(text)]
  const name = called(text)
  // "Ships called Måsen": what is called so, and never what is called "Ship". A role, or a kind, is told from names below.
  if (name && bare(takeRole(name.kind).rest) !== '' && !isKind(name.kind))
    return [
      { ...literal(text), least: WHOLE },
      { ...literal(name.name), weight: 0.97 },
    ]
  const named = withoutSize(text.replace(NAMED, ' ').replace(/ +/g, ' ').trim())
  const plain = [...mains(named), ...splits(named)]
  // A question is no name, unless a thing is called just that.
  const whole = { ...literal(text), ...(/\b(?:which|who|whose|what|why)\b/.test(text) && { least: WHOLE }) }
  const short = named === text ? [] : [literal(named)]
  return [whole, ...short, ...plain, ...spoken(named, parts)]
}

/** A thing by its name, role, place, colour and number, with and without taking words away from its name. */
function mains(text: string): Reading[] {
  const name = withRole(text)
  const readings = name ? [name] : []
  const full = described(text)
  if (full) readings.push(full)
  // "The last track", "the orange event": one of what is listed, where nothing is called so.
  if (full && (full.nth !== null || full.color) && !full.roles && isKind(full.phrase))
    readings.push({
      ...full,
      phrase: '',
      words: [],
      roles: full.color ? COLOURED : LISTED,
      only: true,
      weight: UNSURE,
    })
  return readings
}

const COLOURED = ['button', ...LISTED] as const

function withRole(text: string): Reading | null {
  const { rest, roles } = takeRole(unquoted(text))
  return roles ? { ...literal(rest), roles } : null
}

function described(text: string): Reading | null {
  let rest = unquoted(text)
  const placed = takePlace(rest)
  rest = placed.rest
  const numbered = takeOrdinal(rest)
  rest = numbered.rest
  const colored = takeColor(rest)
  rest = colored.rest
  if (!placed.where && numbered.nth === null && !colored.color) return null
  const { rest: name, roles } = takeRole(rest)
  return {
    ...EMPTY,
    phrase: bare(name),
    words: words(bare(name)).length > 0 ? telling(words(bare(name))) : [],
    roles,
    nth: numbered.nth,
    where: placed.where,
    color: colored.color,
    weight: numbered.isName ? 0.8 : 0.98,
  }
}

/** One thing told by another: "Edit for Pear", "the button below Total", "Save in the Print dialog". */
function splits(text: string): Reading[] {
  const found: Reading[] = []
  for (const [pattern, relation] of RELATIONS) {
    for (const { index, 0: matched } of text.matchAll(
      new RegExp(`(?<=\\s)(?:${pattern.source})(?=\\s)`, 'g'),
    )) {
      if (found.length >= MOST_SPLITS || isQuoted(text, index)) continue
      const before = text.slice(0, index).trim()
      const after = text.slice(index + matched.length).trim()
      if (!before || !after || takePlace(`at ${after}`).isAll) continue
      const main = described(before) ?? withRole(before) ?? literal(unquoted(before))
      const anchor = described(after) ?? withRole(after) ?? literal(unquoted(after))
      const itself = relation === 'beside' && !/^(?:next|beside|near|close)/.test(matched)
      found.push({ ...main, anchor: { reading: anchor, relation, itself }, weight: main.weight * 0.98 })
      // "The last name field" need not be the last of several.
      if (main.nth !== null && main.words.length > 0) {
        const whole = withRole(before) ?? literal(unquoted(before))
        found.push({ ...whole, anchor: { reading: anchor, relation, itself }, weight: 0.98 })
      }
      // "On Tom's message" is beside Tom, "of the Pear order" beside Pear.
      const kindless = relation === 'beside' && (beforeKind(after) ?? ofKind(after))
      if (kindless)
        found.push({
          ...main,
          anchor: { reading: literal(kindless), relation, itself: false },
          weight: UNSURE,
        })
      // "Green salad" need not be a salad that is green: its words may all be its name.
      if (
        anchor.color !== null ||
        anchor.where !== null ||
        (anchor.nth !== null && anchor.words.length > 0)
      ) {
        const named = { reading: literal(unquoted(after)), relation, itself }
        found.push({ ...main, anchor: named, weight: main.weight * 0.97 })
        if (main.nth !== null && main.words.length > 0)
          found.push({ ...(withRole(before) ?? literal(unquoted(before))), anchor: named, weight: 0.97 })
      }
      // "The checkbox for the newsletter": what it is for is what it says.
      if (main.words.length === 0 && main.roles && itself && anchor.words.length > 0)
        found.push({ ...anchor, roles: main.roles, weight: 0.96 })
      // "Edit in the second row", where no row was seen as one: the second Edit.
      if (anchor.words.length === 0 && anchor.nth !== null && main.nth === null && main.words.length > 0)
        found.push({ ...main, nth: anchor.nth, weight: 0.9 })
    }
  }
  return found
}
