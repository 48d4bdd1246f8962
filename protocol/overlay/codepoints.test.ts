import test from 'ava'
import fc from 'fast-check'
import { codePoints } from './codepoints.js'

test('characters are counted, not UTF-16 units; half a pair counts as one', (t) => {
  for (const [text, count] of [
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['😀😀', 2],
    ['👨‍👩‍👧', 5],
    ['\ud83d', 1],
    ['\ude00', 1],
    ['\ude00\ud83d', 2],
    ['\ud83d\ud83d\ude00', 2],
  ] as const) {
    t.is(codePoints(text), count, JSON.stringify(text))
  }
})

test('any text counts as many code points as iterating over it gives', (t) => {
  const unit = fc.constantFrom('a', 'é', '\ud83d', '\ude00', '😀', '\uffff', '\u2028')
  fc.assert(
    fc.property(fc.string({ unit }), (text) => t.is(codePoints(text), [...text].length)),
    { seed: 61, numRuns: 1000 },
  )
})
