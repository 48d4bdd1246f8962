import test from 'ava'
import fc from 'fast-check'
import type { DrawingRequest } from './build.js'
import { Frames } from './frames.js'
import { Bench, display } from './testing.js'

function setup() {
  const { clock } = new Bench()
  let next = 0
  return { clock, frames: new Frames(clock, (prefix) => `${prefix}${++next}`) }
}

const request = (fields: object) => ({ v: '0.2', ...fields }) as DrawingRequest

/** A picture of a whole display at `scale`, shrunk by `shrink`, as a capture would hand it out. */
function picture(width: number, height: number, scale: number, shrink = 1) {
  const size = [Math.round(width * scale * shrink), Math.round(height * scale * shrink)] as const
  return { display: 1, size, extent: [width, height] as const, origin: [0, 0] as const }
}

test('B1 a pixel of a picture at scale 2 is half its numbers in points', (t) => {
  const { frames } = setup()
  const frame = frames.remember(picture(1024, 768, 2))
  const mapped = frames.toPoints(request({ type: 'point', x: 1000, y: 600, frame }), [display(1)])
  t.like(mapped, { x: 500, y: 300, display_id: 1 })
  t.is(mapped.frame, undefined)
})

test('B2 a pixel of a picture that was shrunk is the place it shows', (t) => {
  const { frames } = setup()
  const frame = frames.remember(picture(1440, 3040, 1, 1280 / 3040))
  const { x, y } = frames.toPoints(request({ type: 'point', x: 414, y: 1069, frame }), [display(1)]) as {
    x: number
    y: number
  }
  t.true(Math.abs(x - 983) <= 2 && Math.abs(y - 2538) <= 2, `${x},${y}`)
})

test('B10 every pixel comes back within a point, at every scale, of wholes and of parts', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 1.25, 1.45, 1.9, 2, 2.5, 3),
      fc.integer({ min: 100, max: 4000 }),
      fc.integer({ min: 100, max: 4000 }),
      fc.double({ min: 0.1, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (scale, width, height, shrink, u, v) => {
        const { frames } = setup()
        const taken = { ...picture(width, height, scale, shrink), origin: [17, 23] as const }
        const frame = frames.remember(taken)
        // The place a person means, as the pixel a model would name.
        const pixel = [u * taken.size[0], v * taken.size[1]]
        const mapped = frames.toPoints(request({ type: 'point', x: pixel[0], y: pixel[1], frame }), [
          display(1),
        ])
        const { x, y } = mapped as { x: number; y: number }
        return Math.abs(x - (17 + u * width)) <= 1 && Math.abs(y - (23 + v * height)) <= 1
      },
    ),
    { numRuns: 500, seed: 10 },
  )
  t.pass()
})

test('every drawing request may name pixels: rectangles, paths, arrows and named positions of the picture', (t) => {
  const { frames } = setup()
  const frame = frames.remember({ ...picture(500, 400, 2), origin: [100, 50] })
  const map = (fields: object) => frames.toPoints(request({ frame, ...fields }), [display(1)]) as never
  t.like(map({ type: 'highlight', rect: [10, 20, 30, 40] }), { rect: [105, 60, 15, 20] })
  t.like(map({ type: 'textbox', text: 'x', rect: [0, 0, 100, 50] }), { rect: [100, 50, 50, 25] })
  t.like(
    map({
      type: 'draw',
      path: [
        [0, 0],
        [1000, 800],
      ],
    }),
    {
      path: [
        [100, 50],
        [600, 450],
      ],
    },
  )
  t.like(map({ type: 'arrow', from: [0, 0], to: 'center' }), { from: [100, 50], to: [350, 250] })
  t.like(map({ type: 'point', at: '50%,50%' }), { x: 350, y: 250 })
})

test('a pixel outside of the picture, and a display that is another one, are refused', (t) => {
  const { frames } = setup()
  const frame = frames.remember(picture(100, 100, 2))
  const map = (fields: object) => frames.toPoints(request({ frame, ...fields }), [display(1), display(2)])
  const outside = t.throws(() => map({ type: 'point', x: 201, y: 5 }))
  t.is(outside.message, 'point: x, y is [201,5], outside of the picture, which is 200x200 pixels')
  t.like(
    t.throws(() => map({ type: 'highlight', rect: [150, 0, 60, 10] })),
    { code: 'bad_schema' },
  )
  t.like(
    t.throws(() => map({ type: 'point', x: 1, y: 1, display_id: 2 })),
    { code: 'bad_schema' },
  )
  t.like(
    t.throws(() => map({ type: 'point', x: 1, y: 1, display_id: 9 })),
    { code: 'unknown_display' },
  )
})

test('a frame is stale after ten minutes, when its display changed, and when there never was one', (t) => {
  const { frames, clock } = setup()
  const frame = frames.remember(picture(100, 100, 1))
  const map = () => frames.toPoints(request({ type: 'point', x: 1, y: 1, frame }), [display(1)])
  clock.advance(600_000)
  t.notThrows(map)
  clock.advance(1)
  t.like(t.throws(map), { code: 'stale_frame' })
  const other = frames.remember(picture(100, 100, 1))
  frames.displaysChanged(() => true)
  t.notThrows(() => frames.toPoints(request({ type: 'point', x: 1, y: 1, frame: other }), []))
  frames.displaysChanged(() => false)
  t.throws(() => frames.toPoints(request({ type: 'point', x: 1, y: 1, frame: other }), []))
  t.throws(() => frames.toPoints(request({ type: 'point', x: 1, y: 1, frame: 'f_none' }), []))
})
