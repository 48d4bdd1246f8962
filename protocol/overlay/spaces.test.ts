import test from 'ava'
import fc from 'fast-check'
import type { Rect, Size } from './geometry.js'
import {
  type Declared,
  type DeclaredRect,
  fromPixels,
  ORDERS,
  type Order,
  SPACES,
  type Space,
  SpaceError,
  toPixels,
  toPoints,
} from './spaces.js'

const IMAGE = [1568, 882] as const

/** One place, a quarter from the left and three quarters down, in every space and order. */
const SAME: readonly (readonly [Space, Order, readonly [number, number]])[] = [
  ['pixels', 'xy', [392, 661.5]],
  ['pixels', 'yx', [661.5, 392]],
  ['0..1000', 'xy', [250, 750]],
  ['0..1000', 'yx', [750, 250]],
  ['fractions', 'xy', [0.25, 0.75]],
  ['fractions', 'yx', [0.75, 0.25]],
  ['percent', 'xy', [25, 75]],
  ['percent', 'yx', [75, 25]],
]

for (const [space, order, place] of SAME) {
  test(`B4 the same point from ${space} in ${order}`, (t) => {
    t.deepEqual(toPixels(place, { space, order, image: IMAGE }), [392, 661.5])
    t.deepEqual(fromPixels([392, 661.5], { space, order, image: IMAGE }), [...place])
  })
}

test('B4 the same rectangle from every space, order and form', (t) => {
  const image = [1000, 500] as const
  for (const [place, declared] of [
    [[100, 50, 200, 100], { space: 'pixels', order: 'xy', form: 'size' }],
    [[50, 100, 100, 200], { space: 'pixels', order: 'yx', form: 'size' }],
    [[100, 50, 300, 150], { space: 'pixels', order: 'xy', form: 'corners' }],
    [[100, 100, 300, 300], { space: '0..1000', order: 'yx', form: 'corners' }],
    [[0.1, 0.1, 0.2, 0.2], { space: 'fractions', order: 'xy', form: 'size' }],
    [[10, 10, 30, 30], { space: 'percent', order: 'xy', form: 'corners' }],
  ] as const) {
    const got = toPixels(place as Rect, { ...declared, image })
    const wanted = [100, 50, 200, 100]
    t.true(
      got.every((value, index) => Math.abs(value - (wanted[index] as number)) < 1e-9),
      `${got}`,
    )
  }
})

const anyDeclared = fc.record({
  space: fc.constantFrom(...SPACES),
  order: fc.constantFrom(...ORDERS),
  image: fc.tuple(fc.integer({ min: 1, max: 8000 }), fc.integer({ min: 1, max: 8000 })),
})
const share = fc.double({ min: 0, max: 1, noNaN: true })
const near = (a: number, b: number) => Math.abs(a - b) < 1e-6

test('points come back, at every space and order', (t) => {
  fc.assert(
    fc.property(anyDeclared, share, share, (declared, u, v) => {
      const pixel = [u * declared.image[0], v * declared.image[1]] as const
      const there = fromPixels(pixel, declared)
      const back = toPixels(there, declared)
      return near(back[0], pixel[0]) && near(back[1], pixel[1])
    }),
  )
  t.pass()
})

test('rectangles come back, at every space, order and form, and never reach beyond the picture', (t) => {
  fc.assert(
    fc.property(
      anyDeclared,
      fc.constantFrom('size' as const, 'corners' as const),
      fc.tuple(share, share, share, share),
      (base, form, [a, b, c, d]) => {
        const declared: DeclaredRect = { ...base, form }
        const [width, height] = declared.image
        const [left, right] = [Math.min(a, b) * width, Math.max(a, b) * width]
        const [top, bottom] = [Math.min(c, d) * height, Math.max(c, d) * height]
        fc.pre(right - left > 1e-3 && bottom - top > 1e-3)
        const rect = [left, top, right - left, bottom - top] as const
        const back = toPixels(fromPixels(rect, declared), declared)
        return (
          back.every((value, index) => near(value, rect[index] as number)) &&
          back[0] + back[2] <= width + 1e-9 &&
          back[1] + back[3] <= height + 1e-9
        )
      },
    ),
  )
  t.pass()
})

test('all four corners are exact, at every space, order and size', (t) => {
  fc.assert(
    fc.property(anyDeclared, fc.boolean(), fc.boolean(), (declared, far, low) => {
      const extent = {
        pixels: declared.image,
        '0..1000': [1000, 1000],
        fractions: [1, 1],
        percent: [100, 100],
      }
      const [right = 0, bottom = 0] = extent[declared.space]
      const [x, y] = [far ? right : 0, low ? bottom : 0]
      const place = declared.order === 'xy' ? ([x, y] as const) : ([y, x] as const)
      const [width, height] = declared.image
      t.deepEqual(toPixels(place, declared), [far ? width : 0, low ? height : 0])
      return true
    }),
  )
})

test('pixels to logical points and their share of the display agree, of wholes and of parts', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 1.25, 1.45, 2, 3),
      fc.tuple(fc.integer({ min: 200, max: 4000 }), fc.integer({ min: 200, max: 4000 })),
      fc.boolean(),
      fc.tuple(share, share),
      (scale, size, inPart, [u, v]) => {
        const part: Rect = inPart ? [40, 30, size[0] - 60, size[1] - 50] : [0, 0, size[0], size[1]]
        const image: Size = [Math.round(part[2] * scale), Math.round(part[3] * scale)]
        const display = { logical_size: size }
        const pixel = [u * image[0], v * image[1]] as const
        const [x, y] = toPoints(pixel, { image, display, ...(inPart && { part }) })
        return near(x, part[0] + u * part[2]) && near(y, part[1] + v * part[3])
      },
    ),
  )
  t.deepEqual(toPoints([1568, 882], { image: IMAGE, display: { logical_size: [1920, 1080] } }), [1920, 1080])
  t.deepEqual(
    toPoints([0, 0, 784, 441], { image: IMAGE, display: { logical_size: [1920, 1080] } }),
    [0, 0, 960, 540],
  )
})

const fractions = { space: 'fractions', order: 'xy', image: IMAGE } as const
const thousand = { space: '0..1000', order: 'yx', image: IMAGE } as const
const pixels = { space: 'pixels', order: 'xy', image: IMAGE } as const

/** The field that is named, and what the message says. */
const REFUSED: readonly (readonly [string, readonly unknown[], object, string, RegExp])[] = [
  ['no space', [1, 2], { order: 'xy', image: IMAGE }, 'space', /pixels, 0\.\.1000, .*; it was not declared/],
  ['another space', [1, 2], { ...pixels, space: 'px' }, 'space', /got "px"/],
  ['a name of the prototype', [1, 2], { ...pixels, space: 'constructor' }, 'space', /got "constructor"/],
  ['no order', [1, 2], { space: 'pixels', image: IMAGE }, 'order', /xy, yx; it was not declared/],
  ['no image', [1, 2], { space: 'pixels', order: 'xy' }, 'image', /\[width, height\].*it was not given/],
  ['an image without height', [1, 2], { ...pixels, image: [5, 0] }, 'image', /got \[5,0\]/],
  ['1.2 in fractions', [1.2, 0], fractions, 'x', /x must be 0 to 1 .*space fractions.*; got 1\.2$/],
  ['1001 in 0..1000', [1001, 0], thousand, 'y', /y must be 0 to 1000 from the top .*order yx.*; got 1001$/],
  ['below 0', [0, -1], pixels, 'y', /got -1$/],
  ['a pixel beyond', [1569, 0], pixels, 'x', /0 to 1568 .*a picture of 1568x882, order xy\); got 1569$/],
  ['no number', [Number.NaN, 0], pixels, 'x', /got NaN$/],
  ['no end', [0, Number.POSITIVE_INFINITY], pixels, 'y', /got Infinity$/],
  ['a text', ['50%', 0], pixels, 'x', /got "50%"$/],
  ['three numbers', [1, 2, 3], pixels, 'place', /two numbers or four; got \[1,2,3\]/],
  ['four without a form', [1, 2, 3, 4], pixels, 'form', /size, corners; it was not declared/],
  [
    'corners the wrong way round',
    [5, 5, 4, 9],
    { ...pixels, form: 'corners' },
    'x1',
    /beyond x0, which is 5; got 4/,
  ],
  ['no width', [5, 5, 0, 9], { ...pixels, form: 'size' }, 'width', /above 0 .*got 0/],
  [
    'beyond the edge',
    [0.9, 0, 0.2, 1],
    { ...fractions, form: 'size' },
    'width',
    /space fractions, form size, x 0\.9\); got 0\.2/,
  ],
]

for (const [name, place, declared, field, says] of REFUSED) {
  test(`refused, saying why: ${name}`, (t) => {
    const error = t.throws<SpaceError>(() => toPixels(place as number[], declared as Declared), {
      instanceOf: SpaceError,
      message: says,
    })
    t.is(error?.field, field)
  })
}

test('0.5 in 0..1000 is a legal place: the space was declared', (t) => {
  t.deepEqual(toPixels([0.5, 0.5], { ...thousand, image: [1000, 1000] }), [0.5, 0.5])
})

test('a picture of another shape than its display, or a part off it, is refused', (t) => {
  const display = { logical_size: [1440, 900] as const }
  t.throws(() => toPoints([1, 1], { image: [1568, 882], display }), {
    message: /another shape than the display's 1440x900 logical points; say which part/,
  })
  t.throws(() => toPoints([1, 1], { image: [100, 100], display, part: [0, 0, 100, 50] }), {
    message: /not of that part alone/,
  })
  t.throws(() => toPoints([1, 1], { image: [100, 100], display, part: [1400, 0, 100, 100] }), {
    message: /part must be .*1440x900/,
  })
})
