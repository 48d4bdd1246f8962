/**
 * Words and what was seen to candidates: shared by all resolvers that see things with names (a tree, text on pixels).
 * Pure.
 */
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Item } from '../items.js'
import type { Candidate, Query } from '../resolver.js'
import { isHolder, isUsable, type Role, roleFit } from '../roles.js'
import { byAnchor, isHolding, type Scored } from './anchors.js'
import { findNames } from './find.js'
import { isNamed, nameFit, type Prepared, prepare, weights } from './names.js'
import { encloses, holds, inReadingOrder, middle, placeFit } from './places.js'
import { bare } from './quotes.js'
import type { Reading } from './reading.js'
import { readingsOf } from './readings.js'
import { alike, fold } from './words.js'

/** As many are told to a client. */
const MOST_CANDIDATES = 8

/** From this share of the best score on, another one fits as well. */
const TIED = 0.985

/** Below this share of the best score, another one casts no doubt on it. */
const CLEAR = 0.85

/** Candidates below this are not worth telling. */
const LEAST = 0.2

/** What tells what all of a screen is about: "the pending ticket" among Tickets. */
const TITLES: ReadonlySet<string> = new Set([
  'window',
  'document',
  'heading',
  'tab',
  'table',
  'list',
  'group',
])

/** Below this, a role is another one than was said. */
const LOOSE = 0.8

/** From here on, a thing is called just so. */
const ALMOST = 0.97

/** Roles of which another one is no stand-in. */
const PLAIN_TO_SEE: ReadonlySet<string> = new Set(['switch', 'tab', 'slider', 'radio'])

/** The items that fit the query's words, best first; a handful at most. Honest about how sure that is. */
export function rank(query: Query, items: readonly Item[]): readonly Candidate[] {
  const seen = narrowed(query, items)
  const prepared = seen.map(prepare)
  // Where all that is known is text, text says nothing about what a thing is.
  const blind = seen.every(({ role }) => role === 'text')
  const scores = new Map<Item, number>()
  const names = findNames(
    query.text,
    seen.map(({ name, also }) => [name, ...(also ?? [])].join(' ')),
  )
  const kept = names
    ? prepared.filter(({ item: { name, also } }) => names.has([name, ...(also ?? [])].join(' ')))
    : prepared
  for (const reading of readingsOf(query.text)) {
    for (const { item, score } of scored(reading, kept, prepared, query, blind)) {
      if (score > (scores.get(item) ?? 0)) scores.set(item, score)
    }
  }
  const ranked = [...scores]
    .map(([item, score]) => ({ item, score }))
    .filter(({ score }) => score >= LEAST)
    .sort((a, b) => b.score - a.score || Number(isUsable(b.item.role)) - Number(isUsable(a.item.role)))
  return confident(query, distinct(ranked))
}

/** What the query leaves of all that was seen. */
function narrowed({ within, app, display }: Query, items: readonly Item[]): readonly Item[] {
  const [width, height] = display.logical_size
  const screen: Rect = [0, 0, width, height]
  return items.filter(({ rect, app: its, title }) => {
    const place = middle(rect)
    if (!holds(screen, place) || (within && !holds(within, place))) return false
    return app === undefined || [its, title].some((name) => name !== undefined && isNamed(name, app))
  })
}

/** Scores of one reading: what each item says and is, and then where it stands among those that fit. */
function scored(
  reading: Reading,
  candidates: readonly Prepared[],
  all: readonly Prepared[],
  query: Query,
  blind: boolean,
): readonly Scored[] {
  const { unless } = reading
  if (
    unless &&
    all.some(({ item, words }) => !TITLES.has(item.role) && words.some((word) => alike(unless, word) > 0.8))
  )
    return []
  const weight = weights(reading, all)
  const fitting: Scored[] = []
  // What something is told by may be anything; and a thing without a name is found by what it is alone.
  const pool = reading.words.length === 0 ? all : candidates
  const nameless = reading.words.length === 0
  // A checkbox is the second switch only where there are no switches that would be seen as such.
  const first = nameless ? reading.roles?.[0] : undefined
  const firm = first !== undefined && (PLAIN_TO_SEE.has(first) || all.some(({ item }) => item.role === first))
  for (const one of pool) {
    const score = own(reading, weight, one, { blind, firm })
    if (score >= Math.max(LEAST, reading.least)) fitting.push({ item: one.item, score })
  }
  const anchored = reading.anchor
    ? byAnchor(
        reading.anchor,
        fitting,
        scored(reading.anchor.reading, all, all, query, blind),
        all.map(({ item }) => item),
        nameless,
      )
    : fitting
  const placed = reading.where ? byPlace(reading.where, anchored, query) : anchored
  const numbered = reading.nth === null ? placed : byNumber(reading, placed)
  return numbered.map(({ item, score }) => ({ item, score: score * reading.weight }))
}

/** What an item says and is, without the others. */
function own(
  reading: Reading,
  weight: readonly number[],
  one: Prepared,
  { blind, firm }: { readonly blind: boolean; readonly firm: boolean },
): number {
  const { item } = one
  const { roles, color, nth, where, anchor } = reading
  if (reading.words.length === 0) {
    // "The third row", "the button at the top": nothing but a role, or a colour, to go by.
    if (!roles && !color) return 0
    if (roles && (blind || roleFit(roles, item.role) < 0.9)) return 0
    if (roles && firm && item.role !== roles[0]) return 0
    if (color && item.color !== color) return 0
    if (nth !== null && item.states?.includes('header')) return 0
    // Of what only looks like it, none is counted for sure.
    const sure =
      nth !== null && item.element === undefined ? 0.84 : nth !== null || where || anchor ? 0.97 : 0.93
    return roles ? sure * roleFit(roles, item.role) : 0.8
  }
  let score = nameFit(reading, weight, one)
  const fit = roles && !blind ? saidFit(roles, item.role) : 1
  if (reading.only && fit < 0.9 && item.role !== 'unknown') return 0
  // A thing of another kind must at least be called just so; and "Untracked files:" is a heading, and no file.
  const vague = fit < LOOSE || (roles !== null && item.role === 'unknown')
  if (score < ALMOST && (vague || item.name.endsWith(':'))) score *= 0.6
  // What is about a thing says more than that.
  if (reading.among && score >= ALMOST) score *= 0.7
  if (roles && !blind) score *= fit
  else if (!roles && !blind) score *= isHolder(item.role) ? 0.9 : isUsable(item.role) ? 1 : 0.97
  if (reading.used && !roles && item.role !== 'unknown' && !isUsable(item.role)) score *= 0.85
  // Pixels do not tell the control that does it from what it is done to.
  if (reading.used && !roles && item.role === 'unknown') score *= 0.9
  if (reading.calm && item.role === 'button') score *= 0.6
  if (color) score *= item.color === color ? 1 : item.color === undefined ? 0.8 : 0.4
  return score
}

const SPOKEN: ReadonlySet<string> = new Set(['link', 'button', 'tab', 'menu item', 'tree item'])

/** "Label" and "message" are words for much else: a link that can be used and is called so is as likely meant. */
function saidFit(roles: readonly Role[], role: string): number {
  return roles[0] === 'text' && SPOKEN.has(role) ? 0.99 : roleFit(roles, role)
}

/** Of several that fit, the one that is farthest that way. */
function byPlace(
  where: NonNullable<Reading['where']>,
  fitting: readonly Scored[],
  { display }: Query,
): readonly Scored[] {
  const fits = fitting.map(({ item, score }) => ({
    item,
    score,
    fit: placeFit(where, middle(item.rect), display.logical_size),
  }))
  const top = Math.max(0, ...fits.map(({ score }) => score))
  const farthest = Math.max(0, ...fits.filter(({ score }) => score >= top * 0.9).map(({ fit }) => fit))
  return fits.map(({ item, score, fit }) => ({
    item,
    // On the other side of the display it is hardly what was meant, however alone it is.
    score: score * (fit >= farthest - 0.02 ? 1 : 0.7) * (fit < 0.35 ? 0.7 : 1),
  }))
}

/** The n-th in reading order of those that fit best. */
function byNumber({ nth, phrase, roles }: Reading, fitting: readonly Scored[]): readonly Scored[] {
  const kind = roles ? fitting.filter(({ item }) => roleFit(roles, item.role) >= 0.9) : []
  const pool = kind.length > 0 ? kind : fitting
  const top = Math.max(0, ...pool.map(({ score }) => score))
  const best = distinct(pool.filter(({ score }) => score >= top * TIED))
  const at = nth as number
  const nthOf = (some: readonly Scored[]) =>
    inReadingOrder(some, ({ item }) => item.rect).at(at > 0 ? at - 1 : at)
  // Only of several is one the first: where one says just that, all that begin with it are counted.
  const begin =
    best.length > 1 || phrase === '' || top < 0.9
      ? []
      : distinct(pool.filter((one) => best.includes(one) || begins(one.item, phrase)))
  const one = nthOf(begin.length > 1 ? begin : best)
  if (!one) return []
  // One alone that only begins like it is not the last of its kind: "the last page" is no "Page range".
  const alike = best.every(({ item }) => item.name === one.item.name)
  if ((best.length === 1 || (!alike && !roles)) && begin.length < 2 && phrase !== '' && one.score < 0.9)
    return [{ ...one, score: one.score * 0.6 }]
  return [begin.length > 1 ? { ...one, score: top * 0.82 } : one]
}

function begins({ name }: Item, phrase: string): boolean {
  const text = bare(fold(name))
  return text.startsWith(phrase) && !/[\p{L}\p{N}]/u.test(text[phrase.length] ?? ' ')
}

/** One of each: what says the same in the same place (a button and the text in it) is one thing. */
function distinct(ranked: readonly Scored[]): readonly Scored[] {
  const kept: Scored[] = []
  for (const one of ranked) {
    const same = kept.findIndex((other) => isOneThing(one.item, other.item))
    if (same < 0) kept.push(one)
  }
  return kept
}

function isOneThing(a: Item, b: Item): boolean {
  if (a.element !== undefined && a.element === b.element) return true
  if (encloses(a.rect, b.rect) || encloses(b.rect, a.rect)) {
    const [inner, outer] = encloses(a.rect, b.rect) ? [b, a] : [a, b]
    // A group that is called like a button in it is another thing, unless it is hardly larger.
    const area = ({ rect }: Item) => rect[2] * rect[3]
    if (a.name === b.name) return !isHolder(outer.role) || area(inner) > 0.5 * area(outer)
    const isMore = isUsable(outer.role) || (isHolding(outer) && !isHolder(outer.role) && outer.role !== 'row')
    return !isUsable(inner.role) && isMore && outer.name.includes(inner.name)
  }
  return false
}

/** Scores to confidence: score x margin / sqrt(ties). */
function confident({ nth }: Query, ranked: readonly Scored[]): readonly Candidate[] {
  const best = ranked[0]?.score ?? 0
  const tied = ranked.filter(({ score }) => score >= best * TIED)
  if (nth !== undefined) {
    const one = inReadingOrder(tied, ({ item }) => item.rect)[nth - 1]
    // There are not as many: none is the n-th, and those there are say so.
    if (!one) return ranked.slice(0, MOST_CANDIDATES).map((other) => candidate(other, other.score * 0.3, 1))
    const others = ranked.filter((other) => other !== one)
    return [
      candidate(one, one.score, 1),
      ...others.map((other) => candidate(other, other.score * 0.3, 1)),
    ].slice(0, MOST_CANDIDATES)
  }
  const next = ranked[tied.length]?.score ?? 0
  const ratio = best === 0 ? 0 : next / best
  const margin = ratio <= CLEAR ? 1 : 1 - 0.45 * ((ratio - CLEAR) / (1 - CLEAR))
  // In the order that `nth` counts in.
  const order = [...inReadingOrder(tied, ({ item }) => item.rect), ...ranked.slice(tied.length)]
  return order.slice(0, MOST_CANDIDATES).map((one, index) => {
    const isTied = index < tied.length
    const ties = isTied ? tied.length : 1
    // What is not the best is at most what the best leaves.
    const share = isTied ? margin / Math.sqrt(ties) : 0.6
    return candidate(one, one.score * share, ties)
  })
}

function candidate({ item }: Scored, confidence: number, ties: number): Candidate {
  const { name, role, rect, element } = item
  return {
    name,
    role,
    rect,
    confidence: Math.round(Math.min(0.99, confidence) * 1000) / 1000,
    ties,
    ...(element && { element }),
  }
}
