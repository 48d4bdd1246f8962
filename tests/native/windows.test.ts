import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { PixelRect, WindowChange, WindowInfo, X11Event, X11Host } from '../../native/index.js'
import { until, type XOptions, type XServer } from '../support/xserver.js'
import { connect, rig, show, sleeps } from './support.js'

const INK: PixelRect[] = [{ x: 200, y: 150, width: 300, height: 150 }]

/** As `rig`, with a window manager, and with what the events say is on the screen. */
async function desk(t: ExecutionContext, options: XOptions = {}) {
  const on = await rig(t, { windowManager: true, ...options })
  return { ...on, changes: () => changesOf(on.events) }
}

function changesOf(events: readonly X11Event[]): WindowChange[] {
  return events.flatMap((event) => (event.type === 'windows' ? event.changes : []))
}

/** Opens an xterm and waits until it is listed; without its blinking and scrolling there is nothing to wait for. */
async function open(x: XServer, host: X11Host, title: string, place: string, ...more: string[]) {
  const managed = (await x.run('xprop', '-root', '_NET_SUPPORTING_WM_CHECK')).includes('0x')
  const child = x.spawn('xterm', ['-T', title, '-geometry', place, ...more, '-e', 'sleep', '99'])
  const window = await until(`${title} is there`, async () => {
    const found = await named(host, title)
    // Until its window manager, where there is one, has framed it, it is another window.
    return found?.viewable === true && (!managed || found.id !== found.client) && found
  })
  return { ...window, child }
}

async function named(host: X11Host, title: string): Promise<WindowInfo | undefined> {
  return (await host.windows()).find((window) => window.title === title)
}

/** What another program says about the child of the root that `client` is in. */
async function outer(x: XServer, client: number): Promise<{ id: number } & PixelRect> {
  const tree = await x.run('xwininfo', '-tree', '-id', String(client))
  const root = /Root window id: (0x[0-9a-f]+)/.exec(tree)?.[1]
  const parent = /Parent window id: (0x[0-9a-f]+)/.exec(tree)![1]!
  if (parent !== root) return outer(x, Number(parent))
  const said = await x.run('xwininfo', '-id', String(client))
  const number = (label: string) => Number(new RegExp(`${label}: +(-?\\d+)`).exec(said)![1])
  const border = number('Border width')
  return {
    id: client,
    x: number('Absolute upper-left X'),
    y: number('Absolute upper-left Y'),
    width: number('Width') + 2 * border,
    height: number('Height') + 2 * border,
  }
}

function place({ id, x, y, width, height }: { id: number } & PixelRect) {
  return { id, x, y, width, height }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test(`${way}, windows are listed bottom to top with what they are, and ours is not among them`, async (t) => {
    const { x, host, eye } = await desk(t, { compositor })
    t.deepEqual(await host.windows(), [], 'none of the helpers a desktop keeps')
    const one = await open(x, host, 'one', '40x10+100+100')
    const two = await open(x, host, 'two', '30x12+250+180', '-class', 'Notes', '-name', 'notes')
    await x.run(
      'xprop',
      '-id',
      `${two.client}`,
      '-f',
      '_NET_WM_NAME',
      '8u',
      '-set',
      '_NET_WM_NAME',
      'Zwei – 二',
    )
    await x.run('xprop', '-id', `${one.client}`, '-remove', '_NET_WM_NAME')
    await x.run('xdotool', 'windowraise', String(one.client))
    await until('it is raised', async () => (await host.windows()).at(-1)?.id === one.id)
    await show(host, INK)
    const windows = await host.windows()
    t.deepEqual(
      windows.map(({ title, className, instance }) => [title, className, instance]),
      [
        ['Zwei – 二', 'Notes', 'notes'],
        ['one', 'XTerm', 'xterm'],
      ],
    )
    for (const window of windows) {
      t.deepEqual(place(window), await outer(x, window.client))
      t.not(window.id, window.client, 'it has a frame')
      const { viewable, minimized, hidden, overrideRedirect } = window
      t.deepEqual([viewable, minimized, hidden, overrideRedirect], [true, false, false, false])
    }
    t.deepEqual([windows[1]!.pid, windows[0]!.pid], [one.child.pid, two.child.pid])
    t.is(`${one.client}`, (await x.run('xdotool', 'search', '--name', '^one$')).trim())
    t.true(
      (await eye.windows()).some(({ className }) => className === 'lets-overlay'),
      'to others it is a window',
    )
    await x.run('xdotool', 'windowraise', String(two.client))
    await until('the other is raised', async () => (await host.windows()).at(-1)?.id === two.id)
  })

  test.serial(`${way}, moved windows are told with their last rectangle, soon`, async (t) => {
    const { x, host: drawing } = await desk(t, { compositor })
    const events: X11Event[] = []
    let heard = 0
    const host = await connect(x.display, (event) => {
      events.push(event)
      heard ||= performance.now()
    })
    t.teardown(() => host.close())
    const changes = () => changesOf(events)
    const { id, client } = await open(x, host, 'mover', '40x10+100+100')
    await show(drawing, INK)
    await host.watchWindows(true)
    const delays: number[] = []
    for (let n = 0; n < 15; n += 1) {
      events.length = 0
      heard = 0
      const started = performance.now()
      await x.run('xdotool', 'windowmove', String(client), String(120 + 20 * n), String(130 + 7 * n))
      const real = await outer(x, client)
      await until('the last rectangle is the real one', () => {
        const last = changes().findLast((change) => change.id === id)
        return last !== undefined && JSON.stringify(place(last)) === JSON.stringify(real)
      })
      t.deepEqual([...new Set(changes().map((change) => `${change.kind} ${change.id}`))], [`moved ${id}`])
      delays.push(heard - started)
    }
    t.log(`from before xdotool starts to the event: median ${median(delays).toFixed(1)} ms`)
    t.true(median(delays) < 500, `${delays}`)

    events.length = 0
    await x.run('xdotool', 'windowsize', String(client), '500', '300')
    await until('the new size is told', () => changes().some((change) => change.width > 450))
    t.deepEqual(place(changes().at(-1)!), await outer(x, client))
  })

  test(`${way}, windows that come, go and are raised are told, and nothing once it is turned off`, async (t) => {
    const { x, host, events, changes } = await desk(t, { compositor })
    // What comes and is raised in one moment may be told as the latter alone.
    const told = (title: string, kind: string, id: number) =>
      until(title, () =>
        changes().some(
          (change) =>
            change.id === id &&
            (change.kind === kind || (kind === 'appeared' && change.kind === 'restacked')),
        ),
      )
    const below = await open(x, host, 'below', '40x10+100+100')
    await delay(100)
    t.deepEqual(events, [], 'off at first')
    await host.watchWindows(true)
    await host.watchWindows(true)
    const above = await open(x, host, 'above', '40x10+150+150')
    await told('it appeared', 'appeared', above.id)
    t.deepEqual(place(changes().findLast((change) => change.id === above.id)!), await outer(x, above.client))
    // A window manager may show a new window before it decides to put it on top.
    await until('it is on top', async () => (await host.windows()).at(-1)!.id === above.id)
    await delay(50)
    events.length = 0
    await x.run('xdotool', 'windowraise', String(below.client))
    await told('it is restacked', 'restacked', below.id)
    t.false(
      changes().some((change) => change.kind === 'restacked' && change.id === above.id),
      'not the one it passed',
    )
    events.length = 0
    await x.run('xdotool', 'windowminimize', String(below.client))
    await told('minimised is gone', 'gone', below.id)
    above.child.kill()
    await told('closed is gone', 'gone', above.id)
    for (const event of events) {
      const ids = event.type === 'windows' ? event.changes.map((change) => change.id) : []
      t.is(new Set(ids).size, ids.length, 'each window once an event')
    }
    await show(host, INK)
    await show(host, [])
    await host.watchWindows(false)
    await delay(20)
    events.length = 0
    await open(x, host, 'unseen', '40x10+150+150')
    await delay(100)
    t.deepEqual(events, [])
  })

  test(`${way}, windows that die all the time never make a call reject, and events keep up`, async (t) => {
    const { x, host, events, changes } = await desk(t, { compositor })
    await open(x, host, 'steady', '20x4+0+0')
    const shown = new Map((await host.windows()).map((window) => [window.id, JSON.stringify(place(window))]))
    await host.watchWindows(true)
    let busy = true
    const churn = (async () => {
      for (let n = 0; n < 25; n += 1) {
        const [title, at] = [`short-lived ${n}`, `20x4+${n * 20}+${n * 15}`]
        const child = x.spawn('xterm', ['-T', title, '-geometry', at, '-e', 'sleep', '99'])
        // Every other one dies at any moment, perhaps before it has a window: that depends on the machine. The rest have one.
        if (n % 2 === 0) await until(`${title} is there`, async () => (await named(host, title))?.viewable)
        await delay((n % 2 === 0 ? 0 : 40) + (n % 5) * 40)
        child.kill('SIGKILL')
      }
    })().finally(() => {
      busy = false
    })
    let calls = 0
    while (busy) {
      for (const window of await host.windows()) await host.activate(window.client).catch(ended(t))
      calls += 1
      // The window manager works off every activation: asked for more than it can do, it would not get to new windows.
      await delay(10)
    }
    await churn
    // Openbox sometimes leaves an empty frame on the screen, when a client dies while it is being framed.
    const empty = ({ id, client, overrideRedirect }: WindowInfo) => id === client && !overrideRedirect
    await until('all others are gone', async () =>
      (await host.windows()).every((window) => window.title === 'steady' || empty(window)),
    )
    await delay(100)
    for (const change of changes()) {
      if (change.kind === 'gone') shown.delete(change.id)
      else shown.set(change.id, JSON.stringify(place(change)))
    }
    const left = await host.windows()
    // Changes tell where each is; in which order they lie is the list's to say.
    const now = left.map((window) => [window.id, JSON.stringify(place(window))] as const)
    t.deepEqual(Object.fromEntries(shown), Object.fromEntries(now))
    t.true(changes().filter((change) => change.kind === 'appeared').length > 3)
    t.false(events.some((event) => event.type === 'exit'))
    t.log(`${calls} lists, ${changes().length} changes`)
  })
}

/** A window that was listed a moment ago may be gone. */
function ended(t: ExecutionContext) {
  return (error: Error) => t.regex(error.message, /^(there is no window|the window manager does not manage)/)
}

test('minimised windows and those of other workspaces are listed as such, and come back when activated', async (t) => {
  const { x, host } = await desk(t)
  const one = await open(x, host, 'one', '40x10+100+100')
  const two = await open(x, host, 'two', '40x10+150+150')
  const state = async (title: string) => {
    const { viewable, minimized, hidden } = (await named(host, title))!
    return { viewable, minimized, hidden }
  }
  const becomes = (title: string, wanted: object) =>
    until(
      `${title} is ${JSON.stringify(wanted)}`,
      async () => JSON.stringify(await state(title)) === JSON.stringify(wanted),
    )
  const active = async () => Number(await x.run('xdotool', 'getactivewindow').catch(() => ''))
  const shown = { viewable: true, minimized: false, hidden: false }

  await x.run('xdotool', 'windowminimize', String(one.client))
  await becomes('one', { viewable: false, minimized: true, hidden: true })
  await host.activate(one.client)
  await becomes('one', shown)
  await until('it is active', async () => (await active()) === one.client)

  await x.run('xdotool', 'set_desktop_for_window', String(two.client), '2')
  await becomes('two', { viewable: false, minimized: false, hidden: true })
  t.deepEqual((await named(host, 'two'))!.client, two.client)
  await host.activate(two.client)
  await becomes('two', shown)
  await becomes('one', { viewable: false, minimized: false, hidden: true })
  t.is((await x.run('xdotool', 'get_desktop')).trim(), '2')

  await x.run('xdotool', 'set_desktop', '0')
  await becomes('one', shown)
  await x.run('xdotool', 'set_desktop_for_window', String(two.client), String(0xffffffff))
  await becomes('two', shown)
})

test('an activated window is raised and has the focus', async (t) => {
  const { x, host } = await desk(t)
  const one = await open(x, host, 'one', '40x10+100+100')
  await open(x, host, 'two', '40x10+150+150')
  t.is((await host.windows()).at(-1)!.title, 'two')
  await host.activate(one.client)
  await until('it is on top', async () => (await host.windows()).at(-1)!.id === one.id)
  await until(
    'it has the focus',
    async () => (await x.run('xdotool', 'getactivewindow')).trim() === `${one.client}`,
  )
  await t.throwsAsync(host.activate(0x7fffff0), { message: 'there is no window 0x7fffff0' })
  await t.throwsAsync(host.activate(one.id), { message: /^the window manager does not manage the window 0x/ })
  await host.close()
  for (const call of [host.windows(), host.watchWindows(true), host.activate(one.client)])
    await t.throwsAsync(call, { message: 'the X11 host was closed' })
})

test('without a window manager, borders count and windows are activated by hand', async (t) => {
  const { x, host, changes } = await desk(t, { windowManager: false })
  const one = await open(x, host, 'one', '40x10+100+100', '-bw', '5')
  const two = await open(x, host, 'two', '40x10+150+150')
  for (const window of [one, two]) {
    t.is(window.id, window.client)
    t.deepEqual(place(window), await outer(x, window.client))
  }
  t.is(one.x, 100)
  await host.watchWindows(true)
  await host.activate(one.client)
  t.is((await host.windows()).at(-1)!.id, one.id)
  t.is((await x.run('xdotool', 'getwindowfocus', '-f')).trim(), `${one.client}`)
  await until('it is told', () => changes().some(({ kind, id }) => kind === 'restacked' && id === one.id))
  await x.run('xdotool', 'windowunmap', String(two.client))
  await until('it is gone', () => changes().some(({ kind, id }) => kind === 'gone' && id === two.id))
  await host.activate(two.client)
  t.is((await host.windows()).at(-1)!.id, two.id)
  t.is((await x.run('xdotool', 'getwindowfocus', '-f')).trim(), `${two.client}`)
})

test('what a killed window manager left behind is not taken for one', async (t) => {
  const { x, host } = await desk(t, { windowManager: false })
  const manager = x.spawn('openbox', ['--sm-disable'])
  await until('openbox runs', async () =>
    (await x.run('xprop', '-root', '_NET_SUPPORTING_WM_CHECK')).includes('window id'),
  )
  const one = await open(x, host, 'one', '40x10+100+100')
  await open(x, host, 'two', '40x10+150+150')
  t.not(one.id, one.client)
  manager.kill('SIGKILL')
  await until('the frames are gone', async () =>
    (await host.windows()).every((window) => window.id === window.client),
  )
  t.true((await x.run('xprop', '-root', '_NET_SUPPORTED')).includes('_NET_ACTIVE_WINDOW'))
  await host.activate(one.client)
  t.is((await host.windows()).at(-1)!.id, one.client)
  t.is((await x.run('xdotool', 'getwindowfocus', '-f')).trim(), `${one.client}`)
})

test('an override-redirect window is listed as one, and appears in the events', async (t) => {
  const { x, host, changes } = await desk(t)
  await host.watchWindows(true)
  await open(x, host, 'below', '40x10+100+100')
  x.spawn('xmessage', ['-xrm', '*overrideRedirect: true', '-geometry', '+40+60', 'a menu'])
  const menu = await until('it is listed', async () =>
    (await host.windows()).find((window) => window.overrideRedirect && window.viewable),
  )
  t.is((await host.windows()).length, 2)
  t.is(menu.id, menu.client)
  t.deepEqual(place(menu), await outer(x, menu.client))
  await until('it is told', () => changes().some(({ kind, id }) => kind === 'appeared' && id === menu.id))
  await t.throwsAsync(host.activate(menu.client), { message: /^the window manager does not manage/ })
})

test.serial('watching costs nothing while nothing happens', async (t) => {
  const { x, host, events } = await desk(t, { compositor: true })
  await open(x, host, 'still', '40x10+100+100')
  await show(host, INK)
  await host.watchWindows(true)
  await until('all has settled', async () => {
    const before = await sleeps()
    await delay(500)
    return before === (await sleeps())
  })
  events.length = 0
  const before = await sleeps()
  await delay(1000)
  t.is((await sleeps()) - before, 0)
  t.deepEqual(events, [])
})

test.serial('forty windows are listed in a few milliseconds', async (t) => {
  const { x, host } = await desk(t)
  for (let n = 0; n < 40; n += 1)
    x.spawn('xmessage', ['-title', `many ${n}`, '-geometry', `+${n * 20}+${n * 15}`, 'one of many'])
  await until('all are there', async () => (await host.windows()).length === 40, 30_000)
  await delay(500)
  const times: number[] = []
  for (let n = 0; n < 50; n += 1) {
    const started = performance.now()
    await host.windows()
    times.push(performance.now() - started)
  }
  t.log(`40 windows: median ${median(times).toFixed(2)} ms`)
  t.true(median(times) < 200, `${times}`)
})

test('J2: a window that goes full screen and comes back is told, also where its rectangle stays as it is', async (t) => {
  const { x, host, events } = await desk(t)
  const told = () => changesOf(events).filter(({ filling, kind }) => filling || kind === 'restacked').length
  const state = async () => {
    const found = await named(host, 'film')
    return [found?.fullScreen, found?.maximized, found?.height === 800]
  }
  await open(x, host, 'film', '60x20+200+120')
  const ask = (how: string) => x.run('wmctrl', '-r', 'film', '-b', how)
  const change = async (how: string) => {
    const before = told()
    await ask(`${how},fullscreen`)
    await until('it is told', () => told() > before, 1000)
  }
  await host.watchWindows(true)
  await change('add')
  await until('it is full screen', async () => (await state())[0] === true)
  t.deepEqual(await state(), [true, false, true])
  await change('remove')
  await until('it is not', async () => (await state())[2] === false)
  t.deepEqual(await state(), [false, false, false])
  // Without a frame and a panel, a maximised window is where a full-screen one is.
  await x.run(
    'xprop',
    '-name',
    'film',
    '-f',
    '_MOTIF_WM_HINTS',
    '32c',
    '-set',
    '_MOTIF_WM_HINTS',
    '2, 0, 0, 0, 0',
  )
  await ask('add,maximized_vert,maximized_horz')
  await until('it is maximised', async () => (await state())[1] === true && (await state())[2] === true)
  await delay(200)
  t.deepEqual(await state(), [false, true, true])
  await change('add')
  await until('it is full screen', async () => (await state())[0] === true)
  t.true((await state())[2])
  await change('remove')
  await until('it is maximised again', async () => (await state())[0] === false)
  t.deepEqual(await state(), [false, true, true])
})
