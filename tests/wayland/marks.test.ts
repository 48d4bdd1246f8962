/** Where marks are on Wayland outputs of any scale and turn, and what pictures of the screen show. */
import { loadImage } from '@napi-rs/canvas'
import test from 'ava'
import { busyMs } from '../support/processor.js'
import { until } from '../support/xserver.js'
import { colourAt } from '../x11/support.js'
import type { Picture } from './clients.js'
import { BLUE, desk, inked, seesInk } from './support.js'
import { grimHere, type OutputOptions, swayVersion } from './sway.js'

const sway = swayVersion !== undefined && grimHere ? test.serial : test.serial.skip

const GREEN = [0x22, 0xaa, 0x44]

/** Outputs of which a logical rectangle's edges are known in physical pixels as `grim` gives them: upright. */
const OUTPUTS: readonly (Required<Omit<OutputOptions, 'position'>> & {
  readonly size: readonly [number, number]
})[] = [
  { mode: '1280x800', scale: 1, transform: 'normal', size: [1280, 800] },
  { mode: '1600x1000', scale: 1.25, transform: 'normal', size: [1280, 800] },
  { mode: '1366x768', scale: 1.25, transform: 'normal', size: [1366 / 1.25, 768 / 1.25] },
  { mode: '1600x1000', scale: 2, transform: 'normal', size: [800, 500] },
  { mode: '1600x1000', scale: 2, transform: '90', size: [500, 800] },
  { mode: '1600x1000', scale: 1.25, transform: 'flipped-270', size: [800, 1280] },
  { mode: '1280x800', scale: 1, transform: '180', size: [1280, 800] },
]

sway('at every scale and turn a mark is where it was put, and in pictures only if asked', async (t) => {
  const at = await desk(t)
  await at.on.window({ size: [200, 150], colour: '22aa44' })
  const client = await at.client()
  for (const { size, ...output } of OUTPUTS) {
    const { mode, scale: k, transform } = output
    const name = `${mode} at scale ${k}, ${transform}`
    await at.on.command(`output HEADLESS-1 mode --custom ${mode} scale ${k} transform ${transform}`)
    await until(name, async () => {
      const [display] = await client.displays()
      return display?.scale === k && same(display.logical_size, size)
    })
    await at.on.command('[title="window"] move absolute position 40 300')
    const before = await settledPicture(at.on)
    await client.highlight({ rect: [100, 100, 200, 100] })
    const shown = await at.on.picture()
    const isInked = (x: number, y: number, picture = shown) =>
      inked(picture.at(Math.round(x * k), Math.round(y * k)))
    for (const [x, y] of [
      [100, 150],
      [300, 150],
      [200, 100],
      [200, 200],
    ] as const) {
      t.true(isInked(x, y), `${name}: ink at ${x},${y}`)
    }
    t.false(isInked(200, 150), `${name}: the inside is clear`)
    t.false(isInked(80, 150), `${name}: beside it is clear`)

    const [left, middle, window] = [100 / size[0], 150 / size[1], [60 / size[0], 320 / size[1]]] as const
    const below = await client.capture({ display_id: 1, max_edge: 4096 })
    const { width, height } = await loadImage(below.path)
    t.deepEqual([width, height], [before.width, before.height], name)
    t.deepEqual(await colourAt(below.path, left, middle), BLUE, name)
    t.deepEqual(await colourAt(below.path, window[0]!, window[1]!), GREEN, name)
    const above = await client.capture({ display_id: 1, max_edge: 4096, marks: true })
    t.true(inked(await colourAt(above.path, left, middle)), name)
    const part = await client.capture({ display_id: 1, rect: [30, 290, 40, 40] })
    t.deepEqual(await colourAt(part.path, 0.9, 0.9), GREEN, name)
    t.deepEqual(await colourAt(part.path, 0.1, 0.1), BLUE, name)

    t.true(isInked(100, 150, await at.on.picture()), `${name}: it is back after the pictures`)
    await client.clear()
    await seesInk(at, [Math.round(100 * k), Math.round(150 * k)], { wanted: false })
    t.true((await at.on.picture()).png.equals(before.png), `${name}: nothing is left`)
  }
})

sway('a picture has none of the marks in it, however often it is taken while they move', async (t) => {
  const at = await desk(t)
  const client = await at.client()
  const { annotation_id } = await client.highlight({ rect: [100, 100, 300, 200], spotlight: true })
  for (let round = 0; round < 8; round++) {
    void client.move({ annotation_id, by: [round % 2 === 0 ? 60 : -60, 0] })
    const { path } = await client.capture({ display_id: 1 })
    for (const u of [0.05, 0.08, 0.2, 0.5]) t.deepEqual(await colourAt(path, u, 0.2), BLUE, `round ${round}`)
  }
})

sway('A4 a daemon that is killed leaves nothing on the screen', async (t) => {
  const at = await desk(t)
  const client = await at.client()
  await client.highlight({ rect: [400, 300, 100, 100], spotlight: true })
  await seesInk(at, [400, 350])
  at.daemon.kill('SIGKILL')
  await seesInk(at, [400, 350], { wanted: false })
  await at.daemon.exited
  const screen = await at.on.picture()
  t.deepEqual(
    [20, 600, 1200].map((x) => screen.at(x, 500)),
    [BLUE, BLUE, BLUE],
  )
})

sway('A17 one settled mark costs nothing: no processor time to speak of, nothing repainted', async (t) => {
  const at = await desk(t)
  const client = await at.client()
  await client.point({ x: 400, y: 300, label: 'still' })
  // The pointer settles, and the collector has its last word.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const before = busyMs(at.daemon.pid)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  t.true(busyMs(at.daemon.pid) - before <= 30, `${busyMs(at.daemon.pid) - before} ms in 3 s`)
})

/** The screen once nothing changes any more. */
async function settledPicture(on: { picture(): Promise<Picture> }): Promise<Picture> {
  let last = await on.picture()
  return until('the screen is still', async () => {
    const [before, now] = [last, await on.picture()]
    last = now
    return before.png.equals(now.png) && now
  })
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.every((side, index) => side === b[index])
}
