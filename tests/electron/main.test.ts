/** The main process of the Electron host, on a stand-in for exactly the parts of Electron that it uses. */
import test from 'ava'
import { PAGE_URL, SCHEME } from '../../overlay/hosts/electron/bridge.js'
import { until } from '../support/xserver.js'
import { mainRig, place, point, put } from './main-rig.js'
import { AnsweringPage } from './standin/answering.js'
import type { StandInWindow } from './standin/electron.js'

const open = (windows: readonly StandInWindow[]) => windows.filter((window) => !window.isDestroyed())

test('the first window is made as all others are, is looked at, and goes with the first layout', async (t) => {
  const rig = await mainRig(t)
  const started = await rig.ask({ type: 'start', version: '1.0.0', reduced_motion: false })
  t.like(started, {
    type: 'started',
    report: {
      version: '42.0.0',
      pid: 1234,
      window: { shown: true, above: true, focusable: false, placed: true },
    },
    screens: [
      {
        key: '11',
        name: 'One',
        primary: true,
        scale: 1,
        size: [1280, 800],
        origin: [0, 0],
        pixels: [0, 0, 1280, 800],
      },
    ],
  })
  t.is(open(rig.standIn.windows).length, 1)
  t.true((rig.standIn.windows[0]?.bounds.width ?? 99) < 32)
  await rig.ask({ type: 'lay', displays: [place(1)] })
  t.true(rig.standIn.windows[0]?.isDestroyed())
  t.deepEqual(
    open(rig.standIn.windows).map((window) => window.isVisible()),
    [false],
    'nothing is drawn, so nothing is on the screen',
  )
})

for (const platform of ['linux', 'darwin', 'win32'] as const) {
  test(`the window recipe of ${platform}: click-through and on top before it is ever shown, never focused`, async (t) => {
    const rig = await mainRig(t, { platform, places: [place(1)] })
    await rig.ask(put(1, 'a'))
    for (const { options, calls } of rig.standIn.windows) {
      t.like(options, {
        show: false,
        transparent: true,
        frame: false,
        hasShadow: false,
        focusable: false,
        skipTaskbar: true,
        alwaysOnTop: true,
        enableLargerThanScreen: true,
        backgroundColor: '#00000000',
        webPreferences: {
          contextIsolation: true,
          sandbox: true,
          nodeIntegration: false,
          webviewTag: false,
          backgroundThrottling: false,
        },
      })
      const shown = calls.indexOf('showInactive')
      t.true(shown > 0)
      const before = calls.slice(0, shown)
      t.true(before.includes('setIgnoreMouseEvents true'))
      t.true(before.includes('setAlwaysOnTop true screen-saver'))
      t.is(
        before.some((call) => call.startsWith('setVisibleOnAllWorkspaces true {"visibleOnFullScreen":true')),
        platform !== 'win32',
      )
      t.is(before.includes('setHiddenInMissionControl true'), platform === 'darwin')
    }
    t.is(rig.standIn.accessory, platform === 'darwin')
  })
}

test('on X11 a window overhangs its display where no other display is: its top left pixel is on no screen', async (t) => {
  const places = [
    place(1, { bounds: [0, 0, 640, 800] }),
    place(2, { bounds: [640, 0, 640, 800] }),
    place(3, { bounds: [0, 800, 640, 800] }),
  ]
  const rig = await mainRig(t, { places })
  const bounds = open(rig.standIn.windows).map((window) => window.bounds)
  t.deepEqual(bounds, [
    { x: 0, y: -1, width: 640, height: 801 },
    { x: 640, y: -1, width: 640, height: 801 },
    { x: -1, y: 800, width: 641, height: 800 },
  ])
  await rig.ask(put(3, 'a'))
  t.like(rig.pages.at(-1)?.told[0], { type: 'scene', offset: [-1, 0] }, 'and the page knows it')
})

test('displays of different scales do not share a session: Chromium keeps one zoom for each', async (t) => {
  const rig = await mainRig(t, {
    places: [place(1, { zoom: 1.25 }), place(2, { zoom: 2, bounds: [1280, 0, 1280, 800] })],
  })
  const preferences = open(rig.standIn.windows).map(({ options }) => options.webPreferences)
  t.deepEqual(
    preferences.map((one) => one?.zoomFactor),
    [1.25, 2],
  )
  t.not(preferences[0]?.partition, preferences[1]?.partition)
})

test('a window is on the screen while there is ink, and only then', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const [window] = open(rig.standIn.windows)
  t.like(await rig.ask(put(1, 'a')), { type: 'painted', visible: true, mapped: true })
  t.true(window?.isVisible())
  t.like(await rig.ask(put(1, 'b')), { type: 'painted', visible: true, mapped: false })
  await rig.ask({ type: 'apply', display: 1, put: [], remove: ['a', 'b'] })
  t.false(window?.isVisible())
  await rig.ask({
    type: 'apply',
    display: 1,
    put: [],
    remove: [],
    prompt: { title: 'T', body: 'B', answers: [] },
  })
  t.true(window?.isVisible(), 'a question is ink too')
  await rig.ask({ type: 'apply', display: 1, put: [], remove: [], prompt: null })
  t.false(window?.isVisible())
})

test('a page can go nowhere, open nothing, embed nothing, and is permitted nothing', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  t.deepEqual(rig.standIn.schemes, [{ scheme: SCHEME, privileges: { standard: true, secure: true } }])
  const [window] = open(rig.standIn.windows) as [StandInWindow]
  for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']) {
    let prevented = false
    window.pageEvents.emit(event, { preventDefault: () => (prevented = true) })
    t.true(prevented, event)
  }
  t.deepEqual(window.openHandler?.({} as never), { action: 'deny' })
  const session = rig.standIn.sessions.get(window.options.webPreferences?.partition ?? '')
  t.deepEqual(session?.permissions.map(([kind]) => kind).sort(), ['check', 'device', 'request'])
  for (const [kind, handler] of session?.permissions ?? []) {
    const ask = handler as (...args: unknown[]) => unknown
    let granted: unknown = null
    const answer = ask({}, 'media', (value: boolean) => {
      granted = value
    })
    t.false(kind === 'request' ? granted : answer, kind)
  }
  const isBlocked = (url: string) => {
    let cancelled: boolean | undefined
    session?.blocks?.({ url }, ({ cancel }) => {
      cancelled = cancel
    })
    return cancelled
  }
  t.true(isBlocked('https://example.com/'))
  t.true(isBlocked('file:///etc/passwd'))
  t.false(isBlocked(PAGE_URL))
  const serve = session?.handlers.get(SCHEME)
  const page = await serve?.(new Request(PAGE_URL))
  t.is(page?.status, 200)
  t.regex(page?.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  t.is((await serve?.(new Request(`${SCHEME}://overlay/package.json`)))?.status, 404)
})

test('messages of a frame that is not ours change nothing, and are noted', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const [window] = open(rig.standIn.windows) as [StandInWindow]
  await rig.ask(put(1, 'a'))
  const [page] = rig.pages.slice(-1) as [AnsweringPage]
  page.mute = true
  const asked = rig.ask(put(1, 'b'))
  const lie = { type: 'painted', seq: 2, presented: true, ink: true }
  const frames = [
    { url: 'https://example.com/' },
    { routingId: 9 },
    { parent: window.frame },
    { processId: 1 },
  ] as Partial<Electron.WebFrameMain>[]
  for (const frame of frames) rig.standIn.fromPage(window, 'lets:from-page', lie, frame)
  t.is(rig.heard('noted').filter(({ event }) => event === 'foreign_frame').length, frames.length)
  t.is(rig.heard('painted').length, 1, 'nobody is told that b is painted')
  page.mute = false
  page.say(lie as never)
  t.like(await asked, { type: 'painted', visible: true })
})

test('what a page says that is no message is refused', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const [window] = open(rig.standIn.windows) as [StandInWindow]
  await rig.ask(put(1, 'a'))
  for (const wrong of [
    null,
    7,
    {},
    { type: 'painted' },
    { type: 'evil' },
    { type: 'painted', seq: 'x', presented: true, ink: true },
  ])
    rig.standIn.fromPage(window, 'lets:from-page', wrong)
  t.is(rig.heard('noted').filter(({ event }) => event === 'page_message_refused').length, 6)
  t.like(await rig.ask(put(1, 'b')), { type: 'painted', visible: true })
})

test('a page whose process ends is loaded again and told everything, and whoever waited is answered', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const [window] = open(rig.standIn.windows) as [StandInWindow]
  await rig.ask({ ...put(1, 'a'), pointer: 'a' })
  const [page] = rig.pages.slice(-1) as [AnsweringPage]
  page.mute = true
  const asked = rig.ask(put(1, 'b'))
  page.mute = false
  window.pageEvents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
  t.like(await asked, { type: 'painted', visible: true })
  t.is(page.loads, 2)
  t.like(page.told[0], { type: 'scene', put: [point('a'), point('b')], pointer: 'a' })
  t.true(window.isVisible())
})

test('where no mark is to be drawn a page is told, and again when it comes anew', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const [window] = open(rig.standIn.windows) as [StandInWindow]
  await rig.ask(put(1, 'a'))
  const [page] = rig.pages.slice(-1) as [AnsweringPage]
  await rig.ask({ ...put(1), opening: [10, 20, 30, 40] })
  t.like(page.told.at(-1), { type: 'change', put: [], opening: [10, 20, 30, 40] })
  window.pageEvents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
  await until('it is told again', () => page.loads === 2 && page.told[0])
  t.like(page.told[0], { type: 'scene', put: [point('a')], opening: [10, 20, 30, 40] })
  await rig.ask({ ...put(1), opening: null })
  t.like(page.told.at(-1), { type: 'change', opening: null })
})

test('a page that hangs is loaded again', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const [window] = open(rig.standIn.windows) as [StandInWindow]
  await rig.ask(put(1, 'a'))
  window.events.emit('unresponsive')
  const [page] = rig.pages.slice(-1) as [AnsweringPage]
  await until('it has the scene again', () => page.loads === 2 && page.told[0]?.type === 'scene')
  t.like(await rig.ask({ type: 'ping' }), { type: 'done' })
  page.mute = true
  const asked = rig.ask(put(1, 'b'))
  await until('it is loaded once more', () => page.loads === 3)
  page.mute = false
  page.say({ type: 'ready', ratio: 1, pixels: [1, 1] })
  t.like(await asked, { type: 'painted', visible: true })
})

test('a page that fails again and again is given up with its process: the daemon decides what comes next', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const [window] = open(rig.standIn.windows) as [StandInWindow]
  await rig.ask(put(1, 'a'))
  for (let times = 0; times < 4; times++) {
    t.is(rig.standIn.exitCode, null)
    window.pageEvents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
  }
  t.is(rig.standIn.exitCode, 0)
  t.is(open(rig.standIn.windows).length, 0)
})

test('a display that goes while its window is being created leaves nothing, and whoever waits hears it', async (t) => {
  const rig = await mainRig(t, {
    places: [place(1)],
    make: () => Object.assign(new AnsweringPage(), { slow: true }),
  })
  const asked = rig.ask(put(1, 'a'))
  await rig.ask({ type: 'lay', displays: [] })
  t.like(await asked, { type: 'painted', visible: false, mapped: false })
  t.is(open(rig.standIn.windows).length, 0)
  t.like(
    await rig.ask(put(1, 'b')),
    { type: 'painted', visible: false },
    'a display that is not there shows nothing',
  )
  t.is(rig.standIn.exitCode, null)
})

test('20 changes of the layout in a second are told once things are quiet, and at least once a second', async (t) => {
  const rig = await mainRig(t, { platform: 'darwin', places: [place(1)] })
  const [one] = rig.standIn.displays
  if (!one) return t.fail()
  const begin = performance.now()
  for (let width = 1; width <= 20; width++) {
    rig.standIn.setDisplays([{ ...one, bounds: { ...one.bounds, width: 1000 + width } }])
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const tooOften = rig.heard('layout').length
  t.true(tooOften <= Math.ceil((performance.now() - begin) / 1000) + 1, `told ${tooOften} times`)
  const last = await until('the last one is told', () =>
    rig.heard('layout').find(({ screens }) => screens[0]?.size[0] === 1020),
  )
  t.truthy(last)
  const told = rig.heard('layout').length
  rig.standIn.setDisplays([...rig.standIn.displays])
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.is(rig.heard('layout').length, told, 'what did not change is not told')
})

test('20 new layouts in a row leave the windows of the last one, and what is applied after it', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const asked = []
  for (let width = 1; width <= 20; width++) {
    asked.push(
      rig.ask({ type: 'lay', displays: [place(1, { bounds: [0, 0, 1000 + width, 800] })] }),
      rig.ask(put(1, `a${width}`)),
    )
  }
  await Promise.all(asked)
  const windows = open(rig.standIn.windows)
  t.deepEqual(
    windows.map(({ bounds }) => bounds.width),
    [1020],
  )
  t.true(windows[0]?.isVisible())
})

test('a layout that leaves a display as it was leaves its window and what is on it', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  await rig.ask(put(1, 'a'))
  const [window] = open(rig.standIn.windows)
  await rig.ask({
    type: 'lay',
    displays: [place(1), place(2, { bounds: [1280, 0, 800, 600], size: [800, 600] })],
  })
  t.true(window?.isVisible())
  t.is(open(rig.standIn.windows).length, 2)
})

test('a display that only changed its place shows there what it showed', async (t) => {
  const rig = await mainRig(t, { places: [place(1), place(2, { bounds: [1280, 0, 1280, 800] })] })
  await rig.ask(put(2, 'a'))
  await rig.ask({ type: 'lay', displays: [place(1), place(2, { bounds: [0, 800, 1280, 800] })] })
  const window = open(rig.standIn.windows).find(({ bounds }) => bounds.y >= 800)
  t.true(window?.isVisible())
  t.is(open(rig.standIn.windows).length, 2)
  const page = rig.pages.at(-1)
  await until('its page has the mark', () =>
    page?.told.some((one) => one.type === 'scene' && one.put[0]?.id === 'a'),
  )
  await rig.ask({
    type: 'lay',
    displays: [place(1), place(2, { bounds: [0, 800, 800, 600], size: [800, 600] })],
  })
  t.false(
    open(rig.standIn.windows).some((one) => one.isVisible()),
    'of another size, it shows nothing',
  )
})

test('a window that hung over where a display is now is made anew', async (t) => {
  const rig = await mainRig(t, { places: [place(1, { bounds: [0, 800, 1280, 800] })] })
  t.deepEqual(open(rig.standIn.windows)[0]?.bounds.y, 799)
  await rig.ask({ type: 'lay', displays: [place(1, { bounds: [0, 800, 1280, 800] }), place(2)] })
  t.deepEqual(
    open(rig.standIn.windows).map(({ bounds: { x, y } }) => [x, y]),
    [
      [-1, 800],
      [0, -1],
    ],
  )
})

test('a window that the system put elsewhere than asked tells its page where the display begins', async (t) => {
  const rig = await mainRig(t, { platform: 'darwin', places: [place(1)] })
  const [window] = open(rig.standIn.windows) as [StandInWindow]
  await rig.ask(put(1, 'a'))
  window.getBounds = () => ({ x: 0, y: 25, width: 1280, height: 775 })
  await rig.ask(put(1, 'b'))
  t.like(rig.pages.at(-1)?.told.at(-1), { type: 'scene', offset: [0, 25], put: [point('a'), point('b')] })
})

test('a scene of 2,000 marks is taken whole', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const ids = Array.from({ length: 2000 }, (_, index) => `mark-${index}`)
  t.like(await rig.ask(put(1, ...ids)), { type: 'painted', visible: true })
  rig.standIn.windows.at(-1)?.pageEvents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 })
  const page = rig.pages.at(-1)
  const scene = await until('the page has all of it again', () =>
    page?.told.find((one) => one.type === 'scene' && one.put.length === 2000),
  )
  t.truthy(scene)
})

test('what is no order is refused with the field that is wrong, and the next one is carried out', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const wrong = [
    null,
    'text',
    {},
    { type: 'apply', seq: 901 },
    { type: 'nonsense', seq: 902 },
    { type: 'apply', seq: 903, display: 1, put: [{ id: 'a', kind: 'point', at: [1] }], remove: [] },
    { type: 'take_keys', seq: 904, keys: ['F1'] },
  ]
  for (const message of wrong) rig.send(message)
  await until(
    'all are refused',
    () => rig.heard('noted').filter(({ event }) => event === 'bad_order').length === wrong.length,
  )
  t.deepEqual(
    rig.heard('failed').map(({ seq }) => seq),
    [901, 902, 903, 904],
  )
  t.regex(rig.heard('failed')[2]?.reason ?? '', /apply\/put/)
  t.like(await rig.ask(put(1, 'a')), { type: 'painted', visible: true })
})

test('when the daemon is gone, everything is taken off and the process ends', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  await rig.ask(put(1, 'a'))
  await rig.ask({ type: 'take_keys', keys: ['clear'] })
  await rig.ask({ type: 'panel', panel: { summary: '1 mark', items: [] } })
  rig.leave()
  t.is(open(rig.standIn.windows).length, 0)
  t.is(rig.standIn.shortcuts.size, 0)
  t.is(rig.standIn.trayTip, null)
  t.is(rig.standIn.exitCode, 0)
})

test('another version of Lets is refused', async (t) => {
  const rig = await mainRig(t)
  t.like(await rig.ask({ type: 'start', version: '0.9.0', reduced_motion: false }), {
    type: 'failed',
    reason: 'the daemon is of version 0.9.0 and its host of 1.0.0',
  })
})

test('a host of the same daemon that has not gone yet is waited for, and a second one draws nothing', async (t) => {
  const rig = await mainRig(t, { alone: false })
  const asked = rig.ask({ type: 'start', version: '1.0.0', reduced_motion: false })
  setTimeout(() => {
    rig.standIn.alone = true
  }, 200)
  t.like(await asked, { type: 'started' })
  const second = await mainRig(t, { alone: false })
  t.like(await second.ask({ type: 'start', version: '1.0.0', reduced_motion: false }), {
    type: 'failed',
    reason: 'another host of this daemon has not ended yet',
  })
  t.is(second.standIn.windows.length, 0)
})

test('keys: those that another program has are not ours; a key that is held answers nothing', async (t) => {
  const rig = await mainRig(t, { platform: 'darwin', places: [place(1)] })
  rig.standIn.takenElsewhere.add('Control+Shift+N')
  t.like(await rig.ask({ type: 'take_keys', keys: ['clear', 'yes', 'no'] }), {
    type: 'keys',
    had: ['clear', 'yes'],
  })
  const press = (accelerator: string) => rig.standIn.shortcuts.get(accelerator)?.()
  press('Control+Shift+Y')
  press('Control+Shift+Y')
  press('Control+Shift+K')
  t.deepEqual(
    rig.heard('pressed').map(({ key }) => key),
    ['clear'],
  )
  await new Promise((resolve) => setTimeout(resolve, 800))
  press('Control+Shift+Y')
  t.is(rig.heard('pressed').at(-1)?.key, 'yes')
  await rig.ask({ type: 'release_keys', keys: ['yes'] })
  t.deepEqual([...rig.standIn.shortcuts.keys()], ['Control+Shift+K'])
})

test('the tray shows what the daemon says, and tells what was chosen', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  await rig.ask({
    type: 'panel',
    panel: {
      summary: '3 marks',
      items: [
        { kind: 'text', label: 'claude: 2' },
        { kind: 'separator' },
        { kind: 'action', id: 'clear', label: 'Clear all' },
        { kind: 'action', id: 'pause', label: 'Pause', checked: true },
      ],
    },
  })
  t.is(rig.standIn.trayTip, '3 marks')
  const menu = rig.standIn.menus.at(-1) ?? []
  t.deepEqual(
    menu.map(({ label, type, enabled, checked }) => [label ?? type, enabled, checked]),
    [
      ['3 marks', false, undefined],
      ['separator', undefined, undefined],
      ['claude: 2', false, undefined],
      ['separator', undefined, undefined],
      ['Clear all', undefined, undefined],
      ['Pause', undefined, true],
    ],
  )
  menu.find(({ label }) => label === 'Pause')?.click?.(...([] as never as [never, never, never]))
  t.deepEqual(rig.heard('chosen'), [{ type: 'chosen', id: 'pause' }])
  await rig.ask({ type: 'panel', panel: null })
  t.is(rig.standIn.trayTip, null)
})

test('hidden, the windows are off the screen whatever is put, and come back with all of it', async (t) => {
  const rig = await mainRig(t, { places: [place(1)] })
  const [window] = open(rig.standIn.windows)
  await rig.ask(put(1, 'a'))
  await rig.ask({ type: 'hide', hidden: true })
  t.false(window?.isVisible())
  await rig.ask(put(1, 'b'))
  t.false(window?.isVisible())
  await rig.ask({ type: 'hide', hidden: false })
  t.true(window?.isVisible())
})
