import test, { type ExecutionContext } from 'ava'
import { type ContentChange, HostUnavailable, type WindowsChange } from '../../overlay/host.js'
import { X11Eyes } from '../../overlay/hosts/eyes/eyes.js'
import type { Painter } from '../../overlay/hosts/look.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import { startX, until, type XOptions, type XServer } from '../support/xserver.js'
import { Other } from './other.js'
import { native } from './support.js'

/** Eyes on a server, with what they told. */
async function open(t: ExecutionContext, x: XServer) {
  const told = {
    layouts: [] as (readonly Display[])[],
    windows: [] as WindowsChange[],
    content: [] as ContentChange[],
    compositors: [] as boolean[],
    exits: [] as string[],
    cleared: 0,
    answers: [] as boolean[],
    nexts: 0,
  }
  const eyes = new X11Eyes(native, { display: x.display, draws: false })
  eyes.on({
    displays: (displays) => told.layouts.push(displays),
    windows: (change) => told.windows.push(change),
    content: (change) => told.content.push(change),
    compositor: (present) => told.compositors.push(present),
    exit: (reason) => told.exits.push(reason),
    clearRequested: () => told.cleared++,
    answered: (yes) => told.answers.push(yes),
    next: () => told.nexts++,
  })
  t.teardown(() => eyes.stop())
  const displays = await eyes.start()
  return { eyes, displays, told }
}

async function desk(t: ExecutionContext, options: XOptions = {}) {
  const x = await startX({ windowManager: true, ...options })
  t.teardown(() => x.stop())
  await x.run('xsetroot', '-solid', '#336699')
  const renderer = await Other.start(t, x)
  const opened = await open(t, x)
  await opened.eyes.claim({ pids: [renderer.pid], windows: [] })
  return { x, renderer, ...opened }
}

/** Paints one yellow pixel in the corner of every picture. */
const painter: Painter = {
  shown: 'marks',
  settled: async () => {},
  paintOver: async ({ data }) => void data.set([255, 255, 0, 255], 0),
}

test('the eyes see the displays, and what is below marks of another process, in logical points', async (t) => {
  const monitors = [
    { name: 'left', x: 0, y: 0, width: 640, height: 800 },
    { name: 'right', x: 640, y: 0, width: 640, height: 800, mmWidth: 85, mmHeight: 106 },
  ]
  const { x, renderer, eyes, displays } = await desk(t, { compositor: true, monitors })
  t.deepEqual(
    displays.map(({ id, name, scale, logical_size: size }) => ({ id, name, scale, size })),
    [
      { id: 1, name: 'left', scale: 1, size: [640, 800] },
      { id: 2, name: 'right', scale: 2, size: [320, 400] },
    ],
  )
  t.deepEqual(
    [...eyes.places].map(([id, { monitor }]) => [id, monitor.x]),
    [
      [1, 0],
      [2, 640],
    ],
  )
  const app = await Other.start(t, x)
  await app.open({ x: 700, y: 100, width: 200, height: 200, color: 0x118822, overrideRedirect: true })
  const veil = { x: 640, y: 0, width: 640, height: 800, color: 0xff_ff_00_00 }
  const window = await renderer.open({ ...veil, alpha: true, overrideRedirect: true, input: [] })
  await until('the veil is up', async () =>
    (await eyes.surfacesOf({ pids: [renderer.pid], windows: [] })).some(
      ({ id, viewable }) => id === window && viewable,
    ),
  )
  const under = await until('the application is seen', async () => {
    const found = await eyes.backdrops(2, [[40, 60, 10, 5]])
    return found?.[0]?.data[0] === 0x11 && found
  })
  t.deepEqual(under[0]!.rect, [40, 60, 10, 5])
  t.deepEqual([under[0]!.width, under[0]!.height], [20, 10])
  t.deepEqual([...under[0]!.data.subarray(0, 4)], [0x11, 0x88, 0x22, 255])
  const many = await eyes.backdrops(
    2,
    Array.from({ length: 9 }, (_, n) => [30 + n * 10, 50, 5, 5] as const),
  )
  t.deepEqual(
    many!.map(({ rect }) => rect),
    [[30, 50, 85, 5]],
  )
  t.is(await eyes.backdrops(2, [[4000, 0, 10, 10]]), null)
  t.is(await eyes.backdrops(7, [[0, 0, 10, 10]]), null)

  const request = { display: 2, rect: [40, 60, 10, 5], backdrop: 'screen' } as const
  const plain = await eyes.capture({ ...request, marks: false }, painter)
  t.deepEqual([plain.width, plain.height, plain.scale, plain.origin], [20, 10, 2, [40, 60]])
  t.deepEqual([...plain.data.subarray(0, 4)], [0x11, 0x88, 0x22, 255])
  t.truthy(plain.impression)
  const marked = await eyes.capture({ ...request, marks: true }, painter)
  t.deepEqual([...marked.data.subarray(0, 8)], [255, 255, 0, 255, 0x11, 0x88, 0x22, 255])
  await t.throwsAsync(eyes.capture({ ...request, display: 3, marks: false }, painter), {
    instanceOf: HostUnavailable,
    message: 'display 3 is not connected',
  })
  t.deepEqual(
    (await eyes.windows!.list()).map(({ rects }) => rects.get(2)),
    [[30, 50, 100, 100]],
  )
})

test('whether there is a compositor is a fact, and told when it changes', async (t) => {
  const { x, eyes, told } = await desk(t)
  t.is(eyes.facts().compositor, 'none')
  t.true(eyes.tellsProcesses)
  t.deepEqual(eyes.facts().notes, [])
  await x.startCompositor()
  await until('it is told', () => told.compositors.length === 1)
  t.is(eyes.facts().compositor, 'present')
  await x.stopCompositor('SIGKILL')
  await until('its end is told', () => told.compositors.length === 2)
  t.deepEqual(told.compositors, [true, false])
  t.is(eyes.facts().compositor, 'none')
})

test('windows and content of applications are followed under another process’s marks', async (t) => {
  const { x, renderer, eyes, told } = await desk(t, { compositor: true })
  const app = await Other.start(t, x)
  const window = await app.open({ x: 100, y: 100, width: 400, height: 300, color: 0xffffff, title: 'app' })
  for (let line = 0; line < 20; line++)
    await app.paint(window, [10 + line * 7, 10 + line * 13, 60 + line * 5, 6], line * 0x0c0a07)
  const listed = await until('it is listed', async () =>
    (await eyes.windows!.list()).find(({ title, visible }) => title === 'app' && visible),
  )
  const veil = { x: 0, y: 0, width: 1280, height: 800, color: 0 }
  await renderer.open({ ...veil, alpha: true, overrideRedirect: true, input: [] })
  await eyes.windows!.watch(true)
  eyes.content!.follow('mark', { window: listed.id, display: 1, rect: [20, 60, 60, 40] })
  await x.run('xdotool', 'windowmove', String(window), '300', '200')
  await until('it is told to have moved', () =>
    told.windows.some(({ moved }) => moved.some(({ id }) => id === listed.id)),
  )
  await until('its content is gone', async () => {
    await app.paint(window, [0, 0, 400, 300], 0x223344)
    return told.content.some(({ lost }) => lost.includes('mark'))
  })
  t.deepEqual(
    (await eyes.windows!.list()).map(({ title }) => title),
    ['app'],
  )
})

test('keys are heard by eyes that draw nothing', async (t) => {
  const { x, eyes, told } = await desk(t)
  t.is(eyes.facts().hotkey, 'ready')
  t.deepEqual(await eyes.answerKeys!.take(), { yes: true, no: true })
  t.true(await eyes.nextKey!.take())
  await x.run('xdotool', 'key', 'ctrl+shift+k', 'ctrl+shift+n', 'ctrl+shift+y', 'ctrl+shift+space')
  await until('all are heard', () => told.nexts === 1)
  t.deepEqual([told.cleared, told.answers], [1, [false, true]])
  await eyes.answerKeys!.release()
  await eyes.nextKey!.release()
})

test('a layout that changes is told, and displays keep their ids', async (t) => {
  const { x, eyes, told } = await desk(t, {
    monitors: [
      { name: 'left', x: 0, y: 0, width: 640, height: 800 },
      { name: 'right', x: 640, y: 0, width: 640, height: 800 },
    ],
  })
  const right = (await eyes.displays()).find(({ name }) => name === 'right')!
  await x.run('xrandr', '--delmonitor', 'left')
  await until('it is told', () => told.layouts.at(-1)?.every(({ name }) => name !== 'left'))
  t.is(told.layouts.at(-1)!.find(({ name }) => name === 'right')!.id, right.id)
})

test('a server that goes, and eyes that are stopped, are of no use any more', async (t) => {
  const { x, eyes, told } = await desk(t)
  await x.kill()
  await until('it is told', () => told.exits.length === 1)
  t.is(eyes.connection, null)
  t.is(eyes.places.size, 0)
  for (const call of [
    eyes.claim({ pids: [], windows: [] }),
    eyes.surfacesOf({ pids: [1], windows: [] }),
    eyes.displays(),
  ])
    await t.throwsAsync(call, { instanceOf: HostUnavailable, message: 'the X display is gone' })
  t.is(await eyes.backdrops(1, [[0, 0, 10, 10]]), null)
  eyes.giveUp('once more')
  await eyes.stop()
  await eyes.stop()
  t.is(told.exits.length, 1)
  const nowhere = new X11Eyes(native, { display: ':4999', draws: false })
  await t.throwsAsync(nowhere.start(), { instanceOf: HostUnavailable, message: /no X server answers/ })
})
