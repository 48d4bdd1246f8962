/** Says in one sentence what is wrong with a message: the field, what it must be, and what was sent. */
import { FORMS } from './forms.js'
import type { ValidationFault } from './requests.js'

/** A value as a person would want to see it in an error: JSON, short, and honest about what JSON cannot say. */
export function show(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value} (a number too large to represent)`
  let text: string
  try {
    text = JSON.stringify(value) ?? String(value)
  } catch {
    text = String(value)
  }
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

type Value = Readonly<Record<string, unknown>>

/** The sentence for the faults a validator reported about `value`. */
export function explain(faults: readonly ValidationFault[], value: Value): string {
  // A failed alternative reports each of its branches too: the enclosing fault is the one that says it.
  const last = faults.at(-1)
  if (!last) return 'not a valid message'
  const fault = isAlternative(last) ? last : (faults[0] ?? last)
  if (fault.instancePath === '' && fault.keyword === 'oneOf') return explainForms(value)
  if (fault.instancePath === '' && fault.keyword === 'anyOf') return 'display_id is missing (or a frame, which says the display)'
  if (fault.instancePath === '' && fault.keyword === 'dependencies') {
    const { property, missingProperty } = fault.params
    return `${property} came without ${missingProperty}: a coordinate needs both`
  }
  const sent = lookUp(value, fault.instancePath)
  const field = fieldName(fault.instancePath)
  if (fault.keyword === 'required') {
    return `${join(field, String(fault.params.missingProperty))} is missing`
  }
  return `${field} ${problem(fault, field)}, got ${show(sent)}`
}

function isAlternative(fault: ValidationFault): boolean {
  return fault.keyword === 'oneOf' || fault.keyword === 'anyOf'
}

/** Which forms there are, and which of their fields were sent. */
function explainForms(value: Value): string {
  const forms: readonly (readonly string[])[] = FORMS[value.type as keyof typeof FORMS]
  const sent = forms.flat().filter((field) => field in value)
  return `send exactly one of ${list(forms.map((form) => form.join(' and ')))}; got ${sent.length > 0 ? sent.join(', ') : 'none'}`
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
}

const PLACES: ReadonlySet<string> = new Set(['from', 'to'])

function problem({ keyword, params, message }: ValidationFault, field: string): string {
  switch (keyword) {
    case 'type':
      return `must be ${TYPE_NAMES[String(params.type)] ?? `a ${params.type}`}`
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return `must be ${params.comparison} ${params.limit}`
    case 'maxLength':
      return `may have at most ${params.limit} characters`
    case 'minLength':
      return 'must not be empty'
    case 'minItems':
      return `needs ${params.limit} or more entries`
    case 'maxItems':
    case 'additionalItems':
      return `may have at most ${params.limit} entries`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((one) => JSON.stringify(one)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'pattern':
      return params.pattern === '\\S' ? 'must not be blank' : 'must be a colour such as "#ffb000"'
    case 'anyOf':
      return PLACES.has(field) ? 'must be [x, y] or a named position' : 'must be a string or a number'
    default:
      return message ?? 'is not valid'
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  number: 'a finite number',
  integer: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

/** `/path/3/1` -> `path[3][1]`. */
function fieldName(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map(unescape)
    .reduce((name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : join(name, part)), '')
}

function join(parent: string, child: string): string {
  return parent === '' ? child : `${parent}.${child}`
}

function lookUp(value: unknown, instancePath: string): unknown {
  let current = value
  for (const part of instancePath.split('/').slice(1).map(unescape)) {
    if (typeof current !== 'object' || current === null) return undefined
    current = (current as Record<string, unknown>)[part]
  }
  return current
}

function unescape(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
