import test from 'ava'
import fc from 'fast-check'
import { arrowPath } from './arrow.js'
import type { Point } from './geometry.js'

const middle = (path: readonly Point[]): Point => path[(path.length - 1) / 2] as Point
const near = (a: number, b: number, scale = 1) => Math.abs(a - b) <= 1e-9 * Math.max(1, scale)

test('a bow of 0 is the straight line between the ends, alone', (t) => {
  t.deepEqual(arrowPath([10, 20], [110, 20], 0), [
    [10, 20],
    [110, 20],
  ])
  t.deepEqual(arrowPath([10, 20], [110, 20], -0), [
    [10, 20],
    [110, 20],
  ])
})

test('a positive bow lies to the right of travel: y grows downward', (t) => {
  // Travelling right, down, left and up; to the right of that is below, left, above and right.
  t.deepEqual(middle(arrowPath([0, 0], [100, 0], 0.3)), [50, 30])
  t.deepEqual(middle(arrowPath([0, 0], [0, 100], 0.3)), [-30, 50])
  t.deepEqual(middle(arrowPath([100, 0], [0, 0], 0.3)), [50, -30])
  t.deepEqual(middle(arrowPath([0, 100], [0, 0], 0.3)), [30, 50])
  t.deepEqual(middle(arrowPath([0, 0], [100, 0], -0.3)), [50, -30])
})

test('an arrow that names no bow has one of a fifth of its length', (t) => {
  t.deepEqual(arrowPath([0, 0], [100, 0]), arrowPath([0, 0], [100, 0], 0.2))
  t.deepEqual(middle(arrowPath([0, 0], [100, 0])), [50, 20])
})

test('both ends are exact, and the middle lies bow times the length off the middle of the chord', (t) => {
  const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true })
  const point = fc.tuple(coordinate, coordinate)
  fc.assert(
    fc.property(point, point, fc.double({ min: -1, max: 1, noNaN: true }), (from, to, bow) => {
      fc.pre(bow !== 0)
      const path = arrowPath(from, to, bow)
      // -0 and 0 are one place.
      t.true(path[0]?.[0] === from[0] && path[0]?.[1] === from[1])
      t.true(path.at(-1)?.[0] === to[0] && path.at(-1)?.[1] === to[1])
      const [x, y] = middle(path)
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
      t.true(near(x - (from[0] + to[0]) / 2, -dy * bow, 1e6))
      t.true(near(y - (from[1] + to[1]) / 2, dx * bow, 1e6))
      t.true(path.every(([px, py]) => Number.isFinite(px) && Number.isFinite(py)))
    }),
    { seed: 41, numRuns: 500 },
  )
})

test('the curve is one arc: evenly on one side of its chord, furthest out in its middle, without visible corners', (t) => {
  const path = arrowPath([0, 0], [1000, 0], 0.5)
  const heights = path.map(([, y]) => y)
  t.is(Math.max(...heights), 500)
  t.true(heights.every((y) => y >= 0))
  for (const [index, y] of heights.entries())
    t.true(near(y, heights[heights.length - 1 - index] ?? Number.NaN, 1000))
  for (const [index, [x]] of path.entries()) t.true(index === 0 || x > (path[index - 1]?.[0] ?? Number.NaN))
  t.true(path.length >= 40)
})
