import test from 'ava'
import type { PixelRect } from '../../native/index.js'
import { until } from '../support/xserver.js'
import { type Color, over, pixelsThatDiffer, rig, screenshot, show, showsSoon, YELLOW } from './support.js'

const BLUE = [0x33, 0x66, 0x99]
const GREY = [0x80, 0x80, 0x80]
/** Black, 55 per cent. */
const SHADE: Color = [0, 0, 0, 140]
const EVERYTHING: PixelRect = { x: 0, y: 0, width: 1280, height: 800 }
/** All around a hole. */
const SPOTLIGHT: PixelRect[] = [
  { x: 0, y: 0, width: 1280, height: 300 },
  { x: 0, y: 300, width: 300, height: 100 },
  { x: 500, y: 300, width: 780, height: 100 },
  { x: 0, y: 400, width: 1280, height: 400 },
]

for (const screen of ['1280x800x24', '1280x800x16']) {
  test(`a bare ${screen} root under ink that covers all of it is dimmed, never black`, async (t) => {
    const on = await rig(t, { screen })
    const [below] = [await screenshot(on.eye, true)]
    const bare = [...below.data.subarray(0, 3)]
    for (const ink of [[EVERYTHING], SPOTLIGHT]) {
      await show(on.host, ink, SHADE)
      const [seen, under] = [await screenshot(on.eye, true), await screenshot(on.host, false)]
      const dimmed = over(SHADE, bare)
      const far = dimmed.some((channel, at) => Math.abs(channel - seen.data[at]!) > 8)
      t.false(far, `${seen.data.subarray(0, 3)} for ${dimmed}`)
      t.is(pixelsThatDiffer(under, below), 0, 'and the picture without the ink is as it was')
      await show(on.host, [])
      t.is(pixelsThatDiffer(await screenshot(on.eye, true), below), 0)
    }
  })
}

test('a tiled root is seen through the ink, tile by tile, beside windows and after they move', async (t) => {
  const on = await rig(t)
  await on.x.run('xsetroot', '-mod', '16', '16', '-fg', 'red', '-bg', 'blue')
  const below = await screenshot(on.eye, true)
  await show(on.host, [EVERYTHING], SHADE)
  t.is(pixelsThatDiffer(await screenshot(on.host, false), below), 0)
  const seen = await screenshot(on.eye, true)
  let wrong = 0
  for (let at = 0; at < seen.data.length; at += 4) {
    const want = over(SHADE, [...below.data.subarray(at, at + 3)])
    if (want.some((channel, index) => Math.abs(channel - seen.data[at + index]!) > 1)) wrong += 1
  }
  t.is(wrong, 0)
  const xev = on.x.spawn('xev', ['-geometry', '400x300+100+80', '-bw', '0', '-name', 'over'])
  await showsSoon(t, on.eye, [200, 200], over(SHADE, [255, 255, 255]))
  xev.kill()
  await until('the root is there again', async () => {
    return pixelsThatDiffer(await screenshot(on.eye, true), seen) === 0
  })
  t.is(pixelsThatDiffer(await screenshot(on.host, false), below), 0)
})

test('a compositor that ends and comes back under a full-screen spotlight leaves the root dimmed', async (t) => {
  const on = await rig(t, { compositor: true })
  await show(on.host, SPOTLIGHT, SHADE)
  await showsSoon(t, on.eye, [900, 600], over(SHADE, GREY))
  const under = await screenshot(on.host, false)
  t.deepEqual([...under.data.subarray(0, 3)], GREY, 'as the compositor shows it')
  await on.x.stopCompositor()
  await showsSoon(t, on.eye, [900, 600], over(SHADE, BLUE))
  await show(on.host, [EVERYTHING], SHADE)
  await showsSoon(t, on.eye, [400, 350], over(SHADE, BLUE))
  await on.x.startCompositor()
  await showsSoon(t, on.eye, [900, 600], over(SHADE, GREY))
})

test('a root that gets another colour is seen as such with the next drawing', async (t) => {
  const on = await rig(t)
  const ink = { x: 200, y: 150, width: 300, height: 150 }
  await show(on.host, [ink])
  await showsSoon(t, on.eye, [350, 220], over(YELLOW, BLUE))
  await on.x.run('xsetroot', '-solid', '#996633')
  await show(on.host, [ink])
  await showsSoon(t, on.eye, [350, 220], over(YELLOW, [0x99, 0x66, 0x33]))
  // With no bare spot left to see it by, the next time there is ink.
  await show(on.host, [EVERYTHING], SHADE)
  await on.x.run('xsetroot', '-solid', '#336699')
  await show(on.host, [])
  await show(on.host, [EVERYTHING], SHADE)
  await showsSoon(t, on.eye, [350, 220], over(SHADE, BLUE))
})

test('the background of the root is taken once, not with every drawing', async (t) => {
  const on = await rig(t)
  const xev = on.x.spawn('xev', ['-root', '-event', 'substructure'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let seen = ''
  xev.stdout!.on('data', (chunk) => {
    seen += chunk
  })
  await show(on.host, [EVERYTHING], SHADE)
  await until('it is told', () => seen.includes('DestroyNotify'))
  for (let round = 0; round < 20; round++) await show(on.host, [EVERYTHING], round % 2 === 0 ? YELLOW : SHADE)
  t.is(seen.match(/DestroyNotify/g)!.length, 1)
})
