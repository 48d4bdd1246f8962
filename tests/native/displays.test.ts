import test from 'ava'
import type { Monitor, X11Event } from '../../native/index.js'
import { until, type XMonitor, type XServer } from '../support/xserver.js'
import { native, over, pixel, RED, rig, show, showsSoon, YELLOW } from './support.js'

const LEFT: XMonitor = { name: 'left', x: 0, y: 0, width: 640, height: 800 }
const RIGHT: XMonitor = { name: 'right', x: 640, y: 0, width: 640, height: 800 }
const BLUE = [0x33, 0x66, 0x99]
const SQUARE = { x: 100, y: 100, width: 100, height: 100 }

type Displays = Extract<X11Event, { type: 'displays' }>

function displayEvents(events: X11Event[]): Displays[] {
  return events.filter((event) => event.type === 'displays')
}

function named(monitors: Monitor[]): Record<string, number[]> {
  return Object.fromEntries(monitors.map(({ name, x, y, width, height }) => [name, [x, y, width, height]]))
}

async function resize(x: XServer, width: number, height: number): Promise<void> {
  const mode = `${width}x${height}`
  const timings = [width, width + 1, width + 2, width + 3, height, height + 1, height + 2, height + 3].map(
    String,
  )
  await x.run('xrandr', '--newmode', mode, '60', ...timings)
  await x.run('xrandr', '--addmode', 'screen', mode)
  await x.run('xrandr', '--output', 'screen', '--mode', mode)
}

test('two monitors are two displays, each drawn on in its own coordinates', async (t) => {
  const on = await rig(t, { monitors: [LEFT, RIGHT], compositor: true })
  const { epoch, monitors } = await on.host.monitors()
  t.is(epoch, 1)
  t.deepEqual(named(monitors), { left: [0, 0, 640, 800], right: [640, 0, 640, 800] })
  t.deepEqual(await native.listDisplays({ display: on.x.display, timeoutMs: 2000 }), monitors)
  await show(on.host, [SQUARE], RED, 'right')
  await show(on.host, [{ ...SQUARE, y: 300 }], YELLOW, 'left')
  await showsSoon(t, on.eye, [790, 150], [255, 0, 0])
  await showsSoon(t, on.eye, [150, 350], over(YELLOW, [0x80, 0x80, 0x80]))
  t.deepEqual(await pixel(on.eye, 150, 150), [0x80, 0x80, 0x80])
})

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test(`A5 ${way}, adding, removing and resizing monitors with marks up is reported once and never shows black`, async (t) => {
    const on = await rig(t, { compositor, monitors: [LEFT, RIGHT] })
    const reported = (count: number) =>
      until(`report ${count}`, () => displayEvents(on.events)[count - 1], 1000)
    await show(on.host, [SQUARE], YELLOW, 'left')
    await show(on.host, [SQUARE], YELLOW, 'right')
    const below = await pixel(on.eye, 600, 700)
    await showsSoon(t, on.eye, [150, 150], over(YELLOW, below))
    const odd = new Set<string>()
    let watching = true
    const allowed = [below, over(YELLOW, below)]
    const watcher = (async () => {
      while (watching) {
        for (const [x, y] of [
          [150, 150],
          [790, 150],
          [600, 700],
          [30, 30],
        ] as const) {
          const seen = await pixel(on.eye, x, y)
          if (
            !allowed.some((color) => color.every((channel, index) => Math.abs(channel - seen[index]!) <= 1))
          )
            odd.add(`${seen} at ${x},${y}`)
        }
      }
    })()

    await on.x.run('xrandr', '--delmonitor', 'right')
    t.deepEqual(named((await reported(1)).monitors), { left: [0, 0, 640, 800] })
    await showsSoon(t, on.eye, [790, 150], below)
    await showsSoon(t, on.eye, [150, 150], over(YELLOW, below))

    await on.x.run('xrandr', '--setmonitor', 'right', '600/158x800/211+680+0', 'none')
    const second = await reported(2)
    t.deepEqual(named(second.monitors), { left: [0, 0, 640, 800], right: [680, 0, 600, 800] })
    t.is(second.epoch, 3)
    t.true((await show(on.host, [SQUARE], YELLOW, 'right')).shown)
    await showsSoon(t, on.eye, [800, 150], over(YELLOW, below))
    await showsSoon(t, on.eye, [150, 150], over(YELLOW, below))

    await on.x.run('xrandr', '--setmonitor', 'third', '600/158x300/79+680+400', 'none')
    await reported(3)
    await showsSoon(t, on.eye, [800, 150], over(YELLOW, below))
    watching = false
    await watcher
    t.deepEqual([...odd], [])
  })

  test(`A5 ${way}, a new mode gives the new geometry and leaves nothing of the old`, async (t) => {
    const on = await rig(t, { compositor })
    await show(on.host, [{ x: 900, y: 500, width: 300, height: 200 }, SQUARE])
    await resize(on.x, 1024, 700)
    await until('it is reported', () => displayEvents(on.events).length > 0)
    const { monitors } = displayEvents(on.events).at(-1)!
    t.deepEqual(named(monitors), { screen: [0, 0, 1024, 700] })
    const below = await pixel(on.eye, 600, 650)
    await showsSoon(t, on.eye, [950, 550], below)
    await showsSoon(t, on.eye, [150, 150], below)
    await show(on.host, [SQUARE], RED)
    await showsSoon(t, on.eye, [150, 150], [255, 0, 0])
  })
}

test('an event tells only of what really differs', async (t) => {
  const on = await rig(t, { monitors: [LEFT, RIGHT] })
  const before = displayEvents(on.events).length
  await on.x.run('xrandr', '--newmode', '800x600', '60', ...'800 801 802 803 600 601 602 603'.split(' '))
  await on.x.run('xrandr', '--addmode', 'screen', '800x600')
  await on.x.run('xrandr', '--setmonitor', 'third', '640/169x400/106+640+0', 'none')
  await until('the real change', () => displayEvents(on.events).length > before)
  const lists = displayEvents(on.events).map((event) => JSON.stringify(event.monitors))
  for (const [index, list] of lists.entries()) t.not(list, lists[index - 1])
  t.is(lists.length, before + 1)
})

test('a stale epoch draws nothing', async (t) => {
  const on = await rig(t, { monitors: [LEFT] })
  const before = await on.host.monitors()
  await on.x.run('xrandr', '--setmonitor', 'right', '640/169x800/211+640+0', 'none')
  const after = await on.host.monitors()
  t.is(after.epoch, before.epoch + 1, 'asking reads afresh')
  const request = { monitor: 'left', patches: [SQUARE], pixels: Buffer.alloc(40_000, 255), ink: [SQUARE] }
  t.deepEqual(await on.host.present({ ...request, epoch: before.epoch }), {
    shown: false,
    stale: true,
    covered: false,
    inputEmpty: true,
  })
  t.deepEqual(await pixel(on.eye, 150, 150), BLUE)
  t.true((await on.host.present({ ...request, epoch: after.epoch })).shown)
})

test('Xft.dpi scales every monitor, and a change of it is a change of displays', async (t) => {
  const on = await rig(t, { monitors: [LEFT, { ...RIGHT, mmWidth: 80, mmHeight: 100 }] })
  const scales = (monitors: Monitor[]) => monitors.map((monitor) => monitor.scale)
  t.deepEqual(scales((await on.host.monitors()).monitors), [1, 2], 'by millimetres')
  const xrdb = on.x.spawn('xprop', [
    '-root',
    '-f',
    'RESOURCE_MANAGER',
    '8s',
    '-set',
    'RESOURCE_MANAGER',
    'Xft.dpi:\t144\n',
  ])
  await new Promise((resolve) => xrdb.once('exit', resolve))
  await until('it is reported', () => displayEvents(on.events).length > 0, 1000)
  t.deepEqual(scales(displayEvents(on.events)[0]!.monitors), [1.5, 1.5])
})
