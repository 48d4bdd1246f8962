import test from 'ava'
import fc from 'fast-check'
import { explain, show, wellFormed } from './explain.js'
import { parseRequest } from './requests.js'

const fault = (
  instancePath: string,
  keyword: string,
  params: Record<string, unknown> = {},
  message?: string,
) => [{ instancePath, keyword, params, ...(message !== undefined && { message }) }]
/** What the daemon answers to this message. */
function refusal(type: string, fields: Record<string, unknown>): string {
  const parsed = parseRequest(JSON.stringify({ v: '0.2', type, ...fields }))
  return parsed.ok ? 'understood' : parsed.error.message
}

test('a value is shown as JSON, and cut where it is long', (t) => {
  t.is(show('a"b'), '"a\\"b"')
  t.is(show(null), 'null')
  t.is(show({ a: [1] }), '{"a":[1]}')
  t.is(show(-0), '0')
  t.is(show('x'.repeat(58)), `"${'x'.repeat(58)}"`)
  t.is(show('x'.repeat(59)), `"${'x'.repeat(56)}…`)
  t.is(show('x'.repeat(1_000_000)).length, 58)
})

test('what JSON cannot say is said all the same', (t) => {
  t.is(show(Number.POSITIVE_INFINITY), 'Infinity (a number too large to represent)')
  t.is(show(Number.NEGATIVE_INFINITY), '-Infinity (a number too large to represent)')
  t.is(show(undefined), 'undefined')
})

test('a cut never leaves half a character: strict JSON readers refuse the whole reply', (t) => {
  for (const pad of ['', 'x', 'xx', 'xxx']) {
    const shown = show(pad + '😀'.repeat(100))
    t.notRegex(shown, /\p{Surrogate}/u)
    t.regex(shown, /😀…$/u)
  }
  t.is(wellFormed('a\ud83db\ude00😀'), 'a\ufffdb\ufffd😀')
})

test('no value whatever makes it throw', (t) => {
  const circular: Record<string, unknown> = Object.create(null)
  circular.self = circular
  const hostile = {
    toJSON: () => {
      throw new Error('no')
    },
    toString: () => {
      throw new Error('no')
    },
  }
  for (const value of [
    circular,
    hostile,
    10n,
    Symbol('s'),
    () => 1,
    new Map(),
    Object.create(null),
    Number.NaN,
  ]) {
    t.is(typeof show(value), 'string')
    t.is(typeof explain(fault('/x', 'type', { type: 'number' }), { x: value }), 'string')
  }
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }),
      (value) => {
        t.true(show(value).length <= 100)
      },
    ),
    { seed: 71, numRuns: 1000 },
  )
})

test('a fault names its field by path', (t) => {
  t.is(
    explain(fault('/path/3/1', 'type', { type: 'number' }), { path: [0, 0, 0, [1, 'x']] }),
    'path[3][1] must be a finite number, got "x"',
  )
  t.is(
    explain(fault('/style/width', 'maximum', { comparison: '<=', limit: 200 }), { style: { width: 900 } }),
    'style.width must be <= 200, got 900',
  )
  t.is(
    explain(fault('/anchor', 'required', { missingProperty: 'display_id' }), { anchor: {} }),
    'anchor.display_id is missing',
  )
  t.is(
    explain(fault('/a~1b/c~0d', 'type', { type: 'string' }), { 'a/b': { 'c~d': 5 } }),
    'a/b.c~d must be a string, got 5',
  )
})

test('a path that leads nowhere, no fault at all, or one of a kind nobody expected still give a sentence', (t) => {
  t.is(explain([], {}), 'not a valid message')
  t.is(
    explain(fault('/a/b/c', 'type', { type: 'string' }), { a: null }),
    'a.b.c must be a string, got undefined',
  )
  t.is(
    explain(fault('/x', 'multipleOf', {}, 'must be multiple of 2'), { x: 3 }),
    'x must be multiple of 2, got 3',
  )
  t.is(explain(fault('/x', 'weird'), { x: 3 }), 'x is not valid, got 3')
})

test('where one of several types may stand, the fault of the one that was meant is told', (t) => {
  const arrow = { display_id: 1, from: [0, 0], to: [9, 9] }
  t.is(refusal('arrow', { ...arrow, to: [1, 'x'] }), 'arrow: to[1] must be a finite number, got "x"')
  t.is(refusal('arrow', { ...arrow, to: [1, 2e6] }), 'arrow: to[1] must be <= 1000000, got 2000000')
  t.is(
    refusal('arrow', { ...arrow, to: 'x'.repeat(201) }),
    `arrow: to may have at most 200 characters, got "${'x'.repeat(56)}…`,
  )
  t.is(refusal('arrow', { ...arrow, to: true }), 'arrow: to must be [x, y] or a named position, got true')
  t.is(refusal('status', { id: [] }), 'status: id must be a string or a number, got []')
  t.is(refusal('status', { id: 1e300 }), 'status: id must be <= 9007199254740991, got 1e+300')
})

test('of several forms it lists those there are and those that came', (t) => {
  t.is(refusal('point', { display_id: 1 }), 'point: send exactly one of x and y, at or query; got none')
  t.is(
    refusal('point', { display_id: 1, x: 1, y: null }),
    'point: send exactly one of x and y, at or query; got x, y (null)',
  )
  t.is(
    refusal('clear', { all: false }),
    'clear: send exactly one of annotation_id, all or all_sessions; got all (false)',
  )
  t.is(
    refusal('move', { annotation_id: 'a', to: [1, 2], by: [1, 2] }),
    'move: send exactly one of to or by; got to, by',
  )
})
