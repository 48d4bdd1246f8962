import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import type { ListedDisplay } from 'screenshot-desktop'
import { HostUnavailable } from '../host.js'
import { DesktopPictures } from './desktop-pictures.js'
import type { Wanted } from './picture-source.js'

/** A PNG whose every pixel says where it is: red is the column, green the row, blue the display. */
function map(width: number, height: number, blue = 0): Uint8Array {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      context.fillStyle = `rgb(${x},${y},${blue})`
      context.fillRect(x, y, 1, 1)
    }
  }
  return canvas.toBuffer('image/png')
}

const linux = (name: string, x: number, y: number, width: number, height: number): ListedDisplay => ({
  id: name,
  name,
  offsetX: x,
  offsetY: y,
  width,
  height,
})

const wanted = (name: string, x: number, y: number, width: number, height: number, more = {}): Wanted => ({
  id: 1,
  name,
  primary: false,
  bounds: { x, y, width, height },
  ...more,
})

function setup(listed: readonly ListedDisplay[], pictures: Readonly<Record<string, Uint8Array>>) {
  const shot: (string | number)[] = []
  const source = new DesktopPictures(async () => ({
    listDisplays: async () => listed,
    shoot: async (id) => {
      shot.push(id)
      return pictures[id] ?? new Uint8Array()
    },
  }))
  return { source, shot }
}

test('the part that was asked for is cut out of the display that is meant', async (t) => {
  const { source, shot } = setup([linux('A', 0, 0, 100, 80), linux('B', 100, 0, 60, 50)], {
    A: map(100, 80, 1),
    B: map(60, 50, 2),
  })
  const data = await source.take(wanted('B', 100, 0, 60, 50), { x: 10, y: 20, width: 2, height: 2 })
  t.deepEqual(shot, ['B'])
  t.deepEqual([...data], [10, 20, 2, 255, 11, 20, 2, 255, 10, 21, 2, 255, 11, 21, 2, 255])
})

test('of two displays that mirror each other the name decides', async (t) => {
  const { source, shot } = setup([linux('A', 0, 0, 8, 8), linux('B', 0, 0, 8, 8)], { B: map(8, 8) })
  await source.take(wanted('B', 0, 0, 8, 8), { x: 0, y: 0, width: 1, height: 1 })
  t.deepEqual(shot, ['B'])
})

test('a monitor that is a part of a listed display is cut out of it', async (t) => {
  const { source } = setup([linux('screen', 0, 0, 100, 80)], { screen: map(100, 80) })
  const data = await source.take(wanted('right', 60, 10, 40, 70), { x: 5, y: 6, width: 1, height: 1 })
  t.deepEqual([...data], [65, 16, 0, 255])
})

for (const [what, width, height] of [
  ['half as large, as with pixels of another scale', 50, 40],
  ['of another scale in one direction', 100, 40],
  ['a pixel wider', 101, 80],
] as const) {
  test(`a picture that is ${what} is refused, naming both sizes`, async (t) => {
    const { source } = setup([linux('A', 0, 0, 100, 80)], { A: map(width, height) })
    await t.throwsAsync(source.take(wanted('A', 0, 0, 100, 80), { x: 0, y: 0, width: 1, height: 1 }), {
      instanceOf: HostUnavailable,
      message: new RegExp(`has ${width}x${height} pixels, but the display 100x80`),
    })
  })
}

test('a display that is not listed is refused, naming those that are', async (t) => {
  const { source, shot } = setup([linux('A', 0, 0, 100, 80)], {})
  await t.throwsAsync(source.take(wanted('B', 100, 0, 60, 50), { x: 0, y: 0, width: 1, height: 1 }), {
    instanceOf: HostUnavailable,
    message: /display 1 \(B 60x50 at 100,0\); it lists A 100x80 at 0,0/,
  })
  t.deepEqual(shot, [], 'nothing was pictured')
})

test('where displays are listed without places the name decides, then being the primary, and the size has to fit', async (t) => {
  const listed = [
    { id: 0, name: 'Built-in', primary: true },
    { id: 1, name: 'HP', primary: false },
  ]
  const { source, shot } = setup(listed, { 0: map(20, 10), 1: map(9, 9) })
  const area = { x: 0, y: 0, width: 1, height: 1 }
  await source.take(wanted('Built-in', 0, 0, 20, 10), area)
  await source.take(wanted('another name', 0, 0, 20, 10, { primary: true }), area)
  await t.throwsAsync(source.take(wanted('HP', 20, 0, 18, 18), area), { message: /9x9 pixels.*18x18/ })
  await t.throwsAsync(source.take(wanted('unknown', 20, 0, 18, 18), area), { message: /lists no display/ })
  t.deepEqual(shot, [0, 0, 1])
})

test('what is not there, and what is no picture, is said in one line', async (t) => {
  const broken = new DesktopPictures(async () => {
    throw new Error('Command failed: xrandr --current\nsh: xrandr: not found')
  })
  const area = { x: 0, y: 0, width: 1, height: 1 }
  await t.throwsAsync(broken.take(wanted('A', 0, 0, 8, 8), area), {
    instanceOf: HostUnavailable,
    message: 'screenshot-desktop does not work here: Command failed: xrandr --current',
  })
  const { source } = setup([linux('A', 0, 0, 8, 8)], { A: Uint8Array.of(1, 2, 3) })
  await t.throwsAsync(source.take(wanted('A', 0, 0, 8, 8), area), { instanceOf: HostUnavailable })
})
