/** JSON Schemas of the tools, made from those of the wire: what a field may be is written down once, in protocol/. */
import { readFileSync } from 'node:fs'

export type Schema = Readonly<Record<string, unknown>>

/** What MCP takes as the schema of a tool's arguments or of its result. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Schema>>
  readonly required?: string[]
  readonly additionalProperties?: boolean
  readonly anyOf?: readonly Schema[]
  readonly [key: string]: unknown
}

interface WireSchema {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

// The generated files rather than their source: loading a schema builder would double the time until the first answer.
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../protocol/schema/${name}.schema.json`, import.meta.url), 'utf8'))
const requests: Readonly<Record<string, WireSchema>> = read('overlay-request').definitions
const replies: Readonly<Record<string, WireSchema>> = read('overlay-reply').definitions

/** The envelope is the server's business. */
const ENVELOPE: ReadonlySet<string> = new Set(['v', 'id', 'type'])

/**
 * The arguments of a tool that sends the wire's `type`: these of its fields, each with what it means to a model. Rules
 * between fields are told in words and checked by the server: model providers refuse combinators at the top of a schema.
 */
export function argumentsOf(type: string, fields: Readonly<Record<string, string>>): ObjectSchema {
  return argumentsFrom(wireSchema(requests, type), fields)
}

/** The arguments of a tool that plays a tour: these fields of one, each with what it means to a model. */
export function tourArguments(fields: Readonly<Record<string, string>>): ObjectSchema {
  return argumentsFrom(read('tour'), fields)
}

function argumentsFrom(
  { properties, required }: WireSchema,
  fields: Readonly<Record<string, string>>,
): ObjectSchema {
  const names = Object.keys(fields)
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, { ...portable(field(properties, name)), description: fields[name] }]),
    ),
    required: required.filter((name) => !ENVELOPE.has(name) && names.includes(name)),
    additionalProperties: false,
  }
}

/** A tool's result: these fields of the wire's ack, and `more`; or an error. Marks that went away come with either. */
export function resultOf(
  required: readonly string[],
  optional: readonly string[] = [],
  more: Readonly<Record<string, Schema>> = {},
): ObjectSchema {
  const { properties } = wireSchema(replies, 'ack')
  const fields = [...required, ...optional].filter((name) => !(name in more))
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map((name) => [name, portable(field(properties, name))])),
      ...more,
      error: ERROR,
      gone: GONE,
      notes: NOTES,
    },
    anyOf: [{ required: [...required] }, { required: ['error'] }],
  }
}

/** A tool's result that has nothing to do with marks: these fields, or an error. */
export function plainResult(
  required: readonly string[],
  properties: Readonly<Record<string, Schema>>,
): ObjectSchema {
  return {
    type: 'object',
    properties: { ...properties, error: ERROR, gone: GONE, notes: NOTES },
    anyOf: [{ required: [...required] }, { required: ['error'] }],
  }
}

const ERROR: Schema = {
  type: 'object',
  description: 'why the call failed',
  properties: {
    code: {
      type: 'string',
      description: 'a code of the wire, or not_running, closed, timeout, unknown_tool',
    },
    message: { type: 'string' },
    candidates: { type: 'array', description: 'what fitted, where the error is about a choice' },
  },
  required: ['code', 'message'],
}

const GONE: Schema = {
  type: 'array',
  description: 'marks that went away since the last call, without having been cleared by a tool',
  items: {
    type: 'object',
    properties: { annotation_id: { type: 'string' }, reason: { type: 'string' } },
    required: ['annotation_id', 'reason'],
  },
}

const NOTES: Schema = { type: 'array', description: 'what else to know', items: { type: 'string' } }

function wireSchema(group: Readonly<Record<string, WireSchema>>, type: string): WireSchema {
  const schema = group[type]
  if (!schema) throw new Error(`the wire has no ${type}`)
  return schema
}

function field(properties: Readonly<Record<string, Schema>>, name: string): Schema {
  const schema = properties[name]
  if (!schema) throw new Error(`the wire has no field ${name}`)
  return schema
}

/**
 * The same in words that every draft of JSON Schema reads alike. Draft 7 lists the entries of a tuple in `items`, which
 * newer drafts refuse; ours are numbers, so that their count and the loosest entry say nearly as much. Which fields go
 * together is told in words.
 */
function portable(schema: Schema): Schema {
  const { items, additionalItems: _, dependencies: __, oneOf: ___, ...rest } = schema
  const same = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, portableValue(key, value)]),
  )
  if (!Array.isArray(items)) return items === undefined ? same : { ...same, items: portable(items as Schema) }
  // What the numbers mean, the field itself says: with a frame they are no logical points.
  const { description: ____, ...entry } = portable(items[0] as Schema)
  return { ...same, items: entry, maxItems: items.length }
}

function portableValue(key: string, value: unknown): unknown {
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value as Record<string, Schema>).map(([name, one]) => [name, portable(one)]),
    )
  return key === 'anyOf' ? (value as Schema[]).map(portable) : value
}
