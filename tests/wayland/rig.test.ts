/** The compositors of these tests are what they are taken for: input reaches windows, and pictures show them. */
import test from 'ava'
import { kwinHere, startKWin } from './kwin.js'
import { grimHere, startSway, swayVersion } from './sway.js'

const sway = swayVersion !== undefined && grimHere ? test : test.skip
const kwin = kwinHere ? test : test.skip

sway('sway: a window gets motion, clicks and scrolling, and a picture shows it', async (t) => {
  const desk = await startSway({ outputs: [{ mode: '1600x1000', scale: 1.25 }] })
  t.teardown(() => desk.stop())
  const window = await desk.window({ colour: '22aa44', fullscreen: true })
  await window.gets('shown', { width: 1280, height: 800 })
  const hand = await desk.hand()
  await window.gets('enter')
  await hand.move(320, 200)
  await window.gets('motion', { x: 320, y: 200 })
  await hand.click()
  await window.gets('button', { button: 272, down: false })
  await hand.scroll(15)
  await window.gets('axis', { axis: 0, by: 15 })
  const picture = await desk.picture()
  t.deepEqual([picture.width, picture.height, ...picture.at(800, 500)], [1600, 1000, 0x22, 0xaa, 0x44])
})

sway('sway: outputs have scales and turns, come and go', async (t) => {
  const desk = await startSway({ hotplug: true, outputs: [{}, { mode: '1600x1000', transform: '90' }] })
  t.teardown(() => desk.stop())
  const rects = async () =>
    (await desk.outputs())
      .map(({ name, rect }) => [name, rect.width, rect.height] as const)
      .sort(([a], [b]) => a.localeCompare(b))
  t.deepEqual(await rects(), [
    ['WL-1', 1280, 800],
    ['WL-2', 1000, 1600],
  ])
  const name = await desk.plug({ mode: '1920x1080', scale: 2 })
  t.deepEqual((await rects())[2], [name, 960, 540])
  await desk.unplug('WL-2')
  t.deepEqual(
    (await rects()).map(([named]) => named),
    ['WL-1', name],
  )
})

kwin('KWin: a window gets motion, clicks and scrolling', async (t) => {
  const desk = await startKWin({ size: [1280, 800] })
  t.teardown(() => desk.stop())
  const window = await desk.window({ fullscreen: true })
  await window.gets('shown', { width: 1280, height: 800 })
  const hand = await desk.hand()
  await hand.move(320, 200)
  await window.gets('enter')
  await hand.move(640, 400)
  await window.gets('motion', { x: 640, y: 400 })
  await hand.click()
  await window.gets('button', { button: 272, down: false })
  await hand.scroll(15)
  await window.gets('axis', { axis: 0 })
  t.true((await desk.globals()).includes('zwlr_layer_shell_v1'))
})
