import MiniSearch from 'minisearch'
import type { Prepared } from './names.js'
import { fold, meaning, words } from './words.js'

/** So many items at most are looked at closely. */
const MOST_FOUND = 150

/** Those of many items that have any of the words, or nearly, the likeliest first; a few are all returned. */
export function find(text: string, items: readonly Prepared[]): readonly Prepared[] {
  if (items.length <= MOST_FOUND) return items
  const index = new MiniSearch<{ id: number; name: string; more: string }>({
    fields: ['name', 'more'],
    tokenize: (field) => words(fold(field)),
    processTerm: (term) => meaning(term),
  })
  index.addAll(items.map((one, id) => ({ id, name: one.phrase, more: one.more.join(' ') })))
  const found = index.search(text.slice(0, 1000), {
    boost: { name: 2 },
    fuzzy: (term) => (term.length >= 5 ? 1 : false),
    prefix: (term) => term.length >= 3,
  })
  return found.slice(0, MOST_FOUND).map(({ id }) => items[id as number] as Prepared)
}
