import { parseOrder } from '../grounding.js'
import { UsageError } from './errors.js'

/** The resolvers that a list names, in its order; an empty list names none. `where` says in an error where it was named. */
export function resolverOrder(list: string, where: string): readonly string[] {
  if (list.trim() === '') return []
  try {
    return parseOrder(list)
  } catch (error) {
    throw new UsageError(`${where}: ${(error as Error).message}`)
  }
}
