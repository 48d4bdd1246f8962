import test, { type ExecutionContext } from 'ava'
import type { OwnedSurface, PixelRect, X11Host } from '../../native/index.js'
import { until, type XOptions, type XServer } from '../support/xserver.js'
import { Other } from './other.js'
import type { Wanted } from './other-program.js'
import { connect, rig, show } from './support.js'

const AT = { x: 200, y: 150, width: 400, height: 300 }
/** As a renderer's window is to be: clear, and every click passes through it. */
const GOOD: Wanted = { ...AT, color: 0, alpha: true, overrideRedirect: true, input: [] }
/** In the middle of it. */
const MIDDLE = [400, 300] as const

/** A renderer, an application that fills the screen below it, and somebody who looks. */
async function desk(t: ExecutionContext, options: XOptions = {}) {
  const on = await rig(t, { windowManager: true, ...options })
  const [app, renderer] = [await Other.start(t, on.x), await Other.start(t, on.x)]
  // Below all others also once it was clicked.
  const states = ['_NET_WM_STATE_BELOW']
  const screen = { x: 0, y: 0, width: 1280, height: 800, color: 0x557799, title: 'app', bare: true }
  const below = await app.open({ ...screen, states })
  await until('the application is there', async () =>
    (await on.eye.windows()).some(({ client, viewable }) => client === below && viewable),
  )
  const corner = { x: 1278, y: 798, width: 2, height: 2, color: 0, overrideRedirect: true }
  const witness = await app.open(corner)
  return { ...on, app, renderer, witness }
}

type Desk = Awaited<ReturnType<typeof desk>>

/** The one surface of a process, once it is on the screen. */
function surfaceOf(host: X11Host, { pid }: Other, window: number): Promise<OwnedSurface> {
  return until('the window is on the screen', async () => {
    const found = await host.surfacesOf({ pids: [pid], windows: [] })
    return found.find(({ client, viewable }) => client === window && viewable)
  })
}

/** Whether a click there comes to the application below. */
async function passes(x: XServer, { app, witness }: Desk, at: readonly [number, number]): Promise<boolean> {
  app.clicks.length = 0
  await x.run('xdotool', 'mousemove', ...at.map(String), 'click', '1')
  // Clicks come in their order: after one on the witness nothing of the first is under way any more.
  await x.run('xdotool', 'mousemove', '1278', '798', 'click', '1')
  await until('the witness is clicked', () => app.clicks.at(-1) === witness)
  return app.clicks.length > 1
}

function rects(found: readonly PixelRect[]) {
  return found.map(({ x, y, width, height }) => ({ x, y, width, height }))
}

function holds(found: readonly PixelRect[], [x, y]: readonly [number, number]): boolean {
  return found.some(
    (rect) => x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height,
  )
}

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test(`${way}, a clear override-redirect window without an input region is what it should be`, async (t) => {
    const on = await desk(t, { compositor })
    const { x, host, renderer } = on
    const window = await renderer.open(GOOD)
    const { id, client, pid, depth, overrideRedirect, inputOnly, above, states, coveredBy, ...more } =
      await surfaceOf(host, renderer, window)
    t.deepEqual([id, client, pid, depth], [window, window, renderer.pid, 32])
    t.deepEqual([overrideRedirect, inputOnly, above, states, coveredBy], [true, false, true, [], []])
    t.deepEqual(rects([more]), [AT])
    t.deepEqual([more.input, more.ownInput], [[], []])
    t.true(await passes(x, on, MIDDLE))
  })

  test(`${way}, one that takes every click is told, and so is where`, async (t) => {
    const on = await desk(t, { compositor })
    const { x, host, renderer } = on
    const { input: _, ...full } = GOOD
    const window = await renderer.open(full)
    const surface = await surfaceOf(host, renderer, window)
    t.deepEqual(rects(surface.input), [AT])
    t.deepEqual(rects(surface.ownInput), [AT])
    t.false(await passes(x, on, MIDDLE))
    t.deepEqual(renderer.clicks, [window])
  })

  test(`${way}, one that takes clicks in parts is told with the parts, cut off at its edges`, async (t) => {
    const on = await desk(t, { compositor })
    const { x, host, renderer } = on
    const input = [
      [10, 10, 50, 40],
      [380, 280, 500, 500],
    ] as const
    const window = await renderer.open({ ...GOOD, input })
    const surface = await surfaceOf(host, renderer, window)
    t.deepEqual(rects(surface.input), [
      { x: 210, y: 160, width: 50, height: 40 },
      { x: 580, y: 430, width: 20, height: 20 },
    ])
    t.true(await passes(x, on, MIDDLE))
    t.false(await passes(x, on, [215, 165]))
    t.false(await passes(x, on, [590, 440]))
    t.true(await passes(x, on, [610, 460]), 'beyond its edge')
  })

  test(`${way}, the frame a window manager puts around a window takes clicks that it lets through`, async (t) => {
    const on = await desk(t, { compositor })
    const { x, host, renderer } = on
    const window = await renderer.open({ ...GOOD, overrideRedirect: false })
    const surface = await surfaceOf(host, renderer, window)
    t.not(surface.id, window)
    t.is(surface.pid, renderer.pid)
    t.false(surface.overrideRedirect)
    t.deepEqual(surface.ownInput, [])
    const title = [surface.x + surface.width / 2, surface.y + 8] as const
    t.true(holds(surface.input, title))
    t.false(await passes(x, on, title))
    t.is(holds(surface.input, MIDDLE), !(await passes(x, on, MIDDLE)))
    t.deepEqual(renderer.clicks, [])
  })

  test(`${way}, a window that is never drawn can take clicks all the same`, async (t) => {
    const on = await desk(t, { compositor })
    const { x, host, renderer } = on
    const window = await renderer.open({ ...AT, color: 0, inputOnly: true, overrideRedirect: true })
    const surface = await surfaceOf(host, renderer, window)
    t.true(surface.inputOnly)
    t.deepEqual(rects(surface.input), [AT])
    t.false(await passes(x, on, MIDDLE))
    t.deepEqual(renderer.clicks, [window])
  })
}

test('a managed window tells its states, and its frame takes clicks where it says', async (t) => {
  const on = await desk(t)
  const { x, host, renderer } = on
  const states = ['_NET_WM_STATE_ABOVE', '_NET_WM_STATE_SKIP_TASKBAR']
  const window = await renderer.open({ ...GOOD, overrideRedirect: false, bare: true, states })
  await until('the window manager has taken them', async () => {
    const found = (await surfaceOf(host, renderer, window)).states
    return states.every((state) => found.includes(state))
  })
  const full = await renderer.open({ ...GOOD, overrideRedirect: false, states: ['_NET_WM_STATE_FULLSCREEN'] })
  const surface = await until('it fills the screen', async () => {
    const found = await surfaceOf(host, renderer, full)
    return found.width === 1280 && found
  })
  t.true(surface.states.includes('_NET_WM_STATE_FULLSCREEN'))
  t.is((await host.surfacesOf({ pids: [renderer.pid], windows: [] })).length, 2)
  for (const at of [MIDDLE, [50, 700]] as const)
    t.is(holds(surface.input, at), !(await passes(x, on, at)), `${at}`)
})

test('what is above a window is told, and a menu is no reason to say that it is not above the others', async (t) => {
  const { x, host, app, renderer } = await desk(t)
  const window = await renderer.open(GOOD)
  t.true((await surfaceOf(host, renderer, window)).above)
  const menu = await app.open({
    x: 300,
    y: 200,
    width: 50,
    height: 50,
    color: 0xff0000,
    overrideRedirect: true,
  })
  const aside = await app.open({
    x: 900,
    y: 600,
    width: 50,
    height: 50,
    color: 0xff0000,
    overrideRedirect: true,
  })
  const under = await surfaceOf(host, renderer, window)
  t.deepEqual([under.coveredBy, under.above], [[menu], true])
  t.false(under.coveredBy.includes(aside))
  const managed = await renderer.open({ ...GOOD, overrideRedirect: false })
  await surfaceOf(host, renderer, managed)
  const before = await app.open({ ...AT, color: 0x00ff00, title: 'above' })
  const last = await until('it is above', async () => {
    // A window manager may think that a new window would steal the focus, and put it elsewhere.
    await x.run('xdotool', 'windowraise', String(before))
    const found = await surfaceOf(host, renderer, managed)
    return !found.above && found
  })
  const other = (await host.windows()).find(({ client }) => client === before)!
  t.true(last.coveredBy.includes(other.id))
  t.true((await surfaceOf(host, renderer, window)).above, 'override-redirect windows stay above')
})

test('windows are known by their connection, whatever they say of themselves, and by their ids', async (t) => {
  const { host, app, renderer } = await desk(t)
  t.true(host.info().tellsProcesses)
  const lie = await app.open({ ...GOOD, pid: renderer.pid })
  const truth = await renderer.open({ ...GOOD, pid: 1 })
  const found = await host.surfacesOf({ pids: [renderer.pid], windows: [] })
  t.deepEqual(
    found.map(({ id, pid }) => [id, pid]),
    [[truth, renderer.pid]],
  )
  const listed = await host.surfacesOf({ pids: [], windows: [lie] })
  t.deepEqual(
    listed.map(({ id, pid }) => [id, pid]),
    [[lie, app.pid]],
  )
  t.is((await host.surfacesOf({ pids: [app.pid, renderer.pid], windows: [lie] })).length, 4)
})

test('a process without windows, none at all, one that has died and nobody: no surfaces and no error', async (t) => {
  const { host, renderer } = await desk(t)
  const idle = await Other.start(t, (await desk(t)).x)
  t.deepEqual(await host.surfacesOf({ pids: [idle.pid], windows: [] }), [])
  t.deepEqual(await host.surfacesOf({ pids: [4_000_000, 0], windows: [] }), [])
  t.deepEqual(await host.surfacesOf({ pids: [], windows: [] }), [])
  t.deepEqual(await host.surfacesOf({ pids: [], windows: [0x7fffff0] }), [])
  const window = await renderer.open(GOOD)
  await surfaceOf(host, renderer, window)
  await renderer.end()
  await until('its window has gone', async () => {
    return (await host.surfacesOf({ pids: [renderer.pid], windows: [window] })).length === 0
  })
  t.pass()
})

test('our own surface, seen as any other process’s, lets every click through', async (t) => {
  const { host, eye } = await desk(t)
  await show(host, [AT])
  const found = (await eye.surfacesOf({ pids: [process.pid], windows: [] })).filter(
    ({ viewable }) => viewable,
  )
  t.deepEqual(
    found.map(({ input, depth, overrideRedirect }) => ({ input, depth, overrideRedirect })),
    [{ input: [], depth: 32, overrideRedirect: true }],
  )
})

test('a panel that took an icon of the process in is not its surface', async (t) => {
  const { host, app, renderer } = await desk(t)
  const panel = await app.open({
    x: 0,
    y: 760,
    width: 1280,
    height: 40,
    color: 0x222222,
    overrideRedirect: true,
  })
  await renderer.open({ x: 4, y: 4, width: 24, height: 24, color: 0xffffff, into: panel })
  const window = await renderer.open(GOOD)
  await surfaceOf(host, renderer, window)
  const found = await host.surfacesOf({ pids: [renderer.pid], windows: [] })
  t.deepEqual(
    found.map(({ id }) => id),
    [window],
  )
})

test('a server that does not know processes is told so, and windows are taken at their word', async (t) => {
  const { x, app, renderer } = await desk(t, { args: ['-extension', 'X-Resource'] })
  const host = await connect(x.display)
  t.teardown(() => host.close())
  t.false(host.info().tellsProcesses)
  await renderer.open(GOOD)
  const said = await renderer.open({ ...GOOD, pid: renderer.pid })
  const framed = await renderer.open({ ...GOOD, pid: renderer.pid, overrideRedirect: false })
  await surfaceOf(host, renderer, framed)
  const found = await host.surfacesOf({ pids: [renderer.pid], windows: [] })
  t.deepEqual(found.map(({ client }) => client).toSorted(), [said, framed].toSorted())
  t.true(found.every(({ pid }) => pid === null))
  t.deepEqual(await host.surfacesOf({ pids: [app.pid], windows: [] }), [])
})
