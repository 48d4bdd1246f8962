import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import fc from 'fast-check'
import { registerFonts } from '../../tests/golden/canvas.js'
import { type Direction, directionOf, type Line, lineOf } from './bidi.js'
import { paintLines } from './caption.js'
import type { Context2D } from './context.js'
import { graphemes } from './text.js'
import { wrap } from './wrap.js'

registerFonts()

const width = (text: string) => graphemes(text).length

/** What a reader sees from left to right: each run as it is painted, those from the right marked. */
const seen = ({ text, runs }: Line) =>
  (runs ?? [{ text, rtl: false }]).map((run) => (run.rtl ? `<${run.text}` : run.text))
const lines = (text: string, most: number, direction?: Direction) =>
  wrap(text, most, width, 99, direction).lines

test('the base direction of a paragraph is that of its first letter, whatever is before it or kept apart in it', (t) => {
  t.is(directionOf('«123» שלום abc'), 'rtl')
  t.is(directionOf('\u200f123'), 'rtl', 'a mark that says so')
  t.is(directionOf('\u2068שלום\u2069 said hello'), 'ltr', 'what is isolated does not count')
  t.is(directionOf('👍 שלום'), 'rtl', 'an emoji is no letter')
  t.is(directionOf('𐤀𐤁'), 'rtl', 'a script beyond the first plane')
  t.is(directionOf('42 %'), null)
  t.is(directionOf('日本 שלום'), 'ltr')
})

test('each paragraph begins at its own side, and one without letters where the rest does', (t) => {
  const text = 'The tests pass\nכל הבדיקות עברו\n42 %'
  t.deepEqual(
    lines(text, 40).map(({ rtl }) => rtl),
    [false, true, false],
  )
  t.deepEqual(
    lines('כל הבדיקות\n42 %', 40).map(({ rtl }) => rtl),
    [true, true],
  )
})

test('numbers, brackets and punctuation of a right-to-left sentence are where its readers look for them', (t) => {
  t.deepEqual(seen(lineOf('הבדיקות עברו (42 מתוך 42)!')), ['<)!', '42', '< מתוך ', '42', '<הבדיקות עברו ('])
  t.deepEqual(seen(lineOf('לחצו על Run tests, בבקשה.')), ['<, בבקשה.', 'Run tests', '<לחצו על '])
  t.deepEqual(seen(lineOf('اكتمل 3.5 من build.')), ['<.', 'build', '< من ', '3.5', '<اكتمل '])
  t.deepEqual(seen(lineOf('Press שמור (שם).')), ['Press ', '<שמור (שם)', '.'])
  t.deepEqual(seen(lineOf('No letters of those scripts')), ['No letters of those scripts'])
})

test('a line is ordered as its paragraph is: what began on the line before goes on', (t) => {
  // The number belongs to the Hebrew before it, and so does what is behind it.
  const [first, second] = lines('Say תודה רבה 42 פעמים now', 12)
  t.is(first!.text, 'Say תודה רבה')
  t.deepEqual(seen(second!), ['< פעמים', '42', ' now'])
  // A quotation in English that is broken within a Hebrew sentence: its comma stays beside its words.
  const quote = lines('הוא אמר “hello there, my friend” ואז הלך', 21)
  t.deepEqual(
    quote.map(({ text }) => text),
    ['הוא אמר “hello there,', 'my friend” ואז הלך'],
  )
  t.deepEqual(seen(quote[0]!), ['hello there,', '<הוא אמר “'])
  t.deepEqual(seen(quote[1]!), ['<” ואז הלך', 'my friend'])
  // What is said unseen holds on over the end of a line, and is not painted.
  const forced = lines('\u202eabc def\u202c', 4)
  t.deepEqual(seen(forced[1]!), ['<\u202edef\u202c'])
})

test('an emoji among letters from the right stays where it was written', (t) => {
  t.deepEqual(seen(lineOf('שלום 😀 hello')), ['hello', '<שלום 😀 '])
  t.deepEqual(seen(lineOf('👍🏽 שלום 👨‍👩‍👧‍👦!')), ['<👍🏽 שלום 👨‍👩‍👧‍👦!'])
})

test('the ellipsis of a text that is cut is where the line ends', (t) => {
  const { lines: cut } = wrap('אחת שתיים שלוש hello world', 12, width, 1)
  t.true(cut[0]!.text.endsWith('…'))
  t.true(seen(cut[0]!)[0]!.endsWith('…'))
  const left = wrap('Say שלום לכולם', 9, width, 1).lines[0]!
  t.is(seen(left).at(-1), '…')
})

test('what is ours reads from the left, whatever stands in it', (t) => {
  const line = lineOf('דפדפן would like to see your screen', 'ltr')
  t.false(line.rtl)
  t.deepEqual(seen(line), ['<דפדפן', ' would like to see your screen'])
})

test('nothing is lost or doubled by ordering, whatever the text', (t) => {
  const unit = fc.constantFrom(...'ab1.( )%שלםع٣"…\u200f\u202b\u2067\u2069\u202c', '😀', '𐤀', '👍🏽')
  const unseen = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 2, max: 30 }), (text, most) => {
      for (const line of lines(text, most)) {
        const sorted = (value: string) => [...value.replace(unseen, '')].sort().join('')
        t.is(sorted((line.runs ?? [line]).map((run) => run.text).join('')), sorted(line.text))
      }
    }),
  )
})

test('a canvas paints runs beside one another, from the side where the paragraph begins', (t) => {
  const context = createCanvas(400, 60).getContext('2d') as unknown as Context2D & {
    fillText: (text: string, x: number, y: number) => void
  }
  const painted: [string, number][] = []
  const paint = context.fillText.bind(context)
  context.fillText = (text, x, y) => {
    painted.push([text, x])
    paint(text, x, y)
  }
  const line = lineOf('הבדיקות עברו: 42 of 42.')
  paintLines(context, {
    lines: [line],
    rect: [20, 10, 360, 20],
    size: 14,
    height: 20,
    weight: 400,
    style: '#000',
    scale: 1,
  })
  t.deepEqual(
    painted.map(([text]) => text),
    line.runs!.map(({ text }) => text),
  )
  const right = painted.at(-1)![1] + context.measureText(line.runs!.at(-1)!.text).width
  t.true(Math.abs(right - 380) < 0.01, `it ends at ${right}`)
  for (let at = 1; at < painted.length; at++) t.true(painted[at]![1] > painted[at - 1]![1])
})

test('a line alone is painted as a canvas orders it by itself, to the pixel', (t) => {
  const size = [420, 30] as const
  const shot = (paint: (context: Context2D) => void) => {
    const canvas = createCanvas(...size)
    const context = canvas.getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, ...size)
    context.fillStyle = '#000'
    paint(context as unknown as Context2D)
    return context.getImageData(0, 0, ...size).data
  }
  const block = {
    rect: [10, 0, 400, 30],
    size: 16,
    height: 30,
    weight: 400,
    style: '#000',
    scale: 1,
  } as const
  for (const text of [
    'הבדיקות עברו (42 מתוך 42)!',
    'לחצו על Run tests (3.5), בבקשה.',
    'مرحبا بك في Lets version 3.5 (beta).',
    'Press שמור (שם) or ביטול: 12-34!',
    'שלום 😀 hello',
    'قال “hello there” ثم ١٢٣ و 45%',
    'a \u202eforced\u202c b',
  ]) {
    const line = lineOf(text)
    const ours = shot((context) => paintLines(context, { ...block, lines: [line] }))
    const whole = { text, rtl: line.rtl }
    const runs = [whole]
    const own = shot((context) => paintLines(context, { ...block, lines: [{ ...whole, runs }] }))
    let ink = 0
    let different = 0
    for (let at = 0; at < ours.length; at += 4) {
      if ((own[at] as number) < 128) ink++
      if (Math.abs((ours[at] as number) - (own[at] as number)) > 128) different++
    }
    t.true(ink > 50, `${text}: ${ink} of ink`)
    // Runs begin between pixels where the whole does not.
    t.true(different < ink * 0.15, `${text}: ${different} of ${ink}`)
  }
})
