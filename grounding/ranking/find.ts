/** The first, quick look: which of many names may be meant at all. */
import MiniSearch from 'minisearch'
import { roleFit } from '../roles.js'
import { readingsOf } from './readings.js'
import { fold, meanings, words } from './words.js'

/** So many different names at most are looked at closely. */
const MOST_FOUND = 150

/** Up to so much of a query is searched for, in characters. */
const LONGEST = 1000

/**
 * Which names have any of the query's words, or nearly; null: all of them, since they are few. However many things have one
 * of these names, all of them count: the second of two hundred "Edit" is the second only among all.
 */
export function findNames(text: string, names: Iterable<string>): ReadonlySet<string> | null {
  const different = [...new Set(names)]
  if (different.length <= MOST_FOUND) return null
  const index = new MiniSearch<{ id: number; name: string }>({
    fields: ['name'],
    tokenize: (field) => words(fold(field)),
    processTerm: (term) => [...meanings(term)],
  })
  index.addAll(different.map((name, id) => ({ id, name })))
  const found = index.search(text.slice(0, LONGEST), {
    fuzzy: (term) => (term.length >= 5 ? 1 : false),
    prefix: (term) => term.length >= 3,
  })
  return new Set(found.slice(0, MOST_FOUND).map(({ id }) => different[id as number] as string))
}

/** Whether a query names a colour, so that colours are worth finding out. */
export function namesColor(text: string): boolean {
  return readingsOf(text).some(
    ({ color, anchor }) => color !== null || (anchor?.reading.color ?? null) !== null,
  )
}

/** Whether a thing may be meant by what it is alone: "the third row", "the button at the top". */
export function byRoleAlone(text: string): (role: string) => boolean {
  const roles = readingsOf(text)
    .flatMap((reading) => [reading, ...(reading.anchor ? [reading.anchor.reading] : [])])
    .flatMap((reading) => (reading.words.length === 0 && reading.roles ? [reading.roles] : []))
  return (role) => roles.some((said) => roleFit(said, role) >= 0.9)
}
