import { readFileSync } from 'node:fs'
import test from 'ava'
import { ERROR_CODES, ERRORS, WireError } from './errors.js'

const CODES = [
  ...['bad_schema', 'unknown_type', 'payload_too_large', 'no_resolver', 'not_permitted', 'resolve_failed'],
  ...['unknown_display', 'not_owner', 'version_unsupported'],
  ...['ambiguous', 'stale_frame', 'not_found', 'limit', 'unavailable', 'internal'],
]

test('the errors are those of the contract', (t) => {
  t.deepEqual([...ERROR_CODES].sort(), [...CODES].sort())
})

test('the protocol document has a row for every error, and for nothing else', (t) => {
  const text = readFileSync(new URL('../../../docs/protocol.md', import.meta.url), 'utf8')
  const section = /^## Errors$(.*?)(?=^## |$(?![\s\S]))/ms.exec(text)?.[1] ?? ''
  const rows = [...section.matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1])
  t.deepEqual(rows.sort(), [...CODES].sort())
})

test('only what a client can change is blamed on it', (t) => {
  const blamed = Object.entries(ERRORS).filter(([, { blame }]) => blame === 'client')
  t.deepEqual(blamed.map(([code]) => code).sort(), [
    'ambiguous',
    'bad_schema',
    'limit',
    'not_found',
    'not_owner',
    'payload_too_large',
    'stale_frame',
    'unknown_display',
    'unknown_type',
    'version_unsupported',
  ])
  t.is(ERRORS.internal.blame, 'daemon')
  t.is(ERRORS.not_permitted.blame, 'person')
  for (const { when } of Object.values(ERRORS)) t.regex(when, /^[A-Z].*\.$/)
})

test('a refusal carries its code, its text and what else it knows', (t) => {
  const error = new WireError('ambiguous', 'two fit', { candidates: ['a', 'b'] })
  t.true(error instanceof Error)
  t.deepEqual(
    [error.name, error.code, error.message, error.data],
    ['WireError', 'ambiguous', 'two fit', { candidates: ['a', 'b'] }],
  )
  t.deepEqual(new WireError('limit', 'x').data, {})
})
