import test from 'ava'
import fc from 'fast-check'
import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { difference, differing, pixels, repaint, screen, stage } from '../../tests/golden/canvas.js'
import { FLIGHT_MS, GLIDE_MS } from './index.js'

const SIZE: Size = [320, 220]

const place = fc.tuple(fc.integer({ min: -20, max: 330 }), fc.integer({ min: -20, max: 230 }))
const rect = fc.tuple(
  fc.integer({ min: -30, max: 300 }),
  fc.integer({ min: -30, max: 200 }),
  fc.integer({ min: 1, max: 340 }),
  fc.integer({ min: 1, max: 240 }),
)
const label = fc.option(fc.constantFrom('Go', 'Press here', 'Choose the second entry of the menu'), {
  nil: undefined,
})
const id = fc.constantFrom('a', 'b', 'c', 'd')
const step = fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined })
const path = fc.array(place, { minLength: 2, maxLength: 9 })

const marks = fc
  .oneof(
    fc.record({ kind: fc.constant('point'), id, at: place, label, step }),
    fc.record({
      kind: fc.constant('highlight'),
      id,
      rect,
      label,
      step,
      shape: fc.constantFrom('rect', 'ellipse'),
      spotlight: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('textbox'),
      id,
      rect,
      step,
      text: fc.constantFrom('A note', 'Open the settings and look for displays in them'),
      style: fc.constantFrom('note', 'guide'),
    }),
    fc.record({
      kind: fc.constantFrom('draw', 'arrow'),
      id,
      path,
      step,
      width: fc.integer({ min: 1, max: 12 }),
    }),
  )
  .map((mark) => JSON.parse(JSON.stringify(mark)) as Mark)

const actions = fc.array(
  fc.record({
    wait: fc.constantFrom(0, 16, 70, 140, 400),
    act: fc.oneof(
      marks.map((mark) => ({ put: mark })),
      id.map((remove) => ({ remove })),
      fc.option(id, { nil: null }).map((pointer) => ({ pointer })),
    ),
  }),
  { minLength: 1, maxLength: 12 },
)

type Show = ReturnType<typeof stage>
type Act = { put: Mark } | { remove: string } | { pointer: string | null }

function apply(show: Show, act: Act, now: number): void {
  if ('put' in act) show.put(act.put, now)
  else if ('remove' in act) show.remove(act.remove, now)
  else show.setPointer(act.pointer, now)
}

test('every pixel that changes between two frames is in what is dirty', (t) => {
  fc.assert(
    fc.property(actions, fc.constantFrom(1, 1.25, 1.5, 2), fc.boolean(), (steps, scale, reduced) => {
      const show = stage(SIZE, scale, reduced)
      let before = screen(SIZE, scale)
      let now = 1000
      for (const { wait, act } of steps) {
        now += wait
        apply(show, act, now)
        const { dirty } = show.frame(now)
        const after = screen(SIZE, scale)
        show.paint(after.context, [0, 0, ...SIZE], now)
        // Outside of the dirty rectangles both pictures have to be the same to the bit.
        for (const area of dirty) {
          before.context.clearRect(...area)
          const copy = pixelEdges(area, scale)
          before.context.save()
          before.context.resetTransform()
          before.context.drawImage(after.canvas, ...copy, ...copy)
          before.context.restore()
        }
        t.is(difference(pixels(before), pixels(after)), 0, `scale ${scale}, ${JSON.stringify(act)}`)
        before = after
      }
    }),
    { numRuns: 80 },
  )
})

test('painting only what is dirty gives the pixels of painting everything', (t) => {
  fc.assert(
    fc.property(actions, fc.constantFrom(1, 1.25, 1.5, 2), fc.boolean(), (steps, scale, reduced) => {
      const show = stage(SIZE, scale, reduced)
      const kept = screen(SIZE, scale)
      let now = 1000
      for (const { wait, act } of steps) {
        now += wait
        apply(show, act, now)
        repaint(kept, show.frame(now).dirty, show, now)
        const fresh = screen(SIZE, scale)
        show.paint(fresh.context, [0, 0, ...SIZE], now)
        // Where a clip crosses a slanted edge, Skia rounds a few antialiased pixels along it differently. That the
        // dirty rectangles are enough is proved above to the bit; this is that `paint` draws the same in each.
        const share = differing(pixels(kept), pixels(fresh), 16) / (SIZE[0] * SIZE[1] * scale ** 2)
        t.true(share < 0.003, `${share} at scale ${scale} after ${JSON.stringify(act)}`)
      }
    }),
    { numRuns: 60 },
  )
})

function pixelEdges(area: Rect, scale: number): [number, number, number, number] {
  const [x, y, width, height] = area.map((value) => Math.round(value * scale))
  return [x ?? 0, y ?? 0, width ?? 0, height ?? 0]
}

test('nothing is drawn outside of ink()', (t) => {
  fc.assert(
    fc.property(actions, fc.constantFrom(1, 1.25, 2), (steps, scale) => {
      const show = stage(SIZE, scale)
      let now = 0
      for (const { wait, act } of steps) {
        now += wait
        apply(show, act, now)
      }
      const on = screen(SIZE, scale)
      show.paint(on.context, [0, 0, ...SIZE], now)
      for (const area of show.ink(now)) on.context.clearRect(...area)
      t.true(pixels(on).every((value) => value <= 3))
    }),
    { numRuns: 60 },
  )
})

test('dirty rectangles are few, on the display, and on its device pixels', (t) => {
  fc.assert(
    fc.property(
      fc.array(marks, { minLength: 1, maxLength: 30 }),
      fc.constantFrom(1, 1.25, 1.5, 3),
      (many, scale) => {
        const show = stage(SIZE, scale)
        for (const [index, mark] of many.entries()) show.put({ ...mark, id: `m${index}` }, 0)
        const { dirty } = show.frame(0)
        t.true(dirty.length <= 12)
        for (const [x, y, width, height] of dirty) {
          t.true(x >= 0 && y >= 0 && x + width <= SIZE[0] + 1e-6 && y + height <= SIZE[1] + 1e-6)
          for (const edge of [x, y, x + width, y + height]) {
            t.true(Math.abs(edge * scale - Math.round(edge * scale)) < 1e-6)
          }
        }
      },
    ),
    { numRuns: 50 },
  )
})

const point = (name: string, at: Point): Mark => ({ kind: 'point', id: name, at, label: 'Here' })

test('a stage that has settled is still', (t) => {
  const show = stage(SIZE, 2)
  t.deepEqual(show.ink(0), [])
  t.deepEqual(show.frame(0), { dirty: [], animating: false })
  show.put(point('a', [100, 100]), 0)
  show.setPointer('a', 0)
  t.true(show.frame(0).animating)
  t.true(show.frame(100).dirty.length > 0)
  show.frame(FLIGHT_MS)
  for (const later of [FLIGHT_MS, FLIGHT_MS + 1, 10_000]) {
    t.deepEqual(show.frame(later), { dirty: [], animating: false })
  }
  show.put(point('a', [100, 100]), 20_000)
  t.deepEqual(show.frame(20_000), { dirty: [], animating: false })
  show.remove('a', 30_000)
  t.true(show.frame(30_000).dirty.length > 0)
  t.deepEqual(show.frame(30_001), { dirty: [], animating: false })
  t.deepEqual(show.ink(30_001), [])
})

test('the first frame already shows the ring and the caption at their final place', (t) => {
  const show = stage(SIZE, 1)
  show.put(point('a', [160, 100]), 0)
  show.setPointer('a', 0)
  const [x, y, width, height] = show.captionOf('a') as Rect
  const picture = (now: number) => {
    const on = screen(SIZE, 1)
    show.paint(on.context, [0, 0, ...SIZE], now)
    return on.context.getImageData(Math.ceil(x), Math.ceil(y), Math.floor(width) - 1, Math.floor(height) - 1)
      .data
  }
  t.deepEqual(picture(0), picture(1000))
})

test('the pointer arrives with its tip at the target, and the ring stays when it goes on', (t) => {
  const show = stage(SIZE, 2, true)
  show.put({ kind: 'point', id: 'a', at: [100, 100] }, 0)
  const without = pixelsOf(show, 0)
  show.setPointer('a', 0)
  const on = pixelsOf(show, 0)
  t.true(difference(without, on) > 100)
  // Just inside the tip, along the glyph's middle, is ink.
  const offset = (Math.round(104 * 2) * SIZE[0] * 2 + Math.round(103.5 * 2)) * 4
  t.true((on[offset] ?? 0) > 200 && (on[offset + 2] ?? 255) < 90)
  show.put({ kind: 'point', id: 'b', at: [200, 50] }, 0)
  show.setPointer('b', 0)
  show.remove('b', 0)
  t.deepEqual(pixelsOf(show, 0), without)
})

test('a flight starts where the pointer was and ends at the new point', (t) => {
  const show = stage([1000, 600], 1)
  show.put({ kind: 'point', id: 'a', at: [100, 300] }, 0)
  show.setPointer('a', 0)
  show.frame(1000)
  show.put({ kind: 'point', id: 'b', at: [900, 300] }, 2000)
  show.setPointer('b', 2000)
  t.true(show.frame(2000).animating)
  const middle = show.ink(2000 + FLIGHT_MS / 2)
  // Half way it is on an arc above the straight line.
  t.true(middle.some(([x, y, width]) => x > 300 && x + width < 700 && y < 280))
  t.false(show.frame(2000 + FLIGHT_MS).animating)
})

test('a moved mark glides, and its caption with it', (t) => {
  const show = stage([1000, 600], 1)
  show.put(point('a', [100, 300]), 0)
  const before = show.captionOf('a') as Rect
  show.frame(0)
  show.put(point('a', [500, 320]), 1000)
  const after = show.captionOf('a') as Rect
  t.deepEqual([after[0] - before[0], after[1] - before[1]], [400, 20])
  t.true(show.frame(1000 + GLIDE_MS / 2).animating)
  const [middle] = show.ink(1000 + GLIDE_MS / 2)
  t.true((middle as Rect)[0] > 200 && (middle as Rect)[0] < 400)
  const { animating, dirty } = show.frame(1000 + GLIDE_MS)
  t.false(animating)
  t.true(dirty.length > 0)
})

test('with reduced motion everything is there at once', (t) => {
  const show = stage(SIZE, 1, true)
  show.put(point('a', [40, 40]), 0)
  show.setPointer('a', 0)
  t.false(show.frame(0).animating)
  show.put(point('a', [200, 150]), 10)
  t.false(show.frame(10).animating)
  const there = pixelsOf(show, 10)
  t.deepEqual(pixelsOf(show, 5000), there)
})

test('a mark keeps its colour while it moves without a backdrop', (t) => {
  const show = stage(SIZE, 1, true)
  const white = { data: new Uint8Array(4).fill(255), width: 1, height: 1, rect: [0, 0, ...SIZE] as Rect }
  const mark: Mark = {
    kind: 'draw',
    id: 'a',
    path: [
      [10, 50],
      [100, 50],
    ],
  }
  show.put(mark, 0, [white])
  const color = (at: number) => pixelsOf(show, 0).slice((at * SIZE[0] + 50) * 4, (at * SIZE[0] + 50) * 4 + 3)
  const chosen = color(50)
  show.put(
    {
      ...mark,
      path: [
        [10, 90],
        [100, 90],
      ],
    },
    0,
  )
  t.deepEqual(color(90), chosen)
})

test('a spotlight dims all but what any spotlight shows', (t) => {
  const show = stage(SIZE, 1, true)
  show.put({ kind: 'highlight', id: 'a', rect: [40, 40, 80, 60], shape: 'rect', spotlight: true }, 0)
  show.put({ kind: 'highlight', id: 'b', rect: [80, 60, 120, 80], shape: 'rect', spotlight: true }, 0)
  t.deepEqual(show.ink(0), [[0, 0, ...SIZE]])
  const data = pixelsOf(show, 0)
  const alpha = (x: number, y: number) => data[(y * SIZE[0] + x) * 4 + 3] ?? 0
  t.is(alpha(60, 50), 0)
  t.is(alpha(100, 80), 0)
  t.is(alpha(180, 130), 0)
  t.true(Math.abs(alpha(300, 200) - 140) < 4)
})

function pixelsOf(show: ReturnType<typeof stage>, now: number): Uint8ClampedArray {
  const scale = show.scale
  const on = screen(SIZE, scale)
  show.paint(on.context, [0, 0, ...SIZE], now)
  return pixels(on)
}

test('that something is looked for is told beside the pointer, without any motion, and leaves nothing', (t) => {
  const shown = stage(SIZE, 1)
  shown.setPointer('a', 0)
  shown.put({ kind: 'point', id: 'a', at: [200, 150] }, 0)
  shown.frame(9000)
  const before = shown.ink(9000)
  shown.setThinking(true)
  const frame = shown.frame(9000)
  t.true(frame.dirty.length > 0)
  t.false(frame.animating)
  t.deepEqual(shown.frame(9500).dirty, [])
  t.notDeepEqual(shown.ink(9000), before)
  shown.setThinking(false)
  t.true(shown.frame(9600).dirty.length > 0)
  t.deepEqual(shown.ink(9600), before)
  // Where there is no pointer there is one while it thinks, and the next flies from there.
  const empty = stage(SIZE, 1)
  empty.setThinking(true)
  t.true(empty.frame(0).dirty.length > 0)
  empty.setThinking(false)
  t.true(empty.frame(1).dirty.length > 0)
  t.deepEqual(empty.ink(1), [])
})
