import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import test from 'ava'
import fc from 'fast-check'
import { TourError } from './forms.js'
import { parseTour } from './parse.js'

const GOOD: readonly (readonly [string, object])[] = [
  ['one point', { steps: [{ point: { at: 'top-right' } }] }],
  ['a negative place', { steps: [{ point: { x: -5, y: 10, display_id: 2, ttl_ms: 500 } }] }],
  [
    'every kind of mark and wait',
    {
      $schema: './tour.schema.json',
      title: 'All of it',
      steps: [
        { title: 'Here', point: { x: 1, y: 2, label: 'x' }, wait: { ms: 10 } },
        { highlight: { rect: [1, 2, 3, 4], shape: 'ellipse', spotlight: true }, wait: { next: true } },
        { annotate: { text: 'x', rect: [1, 2, 3, 4], window: 'xterm' }, keep: true },
        { guide: { text: 'x', at: 'top' }, wait: { window: 'xterm', timeout_ms: 5 } },
        { arrow: { from: [1, 2], to: 'center', bow: 0, style: { width: 2, color: '#fff' } } },
        {
          draw: {
            path: [
              [1, 2],
              [3, 4],
            ],
          },
          wait: { window: 'xterm' },
        },
      ],
    },
  ],
  ['together', { together: true, steps: [{ point: { x: 1, y: 2 } }] }],
]

const one = (step: object, tour: object = {}) => ({ ...tour, steps: [{ point: { at: 'top' } }, step] })

const BAD: readonly (readonly [string, unknown, RegExp])[] = [
  ['an array', [], /a tour is a JSON object with "steps"; got \[\]/],
  ['no steps', {}, /^steps is missing/],
  ['no step', { steps: [] }, /^steps needs 1 or more entries, got \[\]/],
  ['too many', { steps: Array(100).fill({ point: { at: 'top' } }) }, /^steps may have at most 99 entries/],
  [
    'a field of the tour',
    { step: 1, steps: [] },
    /^step is not a field of a tour; there are title, together, steps; got 1/,
  ],
  [
    'a misspelled mark',
    one({ pont: { at: 'top' } }),
    /^steps\[1\]\.pont is not a field of a step; there are title, point,/,
  ],
  ['no mark', one({ title: 'x' }), /^steps\[1\]: say exactly one of point, .* or draw; got none/],
  [
    'two marks',
    one({ point: { at: 'top' }, guide: { text: 'x', at: 'top' } }),
    /^steps\[1\]: say exactly .*; got point, guide/,
  ],
  [
    'an unknown field of a mark',
    one({ point: { at: 'top', colour: 'red' } }),
    /^steps\[1\]\.point\.colour is not a field of a point; there are x, y, .*; got "red"/,
  ],
  [
    'an unknown field of a style',
    one({
      draw: {
        path: [
          [1, 2],
          [3, 4],
        ],
        style: { w: 1 },
      },
    }),
    /^steps\[1\]\.draw\.style\.w is not a field of a style; there are width, color/,
  ],
  [
    'a name of the prototype',
    JSON.parse('{"steps":[{"point":{"at":"top"},"__proto__":1}]}'),
    /^steps\[0\]\.__proto__ is not a field/,
  ],
  [
    'a frame',
    one({ point: { x: 1, y: 2, frame: 'f_1' } }),
    /^steps\[1\]\.point\.frame: a file outlives every frame/,
  ],
  [
    'a step number',
    one({ point: { x: 1, y: 2, step: 4 } }),
    /^steps\[1\]\.point\.step: steps are numbered in their order/,
  ],
  [
    'a query',
    one({ highlight: { query: 'Save' } }),
    /^steps\[1\]\.highlight\.query: places cannot be named in words/,
  ],
  [
    'two places',
    one({ point: { x: 1, y: 2, at: 'top' } }),
    /^steps\[1\]\.point: say exactly one of x and y or at; got x, y, at/,
  ],
  ['half a place', one({ point: { at: 'top', x: 1 } }), /^steps\[1\]\.point\.x came without y/],
  [
    'a place nobody knows',
    one({ point: { at: 'somewhere' } }),
    /^steps\[1\]\.point\.at must be a named position .*; got "somewhere"/,
  ],
  [
    'a text that is none',
    one({ guide: { text: ' ', at: 'top' } }),
    /^steps\[1\]\.guide\.text must not be blank, got " "/,
  ],
  [
    'a flat region',
    one({ highlight: { rect: [1, 2, 3, 0] } }),
    /^steps\[1\]\.highlight\.rect\[3\] must be > 0, got 0/,
  ],
  ['an arrow to nowhere', one({ arrow: { from: [1], to: 'top' } }), /^steps\[1\]\.arrow\.from /],
  [
    'an arrow from a number',
    one({ arrow: { from: 5, to: 'top' } }),
    /^steps\[1\]\.arrow\.from must be \[x, y\] or a named position, got 5/,
  ],
  [
    'a window and a display',
    one({ point: { x: 1, y: 2, window: 'w', display_id: 1 } }),
    /^steps\[1\]\.point: send window or display_id, not both/,
  ],
  [
    'a named place in a window',
    one({ guide: { text: 'x', at: 'top', window: 'w' } }),
    /with a window say where in it/,
  ],
  [
    'two waits',
    one({ point: { at: 'top' }, wait: { ms: 5, next: true } }),
    /^steps\[1\]\.wait: say exactly one of ms, window or next; got ms, next/,
  ],
  ['no wait', one({ point: { at: 'top' }, wait: {} }), /^steps\[1\]\.wait: .*got none/],
  [
    'next false',
    one({ point: { at: 'top' }, wait: { next: false } }),
    /^steps\[1\]\.wait\.next must be true, got false/,
  ],
  [
    'a time limit of nothing',
    one({ point: { at: 'top' }, wait: { ms: 5, timeout_ms: 5 } }),
    /^steps\[1\]\.wait\.timeout_ms came without window/,
  ],
  [
    'a time in words',
    one({ point: { at: 'top' }, wait: { ms: '5s' } }),
    /^steps\[1\]\.wait\.ms must be a whole number, got "5s"/,
  ],
  [
    'keep, where all stay',
    one({ point: { at: 'top' }, keep: true }, { together: true }),
    /^steps\[1\]\.keep: all marks .* stay/,
  ],
]

for (const [name, tour] of GOOD) {
  test(`a tour: ${name}`, (t) => t.deepEqual(parseTour(JSON.stringify(tour)) as object, tour))
}
for (const [name, tour, says] of BAD) {
  test(`no tour, and says where: ${name}`, (t) => {
    const error = t.throws(() => parseTour(JSON.stringify(tour)), { instanceOf: TourError, message: says })
    t.true((error?.message.length ?? 0) < 300, error?.message)
  })
}

test('text that is no JSON is said so, and a byte order mark is forgiven', (t) => {
  t.throws(() => parseTour('{"steps": ['), { instanceOf: TourError, message: /^it is not JSON: / })
  t.is(parseTour('\ufeff{"steps":[{"point":{"at":"top"}}]}').steps.length, 1)
})

test('the published schema alone tells tours from others, but for what a schema cannot say', (t) => {
  const schema = JSON.parse(
    readFileSync(new URL('../../../protocol/schema/tour.schema.json', import.meta.url), 'utf8'),
  )
  const validate = new Ajv({ strict: false }).compile(schema)
  for (const [name, tour] of GOOD) t.true(validate(tour), name)
  const beyond = /nobody knows|a window and|named place in|where all stay/
  for (const [name, tour] of BAD) t.is(validate(tour), beyond.test(name), name)
})

test('any JSON is a tour or refused with a sentence', (t) => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      try {
        parseTour(text)
      } catch (error) {
        return error instanceof TourError && error.message.length > 0
      }
      return true
    }),
  )
  t.pass()
})
