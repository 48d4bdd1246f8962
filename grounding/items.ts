import type { Rect } from '../protocol/overlay/geometry.js'
import type { LiveElement } from './resolver.js'

/**
 * Something a resolver saw: what the ranker needs to know of it, whoever saw it. Rectangles are logical points of the
 * display.
 */
export interface Item {
  /** What it says. Empty: it says nothing (an icon, a bare field). */
  readonly name: string
  /** A plain word, of `roles.ts` where that has one. */
  readonly role: string
  readonly rect: Rect
  /** More words about it: a description, a placeholder, a value, an id. They count less than the name. */
  readonly also?: readonly string[]
  /** Its colour as a person would call it, where that is known. */
  readonly color?: string
  /** States a person would name: `checked`, `disabled`, `selected`, `focused`. */
  readonly states?: readonly string[]
  /** The names of what it is in, nearest first: a group, a row, a dialog. */
  readonly inside?: readonly string[]
  /** Which row of a list or table it is in, where the resolver knows: items with the same one are neighbours. */
  readonly row?: string
  /** The application and title of its window. */
  readonly app?: string
  readonly title?: string
  /** The thing itself, to be handed on. */
  readonly element?: LiveElement
}
