/** The schemas a unique declares, compiled: messages of those types are held against them in both directions. */
import { Ajv, type ValidateFunction } from 'ajv'
import { RE2JS } from 're2js'
import type { Direction } from '../../protocol/lip/domains.js'
import { LipError } from '../../protocol/lip/errors.js'
import { ManifestError, type ManifestFault } from '../../protocol/lip/manifest.js'
import { dataFault } from '../../protocol/lip/messages.js'
import type { ValidationFault } from '../../protocol/overlay/requests.js'
import type { SchemaTable, Unique } from './folder.js'

export class DeclaredSchemas {
  readonly #validators: Readonly<Record<Direction, ReadonlyMap<string, ValidateFunction>>>

  /** Compiles what `unique` declares. Throws `ManifestError`. */
  constructor(unique: Unique) {
    const faults: ManifestFault[] = []
    this.#validators = {
      up: compiled(unique, 'up', faults),
      down: compiled(unique, 'down', faults),
    }
    if (faults.length > 0) throw new ManifestError(faults)
  }

  /** Throws `LipError` when `data` is not what the type's schema says; a type without one passes. */
  check(dir: Direction, type: string, data: Readonly<Record<string, unknown>>): void {
    const validate = this.#validators[dir].get(type)
    if (!validate || validate(data)) return
    const faults = (validate.errors ?? []) as readonly ValidationFault[]
    throw new LipError('bad_data', `${type}: ${dataFault(type, faults, data)}`)
  }
}

/** Patterns run in time linear in the text: one that backtracks for minutes is a way to stop the host. */
function linear(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(pattern)
  // Ajv tells patterns apart by their text: without it, the first of a schema would stand for all.
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern }
}
linear.code = 'linear'

function compiled(
  { schemas, manifest }: Unique,
  dir: Direction,
  faults: ManifestFault[],
): ReadonlyMap<string, ValidateFunction> {
  const validators = new Map<string, ValidateFunction>()
  const table: SchemaTable = schemas[dir]
  if (table.size === 0) return validators
  const declared = dir === 'up' ? manifest.events : manifest.commands
  const ajv = new Ajv({
    strict: false,
    // Formats are for people; what is unknown would only be passed over.
    validateFormats: false,
    inlineRefs: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp: linear as never },
  })
  for (const [type, schema] of table) {
    try {
      validators.set(type, ajv.compile(schema))
    } catch (error) {
      const file = declared?.[type]?.schema ?? type
      faults.push({ file, key: '', rule: 4, message: (error as Error).message.slice(0, 200) })
    }
  }
  return validators
}
