/** Says in one sentence what is wrong with a message: the field, what it must be, and what was sent. */
import { FORMS, OPTIONAL_FORMS } from './forms.js'
import type { ValidationFault } from './requests.js'

/** A value as a person would want to see it in an error: JSON, short, and honest about what JSON cannot say. */
export function show(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    return `${value} (a number too large to represent)`
  let text: string
  try {
    text = JSON.stringify(value) ?? String(value)
  } catch {
    text = Object.prototype.toString.call(value)
  }
  // Between two code points: half of a pair would make the whole reply unreadable to strict clients.
  return text.length > 60 ? `${wellFormed(text.slice(0, 57)).replace(/\ufffd$/, '')}…` : text
}

/** Text without lone surrogates, which strict JSON readers refuse even when escaped. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

type Value = Readonly<Record<string, unknown>>

/** The sentence for the faults a validator reported about `value`. */
export function explain(faults: readonly ValidationFault[], value: Value): string {
  // That a condition's consequence failed says nothing: what failed in it does.
  const last = faults.findLast(({ keyword }) => keyword !== 'if')
  if (!last) return 'not a valid message'
  const fault = isAlternative(last) ? branchMeant(faults, last) : (faults[0] ?? last)
  if (fault.instancePath === '' && fault.keyword === 'oneOf') return explainForms(value)
  if (fault.instancePath === '' && fault.keyword === 'anyOf')
    return 'display_id is missing (or a frame or a window, which says the display)'
  if (fault.instancePath === '' && fault.keyword === 'dependencies') {
    const { property, missingProperty } = fault.params
    if (missingProperty === 'command') return 'data came without the command it is of'
    return `${property} came without ${absent(value, String(missingProperty))}: a coordinate needs both`
  }
  const sent = lookUp(value, fault.instancePath)
  const field = fieldName(fault.instancePath)
  if (field === 'data' && OF_MOVE.has(fault.keyword)) {
    return `data of entity.move is exactly one of x and y, or to; got ${show(sent)}`
  }
  if (fault.keyword === 'required') {
    const missing = join(field, String(fault.params.missingProperty))
    const got = lookUp(value, `${fault.instancePath}/${fault.params.missingProperty}`)
    return `${missing} is missing${got === undefined ? '' : `, got ${show(got)}`}`
  }
  return `${field} ${problem(fault, field)}, got ${show(sent)}`
}

function isAlternative(fault: ValidationFault): boolean {
  return fault.keyword === 'oneOf' || fault.keyword === 'anyOf'
}

/**
 * A failed alternative reports each of its branches too. The branch whose type fits what was sent is the one that was
 * meant, and says more than the alternative; where none fits, the alternative says it.
 */
function branchMeant(faults: readonly ValidationFault[], alternative: ValidationFault): ValidationFault {
  if (alternative.instancePath === '') return alternative
  const isMeant = ({ instancePath, keyword }: ValidationFault) =>
    instancePath.startsWith(`${alternative.instancePath}/`) ||
    (instancePath === alternative.instancePath && TEXT_LIMITS.has(keyword))
  return faults.find(isMeant) ?? alternative
}

/** How a place fails that is said twice, half or not at all. */
const OF_MOVE: ReadonlySet<string> = new Set(['oneOf', 'dependencies'])

const TEXT_LIMITS: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minimum', 'maximum'])

/** A field that counts as absent, with what stood there. */
function absent(value: Value, field: string): string {
  return field in value ? `${field} (${show(value[field])})` : field
}

/** Which forms there are, and which of their fields were sent. */
function explainForms(value: Value): string {
  const forms: readonly (readonly string[])[] = FORMS[value.type as keyof typeof FORMS]
  const sent = forms.flat().filter((field) => field in value)
  const got = sent.map((field) =>
    value[field] === null || value[field] === false ? absent(value, field) : field,
  )
  const how = OPTIONAL_FORMS.has(String(value.type)) ? 'at most' : 'exactly'
  return `send ${how} one of ${list(forms.map((form) => form.join(' and ')))}; got ${got.length > 0 ? got.join(', ') : 'none'}`
}

export function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
}

/** Lists of any length; every other array is a tuple. */
const LISTS: ReadonlySet<string> = new Set(['path', 'steps', 'items'])
const PLACES: ReadonlySet<string> = new Set(['from', 'to'])

/** `steps[1].arrow.from` -> `from`. */
function lastOf(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

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
      return LISTS.has(lastOf(field))
        ? `needs ${params.limit} or more entries`
        : `must have exactly ${params.limit} entries`
    case 'maxItems':
    case 'additionalItems':
      return `may have at most ${params.limit} entries`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((one) => JSON.stringify(one)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'minProperties':
      return 'must say something'
    case 'pattern':
      return patternOf(params.pattern)
    case 'anyOf':
      if (PLACES.has(lastOf(field))) return 'must be [x, y] or a named position'
      return field === 'id' ? 'must be a string or a number' : 'must be a string or null'
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
export function fieldName(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map(unescapePart)
    .reduce((name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : join(name, part)), '')
}

function join(parent: string, child: string): string {
  return parent === '' ? child : `${parent}.${child}`
}

export function lookUp(value: unknown, instancePath: string): unknown {
  let current = value
  for (const part of instancePath.split('/').slice(1).map(unescapePart)) {
    if (typeof current !== 'object' || current === null) return undefined
    current = (current as Record<string, unknown>)[part]
  }
  return current
}

function unescapePart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Schemas of others have patterns of their own. */
function patternOf(pattern: unknown): string {
  if (pattern === '\\S') return 'must not be blank'
  if (String(pattern).endsWith('|none)$')) return 'must be times of the day such as 22:00-07:00, or none'
  return String(pattern).startsWith('^#') ? 'must be a colour such as "#ffb000"' : `must match ${pattern}`
}
