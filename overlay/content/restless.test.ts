import test from 'ava'
import type { Pixels } from './pixels.js'
import { Restless } from './restless.js'

/** A picture of 128 by 96 pixels, with other pixels at some places. */
function picture(...places: (readonly [x: number, y: number, value: number])[]): Pixels {
  const data = new Uint32Array(128 * 96)
  for (const [x, y, value] of places) data[y * 128 + x] = value
  return { width: 128, height: 96, data }
}

/** A film at 40,40 that was looked at so often. */
function filmed(looks: number): Restless {
  const restless = new Restless()
  for (let look = 0; look < looks; look++) restless.note(picture([40, 40, look]), picture([40, 40, look + 1]))
  return restless
}

test('what changes at every look is restless after a few, and only that', (t) => {
  t.false(filmed(2).has(40, 40))
  const restless = filmed(3)
  t.true(restless.has(40, 40))
  t.false(restless.has(20, 40))
  t.false(restless.has(-5, 40))
  t.false(restless.has(40, 400))
})

test('what comes to rest is calm again after as many looks', (t) => {
  const restless = filmed(20)
  const still = picture()
  for (let look = 0; look < 3; look++) restless.note(still, still)
  t.true(restless.has(40, 40))
  restless.note(still, still)
  t.false(restless.has(40, 40))
})

test('a change now and then, as a caret makes, is not restless', (t) => {
  const restless = new Restless()
  for (let blink = 0; blink < 20; blink++) {
    restless.note(picture([40, 40, blink]), picture([40, 40, blink + 1]))
    restless.note(picture(), picture())
  }
  t.false(restless.has(40, 40))
})

test('a move, or a window of another size, makes all of it calm', (t) => {
  const moved = filmed(5)
  moved.forget()
  t.false(moved.has(40, 40))
  const resized = filmed(5)
  resized.note(picture(), { width: 64, height: 64, data: new Uint32Array(64 * 64) })
  t.false(resized.has(40, 40))
})

test('an area is given without what is restless, to the pixel', (t) => {
  const parts = filmed(3).calm([10, 20, 80, 60])
  t.deepEqual(parts, [
    [10, 20, 80, 12],
    [10, 32, 22, 32],
    [64, 32, 26, 32],
    [10, 64, 80, 16],
  ])
  const covered = parts.reduce((sum, [, , width, height]) => sum + width * height, 0)
  t.is(covered, 80 * 60 - 32 * 32)
  t.deepEqual(filmed(0).calm([0, 0, 10, 10]), [[0, 0, 10, 10]])
  t.is(filmed(3).share([32, 32, 64, 32]), 0.5)
  t.is(filmed(3).share([0, 0, 32, 32]), 0)
})
