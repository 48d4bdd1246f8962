import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { X11Event, X11Host } from '../../native/index.js'
import { until, type XOptions } from '../support/xserver.js'
import { Other } from './other.js'
import type { Wanted } from './other-program.js'
import { connect, near, pixel, pixelsThatDiffer, rig, screenshot, show, sleeps } from './support.js'
import { setWallpaper } from './wallpaper.js'

/** What a renderer puts over a whole screen. */
const VEIL: Wanted = {
  ...{ x: 0, y: 0, width: 1280, height: 800 },
  ...{ color: 0, alpha: true, overrideRedirect: true, input: [] },
}
const INK = [300, 200, 250, 150] as const
const RED = 0xffff0000

/** A desktop with an application in it, a renderer that shows nothing yet, and a connection that only looks. */
async function desk(t: ExecutionContext, options: XOptions & { wallpaper?: boolean } = {}) {
  const on = await rig(t, { windowManager: true, ...options })
  if (options.wallpaper === true) {
    const wallpaper = await setWallpaper(on.x.display, 1280, 800)
    t.teardown(() => wallpaper.destroy())
  }
  const [app, renderer] = [await Other.start(t, on.x), await Other.start(t, on.x)]
  // Without a frame that shows whether it has the focus.
  const place = { x: 150, y: 100, width: 500, height: 400 }
  const below = await app.open({ ...place, color: 0x557799, title: 'app', bare: true })
  await app.paint(below, [20, 30, 200, 100], 0x11aa33)
  await until('the application is there', async () =>
    (await on.eye.windows()).some(({ id, client, viewable }) => client === below && id !== below && viewable),
  )
  const events: X11Event[] = []
  const eyes = await look(t, on.x.display, (event) => events.push(event))
  return { ...on, app, renderer, below, eyes, events, claimed: { pids: [renderer.pid], windows: [] } }
}

async function look(
  t: ExecutionContext,
  display: string,
  onEvent: (event: X11Event) => void = () => {},
): Promise<X11Host> {
  const eyes = await connect(display, onEvent, false, true)
  t.teardown(() => eyes.close())
  return eyes
}

/** A picture of a screen that has come to rest. */
async function settled(eyes: X11Host, overlay: boolean) {
  let last = await screenshot(eyes, overlay)
  return until('the screen is still', async () => {
    await delay(50)
    const next = await screenshot(eyes, overlay)
    const same = pixelsThatDiffer(last, next) === 0
    last = next
    return same && next
  })
}

/** Opens the renderer's window with ink in it, and waits until a person sees that. */
async function draw(eye: X11Host, renderer: Other, wanted: Wanted = VEIL): Promise<number> {
  const window = await renderer.open(wanted)
  await until('the ink is seen', async () => {
    await renderer.paint(window, INK, RED)
    return near(await pixel(eye, 450, 290), [255, 0, 0])
  })
  return window
}

for (const compositor of [true, false]) {
  for (const wallpaper of [true, false]) {
    const way = `${compositor ? 'with' : 'without'} a compositor, ${wallpaper ? 'with' : 'without'} a wallpaper`

    test(`${way}, the screen without another process’s marks is the screen before them`, async (t) => {
      const { eyes, eye, renderer, claimed } = await desk(t, { compositor, wallpaper })
      await eyes.claim(claimed)
      const seen = await settled(eye, true)
      const before = await screenshot(eyes, false)
      t.is(pixelsThatDiffer(before, seen), 0, 'without marks it is what anyone sees')
      const window = await draw(eye, renderer)
      t.is(pixelsThatDiffer(await screenshot(eyes, false), before), 0)
      t.true(pixelsThatDiffer(await screenshot(eyes, true), before) > 30_000)
      const part = { x: 290, y: 190, width: 100, height: 80 }
      const small = await screenshot(eyes, false, part)
      t.deepEqual(
        small.data.subarray(0, 400),
        before.data.subarray((190 * 1280 + 290) * 4, (190 * 1280 + 390) * 4),
      )
      await renderer.close(window)
      await draw(eye, renderer)
      t.is(pixelsThatDiffer(await screenshot(eyes, false), before), 0, 'another window of it')
      await renderer.end()
      await until('its marks are gone', async () => pixelsThatDiffer(await screenshot(eye, true), seen) === 0)
      t.is(pixelsThatDiffer(await screenshot(eyes, false), before), 0)
    })
  }
}

test('where the server does not know processes, windows that say they are the renderer’s are left out', async (t) => {
  const args = ['-extension', 'X-Resource']
  const { eyes, eye, renderer, claimed } = await desk(t, { args, compositor: true })
  t.false(eyes.info().tellsProcesses)
  await eyes.claim(claimed)
  const before = await settled(eyes, false)
  const listed = (await eyes.windows()).map(({ id }) => id)
  const veil = { ...VEIL, pid: renderer.pid }
  await draw(eye, renderer, veil)
  await renderer.open({ ...veil, overrideRedirect: false })
  await until('it has a frame', async () =>
    (await eyes.surfacesOf(claimed)).some(({ id, client }) => id !== client),
  )
  t.is(pixelsThatDiffer(await screenshot(eyes, false), before), 0)
  t.deepEqual(
    (await eyes.windows()).map(({ id }) => id),
    listed,
  )
})

test('marks that are up before they are claimed are in no picture either', async (t) => {
  const { eyes, eye, renderer, claimed } = await desk(t, { compositor: true })
  const seen = await settled(eye, true)
  await draw(eye, renderer)
  t.true(pixelsThatDiffer(await screenshot(eyes, false), seen) > 30_000)
  await eyes.claim(claimed)
  t.is(pixelsThatDiffer(await screenshot(eyes, false), seen), 0)
  await eyes.claim({ pids: [], windows: [] })
  t.true(pixelsThatDiffer(await screenshot(eyes, false), seen) > 30_000)
})

test('a managed window of the renderer is left out with its frame', async (t) => {
  const { eyes, eye, renderer, claimed, events } = await desk(t, { compositor: true })
  await eyes.claim(claimed)
  await eyes.watchWindows(true)
  const before = await settled(eyes, false)
  const listed = await eyes.windows()
  const managed = { ...VEIL, x: 100, y: 60, width: 700, height: 500, overrideRedirect: false }
  const window = await draw(eye, renderer, managed)
  const [surface] = await eyes.surfacesOf(claimed)
  t.not(surface!.id, window, 'it has a frame')
  t.deepEqual(
    (await eyes.windows()).map(({ id }) => id),
    listed.map(({ id }) => id),
  )
  t.is(pixelsThatDiffer(await screenshot(eyes, false), before), 0)
  await renderer.close(window)
  await until('it has closed', async () => (await eyes.surfacesOf(claimed)).length === 0)
  await until('its frame has gone', async () => !(await eye.windows()).some(({ id }) => id === surface!.id))
  t.deepEqual(mentioned(events, [window, surface!.id]), [])
})

test('no list and no event has a window of the renderer, however new it is; others are told', async (t) => {
  const { eyes, eye, app, renderer, claimed, events } = await desk(t)
  await eyes.claim(claimed)
  await eyes.watchWindows(true)
  const opened: number[] = []
  let busy = true
  const churn = (async () => {
    for (let n = 0; n < 60; n++) {
      const window = await renderer.open({ ...VEIL, overrideRedirect: n % 3 !== 0, title: `mark ${n}` })
      opened.push(window)
      if (n % 2 === 0) await delay(5)
      if (n % 5 !== 0) await renderer.close(window)
    }
    busy = false
  })()
  let lists = 0
  const titles = new Set<string>()
  while (busy) {
    for (const { title } of await eyes.windows()) titles.add(title)
    lists++
  }
  await churn
  t.true(lists > 20, `${lists} lists`)
  t.deepEqual([...titles], ['app'])
  const other = await app.open({ x: 700, y: 100, width: 100, height: 100, color: 0xffffff, title: 'later' })
  const later = await until('it is listed', async () =>
    (await eyes.windows()).find(({ client, id }) => client === other && id !== other),
  )
  await until('it is told', () => mentioned(events, [later.id]).length > 0)
  t.deepEqual(mentioned(events, opened), [])
  t.true(
    (await eye.windows()).some(({ title }) => title.startsWith('mark')),
    'to others they are windows',
  )
})

test('windows that are claimed while they are watched are told as gone, and as there when they are let go', async (t) => {
  const { eyes, renderer, claimed, events } = await desk(t)
  await eyes.watchWindows(true)
  const window = await renderer.open(VEIL)
  const told = () => mentioned(events, [window]).map(({ kind }) => kind)
  await until('it is told', () => told().includes('appeared'))
  await eyes.claim({ pids: [], windows: [window] })
  await until('it is gone', () => told().at(-1) === 'gone')
  await eyes.claim(claimed)
  t.false((await eyes.windows()).some(({ id }) => id === window))
  t.is(told().at(-1), 'gone')
  await eyes.claim({ pids: [], windows: [] })
  await until('it is there', () => told().at(-1) === 'appeared')
  t.true((await eyes.windows()).some(({ id }) => id === window))
})

test('the content of a mark is not followed, and an application’s below it is', async (t) => {
  const { eyes, eye, app, below, renderer, claimed, events } = await desk(t, { compositor: true })
  await eyes.claim(claimed)
  const { id } = (await eyes.windows()).find(({ client }) => client === below)!
  const window = await draw(eye, renderer)
  const areas = [{ x: 0, y: 0, width: 4000, height: 4000 }]
  await eyes.watchContent([
    { window, areas },
    { window: id, areas },
  ])
  const content = () => events.flatMap((event) => (event.type === 'content' ? [event.window] : []))
  const before = await eyes.look({ window: id })
  await renderer.paint(window, [0, 0, 900, 700], RED)
  await app.paint(below, [5, 5, 100, 100], 0xff00ff)
  await until('the application is told', () => content().includes(id))
  t.false(content().includes(window))
  const after = await eyes.look({ window: id })
  t.not(Buffer.compare(Buffer.from(before.data), Buffer.from(after.data)), 0)
  await t.throwsAsync(eyes.look({ window }), { message: /is one of the marks$/ })
  const reds = Array.from({ length: after.data.length / 4 }, (_, n) => after.data.readUInt32LE(n * 4))
  t.false(reds.includes(RED), 'nothing of the mark is in it')
})

test('a renderer that dies, and dies while it is looked at, is no error', async (t) => {
  const { eyes, eye, renderer, claimed, events } = await desk(t, { compositor: true })
  await eyes.claim(claimed)
  const before = await settled(eyes, false)
  await draw(eye, renderer)
  const asked = Array.from({ length: 40 }, () =>
    Promise.all([eyes.windows(), eyes.surfacesOf(claimed), screenshot(eyes, false)]),
  )
  await renderer.end()
  await Promise.all(asked)
  t.deepEqual(await eyes.surfacesOf(claimed), [])
  t.is(pixelsThatDiffer(await screenshot(eyes, false), before), 0)
  t.false(events.some(({ type }) => type === 'exit'))
})

test('a connection that only looks draws nothing, and says so', async (t) => {
  const { x, eyes } = await desk(t)
  await t.throwsAsync(show(eyes, [{ x: 10, y: 10, width: 50, height: 50 }]), {
    message: /opened to look only/,
  })
  t.false((await x.tree()).includes('"lets-overlay"'))
  t.is((await eyes.surfacesOf({ pids: [process.pid], windows: [] })).length, 0)
  t.deepEqual(eyes.info().notes, [], 'how marks are blended is not its business')
  t.false(eyes.info().compositor)
  await x.startCompositor()
  await until('the compositor is told', () => eyes.info().compositor)
})

test('what becomes of the renderer’s windows is told once, until it is asked, and nothing of others', async (t) => {
  const { eyes, app, renderer, claimed, events, below, x } = await desk(t)
  const told = () => events.filter(({ type }) => type === 'surfaces').length
  const next = async (what: string, count: number) => {
    await until(what, () => told() === count)
    return eyes.surfacesOf(claimed)
  }
  await renderer.open({ ...VEIL, pid: 1 })
  await eyes.claim(claimed)
  t.is(told(), 0, 'what is there is asked for')
  const window = await renderer.open(VEIL)
  t.is((await next('a new one is told', 1)).length, 2)
  await renderer.takeClicks(window, [[0, 0, 1280, 800]])
  const [, taking] = await next('that it takes clicks is told', 2)
  t.is(taking!.input.length, 1)
  await renderer.takeClicks(window, [])
  await until('it is told again', () => told() === 3)
  await renderer.takeClicks(window, [[0, 0, 5, 5]])
  await app.open({ x: 10, y: 10, width: 90, height: 90, color: 0, overrideRedirect: true })
  await app.takeClicks(below, [])
  await x.run('xdotool', 'windowmove', String(below), '300', '200')
  await eyes.windows()
  t.is(told(), 3, 'once, until it is asked')
  await eyes.surfacesOf(claimed)
  await app.close(below)
  const framed = await renderer.open({ ...VEIL, overrideRedirect: false })
  const all = await until('the frame is told', async () => {
    const found = await eyes.surfacesOf(claimed)
    return (
      told() > 3 &&
      found.some(({ id, client, viewable }) => client === framed && id !== framed && viewable) &&
      found
    )
  })
  t.is(all.length, 3)
  await until('all of it has been told', async () => {
    const before = told()
    await eyes.surfacesOf(claimed)
    await delay(100)
    return before === told()
  })
  let count = told()
  await renderer.takeClicks(framed, [[0, 0, 9, 9]])
  await next('the window in the frame takes clicks', ++count)
  await renderer.end()
  t.deepEqual(await next('its end is told', ++count), [])
})

test('a real browser is claimed by the process that was started, and seen for what it is', async (t) => {
  const { x, eyes, eye, events } = await desk(t, { compositor: true })
  const folder = mkdtempSync(join(tmpdir(), 'lets-claims-'))
  const page = 'data:text/html,<title>marks</title><body style="background:red">'
  const plain = [
    '--no-first-run',
    '--disable-sync',
    '--disable-background-networking',
    '--password-store=basic',
  ]
  const args = ['--no-sandbox', '--test-type', `--user-data-dir=${folder}`, ...plain, `--app=${page}`]
  const before = await settled(eyes, false)
  const browser = x.spawn('chromium', args)
  const claimed = { pids: [browser.pid!], windows: [] }
  await eyes.claim(claimed)
  await eyes.watchWindows(true)
  const listed = await until(
    'others see its window',
    async () => (await eye.windows()).find(({ title, viewable }) => title.includes('marks') && viewable),
    60_000,
  )
  const center = [listed.x + listed.width / 2, listed.y + listed.height / 2] as const
  await until('its page is red', async () => near(await pixel(eye, ...center), [255, 0, 0]))
  t.false((await eyes.windows()).some(({ id }) => id === listed.id))
  t.is(pixelsThatDiffer(await screenshot(eyes, false), before), 0)
  const surfaces = (await eyes.surfacesOf(claimed)).filter(({ viewable }) => viewable)
  const surface = surfaces.find(({ id }) => id === listed.id)!
  t.is(surface.pid, browser.pid!)
  t.true(surface.input.length > 0, 'it takes clicks, and is told to')
  const gone = once(browser, 'exit')
  browser.kill()
  await gone
  await until('it is gone', async () => (await eyes.surfacesOf(claimed)).length === 0)
  t.deepEqual(mentioned(events, [listed.id, listed.client]), [])
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

test.serial('marks of another process cost nothing while nothing happens', async (t) => {
  const { eyes, eye, renderer, claimed, events } = await desk(t, { compositor: true })
  await eyes.claim(claimed)
  await eyes.watchWindows(true)
  await draw(eye, renderer)
  await until('all has settled', async () => {
    const before = await sleeps()
    await delay(500)
    return before === (await sleeps())
  })
  events.length = 0
  const before = await sleeps()
  await delay(1000)
  t.is(await sleeps(), before)
  t.deepEqual(events, [])
})

test('with our own marks, another process’s are still no marks to draw over', async (t) => {
  const { host, eye, renderer, claimed } = await desk(t, { compositor: true })
  await host.claim(claimed)
  const before = await settled(host, false)
  await draw(eye, renderer)
  await show(host, [{ x: 350, y: 220, width: 100, height: 60 }])
  t.is(pixelsThatDiffer(await screenshot(host, false), before), 0)
  await show(host, [])
  t.is(pixelsThatDiffer(await screenshot(host, false), before), 0)
})

function mentioned(events: readonly X11Event[], windows: readonly number[]) {
  const all = events.flatMap((event) => (event.type === 'windows' ? event.changes : []))
  return all.filter(({ id }) => windows.includes(id))
}
