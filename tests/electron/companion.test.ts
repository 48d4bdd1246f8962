import test from 'ava'
import { COMPANION_URL } from '../../overlay/hosts/electron/bridge.js'
import type { HostOrderOf } from '../../protocol/host/orders-schema.js'
import type { FromCompanion } from '../../protocol/host/page.js'
import type { CompanionEvent, CompanionScene } from '../../protocol/overlay/companion.js'
import { until } from '../support/xserver.js'
import { hostRig } from './host-rig.js'
import { mainRig } from './main-rig.js'
import { openPage } from './page.js'
import { inBrowser } from './support.js'

const SIZE = 40

/** A square of one colour in a clear frame of 10 pixels, which alone takes clicks. */
function square(rgba: readonly [number, number, number, number]): string {
  const data = Buffer.alloc(SIZE * SIZE * 4)
  for (let y = 10; y < 30; y++) for (let x = 10; x < 30; x++) data.set(rgba, (y * SIZE + x) * 4)
  return data.toString('base64')
}

function order(more: Partial<HostOrderOf<'companion'>> = {}): Omit<HostOrderOf<'companion'>, 'seq'> {
  const { seq: _, ...rest } = more
  return {
    type: 'companion',
    bounds: [100, 200, 40, 40],
    offset: [0, 0],
    size: [SIZE, SIZE],
    menu: false,
    pixels: square([200, 100, 50, 255]),
    input: square([0, 0, 0, 255]),
    ...rest,
  }
}

for (const platform of ['darwin', 'win32'] as const) {
  test(`on ${platform} its window cannot have the focus, is below the marks, and passes clicks on until its page says otherwise`, async (t) => {
    const rig = await mainRig(t, { platform, places: [] })
    t.like(await rig.ask(order()), { type: 'painted', visible: true, mapped: true })
    const window = rig.standIn.windows.at(-1)!
    const page = rig.pages.at(-1)!
    t.like(window.options, { focusable: false, transparent: true, skipTaskbar: true, show: false })
    t.like(window.options.webPreferences, { contextIsolation: true, sandbox: true, nodeIntegration: false })
    t.true(window.calls.includes(`loadURL ${COMPANION_URL}`))
    t.true(window.calls.indexOf('setAlwaysOnTop true pop-up-menu') < window.calls.indexOf('showInactive'))
    t.is(
      window.calls.findLast((call) => call.startsWith('setAlwaysOnTop')),
      'setAlwaysOnTop true pop-up-menu',
    )
    t.true(window.isClickThrough)
    t.deepEqual(window.openHandler?.({} as never), { action: 'deny' })
    page.say({ type: 'takes', takes: true })
    t.false(window.isClickThrough)
    page.say({ type: 'press', button: 'primary', at: [20, 15] })
    page.say({ type: 'takes', takes: false })
    t.true(window.isClickThrough)
    t.deepEqual(
      rig.heard('touched').map(({ touch }) => touch),
      [{ kind: 'press', button: 'primary', at: [120, 215] }],
    )
    // A move alone: nothing is drawn again.
    const { pixels: _, input: __, ...move } = order({ bounds: [300, 210, 40, 40] })
    t.like(await rig.ask(move), { type: 'painted', visible: true, mapped: false })
    t.like(window.bounds, { x: 300, y: 210, width: 40, height: 40 })
    t.deepEqual(page.pictures.at(-1)?.pixels, undefined)
    await rig.ask({ type: 'hide', hidden: true })
    t.false(window.isVisible())
    await rig.ask({ type: 'hide', hidden: false })
    t.true(window.isVisible())
    t.like(await rig.ask({ type: 'no_companion' }), { type: 'done' })
    t.true(window.isDestroyed())
  })
}

test('the keys of its menu are taken while it is open, and given back with it, and when the daemon is gone', async (t) => {
  const rig = await mainRig(t, { platform: 'darwin', places: [] })
  const { shortcuts } = rig.standIn
  rig.standIn.takenElsewhere.add('Enter')
  await rig.ask(order())
  t.is(shortcuts.size, 0)
  await rig.ask(order({ menu: true }))
  t.deepEqual([...shortcuts.keys()].sort(), ['Down', 'Escape', 'Return', 'Up'])
  shortcuts.get('Return')?.()
  t.deepEqual(rig.heard('touched').at(-1)?.touch, { kind: 'key', key: 'enter' })
  await rig.ask(order({ menu: false }))
  t.is(shortcuts.size, 0)
  await rig.ask(order({ menu: true }))
  rig.leave()
  t.is(shortcuts.size, 0)
  t.is(rig.standIn.exitCode, 0)
})

test('a page of it that dies takes it off, and no mark; what comes next begins anew', async (t) => {
  const rig = await mainRig(t, { platform: 'darwin', places: [] })
  await rig.ask(order())
  const [window, count] = [rig.standIn.windows.at(-1)!, rig.standIn.windows.length]
  window.pageEvents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
  t.true(window.isDestroyed())
  t.is(rig.heard('noted').at(-1)?.event, 'companion')
  t.is(rig.standIn.exitCode, null)
  const { pixels: _, input: __, ...move } = order()
  t.like(await rig.ask(move), { type: 'failed' })
  t.like(await rig.ask(order()), { type: 'painted', visible: true, mapped: true })
  t.is(rig.standIn.windows.length, count + 1)
})

test('a message from another page than its own is none of its', async (t) => {
  const rig = await mainRig(t, { platform: 'darwin', places: [] })
  await rig.ask(order())
  const window = rig.standIn.windows.at(-1)!
  rig.standIn.fromPage(
    window,
    'lets:from-page',
    { type: 'takes', takes: true },
    { url: 'https://evil.example/' },
  )
  t.true(window.isClickThrough)
  t.is(rig.heard('noted').at(-1)?.event, 'foreign_frame')
})

inBrowser('its page shows the picture to the pixel, and takes clicks only where it is told to', async (t) => {
  const on = await openPage(t, { companion: true, size: [60, 50], ratio: 2 })
  const told = on.told as unknown as FromCompanion[]
  const heard = (type: FromCompanion['type']) => told.filter((message) => message.type === type)
  await until('it waits', () => heard('waiting').length === 1)
  const {
    bounds: _,
    type: __,
    ...picture
  } = order({ menu: true, offset: [4, 6], pixels: square([100, 50, 25, 128]) })
  await on.send({ type: 'companion', seq: 1, ...picture })
  await until('it is drawn', () => heard('drawn').length === 1)
  const seen = await on.page.evaluate(`(() => {
    const canvas = document.querySelector('canvas')
    const box = canvas.getBoundingClientRect()
    const at = (x, y) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data]
    return [box.left, box.top, box.width, at(5, 5), at(15, 15)]
  })()`)
  const [left, top, width, clear, inked] = seen as [number, number, number, number[], number[]]
  t.deepEqual([left, top, width, clear], [2, 3, 20, [0, 0, 0, 0]])
  t.true(
    [199, 100, 50, 128].every((channel, n) => Math.abs(channel - inked[n]!) <= 2),
    String(inked),
  )
  // In logical points: the square is at 7..17 across and 8..18 down.
  await on.page.mouse.move(6.4, 10)
  await on.page.mouse.move(7.2, 10)
  await on.page.mouse.down()
  await on.page.mouse.up()
  await on.page.mouse.move(17.6, 10)
  await on.page.mouse.down()
  await on.page.mouse.up()
  await until('it was left', () => heard('over').length === 2)
  t.deepEqual(
    heard('takes').map((message) => message.type === 'takes' && message.takes),
    [true, false],
  )
  t.is(heard('press').length, 1)
  t.deepEqual(
    heard('over').map((message) => message.type === 'over' && message.at !== null),
    [true, false],
  )
  await on.send({ type: 'companion', seq: 2, ...picture, pixels: 'AAAA' })
  await until('it says what is wrong', () => heard('failed').length === 1)
})

test('the host shows it through Electron, over all displays, and again after Electron died', async (t) => {
  const { host, pid, start } = await hostRig(t)
  const told: CompanionEvent[] = []
  await start()
  host.on({ displays() {}, clearRequested() {}, exit() {}, companion: (event) => told.push(event) })
  const scene: CompanionScene = {
    place: { display: 1, at: [300, 200] },
    look: { name: 'Bun', pace: 1 },
    mood: 'idle',
    asleep: false,
    gaze: [0, 0],
    reaction: null,
    bubble: { id: 'a', text: 'Hello' },
    menu: null,
    beckons: false,
  }
  t.deepEqual(await host.companion!.show(scene), { visible: true })
  await until('it arrived', () => told.some(({ kind }) => kind === 'arrived'))
  t.deepEqual(await host.companion!.pointer(), { display: 1, at: [0, 0] })
  t.true(await host.companion!.summonKey!.take())
  await host.companion!.summonKey!.release()
  process.kill(pid(), 'SIGKILL')
  t.deepEqual(await host.companion!.show({ ...scene, mood: 'happy' }), { visible: true })
  t.deepEqual(await host.companion!.show(null), { visible: false })
})
