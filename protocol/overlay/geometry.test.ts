import test from 'ava'
import fc from 'fast-check'
import {
  boundsOfPoints,
  clip,
  inflate,
  intersects,
  type Point,
  type Rect,
  translate,
  union,
} from './geometry.js'

test('bounds hold every point and no more; one point has no extent', (t) => {
  t.deepEqual(boundsOfPoints([[3, 4]]), [3, 4, 0, 0])
  t.deepEqual(
    boundsOfPoints([
      [3, 4],
      [-1, 10],
      [2, -5],
    ]),
    [-1, -5, 4, 15],
  )
})

test('a long path is bounded without running out of stack', (t) => {
  const path = Array.from({ length: 65_536 }, (_, index): Point => [index, -index])
  t.deepEqual(boundsOfPoints(path), [0, -65_535, 65_535, 65_535])
})

test('a union is the smallest rectangle that holds both', (t) => {
  t.deepEqual(union([0, 0, 10, 10], [20, -5, 5, 5]), [0, -5, 25, 15])
  t.deepEqual(union([0, 0, 10, 10], [2, 2, 1, 1]), [0, 0, 10, 10])
})

test('rectangles intersect where they share area or an edge, and a point does inside and on the edge', (t) => {
  const display: Rect = [0, 0, 1440, 900]
  t.true(intersects([-10, -10, 20, 20], display))
  t.true(intersects([1440, 900, 0, 0], display))
  t.true(intersects([0, 0, 0, 0], display))
  t.true(intersects([-10, 5, 10, 5], display))
  t.false(intersects([-10, 5, 9.999, 5], display))
  t.false(intersects([1440.001, 5, 0, 0], display))
  t.false(intersects([5, 900.001, 5, 5], display))
})

test('inflating grows every side alike, and translating only moves', (t) => {
  t.deepEqual(inflate([10, 20, 30, 40], 5), [5, 15, 40, 50])
  t.deepEqual(translate([10, 20, 30, 40], [-10, 0.5]), [0, 20.5, 30, 40])
})

test('a clip is the part inside, and null where only an edge or nothing is', (t) => {
  t.deepEqual(clip([-10, -10, 30, 30], [0, 0, 100, 100]), [0, 0, 20, 20])
  t.deepEqual(clip([5, 6, 7, 8], [0, 0, 100, 100]), [5, 6, 7, 8])
  t.is(clip([100, 0, 10, 10], [0, 0, 100, 100]), null)
  t.is(clip([-20, 0, 10, 10], [0, 0, 100, 100]), null)
})

test('for any two rectangles the helpers agree with each other', (t) => {
  const at = fc.integer({ min: -1000, max: 1000 })
  const extent = fc.integer({ min: 1, max: 800 })
  const rect = fc.tuple(at, at, extent, extent)
  fc.assert(
    fc.property(rect, rect, fc.tuple(at, at), (a, b, by) => {
      const both = union(a, b)
      t.deepEqual(union(b, a), both)
      t.deepEqual(clip(a, both), a)
      t.deepEqual(clip(b, both), b)
      t.is(intersects(a, b), intersects(b, a))
      const common = clip(a, b)
      t.deepEqual(clip(b, a), common)
      // An edge in common is an intersection without a common part.
      if (common) t.true(intersects(a, b))
      t.is(intersects(translate(a, by), translate(b, by)), intersects(a, b))
    }),
    { seed: 51, numRuns: 500 },
  )
})
