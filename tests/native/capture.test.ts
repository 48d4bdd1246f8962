import test from 'ava'
import type { CaptureResult, PixelRect } from '../../native/index.js'
import { until } from '../support/xserver.js'
import {
  near,
  over,
  pixel,
  pixelsThatDiffer,
  RED,
  type Rig,
  rig,
  screenshot,
  show,
  showsSoon,
  YELLOW,
} from './support.js'
import { setWallpaper } from './wallpaper.js'

const INK: PixelRect[] = [
  { x: 180, y: 120, width: 400, height: 300 },
  { x: 700, y: 20, width: 150, height: 150 },
  { x: 900, y: 600, width: 380, height: 200 },
]

/** Overlapping windows with text, one of them shaped by nothing and one with a border. */
async function desktop({ x, eye }: Rig): Promise<void> {
  x.spawn('xterm', [
    '-T',
    'one',
    '-geometry',
    '80x24+100+80',
    '-bg',
    '#fffff0',
    '+bc',
    '-e',
    'seq 1 20; sleep 99',
  ])
  await x.windowNamed('one')
  x.spawn('xterm', [
    '-T',
    'two',
    '-geometry',
    '60x20+350+250',
    '-bg',
    '#203040',
    '-bw',
    '5',
    '-e',
    'seq 100 115; sleep 99',
  ])
  await x.windowNamed('two')
  let last = await screenshot(eye, true)
  await until('the windows have drawn', async () => {
    const next = await screenshot(eye, true)
    const still = near(await pixel(eye, 120, 300), [0xff, 0xff, 0xf0]) && pixelsThatDiffer(last, next) === 0
    last = next
    return still
  })
}

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test(`${way}, the screen without our ink is the screen before it, pixel for pixel`, async (t) => {
    const on = await rig(t, { compositor })
    await desktop(on)
    const seen = await screenshot(on.eye, true)
    const before = await screenshot(on.host, false)
    t.is(pixelsThatDiffer(before, seen), 0, 'without ink it is what anyone sees')
    await show(on.host, INK)
    await showsSoon(t, on.eye, [720, 40], over(YELLOW, under(before, 720, 40)))
    t.is(pixelsThatDiffer(await screenshot(on.host, false), before), 0)
    t.true(pixelsThatDiffer(await screenshot(on.host, true), before) > 100_000)
    await show(on.host, INK.slice(0, 1), RED)
    t.is(pixelsThatDiffer(await screenshot(on.host, false), before), 0)
    await show(on.host, [])
    t.is(pixelsThatDiffer(await screenshot(on.host, false), before), 0)
    await until(
      'the ink is off the screen',
      async () => pixelsThatDiffer(await screenshot(on.eye, true), seen) === 0,
    )
    t.pass()
  })

  test(`${way}, a part of the screen is that part of the whole`, async (t) => {
    const on = await rig(t, { compositor })
    await desktop(on)
    await show(on.host, INK)
    const whole = await screenshot(on.host, false)
    const rect = { x: 333, y: 217, width: 251, height: 133 }
    const part = await screenshot(on.host, false, rect)
    t.deepEqual([part.width, part.height, part.data.length], [251, 133, 251 * 133 * 4])
    for (let row = 0; row < rect.height; row++) {
      const start = ((rect.y + row) * whole.width + rect.x) * 4
      const line = part.data.subarray(row * rect.width * 4, (row + 1) * rect.width * 4)
      if (!line.equals(whole.data.subarray(start, start + rect.width * 4)))
        return t.fail(`row ${row} differs`)
    }
    t.is(part.data[3], 255)
  })
}

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test(`${way}, a wallpaper is seen through the ink, and in the picture without it`, async (t) => {
    const on = await rig(t, { compositor })
    const wallpaper = await setWallpaper(on.x.display, 1280, 800)
    t.teardown(() => wallpaper.destroy())
    await showsSoon(t, on.eye, [1000, 3], [0xd0, 0xa0, 0x70])
    await showsSoon(t, on.eye, [1000, 10], [0x30, 0x50, 0x20])
    await desktop(on)
    const before = await screenshot(on.host, false)
    t.is(pixelsThatDiffer(before, await screenshot(on.eye, true)), 0)
    await show(on.host, [...INK, { x: 0, y: 700, width: 200, height: 100 }])
    await showsSoon(t, on.eye, [50, 703], over(YELLOW, under(before, 50, 703)))
    await showsSoon(t, on.eye, [50, 710], over(YELLOW, under(before, 50, 710)))
    t.is(pixelsThatDiffer(await screenshot(on.host, false), before), 0)
  })
}

test('windows that vanish while they are captured do no harm', async (t) => {
  const on = await rig(t)
  await show(on.host, INK)
  let going = true
  const churn = (async () => {
    for (let round = 0; round < 12; round++) {
      const xev = on.x.spawn('xev', ['-geometry', '600x400+150+100', '-name', `churn${round}`])
      await on.x.windowNamed(`churn${round}`)
      xev.kill('SIGKILL')
    }
    going = false
  })()
  let captures = 0
  while (going) {
    const { width, height, data } = await screenshot(on.host, false)
    t.is(data.length, width * height * 4)
    captures += 1
  }
  await churn
  t.true(captures > 5, `${captures} captures`)
  await showsSoon(t, on.eye, [350, 220], over(YELLOW, [0x33, 0x66, 0x99]))
})

function under({ data, width }: CaptureResult, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]
}

for (const compositor of [true, false]) {
  test(`of a shaped window only its shape is pictured, ${compositor ? 'with' : 'without'} a compositor`, async (t) => {
    const on = await rig(t, { compositor })
    on.x.spawn('xeyes', ['-geometry', '240x160+300+200', '+render'])
    await on.x.windowNamed('xeyes')
    let before = await screenshot(on.eye, true)
    await until('the eyes are drawn', async () => {
      const last = before
      before = await screenshot(on.eye, true)
      return (
        pixelsThatDiffer(last, before) === 0 &&
        !near(await pixel(on.eye, 360, 280), await pixel(on.eye, 302, 202))
      )
    })
    await show(on.host, [{ x: 250, y: 150, width: 340, height: 260 }])
    t.is(pixelsThatDiffer(await screenshot(on.host, false), before), 0)
  })
}
