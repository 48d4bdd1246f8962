import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { ExecutionContext } from 'ava'
import test from 'ava'
import { type Answer, agent } from '../mcp/support.js'
import { until, type XMonitor } from '../support/xserver.js'
import { noise, paint } from './paint.js'
import { type Desk, desk } from './support.js'

/** The square that is looked for: its colour is nowhere else. */
const MAGENTA = 0xff00ff
const SIDE = 40

interface Layout {
  readonly screen: string
  readonly scale: string
  readonly monitors?: readonly XMonitor[]
  /** The display the square is on, and its top left on the root, in pixels. */
  readonly display: string
  readonly square: readonly [number, number]
  readonly origin?: readonly [number, number]
}

const monitor = (name: string, x: number, y: number, width: number, height: number): XMonitor => ({
  name,
  x,
  y,
  width,
  height,
})
const SIDE_BY_SIDE = [monitor('*main', 0, 0, 1280, 800), monitor('other', 1280, 0, 1920, 1080)]
const LEFT_AND_ABOVE = [monitor('*main', 800, 164, 1280, 800), monitor('other', 0, 0, 800, 900)]

const layouts: Readonly<Record<string, Layout>> = {
  'scale 1': { screen: '1280x800x24', scale: '1', display: 'screen', square: [903, 211] },
  'scale 1, a screen that is shrunk': {
    screen: '2560x1440x24',
    scale: '1',
    display: 'screen',
    square: [2101, 1207],
  },
  'scale 2': { screen: '2560x1600x24', scale: '2', display: 'screen', square: [333, 1371] },
  'scale 1.25': { screen: '1920x1080x24', scale: '1.25', display: 'screen', square: [1777, 61] },
  'two monitors, the first': {
    screen: '3200x1080x24',
    scale: 'main=2,other=1',
    monitors: SIDE_BY_SIDE,
    display: 'main',
    square: [1003, 611],
    origin: [0, 0],
  },
  'two monitors, the second': {
    screen: '3200x1080x24',
    scale: 'main=1,other=2',
    monitors: SIDE_BY_SIDE,
    display: 'other',
    square: [2503, 811],
    origin: [640, 0],
  },
  'a monitor of a negative origin': {
    screen: '2080x964x24',
    scale: 'main=1,other=1.25',
    monitors: LEFT_AND_ABOVE,
    display: 'other',
    square: [211, 703],
    origin: [-640, -131.2],
  },
  'the primary, right of and below another': {
    screen: '2080x964x24',
    scale: 'main=1,other=2',
    monitors: LEFT_AND_ABOVE,
    display: 'main',
    square: [1801, 301],
    origin: [0, 0],
  },
}

interface Displayed {
  readonly id: number
  readonly name: string
  readonly origin: readonly number[]
}

async function desked(t: ExecutionContext, { screen, scale, monitors }: Omit<Layout, 'display' | 'square'>) {
  const on = await desk(t, { screen, env: { LETS_SCALE: scale }, ...(monitors && { monitors }) })
  return { ...on, ...(await agent(t, on.daemon.env)) }
}

for (const [name, layout] of Object.entries(layouts)) {
  test.serial(`what is pointed at in a picture is marked on the root: ${name}`, async (t) => {
    const on = await desked(t, layout)
    const [left, top] = layout.square
    await paint(t, on.x, { x: left, y: top, width: SIDE, height: SIDE, pixels: () => MAGENTA })
    const displays = (await on.call('list_displays')).fields.displays as Displayed[]
    const display = displays.find((one) => one.name === layout.display) ?? displays[0]
    if (layout.origin) t.deepEqual(display?.origin, layout.origin)
    await until('the square is in the picture', async () =>
      pixelsOf(await on.call('look', { display_id: display?.id })).then((seen) => centre(seen) !== null),
    )
    const looked = await on.call('look', { display_id: display?.id })
    const seen = await pixelsOf(looked)
    t.deepEqual([seen.width, seen.height], looked.fields.image_size)
    const [x, y] = centre(seen) as [number, number]
    const before = await rootAround(on, left, top)
    const pointed = await on.call('point_at', { frame: looked.fields.frame_id, x, y })
    t.false(pointed.isError, pointed.text)
    // The pointer goes on to another mark: what stays is a ring around the place.
    await on.call('point_at', { display_id: display?.id, at: left > 600 ? 'left' : '95%,5%' })
    let ring: readonly number[] = []
    await until('the ring is around the square', async () => {
      ring = ringCentre(before, await rootAround(on, left, top))
      return off(ring) <= 2
    }).catch(() => {})
    t.true(off(ring) <= 2, `the ring's centre is off by ${off(ring)} pixels`)
  })
}

/** Half of the part of the root that is looked at, in pixels. */
const REACH = 60

async function rootAround({ eye }: Desk, left: number, top: number): Promise<Buffer> {
  const at = (corner: number) => corner + SIDE / 2 - REACH
  const rect = { x: at(left), y: at(top), width: 2 * REACH, height: 2 * REACH }
  return Buffer.from((await eye.capture({ ...rect, overlay: true })).data)
}

/** The middle of what is different, relative to the middle of the part; far away when nothing is. */
function ringCentre(before: Buffer, after: Buffer): readonly [number, number] {
  const [xs, ys]: [number[], number[]] = [[], []]
  for (let at = 0; at < before.length; at += 4) {
    const differs = [0, 1, 2].some((channel) => Math.abs(before[at + channel]! - after[at + channel]!) > 40)
    if (!differs) continue
    xs.push((at / 4) % (2 * REACH))
    ys.push(Math.floor(at / 4 / (2 * REACH)))
  }
  const middle = (all: number[]) => (Math.min(...all) + Math.max(...all) + 1) / 2 - REACH
  return xs.length === 0 ? [999, 999] : [middle(xs), middle(ys)]
}

const off = ([x = 999, y = 999]: readonly number[]) => Math.max(Math.abs(x), Math.abs(y))

interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

async function pixelsOf({ image, text }: Answer): Promise<Pixels> {
  if (!image) throw new Error(text)
  const decoded = await loadImage(Buffer.from(image.data, 'base64'))
  const context = createCanvas(decoded.width, decoded.height).getContext('2d')
  context.drawImage(decoded, 0, 0)
  return context.getImageData(0, 0, decoded.width, decoded.height)
}

/** The middle of what is magenta, in image pixels. */
function centre({ width, data }: Pixels): [number, number] | null {
  let [sumX, sumY, count] = [0, 0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    if (red < 200 || green > 90 || blue < 200) continue
    sumX += (at / 4) % width
    sumY += Math.floor(at / 4 / width)
    count++
  }
  return count === 0 ? null : [sumX / count + 0.5, sumY / count + 0.5]
}

for (const [name, screen, scale, harsh] of [
  ['a 4K screen', [3840, 2160], '1', false],
  ['a 5K screen of scale 2', [5120, 2880], '2', false],
  ['a screen that is not shrunk', [1424, 800], '1', false],
  ['a screen that is not shrunk, of black, white and pure colours', [1424, 800], '1', true],
  ['a very wide screen', [3840, 400], '1', false],
] as const) {
  test.serial(
    `B7 noise on ${name} fits in a message, and its pixels are still those of the frame`,
    async (t) => {
      const [width, height] = screen
      const on = await desked(t, { screen: `${width}x${height}x24`, scale })
      const grain = noise(harsh)
      const [left, top] = [width - 500, height - 300]
      const isSquare = (index: number) => {
        const [x, y] = [index % width, Math.floor(index / width)]
        return x >= left && x < left + 120 && y >= top && y < top + 120
      }
      await paint(t, on.x, {
        x: 0,
        y: 0,
        width,
        height,
        pixels: (index) => (isSquare(index) ? 0x000000 : grain()),
      })
      await until('the noise is seen', async () => (await on.call('look')).image?.mimeType === 'image/jpeg')
      const looked = await on.call('look')
      const seen = await pixelsOf(looked)
      t.true((looked.image?.data.length ?? 0) <= 1_000_000, `${looked.image?.data.length} characters`)
      t.log(looked.image?.mimeType, `${seen.width}x${seen.height}`, looked.image?.data.length)
      const whole = JSON.stringify(await on.mcp.callTool({ name: 'look', arguments: {} })).length
      t.true(whole < 1024 * 1024, `${whole} characters in all`)
      t.deepEqual([seen.width, seen.height], looked.fields.image_size)
      t.true(Math.max(seen.width, seen.height) <= 1568)
      // The middle of the black square, as a share of the picture, is where it is on the screen.
      const black = blackCentre(seen)
      t.true(Math.abs(black[0] / seen.width - (left + 60) / width) < 2 / seen.width, `${black}`)
      t.true(Math.abs(black[1] / seen.height - (top + 60) / height) < 2 / seen.height, `${black}`)
      const pointed = await on.call('highlight', {
        frame: looked.fields.frame_id,
        rect: [seen.width - 40, seen.height - 40, 40, 40],
      })
      t.false(pointed.isError, pointed.text)
    },
  )
}

/** The middle of what is black all around: single grains of the noise are, too. */
function blackCentre({ width, height, data }: Pixels): [number, number] {
  const isBlack = (x: number, y: number) => {
    const at = (y * width + x) * 4
    return data[at]! + data[at + 1]! + data[at + 2]! < 80
  }
  const [xs, ys]: [number[], number[]] = [[], []]
  for (let y = 3; y < height - 3; y++) {
    for (let x = 3; x < width - 3; x++) {
      if (![-3, 0, 3].every((dx) => [-3, 0, 3].every((dy) => isBlack(x + dx, y + dy)))) continue
      xs.push(x)
      ys.push(y)
    }
  }
  const middle = (all: number[]) => (Math.min(...all) + Math.max(...all) + 1) / 2
  return [middle(xs), middle(ys)]
}
