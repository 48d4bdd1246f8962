/** What a schema cannot say of suggestions: what is picked is told by its id, and two of one id could not be told apart. */
import { show } from '../overlay/explain.js'

/** What is wrong with the ids of `items`, as a sentence that names the field; null: nothing. */
export function alikeFault(items: readonly { readonly id: string }[]): string | null {
  const seen = new Map<string, number>()
  for (const [at, { id }] of items.entries()) {
    const before = seen.get(id)
    if (before !== undefined)
      return `items[${at}].id must be another than that of items[${before}], got ${show(id)}`
    seen.set(id, at)
  }
  return null
}
