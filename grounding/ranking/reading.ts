/** What one reading of a query says. Pure. */

import type { Role } from '../roles.js'
import { bare } from './quotes.js'
import { telling, words } from './words.js'

/** How one thing is told by another one. */
export type Relation = 'beside' | 'cross' | 'in' | 'above' | 'below' | 'left' | 'right' | 'has'

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
  /** Nothing but these roles can be meant. */
  readonly only?: true
  /** It cannot be meant where anything on the screen has this word. */
  readonly unless?: string
  /** It is named, and nothing is to be done: rather no button. */
  readonly calm?: true
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

/** Of readings that are never sure enough for the pointer. */
export const UNSURE = 0.82

/** A name that is only a part of what was said must be all of a name. */
export const WHOLE = 0.9

/** A control that is told by what it does is called so, and nothing else: "pay" is not "Pay by invoice". */
export const EXACT = 0.72

export function literal(text: string): Reading {
  const phrase = bare(text)
  return { ...EMPTY, phrase, words: telling(words(phrase)) }
}

export const EMPTY: Omit<Reading, 'phrase' | 'words'> = {
  roles: null,
  nth: null,
  where: null,
  color: null,
  anchor: null,
  weight: 1,
  least: 0,
}
