/**
 * Schemas come from strangers and are run on every message: what would make a validator slow, large or curious is refused
 * before one is compiled.
 */

export interface SchemaFault {
  readonly key: string
  readonly message: string
}

/** How deep a schema may nest, and how many subschemas may be tried for one message. */
const DEPTH = 32
const COST = 5000
/** Comparing every item with every other: only where a schema says how few there are. */
const UNIQUE_ITEMS = 500

/** What is wrong with a schema of a unique, or null. */
export function schemaFault(schema: unknown): SchemaFault | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return { key: '', message: 'a schema must be a JSON object' }
  const draft = (schema as { readonly $schema?: unknown }).$schema
  if (draft !== undefined && !/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(String(draft)))
    return { key: '$schema', message: 'must be JSON Schema draft 7, or left out' }
  try {
    const cost = new Walk(schema).cost(schema, [], [])
    if (cost > COST)
      return { key: '', message: `is too costly to check messages against: ${cost} parts, of ${COST}` }
  } catch (error) {
    if (error instanceof Refused) return { key: error.key, message: error.message }
    throw error
  }
  return null
}

class Refused extends Error {
  constructor(path: readonly string[], message: string) {
    super(message)
    this.key = path.join('.')
  }
  readonly key: string
}

const FORBIDDEN: Readonly<Record<string, string>> = {
  $id: 'may not be given: a schema has no address here',
  id: 'may not be given: a schema has no address here',
  $async: 'is not supported',
  $dynamicRef: 'is not supported',
  $recursiveRef: 'is not supported',
  $data: 'is not supported',
}

/** Keywords whose value is data rather than a schema. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'type'])
/** Keywords whose keys are names rather than keywords. */
const NAMES = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependencies',
  'dependentSchemas',
])

class Walk {
  readonly #known = new Map<object, number>()

  constructor(private readonly root: object) {}

  /** How many subschemas one message may have to be held against, with every reference followed. */
  cost(schema: unknown, path: readonly string[], through: readonly object[], names = false): number {
    if (typeof schema !== 'object' || schema === null) return 0
    if (path.length > DEPTH) throw new Refused(path.slice(0, 6), `nests deeper than ${DEPTH} levels`)
    if (through.includes(schema))
      throw new Refused(path, 'refers to itself: say how deep the data goes instead of leaving it open')
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    let total = 1
    for (const [key, value] of Object.entries(schema)) {
      const here = [...path, key]
      if (!names && !Array.isArray(schema)) {
        this.#checkKeyword(schema, key, value, here)
        if (key === '$ref') {
          total += this.cost(this.#target(value, here), here, [...through, schema])
          continue
        }
        if (DATA.has(key)) continue
      }
      // Definitions count where they are referred to.
      const inner = this.cost(value, here, [...through, schema], !names && NAMES.has(key))
      if (names || (key !== 'definitions' && key !== '$defs')) total += inner
      if (total > 1e9) throw new Refused([], 'is too costly to check messages against')
    }
    this.#known.set(schema, total)
    return total
  }

  #checkKeyword(schema: object, key: string, value: unknown, path: readonly string[]): void {
    const why = Object.hasOwn(FORBIDDEN, key) ? FORBIDDEN[key] : undefined
    if (why !== undefined && typeof value !== 'object') throw new Refused(path, why)
    if (key === '$data' || (key === '$async' && value)) throw new Refused(path, 'is not supported')
    if (key === 'uniqueItems' && value === true) {
      const { maxItems } = schema as { readonly maxItems?: unknown }
      if (typeof maxItems !== 'number' || maxItems > UNIQUE_ITEMS)
        throw new Refused(path, `needs a maxItems of at most ${UNIQUE_ITEMS} beside it`)
    }
  }

  #target(ref: unknown, path: readonly string[]): unknown {
    if (typeof ref !== 'string' || !/^#(\/|$)/.test(ref))
      throw new Refused(path, 'may only refer into its own file: #/definitions/…')
    let target: unknown = this.root
    for (const part of ref.split('/').slice(1)) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      target =
        typeof target === 'object' && target !== null && Object.hasOwn(target, name)
          ? (target as Record<string, unknown>)[name]
          : undefined
    }
    if (typeof target !== 'object' || target === null) throw new Refused(path, `${ref} leads nowhere`)
    return target
  }
}
