import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import fc from 'fast-check'
import { intersects, type Rect, translate } from '../../protocol/overlay/geometry.js'
import { registerFonts } from '../../tests/golden/canvas.js'
import type { Line } from '../scene/bidi.js'
import { contrast, rgbOf } from '../scene/color.js'
import { Ruler } from '../scene/font.js'
import { BUBBLE, FIRST_SPOT, layBubble } from './bubble.js'
import type { Room, Side } from './card.js'
import { BODY } from './figure.js'
import { itemAt, layMenu, MENU } from './menu.js'

registerFonts()
const ruler = new Ruler(createCanvas(1, 1).getContext('2d'))
const roomAt = (
  x: number,
  y: number,
  size: readonly [number, number] = [1280, 720],
  scale = 1,
  occupied: readonly Rect[] = [],
): Room => ({
  size,
  scale,
  ruler,
  at: [x, y],
  figure: translate(BODY, [x, y]),
  occupied,
})
const on = (side: Side) => ({ ...FIRST_SPOT, side })
const items = (count: number, hint?: string) =>
  Array.from({ length: count }, (_, n) => ({
    id: `${n}`,
    label: `Suggestion number ${n + 1}`,
    ...(hint && { hint }),
  }))
const isInside = ([x, y, width, height]: Rect, [right, bottom]: readonly [number, number]) =>
  x >= 0 && y >= 0 && x + width <= right + 1e-6 && y + height <= bottom + 1e-6

const texts = [
  'Yes',
  'A line that is long enough to be broken into two or three lines of the bubble.',
  'word '.repeat(800).trim(),
  'W'.repeat(4000),
  '次の行も見ましょう。'.repeat(400),
  'هل تريد أن أشرح لك هذا السطر؟ '.repeat(140).trim(),
  'a\nb\nc\n'.repeat(500),
  '👩‍👩‍👧‍👦'.repeat(300),
]

test('what it says is inside the display and never over its body, wherever that is, at any length', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.constantFrom([1280, 720] as const, [640, 480] as const, [3840, 2160] as const, [320, 240] as const),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(1, 1.25, 2),
      (text, size, across, down, scale) => {
        const room = roomAt(34 + across * (size[0] - 68), 40 + down * (size[1] - 80), size, scale)
        const laid = layBubble(text, room, null)
        if (!laid) return false
        const widest = Math.max(
          ...laid.lines.map(({ text: line }) => ruler.width(line, 14, 400)),
          ruler.width(laid.more ?? '', 12, 400),
        )
        return (
          isInside(laid.rect, size) &&
          !intersects(laid.rect, room.figure) &&
          widest <= laid.rect[2] - 26 + 1 &&
          laid.lines.length <= 12
        )
      },
    ),
    { numRuns: 150 },
  )
  t.pass()
})

const textOf = (lines: readonly Line[]) => lines.map(({ text }) => text).join('')

test('what is too long ends in one ellipsis and says how much more there is', (t) => {
  const text = 'word '.repeat(800).trim()
  const laid = layBubble(text, roomAt(600, 600), null)!
  const shown = textOf(laid.lines).replace(/[\s…]/g, '').length
  t.true(textOf(laid.lines).endsWith('…'))
  t.is(laid.more, `${(3200 - shown).toLocaleString('en')} more characters`)
  t.is(layBubble('Short', roomAt(600, 600), null)!.more, null)
  t.is(layBubble(' \n\t ', roomAt(600, 600), null), null)
})

test('in a narrow strip it says so shortly, and stays inside', (t) => {
  const room = roomAt(150, 150, [330, 200], 2)
  const laid = layBubble('All of it is done. '.repeat(30), room, on('right'))!
  t.true(isInside(laid.rect, [330, 200]))
  t.regex(laid.more!, /\d/)
})

test('right-to-left text is from the right, and CJK breaks between its characters', (t) => {
  t.true(layBubble('هل تريد أن أشرح لك هذا السطر؟', roomAt(600, 600), null)!.lines.every(({ rtl }) => rtl))
  const { lines } = layBubble('次の行も見ましょう。'.repeat(6), roomAt(600, 600), null)!
  t.true(lines.length > 1 && lines.every(({ text, rtl }) => !rtl && !text.startsWith('。')))
})

test('it stays on the side it is on while there is room, and goes to where there is some', (t) => {
  const text = 'A few words'
  t.is(layBubble(text, roomAt(600, 400), null)!.side, 'above')
  t.is(layBubble(text, roomAt(600, 400), on('below'))!.side, 'below')
  t.not(layBubble(text, roomAt(600, 45), on('above'))!.side, 'above')
  t.not(layBubble(text, roomAt(600, 680), on('below'))!.side, 'below')
  const menu = layMenu(items(3), null, roomAt(600, 400), null)!
  const beside = layBubble(text, roomAt(600, 400, [1280, 720], 1, [menu.rect]), on('right'))!
  t.false(intersects(beside.rect, menu.rect))
})

test('the menu is inside the display and off its body, with 1, 32 or 100 items, and shows the chosen one', (t) => {
  for (const count of [1, 3, 32, 100]) {
    for (const size of [
      [1280, 720],
      [800, 600],
      [400, 320],
    ] as const) {
      for (const hint of [undefined, 'what it would do']) {
        for (const chosen of [null, 0, count - 1, Math.floor(count / 2)]) {
          const room = roomAt(size[0] * 0.8, size[1] * 0.7, size)
          const laid = layMenu(items(count, hint), chosen, room, null)!
          t.true(isInside(laid.rect, size), `${count} on ${size}`)
          t.false(intersects(laid.rect, room.figure))
          const shown = laid.rows.map(({ item }) => item)
          if (chosen !== null)
            t.is(
              laid.rows
                .filter((row) => row.chosen)
                .map(({ item }) => item)
                .join(),
              `${chosen}`,
            )
          if (shown.length < count) t.true(laid.signs.length > 0, 'it says that there are more')
          else t.is(laid.signs.length, 0)
          for (const { item, rect } of laid.rows) {
            t.true(isInside(rect, size))
            t.is(itemAt(laid, [rect[0] + rect[2] / 2, rect[1] + rect[3] / 2]), item)
          }
        }
      }
    }
  }
  t.is(
    layMenu(items(32), null, roomAt(100, 600, [1366, 768]), null)!.rows.length,
    32,
    'all 32 can be pointed at',
  )
})

test('going down through 100 items shows each in turn, and moves no more than it must', (t) => {
  let before: Parameters<typeof layMenu>[3] = null
  const room = roomAt(400, 300, [500, 400])
  let last = 0
  for (let chosen = 0; chosen < 100; chosen++) {
    const laid: NonNullable<ReturnType<typeof layMenu>> = layMenu(items(100), chosen, room, before)!
    t.true(laid.rows.some((row) => row.chosen && row.item === chosen))
    t.true(laid.first - last <= 1)
    last = laid.first
    before = laid
  }
})

test('labels are one line, cut where they do not fit, from the right where they read so', (t) => {
  const odd = [
    { id: 'a', label: 'x'.repeat(500), hint: 'two\nlines' },
    { id: 'b', label: 'شرح' },
    { id: 'c', label: '\u0000 ' },
  ]
  const { rows } = layMenu(odd, null, roomAt(600, 300), null)!
  t.true(rows[0]!.label.text.endsWith('…'))
  t.is(rows[0]!.hint?.text, 'two lines')
  t.true(rows[1]!.label.rtl)
  t.is(rows[2]!.label.text, '…')
})

test('what it says and what it offers are cards of one hand', (t) => {
  t.is(MENU.paper, BUBBLE.paper)
  t.is(MENU.edge, BUBBLE.edge)
  t.is(MENU.label, BUBBLE.ink)
  t.is(MENU.hint, BUBBLE.more)
})

test('all that is written can be read: 4.5 to 1 at least', (t) => {
  const pairs = [
    [BUBBLE.ink, BUBBLE.paper],
    [BUBBLE.more, BUBBLE.paper],
    [MENU.label, MENU.paper],
    [MENU.hint, MENU.paper],
    [MENU.onChosen, MENU.chosen],
    [MENU.onChosenHint, MENU.chosen],
  ] as const
  for (const [ink, paper] of pairs) t.true(contrast(rgbOf(ink), rgbOf(paper)) >= 4.5, `${ink} on ${paper}`)
  t.true(
    contrast(rgbOf(MENU.chosen), rgbOf(MENU.paper)) >= 3,
    'and the chosen item is told from others by more than a hue',
  )
})
