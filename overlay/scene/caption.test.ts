import test from 'ava'
import fc from 'fast-check'
import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import { pixels, screen, stage } from '../../tests/golden/canvas.js'
import { overlap } from './place.js'
import { facingAt, pointerRect } from './pointer.js'

const LABEL =
  'Choose the second entry of this menu, then wait until the list has been refreshed; after that, scroll down to ' +
  'the very last line and press the button that is labelled Continue, which may take a while.'

const inside = ([x, y, width, height]: Rect, size: Size) =>
  x >= -1e-6 && y >= -1e-6 && x + width <= size[0] + 1e-6 && y + height <= size[1] + 1e-6

const corners = ([width, height]: Size): Point[] => [
  [0, 0],
  [width - 1, 0],
  [0, height - 1],
  [width - 1, height - 1],
]

for (const size of [
  [1920, 1080],
  [640, 360],
  [200, 100],
] as Size[]) {
  for (const length of [10, 80, 200]) {
    test(`${size.join('x')}: in the corners, a label of ${length} is on the display and off the target`, (t) => {
      for (const at of corners(size)) {
        const show = stage(size, 1, true)
        show.put({ kind: 'point', id: 'p', at, label: LABEL.slice(0, length).trim() }, 0)
        show.setPointer('p', 0)
        const rect = show.captionOf('p')
        if (!rect) return t.fail('no caption')
        t.true(inside(rect, size), `${rect}`)
        t.is(overlap(rect, [at[0] - 3, at[1] - 3, 6, 6]), 0)
        // Light pixels of the text right of the left padding: the first words are really painted there.
        const on = screen(size, 1)
        show.paint(on.context, [0, 0, ...size], 0)
        const data = pixels(on)
        let light = 0
        for (let y = Math.ceil(rect[1]); y < rect[1] + 24; y++) {
          for (let x = Math.ceil(rect[0] + 8); x < rect[0] + 50; x++) {
            if ((data[(y * size[0] + x) * 4] ?? 0) > 190) light++
          }
        }
        t.true(light > 20, `${light} light pixels`)
      }
    })
  }
}

test('captions are inside the display, off their target, and off the pointer', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 120, max: 2000 }),
      fc.integer({ min: 70, max: 1200 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom(1, 1.25, 1.5, 2, 3),
      fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
      (width, height, u, v, length, scale, step) => {
        const size: Size = [width, height]
        const at: Point = [u * (width - 1), v * (height - 1)]
        const show = stage(size, scale, true)
        const numbered = step === undefined ? {} : { step }
        show.put({ kind: 'point', id: 'p', at, label: LABEL.slice(0, length), ...numbered }, 0)
        const rect = show.captionOf('p')
        if (!rect) return t.fail(`no caption on ${size} at ${at}`)
        t.true(inside(rect, size), `${rect} on ${size}`)
        t.is(overlap(rect, [at[0] - 11, at[1] - 11, 22, 22]), 0)
        t.is(overlap(rect, pointerRect(at, facingAt(at, size))), 0)
      },
    ),
    { numRuns: 300 },
  )
})

test('a highlight’s caption is outside of its rectangle, and inside only when nothing else fits', (t) => {
  const size: Size = [800, 600]
  fc.assert(
    fc.property(
      fc.tuple(
        fc.integer({ min: 0, max: 700 }),
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 700 }),
        fc.integer({ min: 1, max: 500 }),
      ),
      fc.integer({ min: 1, max: 200 }),
      (rect, length) => {
        const show = stage(size, 1, true)
        const label = LABEL.slice(0, length)
        show.put({ kind: 'highlight', id: 'h', rect, shape: 'rect', spotlight: false, label }, 0)
        const caption = show.captionOf('h')
        if (!caption) return t.fail('no caption')
        t.true(inside(caption, size))
        const [x, y, width, height] = rect
        const room = Math.max(x, size[0] - x - width, y, size[1] - y - height)
        if (room > 200) t.is(overlap(caption, rect), 0)
      },
    ),
  )
  const show = stage(size, 1, true)
  show.put(
    { kind: 'highlight', id: 'h', rect: [0, 0, 800, 600], shape: 'rect', spotlight: true, label: 'All' },
    0,
  )
  t.truthy(show.captionOf('h'))
})

test('captions keep off each other while there is room, and stay where they were put', (t) => {
  const show = stage([1000, 700], 1, true)
  const ids = Array.from({ length: 10 }, (_, index) => `p${index}`)
  const placed: Rect[] = []
  ids.forEach((id, index) => {
    show.put(
      { kind: 'point', id, at: [500 + (index % 3) * 9, 350 + index * 6], label: `Caption ${index}` },
      0,
    )
    const rect = show.captionOf(id) as Rect
    for (const other of placed) t.is(overlap(rect, other), 0)
    placed.push(rect)
  })
  show.remove('p0', 1)
  show.remove('p3', 1)
  ids.forEach((id, index) => {
    if (index !== 0 && index !== 3) t.deepEqual(show.captionOf(id), placed[index])
  })
})

test('no label, or one of nothing but spaces, is no caption', (t) => {
  const show = stage([400, 300], 1, true)
  show.put({ kind: 'point', id: 'a', at: [10, 10] }, 0)
  show.put({ kind: 'point', id: 'b', at: [10, 10], label: ' \n\t ' }, 0)
  t.is(show.captionOf('a'), null)
  t.is(show.captionOf('b'), null)
})
