import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import fc from 'fast-check'
import {
  chooseTint,
  contrast,
  contrastOfLuminances,
  ENOUGH,
  luminance,
  namedTint,
  palette,
  rgbOf,
} from './color.js'

const context = createCanvas(1, 1).getContext('2d')

test('contrast is WCAG 2: black on white is 21:1, equal colours 1:1', (t) => {
  t.is(contrast([0, 0, 0], [255, 255, 255]), 21)
  t.is(contrast([120, 30, 9], [120, 30, 9]), 1)
  // A published pair: #767676 is the lightest grey at 4.5:1 on white.
  t.true(Math.abs(contrast([0x76, 0x76, 0x76], [255, 255, 255]) - 4.54) < 0.01)
})

test('over any one luminance some colour of the palette reaches 3:1', (t) => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (under) => {
      const { ink } = chooseTint([under])
      t.true(contrastOfLuminances(luminance(rgbOf(ink)), under) >= ENOUGH, `${ink} over ${under}`)
    }),
  )
})

test('amber stays where it can be seen, and over what no colour can do', (t) => {
  t.is(chooseTint([]).ink, palette.amber)
  t.is(chooseTint([0, 0.05, 0.1]).ink, palette.amber)
  t.is(chooseTint([0, 0.2, 0.5, 1]).ink, palette.amber)
  t.is(chooseTint([0, 0, 0, 0, 0, 1]).ink, palette.amber)
  t.not(chooseTint([1, 1, 1, 1]).ink, palette.amber)
})

test('the casing contrasts with the ink it touches', (t) => {
  for (const hex of Object.values(palette)) {
    const { casing } = namedTint(context, hex) ?? t.fail() ?? { casing: '' }
    const [red = 0, green = 0, blue = 0] = (casing.match(/[\d.]+/g) ?? []).map(Number)
    t.true(contrast(rgbOf(hex), [red, green, blue]) >= ENOUGH, hex)
  }
})

test('a named colour is kept as it was written; one the canvas does not know is none', (t) => {
  t.is(namedTint(context, 'rebeccapurple')?.ink, 'rebeccapurple')
  t.is(namedTint(context, 'hsl(120 50% 50% / 0.5)')?.ink, 'hsl(120 50% 50% / 0.5)')
  t.is(namedTint(context, 'not-a-colour'), null)
})
