/** Marks on Wayland take nothing from the person: clicks, motion, scrolling and keys reach the windows below. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import { until } from '../support/xserver.js'
import type { WaylandWindow } from './clients.js'
import { kwinHere, startKWin } from './kwin.js'
import { desk, deskOn, seesInk } from './support.js'
import { grimHere, swayVersion } from './sway.js'

const run = promisify(execFile)
const sway = swayVersion !== undefined && grimHere ? test.serial : test.serial.skip
const kwin = kwinHere ? test.serial : test.serial.skip

/** On the edge of a mark, on a caption or a pointer, within, and beside. */
const PLACES = [
  [101, 101],
  [200, 170],
  [298, 248],
  [20, 20],
] as const

for (const fullscreen of [false, true]) {
  const how = fullscreen ? 'a full-screen' : 'a floating'
  sway(
    `A1 A3 A10 sway at scales 1, 1.25 and 2: ${how} window gets every click, motion and scroll`,
    async (t) => {
      const at = await desk(t, { outputs: [{ mode: '1600x1000' }] })
      const window = await at.on.window({ size: [500, 400], fullscreen })
      const client = await at.client()
      const hand = await at.on.hand()
      const [left, top] = fullscreen ? [0, 0] : [60, 50]
      for (const scale of [1, 1.25, 2]) {
        await at.on.command(`output HEADLESS-1 scale ${scale}`)
        await until('the display has it', async () => (await client.displays())[0]?.scale === scale)
        if (fullscreen) await window.gets('shown', { width: 1600 / scale })
        else await at.on.command(`[title="window"] move absolute position ${left} ${top}`)
        const { annotation_id } = await client.highlight({
          rect: [left + 100, top + 100, 200, 150],
          spotlight: true,
          label: 'below',
        })
        await client.point({ x: left + 200, y: top + 170, label: 'click here' })
        await hand.move(left + 5, top + 5)
        for (const by of [7, -7]) {
          for (const [x, y] of PLACES) {
            window.taken()
            await hand.move(left + x, top + y)
            await window.gets('motion', { x, y })
            await hand.click()
            await window.gets('button', { down: true })
            await window.gets('button', { down: false })
            await hand.scroll(15)
            await window.gets('axis', { axis: 0, by: 15 })
          }
          await client.move({ annotation_id, by: [by, 0] })
        }
        await client.clear()
      }
      t.pass()
    },
  )
}

sway(
  'A1 B6 sway with two outputs of different scales: both take clicks below their marks, also turned',
  async (t) => {
    const at = await desk(t, {
      outputs: [
        { mode: '1600x1000', scale: 1.25, position: [0, 0] },
        { mode: '1600x1000', scale: 2, transform: '90', position: [1280, 0] },
      ],
    })
    const client = await at.client()
    const displays = await client.displays()
    t.deepEqual(
      displays.map(({ id, scale, logical_size, origin }) => [id, scale, logical_size, origin]),
      [
        [1, 1.25, [1280, 800], [0, 0]],
        [2, 2, [500, 800], [1280, 0]],
      ],
    )
    const hand = await at.on.hand()
    for (const [display_id, left] of [
      [1, 0],
      [2, 1280],
    ] as const) {
      await at.on.command(`focus output HEADLESS-${display_id}`)
      const window = await at.on.window({ fullscreen: true })
      await client.highlight({ rect: [100, 100, 200, 150], display_id, spotlight: true })
      await hand.move(left + 200, 150)
      await window.gets('motion', { x: 200, y: 150 })
      await hand.click()
      await window.gets('button', { down: false })
      await hand.scroll(-15)
      await window.gets('axis', { axis: 0, by: -15 })
    }
  },
)

sway('A15 a mark is above a full-screen window, which keeps the keyboard: every key arrives', async (t) => {
  const at = await desk(t)
  const window = await at.on.window({ fullscreen: true, colour: '204060' })
  const typing = run('wtype', ['-s', '300', '-d', '5', 'abcdefghij'.repeat(10)], { env: at.on.env })
  await window.gets('focus')
  const client = await at.client()
  for (let index = 0; index < 10; index++) {
    const { annotation_id } = await client.highlight({ rect: [600, 400, 200, 100] })
    await client.clear(annotation_id)
  }
  await typing
  await until('all keys arrive', () => pressed(window) === 100).catch(() => {})
  t.is(pressed(window), 100)
  await client.highlight({ rect: [600, 400, 200, 100] })
  await seesInk(at, [600, 450], { ground: [0x20, 0x40, 0x60] })
})

kwin('A1 A3 KWin: a full-screen window gets every click, motion and scroll below marks', async (t) => {
  const on = await startKWin({ size: [1280, 800] })
  t.teardown(() => on.stop())
  const window = await on.window({ fullscreen: true })
  const hand = await on.hand()
  const at = await deskOn(t, on)
  const client = await at.client()
  await client.highlight({ rect: [100, 100, 400, 300], spotlight: true })
  for (const [x, y] of [
    [320, 200],
    [101, 101],
    [30, 30],
  ] as const) {
    await hand.move(x, y)
    await window.gets('motion', { x, y })
    window.taken()
    await hand.click()
    await window.gets('button', { down: false })
    await hand.scroll(15)
    await window.gets('axis', { axis: 0 })
  }
  t.pass()
})

function pressed(window: WaylandWindow): number {
  return window.events.filter(({ event, down }) => event === 'key' && down).length
}
