import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import test from 'ava'
import type { Size } from '../../protocol/overlay/geometry.js'
import { pixels, registerFonts, screen, stage } from '../../tests/golden/canvas.js'
import { FONT_FAMILY, missingGlyphs } from './font.js'

registerFonts()
const context = createCanvas(1, 1).getContext('2d')

/** Whether a system font has these, measured by painting: a missing glyph paints the same box as any other missing one. */
function paintsLikeMissing(text: string): boolean {
  const draw = (value: string) => {
    const on = createCanvas(80, 80).getContext('2d')
    on.font = `48px "${FONT_FAMILY}", sans-serif`
    on.fillText(value, 10, 60)
    return Buffer.from(on.getImageData(0, 0, 80, 80).data)
  }
  return draw(text).equals(draw('\u{10ffff}'))
}

test('the bundled font has Latin, Greek and Cyrillic', (t) => {
  t.true(GlobalFonts.has(FONT_FAMILY))
  t.deepEqual(missingGlyphs(context, 'Press “OK” – ÀÉÎõü Dvořák Łódź İstanbul Ελληνικά Привет €₿ 1½ →'), [])
})

test('noncharacters and unassigned code points are missing, each once; controls and joiners never are', (t) => {
  t.deepEqual(missingGlyphs(context, 'a\u{10fffe}b\u0378\u{10fffe}'), ['\u{10fffe}', '\u0378'])
  t.deepEqual(missingGlyphs(context, 'a\u200d\ufe0f\u2028\t\u0007\u200f\u00ad b'), [])
})

for (const text of ['漢', 'か', '한', '😀', '👨‍👩‍👧‍👦', 'ไ', 'ש', 'م', 'न', '\u{16d40}', '\u{1faff}']) {
  test(`${text} is reported missing exactly when it is painted as the missing box`, (t) => {
    const lacking = Array.from(text).some(
      (point) => !/\p{Default_Ignorable_Code_Point}/u.test(point) && paintsLikeMissing(point),
    )
    t.deepEqual(missingGlyphs(context, text), lacking ? [text] : [])
  })
}

const SIZE: Size = [340, 90]

/** Columns (device pixels) of a note's text ink, left to right. */
function inkColumns(text: string): number[] {
  const show = stage(SIZE, 1, true)
  show.put({ kind: 'textbox', id: 'n', rect: [20, 20, 300, 40], text, style: 'note' }, 0)
  const on = screen(SIZE, 1)
  show.paint(on.context, [0, 0, ...SIZE], 0)
  const data = pixels(on)
  const columns: number[] = []
  for (let x = 30; x < 312; x++) {
    let dark = 0
    for (let y = 28; y < 52; y++) dark += 255 - (data[(y * SIZE[0] + x) * 4] ?? 0)
    columns.push(dark > 300 ? dark : 0)
  }
  return columns
}

const firstInk = (columns: number[]) => columns.findIndex((dark) => dark > 0)
const lastInk = (columns: number[]) => columns.findLastIndex((dark) => dark > 0)

test('a text box is aligned with the side its first strong character reads from', (t) => {
  const latin = inkColumns('Lets go')
  t.true(firstInk(latin) < 10)
  t.true(lastInk(latin) < 140)
  const hebrew = inkColumns('שלום Lets 12')
  t.true(lastInk(hebrew) > 265)
  t.true(firstInk(hebrew) > 140)
})

test('in right-to-left text the first word is rightmost, Latin after it to its left', (t) => {
  // The rightmost columns are those of the first word alone.
  const alone = inkColumns('שלום')
  const mixed = inkColumns('שלום WWWW עולם 12')
  t.deepEqual(mixed.slice(-32), alone.slice(-32))
  // And the number that comes last is leftmost: the first run of ink is as short as it, the Ws are between.
  const runs = mixed
    .map((dark) => (dark > 0 ? 'x' : ' '))
    .join('')
    .trim()
    .split(/ {3,}/)
    .map((run) => run.length)
  t.true((runs[0] ?? 99) < 22, `${runs}`)
  t.true(
    runs.slice(1, -1).some((run) => run > 40),
    `${runs}`,
  )
  t.true((runs.at(-1) ?? 99) < 40, `${runs}`)
})

test('Arabic letters are joined', (t) => {
  context.font = `40px "${FONT_FAMILY}", sans-serif`
  if (missingGlyphs(context, 'مرحبا').length > 0) {
    t.deepEqual(missingGlyphs(context, 'م'), ['م'])
    return
  }
  context.font = `40px "${FONT_FAMILY}", sans-serif`
  const joined = context.measureText('مرحبا').width
  const apart = Array.from('مرحبا').reduce((sum, letter) => sum + context.measureText(letter).width, 0)
  t.true(joined < apart * 0.9, `${joined} of ${apart}`)
})
