import test from 'ava'
import { schemaFault } from './schema-guard.js'

const deep = (levels: number): object => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } })

/** Each definition refers to the one before it ten times: small on disk, and endless work. */
function multiplying(times: number): object {
  const definitions: Record<string, object> = { d0: { type: 'object' } }
  for (let n = 1; n <= times; n++)
    definitions[`d${n}`] = { allOf: Array(10).fill({ $ref: `#/definitions/d${n - 1}` }) }
  return { $ref: `#/definitions/d${times}`, definitions }
}

const GOOD: readonly (readonly [string, object])[] = [
  ['nothing', {}],
  [
    'fields',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
    },
  ],
  [
    'a definition, used twice',
    {
      definitions: { p: { type: 'number' } },
      properties: { x: { $ref: '#/definitions/p' }, y: { $ref: '#/definitions/p' } },
    },
  ],
  [
    'fields that are called like keywords',
    {
      properties: { $ref: { type: 'string' }, id: { type: 'string' }, $data: {}, uniqueItems: {} },
      required: ['id'],
    },
  ],
  [
    'data that looks like a reference',
    { const: { $ref: 'http://evil.example/x.json' }, default: { $id: 'x' } },
  ],
  ['few unique items', { type: 'array', uniqueItems: true, maxItems: 100 }],
  ['deep, but not too deep', deep(12)],
]

const BAD: readonly (readonly [string, unknown, RegExp])[] = [
  ['no object', [], /must be a JSON object/],
  ['a reference to the network', { $ref: 'http://evil.example/x.json' }, /may only refer into its own file/],
  [
    'a reference to a file',
    { properties: { a: { $ref: '../../secret.json' } } },
    /may only refer into its own file/,
  ],
  ['a reference to nothing', { $ref: '#/definitions/none' }, /leads nowhere/],
  ['a reference into a prototype', { $ref: '#/constructor' }, /leads nowhere/],
  ['an address of its own', { $id: 'http://evil.example/' }, /has no address/],
  ['a reference to itself', { properties: { child: { $ref: '#' } } }, /refers to itself/],
  [
    'a circle',
    {
      definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } },
      $ref: '#/definitions/a',
    },
    /refers to itself/,
  ],
  ['endless work', multiplying(7), /too costly/],
  ['too deep', deep(40), /nests deeper/],
  ['many unique items', { uniqueItems: true }, /needs a maxItems/],
  ['another draft', { $schema: 'https://json-schema.org/draft/2020-12/schema' }, /draft 7/],
  ['asynchronous', { $async: true }, /not supported/],
]

for (const [name, schema] of GOOD) test(`a schema: ${name}`, (t) => t.is(schemaFault(schema), null))
for (const [name, schema, says] of BAD)
  test(`no schema: ${name}`, (t) => {
    const fault = schemaFault(schema)
    t.regex(`${fault?.key} ${fault?.message}`, says)
  })
