import test from 'ava'
import fc from 'fast-check'
import { directionOf } from './bidi.js'
import { clean, graphemes, pieces } from './text.js'
import { wrap } from './wrap.js'

// One point a grapheme: widths that can be counted.
const width = (text: string) => graphemes(text).length

const lines = (text: string, most: number) => wrap(text, most, width).lines.map((line) => line.text)

test('an emoji family, a flag and a skin tone are one grapheme each', (t) => {
  t.deepEqual(graphemes('a👨‍👩‍👧‍👦🇩🇪👍🏽e\u0301'), ['a', '👨‍👩‍👧‍👦', '🇩🇪', '👍🏽', 'e\u0301'])
})

test('breaks between words, and drops the space at the break', (t) => {
  t.deepEqual(lines('press the large button', 10), ['press the', 'large', 'button'])
})

test('every kind of line break is one; tabs become spaces; controls vanish', (t) => {
  t.deepEqual(lines('a\r\nb\rc\u2028d\u2029e\n\nf', 10), ['a', 'b', 'c', 'd', 'e', '', 'f'])
  t.is(clean('a\tb\u0007c\u0000\ud800'), 'a    bc\ufffd')
})

test('ideographs break anywhere but before closing and after opening punctuation', (t) => {
  t.deepEqual(lines('設定を開いて', 3), ['設定を', '開いて'])
  t.deepEqual(lines('設定を。開く', 3), ['設定', 'を。開', 'く'])
  t.deepEqual(lines('設定「開く」', 3), ['設定', '「開', 'く」'])
})

test('Korean breaks at spaces, Thai between words', (t) => {
  t.deepEqual(lines('설정을 열고', 5), ['설정을', '열고'])
  t.deepEqual(
    pieces('ภาษาไทย').map((piece) => piece.text),
    ['ภาษา', 'ไทย'],
  )
})

test('hyphens break words, but not options, paths at their start, or numbers', (t) => {
  const texts = (text: string) => pieces(text).map((piece) => piece.text)
  t.deepEqual(texts('well-known'), ['well-', 'known'])
  t.deepEqual(texts('-v /etc 24/7 5-6'), ['-v', '/etc', '24/7', '5-6'])
  t.deepEqual(texts('no\u00a0break'), ['no\u00a0break'])
})

test('a run longer than a line breaks between graphemes', (t) => {
  t.deepEqual(lines('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 2), ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'])
  t.deepEqual(lines('abcdef', 4), ['abcd', 'ef'])
})

test('too many lines end in an ellipsis that fits', (t) => {
  const wrapped = wrap('one two three four', 5, width, 2)
  t.true(wrapped.cut)
  t.deepEqual(
    wrapped.lines.map((line) => line.text),
    ['one', 'two\u2026'],
  )
})

test('the first letter with a direction decides the base direction', (t) => {
  t.is(directionOf('123 שלום abc'), 'rtl')
  t.is(directionOf('«مرحبا»'), 'rtl')
  t.is(directionOf('abc שלום'), 'ltr')
  t.is(directionOf('123'), null)
})

test('wrapping loses nothing but white space, and no line is too wide', (t) => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.integer({ min: 1, max: 20 }),
      (text, most) => {
        const wrapped = lines(text, most)
        const bare = (value: string) => value.replace(/[\s\u200b]/gu, '')
        t.is(bare(wrapped.join('')), bare(clean(text)))
        for (const line of wrapped) t.true(width(line) <= most || graphemes(line).length === 1)
      },
    ),
  )
})
