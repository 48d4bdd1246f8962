import test from 'ava'
import fc from 'fast-check'
import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import type { Rect } from '../../protocol/overlay/geometry.js'
import { intersects } from '../../protocol/overlay/geometry.js'
import { ONE, TWO } from '../../tests/support/companion.js'
import { type Avoid, FIGURE, keepOff, reachable } from './index.js'

const at = (x: number, y: number, display = 1): DisplayPoint => ({ display, at: [x, y] })
const boxOf = ({ at: [x, y] }: DisplayPoint): Rect => [
  x - FIGURE.width / 2,
  y - FIGURE.height / 2,
  FIGURE.width,
  FIGURE.height,
]

test('where it is clear it stays, as the very same', (t) => {
  const here = at(600, 400)
  t.is(keepOff(here, { displays: [ONE] }), here)
  t.is(
    keepOff(here, {
      displays: [ONE],
      rects: [{ display: 1, rect: [0, 0, 500, 300] }],
      points: [at(500, 400)],
    }),
    here,
  )
  t.is(
    keepOff(here, { displays: TWO, rects: [{ display: 2, rect: [550, 350, 100, 100] }] }),
    here,
    'on another display',
  )
})

test('it goes to the nearest clear place, and then stays there while things move a little', (t) => {
  const avoid = (x: number): Avoid => ({
    displays: [ONE],
    points: [at(x, 400)],
    rects: [{ display: 1, rect: [100, 100, 200, 100] }],
  })
  const moved = keepOff(at(600, 400), avoid(610))!
  t.true(Math.hypot(moved.at[0] - 600, moved.at[1] - 400) < 120)
  for (const x of [612, 606, 618, 600]) t.is(keepOff(moved, avoid(x)), moved, 'it does not fidget')
})

test('it covers nothing it is to keep off wherever there is room, and can always be reached', (t) => {
  const rect = fc.tuple(
    fc.integer({ min: -50, max: 1280 }),
    fc.integer({ min: -50, max: 720 }),
    fc.integer({ min: 1, max: 500 }),
    fc.integer({ min: 1, max: 250 }),
  )
  fc.assert(
    fc.property(
      fc.array(rect, { maxLength: 4 }),
      fc.array(
        fc.tuple(fc.double({ min: 0, max: 1280, noNaN: true }), fc.double({ min: 0, max: 720, noNaN: true })),
        { maxLength: 2 },
      ),
      fc.integer({ min: -2000, max: 3000 }),
      fc.integer({ min: -2000, max: 3000 }),
      (rects, points, x, y) => {
        const avoid: Avoid = {
          displays: [ONE],
          rects: rects.map((one) => ({ display: 1, rect: one })),
          points: points.map(([px, py]) => at(px, py)),
        }
        const place = keepOff(at(x, y), avoid)!
        const kept = reachable(place, [ONE])!
        const isReachable =
          Math.abs(kept.at[0] - place.at[0]) < 1e-9 && Math.abs(kept.at[1] - place.at[1]) < 1e-9
        const covered =
          rects.filter((one) => intersects(boxOf(place), one)).length +
          points.filter(([px, py]) => intersects(boxOf(place), [px, py, 0, 0])).length
        return isReachable && covered === 0 && keepOff(place, avoid) === place
      },
    ),
    { numRuns: 300 },
  )
  t.pass()
})

test('where nothing is clear it stays, unless elsewhere much less is covered', (t) => {
  const all: Rect = [0, 0, 1280, 700]
  const here = at(600, 400)
  t.is(
    keepOff(here, { displays: [ONE], rects: [{ display: 1, rect: [-1, -1, 1300, 730] }] }),
    here,
    'it is no use',
  )
  t.true(keepOff(here, { displays: [ONE], rects: [{ display: 1, rect: all }] })!.at[1] >= 400)
})

test('numbers that are none, displays that are gone, and no displays', (t) => {
  t.is(keepOff(at(1, 1), { displays: [] }), null)
  t.deepEqual(keepOff(at(Number.NaN, 1), { displays: [ONE] }), reachable(at(Number.NaN, 1), [ONE]))
  t.is(keepOff(at(1, 1, 9), { displays: [ONE] })!.display, 1)
  const here = at(600, 400)
  t.is(
    keepOff(here, {
      displays: [ONE],
      rects: [{ display: 1, rect: [Number.NaN, 0, 1, 1] }],
      points: [at(Number.NaN, 0)],
    }),
    here,
  )
})
