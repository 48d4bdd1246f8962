/** docs/protocol.md against the schemas: what a client may send or is sent is on the page, and nothing else is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ERROR_CODES } from '../protocol/overlay/errors.js'
import { INVALIDATION_REASONS } from '../protocol/overlay/replies.js'
import { ROOT, readPage, rows, section, spans } from './support/pages.js'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema | readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly definitions?: Readonly<Record<string, Schema>>
  readonly enum?: readonly string[]
}

const page = readPage('docs/protocol.md')

function schemas(kind: 'request' | 'reply'): [string, Schema][] {
  const file = join(ROOT, 'protocol', 'schema', `overlay-${kind}.schema.json`)
  const whole: Schema = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(whole.definitions ?? {})
}

/** Every field, and every word that a field may be, however deep. */
function namesIn(schema: Schema): string[] {
  const items = schema.items === undefined ? [] : [schema.items].flat()
  const below = [...items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      ['v', 'id', 'type'].includes(name) ? [] : [name, ...namesIn(each)],
    ),
    ...(schema.enum ?? []),
    ...below.flatMap(namesIn),
  ]
}

/** Words of a text that are set as code, and words in tables of it. */
function wordsOf(text: string): Set<string> {
  return new Set(
    spans(text).flatMap((span) => [...(span.match(/\w+/g) ?? []), ...(span.match(/\w+\.\w+/g) ?? [])]),
  )
}

function firstCells(heading: string): string[] {
  return rows(section(page, heading)).flatMap(([cell = '']) => spans(cell))
}

const paragraph = (start: string) => {
  const from = page.indexOf(start)
  if (from < 0) throw new Error(`no paragraph ${start}`)
  return page.slice(from, page.indexOf('\n\n', from))
}

test('each request has a row that names its fields, or carries what every drawing request may', (t) => {
  const requests = schemas('request')
  t.true(requests.length > 15)
  t.deepEqual(firstCells('## Requests').sort(), requests.map(([type]) => type).sort())
  const shared = wordsOf(paragraph('Every drawing request may carry'))
  for (const [type, schema] of requests) {
    const [, fields = ''] =
      rows(section(page, '## Requests')).find(([cell = '']) => spans(cell).includes(type)) ?? []
    const row = wordsOf(fields)
    const draws = 'ttl_ms' in (schema.properties ?? {}) || type === 'locate'
    const names = namesIn(schema)
    const missing = names.filter((name) => !row.has(name) && !(draws && shared.has(name)))
    t.deepEqual(missing, [], type)
    for (const [field] of fields
      .replace('`no_resolver`', '')
      .replace(/[`{}]/g, ' ')
      .matchAll(/\b[a-z]+_[a-z_]+\b/g))
      t.true(names.includes(field), `${type} has no ${field}`)
  }
})

test('each field of a reply is on the page', (t) => {
  const replies = schemas('reply')
  t.deepEqual(replies.map(([type]) => type).sort(), ['ack', 'companion_event', 'error', 'invalidated'])
  const words = wordsOf(page)
  for (const [type, schema] of replies) {
    t.true(words.has(type))
    t.deepEqual(
      namesIn(schema).filter((name) => !words.has(name)),
      [],
      type,
    )
  }
})

test('every error code and every reason of an invalidation has its row, and no other has', (t) => {
  t.deepEqual(firstCells('## Errors'), [...ERROR_CODES])
  t.deepEqual(firstCells('## Replies').sort(), [...INVALIDATION_REASONS].sort())
})
