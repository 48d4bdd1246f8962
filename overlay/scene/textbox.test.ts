import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import fc from 'fast-check'
import type { Rect, Size } from '../../protocol/overlay/geometry.js'
import type { TextboxMark } from '../../protocol/overlay/marks.js'
import { registerFonts } from '../../tests/golden/canvas.js'
import { Ruler } from './font.js'
import type { Env } from './laid.js'
import { layTextbox } from './textbox.js'

registerFonts()
const measure = createCanvas(1, 1).getContext('2d')
const ruler = new Ruler(measure)

const env = (size: Size): Env => ({ size, scale: 1, measure, ruler })

const box = (text: string, rect: Rect, style: 'note' | 'guide' = 'note'): TextboxMark => ({
  kind: 'textbox',
  id: 't',
  rect,
  text,
  style,
})

const WORDS = 'Wait until the list has been refreshed, then go on. '

test('a box keeps its rectangle when the text fits, and grows downwards when it does not', (t) => {
  const rect: Rect = [50, 60, 240, 90]
  t.deepEqual(layTextbox(box('Short', rect), env([800, 600])).rect, rect)
  const grown = layTextbox(box(WORDS.repeat(8), rect), env([800, 600])).rect
  t.deepEqual(grown.slice(0, 3), rect.slice(0, 3))
  t.true(grown[3] > 90)
})

test('text too long for the display is made smaller, and only then cut with an ellipsis', (t) => {
  const rect: Rect = [0, 0, 300, 40]
  const roomy = layTextbox(box(WORDS.repeat(10), rect), env([400, 300]))
  const smaller = layTextbox(box(WORDS.repeat(12), rect), env([400, 250]))
  const cut = layTextbox(box(WORDS.repeat(76).slice(0, 4000), rect), env([400, 300]))
  t.is(roomy.size, 14)
  t.true(smaller.size < 14)
  t.false(smaller.lines.at(-1)?.text.endsWith('\u2026'))
  t.is(cut.size, 10)
  t.true(cut.lines.at(-1)?.text.endsWith('\u2026'))
})

test('boxes are on the display and no line is wider than its box', (t) => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom('note' as const, 'guide' as const),
      fc.tuple(fc.integer(), fc.integer(), fc.integer({ min: 1 }), fc.integer({ min: 1 })),
      (text, style, [x, y, width, height]) => {
        const rect: Rect = [x % 900, y % 700, 1 + (width % 900), 1 + (height % 700)]
        const { rect: laid, lines, size } = layTextbox(box(text, rect, style), env([800, 600]))
        t.true(laid[0] >= 0 && laid[1] >= 0 && laid[0] + laid[2] <= 800 && laid[1] + laid[3] <= 600)
        const weight = style === 'guide' ? 600 : 400
        for (const line of lines) t.true(ruler.width(line.text.trimEnd(), size, weight) <= laid[2])
      },
    ),
  )
})

test('a rectangle too narrow for a word is widened for it', (t) => {
  t.deepEqual(
    layTextbox(box('Hello there', [10, 10, 5, 5]), env([800, 600])).lines.map(({ text }) => text),
    ['Hello', 'there'],
  )
})
