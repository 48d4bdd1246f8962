import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import type { X11Event } from '../../native/index.js'
import { until } from '../support/xserver.js'
import { BareX } from './bare-x.js'
import { BLUE, click, disc, edges, logger, showFigure } from './figure.js'
import {
  near,
  over,
  pixel,
  pixelsThatDiffer,
  RED,
  rig,
  screenshot,
  show,
  showsSoon,
  sleeps,
  YELLOW,
} from './support.js'

const FRAME = { x: 300, y: 200, width: 96, height: 112 }
const MIDDLE = [FRAME.x + 48, FRAME.y + 56] as const
const GROUND = [0x33, 0x66, 0x99]

function of<T extends X11Event['type']>(events: readonly X11Event[], type: T) {
  return events.filter((event): event is Extract<X11Event, { type: T }> => event.type === type)
}

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test(`J5: ${way}, it gets clicks on its shape, and what is below gets those 1 px outside, wherever it moves`, async (t) => {
    const { x, host, events } = await rig(t, { compositor })
    const below = await logger(x, '900x600+100+80')
    const { pixels, input } = disc(FRAME)
    await showFigure(host, FRAME)
    let at = FRAME
    for (let n = 0; n < 20; n++) {
      at = { ...at, x: FRAME.x + 7 * n, y: FRAME.y + 5 * n }
      // Every other time a move alone, which takes the shape along.
      await showFigure(host, at, n % 2 === 0 ? {} : { pixels, input })
    }
    const sides = edges(input, at)
    const mine: string[] = []
    const theirs: string[] = []
    for (const [list, points] of [
      [mine, sides.in],
      [theirs, sides.out],
    ] as const) {
      for (const [px, py] of points) {
        await click(x, at.x + px, at.y + py)
        list.push(`${at.x + px},${at.y + py}`)
      }
    }
    await until('all were told', () => of(events, 'press').length >= mine.length)
    await until('all arrived', () => below.presses().length >= theirs.length)
    t.deepEqual(
      of(events, 'press').map((press) => `${press.x},${press.y} ${press.button}`),
      mine.map((place) => `${place} primary`),
    )
    t.deepEqual(
      below.presses(),
      theirs.map((place) => `${place} 1`),
    )
  })

  test(`${way}, it is blended over what is below, follows what changes there, and leaves nothing`, async (t) => {
    const { x, host, eye } = await rig(t, { compositor })
    const app = x.spawn('xterm', [
      '-geometry',
      '60x20+200+120',
      '-bg',
      'white',
      '-T',
      'app',
      '-e',
      'sleep',
      '99',
    ])
    await x.windowNamed('app')
    await showsSoon(t, eye, MIDDLE, [255, 255, 255])
    const before = await screenshot(eye, true)
    await showFigure(host, FRAME)
    await showsSoon(t, eye, MIDDLE, [0, 0, 255])
    await showsSoon(t, eye, [FRAME.x, FRAME.y], [255, 255, 255])
    const pale = [FRAME.x + 6, FRAME.y + 56] as const
    await showsSoon(t, eye, pale, over([0, 0, 102, 102], [255, 255, 255]))
    app.kill()
    const ground = compositor ? [0x80, 0x80, 0x80] : GROUND
    await until('it shows the ground', async () =>
      near(await pixel(eye, ...pale), over([0, 0, 102, 102], ground), 3),
    )
    await showFigure(host, { ...FRAME, x: 500 }, {})
    await showsSoon(t, eye, [548, FRAME.y + 56], [0, 0, 255])
    await until('it is gone where it was', async () => near(await pixel(eye, ...MIDDLE), ground, 3))
    await host.hideCompanion()
    await until('nothing of it is left', async () => near(await pixel(eye, 548, FRAME.y + 56), ground, 3))
    t.true(before.width > 0)
    t.notRegex(await x.tree(), /lets-companion/)
  })

  test(`${way}, it is in no picture without marks and in no list of windows`, async (t) => {
    const { x, host, eye, events } = await rig(t, { compositor })
    x.spawn('xterm', ['-geometry', '60x20+200+120', '-bg', 'white', '-T', 'app', '-e', 'sleep', '99'])
    await x.windowNamed('app')
    await showsSoon(t, eye, MIDDLE, [255, 255, 255])
    await host.watchWindows(true)
    const [before, windows] = [await screenshot(host, false), await host.windows()]
    await showFigure(host, FRAME)
    await showsSoon(t, eye, MIDDLE, [0, 0, 255])
    t.is(pixelsThatDiffer(before, await screenshot(host, false)), 0)
    await show(host, [{ x: 260, y: 160, width: 60, height: 60 }], RED)
    t.is(pixelsThatDiffer(before, await screenshot(host, false)), 0, 'under a mark, too')
    for (let n = 0; n < 10; n++) await showFigure(host, { ...FRAME, x: 300 + 9 * n }, {})
    t.is(pixelsThatDiffer(before, await screenshot(host, false)), 0, 'after it moved')
    t.deepEqual(await host.windows(), windows)
    await host.hideCompanion()
    t.is(pixelsThatDiffer(before, await screenshot(host, false)), 0)
    t.deepEqual(of(events, 'windows'), [])
  })

  test(`${way}, marks are above it, whichever came first, and stay as they are`, async (t) => {
    const { host, eye } = await rig(t, { compositor })
    const mark = { x: 340, y: 240, width: 40, height: 40 }
    const [both, alone] = [[350, 250] as const, [330, 270] as const]
    const drawn = over(YELLOW, [0, 0, 255])
    await showFigure(host, FRAME)
    await show(host, [mark], YELLOW)
    await showsSoon(t, eye, both, drawn)
    await showsSoon(t, eye, alone, [0, 0, 255])
    await host.hideCompanion()
    await showFigure(host, FRAME)
    await showsSoon(t, eye, both, drawn)
    await showFigure(host, { ...FRAME, x: 320 }, {})
    await showsSoon(t, eye, [375, 250], drawn)
    await showsSoon(t, eye, [385, 282], [0, 0, 255])
    await host.hideCompanion()
    await showsSoon(t, eye, both, over(YELLOW, compositor ? [0x80, 0x80, 0x80] : GROUND))
  })

  test(`${way}, it stays above windows that are raised, and below a screen locker`, async (t) => {
    const { x, host, eye } = await rig(t, { compositor })
    await showFigure(host, FRAME)
    const cover = (color: string, geometry: string) =>
      x.spawn('xterm', ['-geometry', geometry, '-bg', color, '-fg', color, '-T', color, '-e', 'sleep', '99'])
    cover('white', '60x20+200+120')
    await x.windowNamed('white')
    await showsSoon(t, eye, [310, 205], [255, 255, 255])
    await showsSoon(t, eye, MIDDLE, [0, 0, 255])
    // As `i3lock`: the whole screen, taking input, and no window manager asked.
    const locker = x.spawn('xterm', [
      ...['-geometry', '250x80+0+0', '-xrm', '*overrideRedirect: true', '-b', '0', '-bw', '0'],
      ...['-bg', '#400000', '-fg', '#400000', '-cr', '#400000', '-e', 'sleep', '99'],
    ])
    await showsSoon(t, eye, MIDDLE, [0x40, 0, 0])
    await delay(200)
    await showsSoon(t, eye, MIDDLE, [0x40, 0, 0])
    t.true((await showFigure(host, FRAME)).covered)
    locker.kill()
    await showsSoon(t, eye, MIDDLE, [0, 0, 255])
    t.false((await showFigure(host, FRAME)).covered)
  })
}

test('it changes its size without a moment in which it takes clicks elsewhere than it is', async (t) => {
  const { x, host, eye, events } = await rig(t, { compositor: true })
  const below = await logger(x, '900x600+100+80')
  await showFigure(host, FRAME)
  const large = { x: 220, y: 120, width: 300, height: 192 }
  await showFigure(host, large)
  await showsSoon(t, eye, [370, 216], [0, 0, 255])
  const { input } = disc(large)
  for (const [px, py] of edges(input, large).out) await click(x, large.x + px, large.y + py)
  await until('all arrived', () => below.presses().length === edges(input, large).out.length)
  t.deepEqual(of(events, 'press'), [])
  await click(x, 370, 216, 3)
  await until('it is told', () => of(events, 'press').length === 1)
  t.is(of(events, 'press')[0]!.button, 'secondary')
})

test('a wheel over it: after the first turn it is what is below that scrolls, until the wheel rests', async (t) => {
  const { x, host, events } = await rig(t, { compositor: true })
  const below = await logger(x, '900x600+100+80')
  await showFigure(host, FRAME)
  await x.run('xdotool', 'mousemove', `${MIDDLE[0]}`, `${MIDDLE[1]}`)
  // In one go: a program that is slow to start would let the wheel rest in between.
  await x.run('xdotool', 'click', '--repeat', '13', '--delay', '150', '5')
  await until('the rest arrived', () => below.presses().length === 12)
  t.deepEqual(of(events, 'press'), [])
  await delay(800)
  await click(x, ...MIDDLE)
  await until('it takes clicks again', () => of(events, 'press').length === 1)
  t.is(below.presses().length, 12)
})

test('a click is no grab: what is pressed next elsewhere goes there, and the focus stays', async (t) => {
  const { x, host, events } = await rig(t, { compositor: true, windowManager: true })
  const below = await logger(x, '900x600+100+80')
  await showFigure(host, FRAME)
  await x.run('xdotool', 'windowfocus', '--sync', below.id)
  const focus = await x.run('xdotool', 'getwindowfocus')
  await click(x, ...MIDDLE)
  await until('it is told', () => of(events, 'press').length === 1)
  await click(x, 700, 500)
  await until('it arrived', () => below.presses().length === 1)
  await x.run('xdotool', 'key', 'a', 'Up', 'Escape')
  await until('the keys arrived', () => below.keys().length === 3)
  t.is(await x.run('xdotool', 'getwindowfocus'), focus)
})

test('the keys of the menu are taken while it is open, with every lock, and no others; then they are given back', async (t) => {
  const { x, host, events } = await rig(t, { windowManager: true })
  const below = await logger(x, '400x300+700+80')
  await x.run('xdotool', 'windowfocus', '--sync', below.id)
  const keys = ['Up', 'Down', 'Return', 'KP_Enter', 'Escape']
  await showFigure(host, FRAME, { ...disc(FRAME), menu: true })
  for (const lock of ['', 'Caps_Lock', 'Num_Lock']) {
    if (lock) await x.run('xdotool', 'key', lock)
    await x.run('xdotool', 'key', ...keys)
  }
  await x.run('xdotool', 'key', 'Caps_Lock', 'Num_Lock')
  await until('all were told', () => of(events, 'menu').length === 15)
  const names = ['up', 'down', 'enter', 'enter', 'escape']
  t.deepEqual(
    of(events, 'menu').map(({ key }) => key),
    [...names, ...names, ...names],
  )
  await x.run('xdotool', 'type', 'hello')
  await x.run('xdotool', 'key', 'ctrl+Up', 'shift+Return', 'Left', 'Tab', 'BackSpace')
  const others = () => below.keys().filter((key) => !/Lock|Control|Shift/.test(key!))
  await until('the others arrived', () => others().length === 10)
  t.false(others().includes('Escape'))
  await showFigure(host, FRAME, {})
  await x.run('xdotool', 'key', ...keys)
  await until('they are given back', () => others().length === 15)
  t.is(of(events, 'menu').length, 15)
  await showFigure(host, FRAME, { menu: true })
  await host.hideCompanion()
  await x.run('xdotool', 'key', ...keys)
  await until('they go with it', () => others().length === 20)
})

test('while the menu is open it is told where the pointer is over it, and of presses elsewhere, which arrive', async (t) => {
  const { x, host, events } = await rig(t, { compositor: true })
  const below = await logger(x, '900x600+100+80')
  await showFigure(host, FRAME, { ...disc(FRAME), menu: true })
  await x.run('xdotool', 'mousemove', `${MIDDLE[0]}`, `${MIDDLE[1]}`)
  await until('it is over it', () => of(events, 'over').some(({ inside }) => inside))
  await click(x, ...MIDDLE)
  await until('it is told', () => of(events, 'press').length === 1)
  t.deepEqual(of(events, 'elsewhere'), [])
  await click(x, 600, 500)
  await until('that is told, too', () => of(events, 'elsewhere').length === 1)
  await until('it arrived', () => below.presses().length === 1)
  t.false(of(events, 'over').at(-1)!.inside)
  await click(x, 600, 500, 5)
  await until('a wheel, too', () => below.presses().length === 2)
  await showFigure(host, FRAME, { menu: false })
  await click(x, 600, 500)
  await until('it arrived', () => below.presses().length === 3)
  t.is(of(events, 'elsewhere').length, 1)
})

test('the key that summons it is taken and given back, and says where the pointer is', async (t) => {
  const { x, host, eye, events } = await rig(t)
  await x.run('xdotool', 'mousemove', '123', '234', 'key', 'ctrl+shift+period')
  t.is(await host.takeSummonKey(), 'ready')
  t.is(await host.takeSummonKey(), 'ready')
  t.is(await eye.takeSummonKey(), 'taken')
  await x.run('xdotool', 'key', 'ctrl+shift+period')
  await until('it is told', () => of(events, 'summon').length === 1)
  t.like(of(events, 'summon')[0], { x: 123, y: 234 })
  await host.releaseSummonKey()
  t.is(await eye.takeSummonKey(), 'ready')
})

test.serial(
  'the pointer is told while it is watched, at a steady pace, and nothing runs while it rests',
  async (t) => {
    const { x, host, events } = await rig(t)
    await x.run('xdotool', 'mousemove', '10', '10')
    t.deepEqual(await host.pointer(), { x: 10, y: 10 })
    await host.watchPointer(true)
    await delay(100)
    const before = await sleeps()
    await delay(1500)
    t.true((await sleeps()) - before <= 1, 'at rest')
    // As a mouse moves it: putting it somewhere, as `mousemove` does, is no motion of a device.
    const steps = Array.from({ length: 400 }, () => ['mousemove_relative', '1', '0', 'sleep', '0.002'])
    const started = performance.now()
    await x.run('xdotool', ...steps.flat())
    await until('its last place is told', () => of(events, 'pointer').at(-1)?.x === 410)
    const seconds = (performance.now() - started) / 1000
    const told = of(events, 'pointer').length
    t.true(told <= 62 * seconds + 2, `${told} in ${seconds} s`)
    t.true(told >= 10)
    await host.watchPointer(false)
    await x.run('xdotool', 'mousemove_relative', '50', '10')
    await delay(150)
    t.is(of(events, 'pointer').length, told)
  },
)

test.serial(
  'it rests on the screen without a single wake-up, and with a pointer that moves over others',
  async (t) => {
    const { x, host } = await rig(t, { compositor: true })
    await showFigure(host, FRAME)
    await delay(500)
    const before = await sleeps()
    await x.run('xdotool', 'mousemove', '700', '500', 'mousemove_relative', '20', '20')
    await delay(1500)
    t.true((await sleeps()) - before <= 1)
  },
)

test('what was drawn for a layout that is no more is stale, and so is a move of what is not there', async (t) => {
  const left = { name: 'left', x: 0, y: 0, width: 640, height: 800 }
  const right = { name: 'right', x: 640, y: 0, width: 640, height: 800 }
  const { x, host, eye, events } = await rig(t, { monitors: [left, right] })
  t.true((await showFigure(host, FRAME, {})).stale)
  const { epoch } = await host.monitors()
  const there = { ...FRAME, x: 900 }
  await showFigure(host, there)
  await x.setMonitors([left])
  await until('the layout is told', () => of(events, 'displays').length > 0)
  await until('it is gone with its monitor', async () => near(await pixel(eye, 948, 256), GROUND))
  t.true((await host.showCompanion({ epoch, ...FRAME, ...disc(FRAME), menu: false })).stale)
  t.false((await showFigure(host, FRAME)).stale)
  await showsSoon(t, eye, MIDDLE, [0, 0, 255])
})

test('what cannot be is refused in a sentence', async (t) => {
  const { host } = await rig(t)
  await t.throwsAsync(showFigure(host, { ...FRAME, width: 0 }), { message: /cannot be 0x112 at 300,200/ })
  await t.throwsAsync(showFigure(host, { ...FRAME, x: 5000 }), { message: /cannot be/ })
  await t.throwsAsync(showFigure(host, FRAME, { ...disc(FRAME), pixels: Buffer.alloc(8) }), {
    message: /needs 43008 bytes of pixels, and 8 were given/,
  })
  t.false((await showFigure(host, FRAME, disc(FRAME, BLUE))).stale)
})

test('a compositor that comes and goes leaves it as it is', async (t) => {
  const { x, host, eye } = await rig(t, { compositor: true })
  await showFigure(host, FRAME)
  await showsSoon(t, eye, MIDDLE, [0, 0, 255])
  await x.stopCompositor()
  await showsSoon(t, eye, [FRAME.x, FRAME.y], GROUND)
  await showsSoon(t, eye, MIDDLE, [0, 0, 255])
  await x.startCompositor()
  await until('the compositor is seen', () => host.info().compositor)
  await delay(600)
  await showsSoon(t, eye, MIDDLE, [0, 0, 255])
  await showFigure(host, { ...FRAME, x: 400 }, {})
  await showsSoon(t, eye, [448, 256], [0, 0, 255])
})

test.serial(
  'a pointer that a program moves is told no longer than a moment after a hand did, and again once one does',
  async (t) => {
    const { x, host, events } = await rig(t)
    await x.run('xdotool', 'mousemove', '10', '10')
    await host.watchPointer(true)
    const bare = await BareX.open(x.display)
    // As a hand: a device moves it a little.
    await x.run('xdotool', 'mousemove_relative', '30', '0')
    await until('the hand is told', () => of(events, 'pointer').at(-1)?.x === 40)
    const warp = async (px: number, py: number) => {
      bare.send(41, 0, [0, bare.root, 0, 0, (px & 0xffff) | (py << 16)])
      await bare.done()
    }
    const ends = performance.now() + 3000
    let n = 0
    while (performance.now() < ends) {
      await warp(100 + (n++ % 500), 300)
      await delay(4)
    }
    const told = of(events, 'pointer').length
    for (let more = 0; more < 100; more++) {
      await warp(200 + more, 500)
      await delay(4)
    }
    t.is(of(events, 'pointer').length, told, 'what a program does is not told')
    await x.run('xdotool', 'mousemove_relative', '5', '5')
    await until('a hand is told again', () => of(events, 'pointer').length > told)
    const { x: px, y: py } = of(events, 'pointer').at(-1)!
    t.deepEqual([px, py], [304, 505])
  },
)
