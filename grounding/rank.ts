/**
 * Words and what was seen to candidates: shared by all resolvers that see things with names (a tree, text on pixels).
 * Pure.
 */
import type { Item } from './items.js'
import type { Candidate, Query } from './resolver.js'

/** The items that fit the query's words, best first; a handful at most. Honest about how sure that is. */
export function rank(_query: Query, _items: readonly Item[]): readonly Candidate[] {
  return []
}
