/** What a query may mean: the same words read in several ways, since a name may itself hold a role, a place or a number. Pure. */

import { ROLE_WORDS, type Role, rolesOf } from '../roles.js'
import {
  afterDeed,
  beforeKind,
  deedsIn,
  entered,
  isAbout,
  ofKind,
  possessed,
  withoutPart,
  withoutSize,
} from './phrases.js'
import { bare, isQuoted, unquoted } from './quotes.js'
import { fold, telling, withoutDeed, withoutEcho, withoutLead, withoutVerb, words } from './words.js'

/** How one thing is told by another one. */
export type Relation = 'beside' | 'in' | 'above' | 'below' | 'left' | 'right' | 'has'

export interface Reading {
  /** What it says; empty: only what it is, or where. */
  readonly phrase: string
  readonly words: readonly string[]
  readonly roles: readonly Role[] | null
  /** The n-th of those that fit, from 1; -1: the last. */
  readonly nth: number | null
  readonly where: Place | null
  readonly color: string | null
  readonly anchor: Anchor | null
  /** How likely people mean it this way, 0..1. */
  readonly weight: number
  /** How well a name must fit at least, 0..1, to be meant this way at all. */
  readonly least: number
  /** It says this among much else. */
  readonly among?: true
  /** Something is to be done with it: it is rather what can be used. */
  readonly used?: true
}

export interface Anchor {
  readonly reading: Reading
  readonly relation: Relation
  /** It may be the thing itself: the checkbox for the newsletter says "newsletter"; the one next to it does not. */
  readonly itself: boolean
  /** Something is done to it, if the word before is a verb at all. */
  readonly object?: true
}

export interface Place {
  readonly x: 'left' | 'center' | 'right' | null
  readonly y: 'top' | 'middle' | 'bottom' | null
}

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

const COLORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'red orange yellow green blue purple pink brown black white gray'.split(' ').map((one) => [one, one]),
  ),
  grey: 'gray',
  violet: 'purple',
  magenta: 'pink',
  cyan: 'blue',
  teal: 'green',
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(
  ' ',
)

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
  return [literal(text), ...mains(text), ...less]
}

/** Without a verb that may be the name of a control, and without what is said twice. */
function withoutDeeds(text: string): readonly Reading[] {
  const deedless = withoutDeed(text)
  const once = withoutEcho(text)
  return [
    ...(deedless === null
      ? []
      : allOf(deedless).map(
          (reading): Reading => ({ ...reading, weight: reading.weight * VERB_WEIGHT, used: true }),
        )),
    ...(once === null ? [] : [literal(once), ...mains(once)].map((one) => ({ ...one, weight: 0.97 }))),
  ]
}

/** Of readings that take a query's first verb for what is to be done with a thing. */
const VERB_WEIGHT = 0.84

function allOf(text: string): readonly Reading[] {
  // So much text names no one thing: it is only compared as a whole.
  if (text.split(' ').length > MOST_READ) return [literal(text)]
  const named = withoutSize(text.replace(NAMED, ' ').replace(/ +/g, ' ').trim())
  const plain = [...mains(named), ...splits(named)]
  return [literal(text), ...plain, ...spoken(named)]
}

/** Ways of speaking: each says a little less surely what is meant. */
function spoken(text: string): Reading[] {
  const field = entered(text)
  const does = /^(.+?)\s+(?:that|which)\s+(.+)$/.exec(text)
  const doer = does && takeRole(does[1] as string)
  const after = afterDeed(text)
  const owned = possessed(text)
  const about = isAbout(text) ? ofKind(text) : null
  return [
    ...(does && doer?.roles && bare(doer.rest) === ''
      ? [{ ...literal(does[2] as string), roles: doer.roles, weight: 0.95 }]
      : []),
    ...(field ? [{ ...literal(field), roles: FIELDS, weight: 0.97 }] : []),
    ...shortened(text).flatMap(({ rest, weight }) =>
      [literal(rest), ...mains(rest), ...splits(rest)]
        .filter((reading) => reading.words.length > 0)
        .map((reading) => ({ ...reading, weight: reading.weight * weight })),
    ),
    ...(after ? [{ ...literal(after), weight: 0.92, least: EXACT, used: true as const }] : []),
    ...(owned ? possessive(owned) : []),
    ...(about ? [{ ...literal(about), weight: 0.95, among: true as const }] : []),
    ...deedsIn(text).flatMap(({ deed, object }) =>
      objects(object).map(({ name, weight, among }) => ({
        ...literal(deed),
        least: EXACT,
        anchor: {
          reading: { ...literal(name), least: weight < 0.9 ? WHOLE : 0, ...(among && { among }) },
          relation: 'beside' as const,
          itself: false,
          object: true as const,
        },
        weight,
      })),
    ),
  ]
}

/** "Tom's messages" may be called after Tom; "Tom's Delete button" is beside him. */
function possessive({ owner, thing }: { owner: string; thing: string }): Reading[] {
  const reading = literal(owner)
  const anchor = { reading, relation: 'beside' as const, itself: false }
  const main = withRole(thing) ?? literal(thing)
  return [
    { ...main, anchor, weight: 0.95 },
    { ...reading, weight: UNSURE, used: true },
  ]
}

/** What a deed is done to, by its name: "the server in Vienna" may be called so, or Vienna be what tells it. */
function objects(object: string): { name: string; weight: number; among?: true }[] {
  const kind = ofKind(object)
  const place = /^\S+(?:\s\S+)?\s(?:in|at|of|from|with|by)\s+(.+)$/.exec(object.replace(/^the\s+/, ''))?.[1]
  const shorter = /^(.+)\s\S+$/.exec(object)?.[1]
  return [
    { name: object, weight: 0.94 },
    ...(kind ? [{ name: kind, weight: 0.94, ...(isAbout(object) && { among: true as const }) }] : []),
    // Never sure enough for the pointer.
    ...(place ? [{ name: place, weight: UNSURE }] : []),
    ...(shorter && shorter !== 'the' ? [{ name: shorter, weight: UNSURE }] : []),
  ]
}

/** A name that is only a part of what was said must be all of a name. */
const WHOLE = 0.9

/** A control that is told by what it does is called so, and nothing else: "pay" is not "Pay by invoice". */
const EXACT = 0.72

/** The text without what it is said to be in, without the kind of thing it is, and without both. */
function shortened(text: string): { rest: string; weight: number }[] {
  const { rest: unroled, roles } = takeRole(text)
  const role =
    roles && unroled
      ? ` ${text.endsWith(unroled) ? '' : text.slice(text.lastIndexOf(unroled) + unroled.length).trim()}`.trimEnd()
      : ''
  const elsewhere = withoutPart(text)
  const kind = role ? beforeKind(unroled) : null
  return [
    { rest: ofKind(text), weight: 0.95 },
    { rest: elsewhere, weight: 0.95 },
    { rest: elsewhere && ofKind(elsewhere), weight: 0.92 },
    // Never sure enough for the pointer.
    { rest: beforeKind(text), weight: UNSURE },
    { rest: kind && `${kind}${role}`, weight: UNSURE },
    { rest: elsewhere && beforeKind(elsewhere), weight: UNSURE },
  ].flatMap(({ rest, weight }) => (rest ? [{ rest, weight }] : []))
}

const UNSURE = 0.82

const FIELDS: readonly Role[] = ['field', 'dropdown']

function literal(text: string): Reading {
  const phrase = bare(text)
  return { ...EMPTY, phrase, words: telling(words(phrase)) }
}

const EMPTY: Omit<Reading, 'phrase' | 'words'> = {
  roles: null,
  nth: null,
  where: null,
  color: null,
  anchor: null,
  weight: 1,
  least: 0,
}

/** A thing by its name, role, place, colour and number, with and without taking words away from its name. */
function mains(text: string): Reading[] {
  const name = withRole(text)
  const readings = name ? [name] : []
  const full = described(text)
  if (full) readings.push(full)
  return readings
}

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
      if (anchor.color !== null || anchor.where !== null) {
        const named = { reading: literal(unquoted(after)), relation, itself }
        found.push({ ...main, anchor: named, weight: main.weight * 0.97 })
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

function takeRole(text: string): { rest: string; roles: readonly Role[] | null } {
  // At the end ("the Save button"), or else at the beginning ("button Save"): "the message box" is a box.
  const places = [(word: string) => `(?:^|\\s)${word}(?:e?s)?$`, (word: string) => `^(?:the )?${word}\\s`]
  for (const place of places) {
    for (const word of ROLE_WORDS) {
      const pattern = new RegExp(place(word))
      const at = text.match(pattern)
      const roles = at && rolesOf(word)
      if (roles) return { rest: text.replace(pattern, ' ').trim(), roles }
    }
  }
  return { rest: text, roles: null }
}

const PLACE =
  /(?:^|\s)(?:(?:in|at|on|to|towards|near)\s+)?(?:the\s+)?(?:(?:far|very)\s+)?(?:(top|upper|bottom|lower|middle|center|centre)(?:[\s-]+(left|right|center|centre|middle))?|(left|right)(?:most|-hand)?)(?:[\s-]+(?:hand|corner|side|edge|half))*(?:\s+of\s+the\s+(?:screen|window|page|display|app|application))?(?=\s|$)/

function takePlace(text: string): { rest: string; where: Place | null; isAll: boolean } {
  const match = text.match(PLACE)
  if (!match) return { rest: text, where: null, isAll: false }
  const [, first, second, side] = match
  const x = side ?? second
  const where: Place = {
    x: x === 'left' || x === 'right' ? x : x || isMiddle(first) ? 'center' : null,
    y:
      first === 'top' || first === 'upper'
        ? 'top'
        : first === 'bottom' || first === 'lower'
          ? 'bottom'
          : isMiddle(first)
            ? 'middle'
            : null,
  }
  const rest = text.replace(PLACE, ' ').replace(/ +/g, ' ').trim()
  return { rest, where, isAll: rest === '' || rest === 'the' }
}

const isMiddle = (word: string | undefined) => word !== undefined && /^(?:middle|cent)/.test(word)

function takeOrdinal(text: string): { rest: string; nth: number | null; isName?: boolean } {
  const spelled = text.match(
    new RegExp(`(?:^|\\s)(?:(${ORDINALS.join('|')})|(\\d{1,3})(?:st|nd|rd|th)|(last))(?=\\s|$)`),
  )
  if (spelled) {
    const [all, word, digits] = spelled
    const nth = word ? ORDINALS.indexOf(word) + 1 : digits ? Number(digits) : -1
    return { rest: text.replace(all, ' ').trim(), nth: nth === 0 ? null : nth }
  }
  const counted = text.match(
    /\b(row|item|line|button|link|tab|option|entry|cell)\s+(?:number\s+|no\.?\s+|#)?(\d{1,3})$/,
  )
  if (!counted) return { rest: text, nth: null }
  // "Item 3" is as likely what it says.
  return {
    rest: text.replace(counted[0], counted[1] as string),
    nth: Number(counted[2]) || null,
    isName: true,
  }
}

function takeColor(text: string): { rest: string; color: string | null } {
  const match = text.match(
    new RegExp(`(?:^|\\s)(${Object.keys(COLORS).join('|')})(?:-coloured|-colored)?(?=\\s|$)`),
  )
  if (!match) return { rest: text, color: null }
  return { rest: text.replace(match[0], ' ').trim(), color: COLORS[match[1] as string] ?? null }
}
