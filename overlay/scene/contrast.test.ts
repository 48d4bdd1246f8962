import test from 'ava'
import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { pixels, type Screen, screen, stage } from '../../tests/golden/canvas.js'
import { type Backdrop, contrast, ENOUGH, palette, type Rgb } from './index.js'

const SIZE: Size = [240, 160]

const backgrounds: Record<string, (on: Screen) => void> = {
  amber: (on) => plain(on, palette.amber),
  black: (on) => plain(on, '#000'),
  white: (on) => plain(on, '#fff'),
  grey: (on) => plain(on, '#808080'),
  photograph: (on) => noise(on),
}

const marks: Mark[] = [
  { kind: 'point', id: 'm', at: [120, 80] },
  { kind: 'highlight', id: 'm', rect: [60, 40, 120, 70], shape: 'rect', spotlight: false },
  { kind: 'highlight', id: 'm', rect: [60, 40, 120, 70], shape: 'ellipse', spotlight: false },
  {
    kind: 'draw',
    id: 'm',
    path: [
      [30, 80],
      [200, 80],
    ],
  },
  {
    kind: 'arrow',
    id: 'm',
    path: [
      [30, 80],
      [200, 80],
    ],
  },
]

/** Where each mark's ink runs, and which way leads off it. */
const along: ((share: number) => { on: Point; off: Point })[] = [
  (share) => onCircle([120, 80], 10, 10, 0.25 + share * 0.5 + 0.25),
  (share) => ({ on: [70 + share * 100, 35.5], off: [0, -1] }),
  (share) => onCircle([120, 75], 64.5, 39.5, share),
  (share) => ({ on: [35 + share * 150, 80], off: [0, -1] }),
  (share) => ({ on: [35 + share * 130, 80], off: [0, -1] }),
]

for (const [name, fill] of Object.entries(backgrounds)) {
  marks.forEach((mark, index) => {
    const title = `${mark.kind}${'shape' in mark ? ` (${mark.shape})` : ''}`
    test(`over ${name}, the painted ink of a ${title} is at 3:1 all along`, (t) => {
      const on = screen(SIZE, 2)
      fill(on)
      const under = pixels(on)
      const show = stage(SIZE, 2, true)
      show.put(mark, 0, backdrops(on, show.inkOf(mark)))
      show.frame(0)
      show.paint(on.context, [0, 0, ...SIZE], 0)
      const painted = pixels(on)
      for (let step = 0; step < 40; step++) {
        const place = (along[index] as (typeof along)[0])(step / 40)
        const ink = at(painted, place.on)
        // What the eye sees the ink against: its casing, and the untouched background beyond everything drawn.
        const casing = [2, 2.5, 3, 3.5].map((by) => contrast(ink, at(painted, beyond(place, by))))
        const outside = contrast(ink, at(under, beyond(place, 9)))
        const best = Math.max(...casing)
        t.true(best >= ENOUGH || outside >= ENOUGH, `${place.on}: casing ${best}, out ${outside}`)
        if (name !== 'photograph') t.true(outside >= ENOUGH, `${place.on}: ${outside}`)
        else t.true(best >= ENOUGH, `${place.on}: ${best}`)
      }
    })
  })
}

test('a colour the client named is painted as named, whatever is under it', (t) => {
  const on = screen(SIZE, 2)
  plain(on, '#00ff00')
  const show = stage(SIZE, 2, true)
  const mark: Mark = {
    kind: 'draw',
    id: 'm',
    path: [
      [30, 80],
      [200, 80],
    ],
    color: '#00ff00',
  }
  t.deepEqual(show.inkOf(mark), [])
  show.put(mark, 0)
  show.paint(on.context, [0, 0, ...SIZE], 0)
  t.deepEqual(at(pixels(on), [100, 80]), [0, 255, 0])
})

function onCircle([x, y]: Point, rx: number, ry: number, share: number) {
  const angle = share * 2 * Math.PI
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const length = Math.hypot(cos / rx, sin / ry)
  const on: Point = [x + rx * cos, y + ry * sin]
  return { on, off: [cos / rx / length, sin / ry / length] as Point }
}

function beyond({ on, off }: { on: Point; off: Point }, by: number): Point {
  return [on[0] + off[0] * by, on[1] + off[1] * by]
}

function at(data: Uint8ClampedArray, [x, y]: Point): Rgb {
  const offset = (Math.floor(y * 2) * SIZE[0] * 2 + Math.floor(x * 2)) * 4
  return [data[offset] ?? 0, data[offset + 1] ?? 0, data[offset + 2] ?? 0]
}

function backdrops({ context }: Screen, rects: readonly Rect[]): Backdrop[] {
  return rects.map((rect) => {
    const [x, y, width, height] = rect.map((value) => Math.round(value * 2)) as [
      number,
      number,
      number,
      number,
    ]
    return { data: context.getImageData(x, y, width, height).data, width, height, rect }
  })
}

function plain({ context }: Screen, color: string): void {
  context.fillStyle = color
  context.fillRect(0, 0, ...SIZE)
}

/** Blobs of every size and colour, light and dark, always the same. */
function noise({ context }: Screen): void {
  let seed = 7
  const random = () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
  for (let i = 0; i < 3000; i++) {
    context.fillStyle = `hsl(${random() * 360}, ${random() * 100}%, ${random() * 100}%)`
    context.beginPath()
    context.arc(random() * SIZE[0], random() * SIZE[1], 1 + random() * 14, 0, 7)
    context.fill()
  }
}
