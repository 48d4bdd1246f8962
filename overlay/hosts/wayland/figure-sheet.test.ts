import test from 'ava'
import fc from 'fast-check'
import { clickable, fitOf, sheetOf } from './figure-sheet.js'

const SCALES = [1, 1.25, 1.5, 1.7, 1.75, 2, 4 / 3, 137 / 120]

/** A frame of two colours, and where it is. */
const frames = fc.record({
  scale: fc.constantFrom(...SCALES),
  x: fc.integer({ min: -200, max: 3000 }),
  y: fc.integer({ min: -200, max: 3000 }),
  width: fc.integer({ min: 1, max: 40 }),
  height: fc.integer({ min: 1, max: 40 }),
  seed: fc.integer({ min: 1, max: 1 << 30 }),
})

/** Blobs rather than noise: most of it in, as with a body. */
function shape(width: number, height: number, seed: number): Uint8Array {
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const is = Math.sin(x / 5 + seed) + Math.cos(y / 6 + seed / 3) > -0.6
      data[(y * width + x) * 4 + 3] = is ? 255 : 100
    }
  return data
}

test('a frame is whole on its surface, and one that moves is on a surface of the same size', (t) => {
  fc.assert(
    fc.property(frames, fc.nat(300), ({ scale, ...rect }, by) => {
      const fit = fitOf(rect, scale)
      t.true(fit.left >= 0 && fit.left + rect.width <= fit.width)
      t.true(fit.top >= 0 && fit.top + rect.height <= fit.height)
      // As the addon has it.
      t.is(fit.width, Math.ceil(fit.place.width * scale))
      t.is(fit.height, Math.ceil(fit.place.height * scale))
      t.true(Math.abs(fit.place.x * scale + fit.left - rect.x) <= 0.5)
      const moved = fitOf({ ...rect, x: rect.x + by, y: rect.y - by }, scale)
      t.deepEqual([moved.width, moved.height], [fit.width, fit.height])
    }),
  )
})

test('at scales of whole quarters and tenths a surface is pixel on pixel', (t) => {
  for (const scale of [1, 1.25, 1.5, 1.75, 2, 1.1, 1.7, 4 / 3])
    for (const x of [-7, 0, 1, 2, 3, 4, 5, 1001]) {
      const { place, left, width } = fitOf({ x, y: 0, width: 13, height: 1 }, scale)
      t.true(Math.abs(place.x * scale + left - x) < 1e-6, `${scale} ${x}`)
      t.true(Math.abs(place.width * scale - width) < 1e-6, `${scale} ${x}`)
    }
})

test('J5 no click beside the shape is taken, at any scale, and those well inside are', (t) => {
  fc.assert(
    fc.property(frames, ({ scale, seed, ...rect }) => {
      const input = shape(rect.width, rect.height, seed)
      const fit = fitOf(rect, scale)
      const rects = clickable(input, rect, fit, scale)
      const solid = (px: number, py: number) => {
        const [x, y] = [px - fit.left, py - fit.top]
        if (x < 0 || y < 0 || x >= rect.width || y >= rect.height) return false
        return (input[(y * rect.width + x) * 4 + 3] as number) >= 128
      }
      for (let y = 0; y < fit.place.height; y++)
        for (let x = 0; x < fit.place.width; x++) {
          const taken = rects.filter(
            (one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height,
          ).length
          const from = [Math.floor(x * scale + 1e-6), Math.floor(y * scale + 1e-6)] as const
          const to = [Math.ceil((x + 1) * scale - 1e-6), Math.ceil((y + 1) * scale - 1e-6)] as const
          let all = true
          for (let py = from[1]; py < to[1]; py++)
            for (let px = from[0]; px < to[0]; px++) all &&= solid(px, py)
          if (taken !== (all ? 1 : 0)) return false
        }
      return true
    }),
  )
  t.pass()
})

test('the pixels of a frame are where they belong, and nothing is beside them', (t) => {
  const rect = { x: 6, y: 3, width: 3, height: 2 }
  const pixels = Uint8Array.from({ length: 24 }, (_, index) => index + 1)
  const fit = fitOf(rect, 1.25)
  const sheet = sheetOf(pixels, rect, fit)
  t.is(sheet.length, fit.width * fit.height * 4)
  for (let y = 0; y < 2; y++) {
    const at = ((y + fit.top) * fit.width + fit.left) * 4
    t.deepEqual([...sheet.subarray(at, at + 12)], [...pixels.subarray(y * 12, y * 12 + 12)])
  }
  t.is(sheet.filter((byte) => byte !== 0).length, 24)
})
