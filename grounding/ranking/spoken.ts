/** How people speak of things: ways to read a query that are less plain than its words, and say so by their weight. Pure. */

import type { Role } from '../roles.js'
import {
  afterDeed,
  beforeKind,
  deedsIn,
  entered,
  isAbout,
  isAspect,
  isKind,
  isTrouble,
  ofKind,
  possessed,
  stranger,
  withoutAim,
  withoutKind,
  withoutPart,
  withoutWhich,
} from './phrases.js'
import { bare } from './quotes.js'
import { EXACT, literal, type Reading, UNSURE, WHOLE } from './reading.js'
import { takeRole } from './taking.js'

const FIELDS: readonly Role[] = ['field', 'dropdown']

/** What a list of things is made of. */
export const LISTED: readonly Role[] = ['list item', 'row', 'tree item']

/** Ways of speaking: each says a little less surely what is meant. */
export function spoken(text: string, parts: (text: string) => Reading[]): Reading[] {
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
    ...shortened(text).flatMap(({ rest, weight, least, among }) =>
      parts(rest)
        .filter((reading) => reading.words.length > 0)
        .map((reading) => ({
          ...reading,
          weight: reading.weight * weight,
          ...(among && { among }),
          least: Math.max(reading.least, reading.anchor ? 0 : (least ?? 0)),
        })),
    ),
    ...aimless(text),
    ...crossed(text),
    ...(after ? [{ ...literal(after), weight: 0.92, least: EXACT, used: true as const }] : []),
    ...(owned ? possessive(owned) : []),
    ...(about ? [{ ...literal(about), weight: UNSURE, among: true as const }] : []),
    ...deeds(text),
  ]
}

/** "Edit Ben": a control that says only what is done, at what it is done to. */
export function deeds(text: string): Reading[] {
  return deedsIn(text).flatMap(({ deed, object }) =>
    objects(object).map(({ name, weight, among }) => ({
      ...literal(deed),
      least: EXACT,
      anchor: {
        reading: { ...literal(name), least: weight < 0.9 && !among ? WHOLE : 0, ...(among && { among }) },
        relation: 'beside' as const,
        itself: false,
        object: true as const,
      },
      weight,
    })),
  )
}

/** "Apply the changes", "extract everything": the control says only what it does. And "the savings sheet", where nothing is a sheet. */
function aimless(text: string): Reading[] {
  const deed = withoutAim(text)
  const plain = withoutKind(text)
  const odd = stranger(text)
  return [
    ...(deed ? [{ ...literal(deed), weight: 0.92, least: EXACT, used: true as const }] : []),
    ...(plain ? [{ ...literal(plain), weight: UNSURE, least: WHOLE, used: true as const }] : []),
    ...(odd
      ? [{ ...literal(odd.rest), weight: UNSURE, least: EXACT, unless: odd.word, calm: true as const }]
      : []),
  ]
}

/** "The monthly rent": where the column of the one word meets the row of the other. */
function crossed(text: string): Reading[] {
  const parts = literal(beforeKind(text) ?? text).words
  if (parts.length !== 2) return []
  return [parts, [...parts].reverse()].map(([main, other]): Reading => {
    const reading = { ...literal(other as string), least: WHOLE }
    return {
      ...literal(main as string),
      least: WHOLE,
      anchor: { reading, relation: 'cross', itself: false },
      weight: UNSURE,
    }
  })
}

/** "Tom's messages" may be called after Tom; "Tom's Delete button" is beside him. */
function possessive({ owner, thing }: { owner: string; thing: string }): Reading[] {
  const reading = literal(owner)
  const anchor = { reading, relation: 'beside' as const, itself: false }
  const { rest, roles } = takeRole(thing)
  const main = roles ? { ...literal(rest), roles } : literal(thing)
  // "Ben's menu button" is a button, and never Ben himself.
  const isOwn = roles === null || roles[0] === 'text' || isKind(bare(thing))
  return [
    { ...main, anchor, weight: 0.95 },
    ...(isOwn ? [{ ...reading, weight: UNSURE, ...(!isKind(bare(thing)) && { used: true as const }) }] : []),
  ]
}

/** What a deed is done to, by its name: "the server in Vienna" may be called so, or Vienna be what tells it. */
function objects(object: string): { name: string; weight: number; among?: true }[] {
  const kind = ofKind(object)
  const before = beforeKind(object)
  const place = /^\S+(?:\s\S+)?\s(?:in|at|of|from|with|by)\s+(.+)$/.exec(object.replace(/^the\s+/, ''))?.[1]
  const shorter = /^(.+)\s\S+$/.exec(object)?.[1]
  return [
    { name: object, weight: 0.94 },
    ...(kind ? [{ name: kind, weight: 0.94, ...(isAbout(object) && { among: true as const }) }] : []),
    ...(before ? [{ name: before, weight: UNSURE, among: true as const }] : []),
    // Never sure enough for the pointer.
    ...(place ? [{ name: place, weight: UNSURE }] : []),
    ...(shorter && shorter !== 'the' ? [{ name: shorter, weight: UNSURE }] : []),
  ]
}

/** A part of what was said must be most of a name. */
const NEARLY = 0.6

/** The text without what it is said to be in, without the kind of thing it is, and without both. */
function shortened(text: string): { rest: string; weight: number; least?: number; among?: true }[] {
  const { rest: unroled, roles } = takeRole(text)
  const role =
    roles && unroled
      ? ` ${text.endsWith(unroled) ? '' : text.slice(text.lastIndexOf(unroled) + unroled.length).trim()}`.trimEnd()
      : ''
  const elsewhere = withoutPart(text)
  const kind = role && !isAspect(unroled) ? beforeKind(unroled) : null
  return [
    ...(isAbout(text) ? [] : [{ rest: ofKind(text), weight: 0.95, least: NEARLY }]),
    { rest: elsewhere, weight: UNSURE },
    { rest: withoutWhich(text), weight: UNSURE, least: NEARLY },
    ...(isAbout(text) ? [] : [{ rest: elsewhere && ofKind(elsewhere), weight: UNSURE, least: NEARLY }]),
    {
      rest: beforeKind(text),
      weight: UNSURE,
      least: NEARLY,
      ...(isTrouble(text) && { among: true as const }),
    },
    { rest: kind && `${kind}${role}`, weight: UNSURE, least: NEARLY },
    { rest: elsewhere && beforeKind(elsewhere), weight: UNSURE, least: NEARLY },
  ].flatMap(({ rest, ...more }) => (rest ? [{ rest, ...more }] : []))
}
