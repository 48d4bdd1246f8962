import test from 'ava'
import { impressionOf } from './impression.js'

/** White pixels with a black rectangle, from a place of a display on. */
function part(
  [x, y, width, height]: readonly [number, number, number, number],
  [left, top, wide, high]: readonly [number, number, number, number],
) {
  const data = new Uint8Array(width * height * 4).fill(255)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [atX, atY] = [column + x, row + y]
      const isBlack = atX >= left && atX < left + wide && atY >= top && atY < top + high
      if (isBlack) data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
    }
  }
  return { x, y, width, height, data }
}

test('squares are counted from the display, whichever part of it is pictured', (t) => {
  const black = [16, 24, 8, 8] as const
  const whole = impressionOf(part([0, 0, 64, 48], black), 1)
  t.deepEqual([whole.column, whole.row, whole.columns, whole.rows], [0, 0, 8, 6])
  t.is(whole.light[3 * 8 + 2], 0)
  t.is(whole.light[0], 255)
  const some = impressionOf(part([5, 9, 30, 30], black), 1)
  t.deepEqual([some.column, some.row, some.columns, some.rows], [1, 2, 3, 2])
  t.is(some.light[1 * 3 + 1], 0)
})

for (const scale of [1, 1.25, 1.45, 2, 3]) {
  test(`at scale ${scale} a part says the same of a square as the whole does`, (t) => {
    const black = [37, 20, 61, 33] as const
    const whole = impressionOf(part([0, 0, 300, 200], black), scale)
    const some = impressionOf(part([13, 7, 200, 150], black), scale)
    t.true(some.columns > 0 && some.rows > 0)
    for (let row = 0; row < some.rows; row++) {
      for (let column = 0; column < some.columns; column++) {
        const [x, y] = [some.column + column, some.row + row]
        t.is(some.light[row * some.columns + column], whole.light[y * whole.columns + x], `${x},${y}`)
      }
    }
  })
}

test('a part smaller than a square says nothing', (t) => {
  t.is(impressionOf(part([3, 3, 6, 6], [0, 0, 1, 1]), 1).light.length, 0)
})
