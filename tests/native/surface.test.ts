import { mkdirSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import type { PixelRect } from '../../native/index.js'
import { until } from '../support/xserver.js'
import { fill, native, near, over, pixel, RED, type Rig, rig, show, showsSoon, YELLOW } from './support.js'

const BLUE = [0x33, 0x66, 0x99]
const GREY = [0x80, 0x80, 0x80]
const INK: PixelRect[] = [
  { x: 200, y: 150, width: 300, height: 150 },
  { x: 640, y: 340, width: 120, height: 120 },
]
const GRID = [250, 350, 700].flatMap((x) => [200, 290, 400].map((y) => [x, y] as const))

/** A window that reports every click, over the middle of the screen. */
async function clickLogger({ x }: Rig): Promise<() => string[]> {
  const xev = x.spawn('xev', ['-geometry', '900x600+100+80', '-name', 'clicks', '-event', 'button'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  xev.stdout!.on('data', (chunk) => {
    output += chunk
  })
  const id = await x.windowNamed('clicks')
  await until('the window is seen', async () => (await x.run('xwininfo', '-id', id)).includes('IsViewable'))
  return () => [...output.matchAll(/ButtonPress event[\s\S]*?root:\((\d+,\d+)\)/g)].map((match) => match[1]!)
}

async function clicksArrive(
  t: ExecutionContext,
  { x }: Rig,
  clicks: () => string[],
  what: string,
): Promise<void> {
  const before = clicks().length
  for (const [px, py] of GRID) await x.run('xdotool', 'mousemove', `${px}`, `${py}`, 'click', '1')
  await until('the clicks arrive', () => clicks().length >= before + GRID.length, 3000).catch(() => {})
  t.deepEqual(
    clicks().slice(before),
    GRID.map((point) => point.join(',')),
    what,
  )
}

async function overlayWindow({ x }: Rig): Promise<string | undefined> {
  const tree = await x.tree()
  return tree
    .split('\n')
    .find((line) => line.includes('"lets-overlay"'))
    ?.trim()
    .split(' ')[0]
}

async function isMapped(on: Rig): Promise<boolean> {
  const id = await overlayWindow(on)
  return id !== undefined && (await on.x.run('xwininfo', '-id', id)).includes('IsViewable')
}

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test(`A1 A3 ${way}, clicks on the ink and beside it reach the window below, after every redraw and a resize`, async (t) => {
    const on = await rig(t, { compositor, windowManager: true })
    const clicks = await clickLogger(on)
    t.deepEqual(await show(on.host, INK), { shown: true, stale: false, covered: false, inputEmpty: true })
    await clicksArrive(t, on, clicks, 'first drawing')
    for (let round = 0; round < 20; round++) {
      const moved = INK.map((rect) => ({ ...rect, x: rect.x + (round % 5) }))
      await show(on.host, moved, round % 2 === 0 ? RED : YELLOW)
      if (round % 5 === 4) await clicksArrive(t, on, clicks, `redraw ${round}`)
    }
    await on.x.run(
      'xrandr',
      '--newmode',
      '1024x700',
      '60',
      '1024',
      '1025',
      '1026',
      '1027',
      '700',
      '701',
      '702',
      '703',
    )
    await on.x.run('xrandr', '--addmode', 'screen', '1024x700')
    await on.x.run('xrandr', '--output', 'screen', '--mode', '1024x700')
    await until('the resize is seen', () => on.events.some((event) => event.type === 'displays'))
    t.true((await show(on.host, INK)).shown)
    await clicksArrive(t, on, clicks, 'after the resize')
  })

  test(`${way}, ink is blended over what is below, and nothing else of the screen changes`, async (t) => {
    const on = await rig(t, { compositor })
    const below = compositor ? GREY : BLUE
    await showsSoon(t, on.eye, [350, 220], below)
    await show(on.host, INK)
    await showsSoon(t, on.eye, [350, 220], over(YELLOW, below))
    await showsSoon(t, on.eye, [700, 400], over(YELLOW, below))
    await showsSoon(t, on.eye, [600, 500], below)
    const other = { x: 20, y: 500, width: 50, height: 50 }
    await show(on.host, [other], RED)
    await showsSoon(t, on.eye, [40, 520], [255, 0, 0])
    await showsSoon(t, on.eye, [350, 220], below)
  })

  test(`${way}, the window is there only while there is ink, and marked so that nothing touches it`, async (t) => {
    const on = await rig(t, { compositor })
    t.is(await overlayWindow(on), undefined)
    await show(on.host, INK)
    t.true(await isMapped(on))
    const id = (await overlayWindow(on))!
    const properties = await on.x.run('xprop', '-id', id)
    t.regex(properties, /_NET_WM_WINDOW_TYPE\(ATOM\) = _NET_WM_WINDOW_TYPE_NOTIFICATION/)
    t.regex(properties, /_COMPTON_SHADOW\(CARDINAL\) = 0/)
    t.regex(properties, /_NET_WM_WINDOW_OPACITY\(CARDINAL\) = 4294967295/)
    t.regex(properties, /WM_NAME\(STRING\) = "Lets overlay"/)
    t.regex(await on.x.run('xwininfo', '-id', id), /Override Redirect State: yes/)
    t.deepEqual(await show(on.host, []), { shown: true, stale: false, covered: false, inputEmpty: true })
    t.false(await isMapped(on))
    await show(on.host, INK)
    t.true(await isMapped(on))
    await on.host.close()
    t.is(await overlayWindow(on), undefined)
  })

  test(`A15 ${way}, ink is on top of a full-screen window, whichever came first`, async (t) => {
    const on = await rig(t, { compositor, windowManager: true })
    await show(on.host, INK)
    on.x.spawn('xterm', ['-T', 'full', '-fullscreen', '-bg', '#204060', '-e', 'sleep', '60'])
    const id = await on.x.windowNamed('full')
    await until('it is full-screen', async () => {
      const info = await on.x.run('xwininfo', '-id', id)
      return info.includes('Width: 1280') && info.includes('Height: 800') && info.includes('IsViewable')
    })
    await showsSoon(t, on.eye, [600, 700], [0x20, 0x40, 0x60])
    await showsSoon(t, on.eye, [700, 400], over(YELLOW, [0x20, 0x40, 0x60]))
    await show(on.host, [])
    await showsSoon(t, on.eye, [700, 400], [0x20, 0x40, 0x60])
    await show(on.host, INK)
    await showsSoon(t, on.eye, [700, 400], over(YELLOW, [0x20, 0x40, 0x60]))
  })

  test(`A13 ${way}, 500 keys reach a terminal during 50 draws, and the active window never changes`, async (t) => {
    const on = await rig(t, { compositor, windowManager: true })
    const keys = `/tmp/lets-keys-${process.pid}-${compositor}`
    on.x.spawn('xterm', ['-T', 'terminal', '-e', 'sh', '-c', `exec cat > ${keys}`])
    await on.x.windowNamed('terminal')
    await until('the terminal is active', async () => {
      const active = await on.x.run('xdotool', 'getactivewindow', 'getwindowname').catch(() => '')
      return active.trim() === 'terminal'
    })
    const active = await on.x.run('xdotool', 'getactivewindow')
    let typing = true
    const typed = on.x.run('xdotool', 'type', '--delay', '4', `${'abcdefghi\n'.repeat(50)}`).finally(() => {
      typing = false
    })
    for (let round = 0; round < 50 || typing; round++) {
      await show(on.host, round % 3 === 0 ? [] : INK, round % 2 === 0 ? RED : YELLOW)
      if (round % 10 === 0) t.is(await on.x.run('xdotool', 'getactivewindow'), active)
    }
    await typed
    const text = await until('all keys arrive', async () => {
      const got = await readFile(keys, 'utf8')
      return got.length >= 500 ? got : undefined
    })
    await rm(keys)
    t.is(text, 'abcdefghi\n'.repeat(50))
  })
}

test('A6 without a compositor, ink follows what changes below it', async (t) => {
  const on = await rig(t)
  on.x.spawn('xev', ['-geometry', '900x600+100+80', '-name', 'below', '-bw', '0'])
  await on.x.windowNamed('below')
  await showsSoon(t, on.eye, [350, 220], [255, 255, 255])
  await show(on.host, INK)
  await showsSoon(t, on.eye, [350, 250], over(YELLOW, [255, 255, 255]))
  const id = await on.x.windowNamed('below')
  on.x.spawn('xterm', [
    '-T',
    'changing',
    '-geometry',
    '120x40+150+100',
    '-bg',
    '#104010',
    '-e',
    'sleep',
    '60',
  ])
  await on.x.windowNamed('changing')
  await showsSoon(t, on.eye, [350, 250], over(YELLOW, [0x10, 0x40, 0x10]))
  await on.x.run('xdotool', 'windowmove', await on.x.windowNamed('changing'), '600', '300')
  await showsSoon(t, on.eye, [300, 200], over(YELLOW, [255, 255, 255]))
  await on.x.run('xdotool', 'windowunmap', id)
  await showsSoon(t, on.eye, [300, 200], over(YELLOW, BLUE))
})

test('A6 without a compositor, a program that draws under the ink is seen through it', async (t) => {
  const on = await rig(t)
  const go = `/tmp/lets-go-${process.pid}`
  t.teardown(() => rm(go, { force: true }))
  const wait = `while [ ! -e ${go} ]; do sleep 0.05; done`
  const script = `printf "\\033]11;#800000\\007"; ${wait}; printf "\\033]11;#008000\\007"; sleep 60`
  on.x.spawn('xterm', ['-T', 'drawing', '-geometry', '140x50+100+80', '-e', 'sh', '-c', script])
  await showsSoon(t, on.eye, [350, 250], [0x80, 0, 0])
  await show(on.host, INK)
  await showsSoon(t, on.eye, [350, 250], over(YELLOW, [0x80, 0, 0]))
  await writeFile(go, '')
  await showsSoon(t, on.eye, [350, 250], over(YELLOW, [0, 0x80, 0]))
})

for (const compositor of [true, false]) {
  const with_ = compositor ? 'with' : 'without'
  test(`A8 a 16-bit screen ${with_} a compositor shows blended ink, never an opaque window`, async (t) => {
    const on = await rig(t, { screen: '1280x800x16', compositor })
    await show(on.host, INK)
    const below = await pixel(on.eye, 600, 600)
    const expected = over(YELLOW, below)
    await until('the ink is there', async () => near(await pixel(on.eye, 350, 220), expected, 8))
    t.true(near(await pixel(on.eye, 600, 600), below))
    const clicks = await clickLogger(on)
    await clicksArrive(t, on, clicks, '16 bits')
  })
}

test('A8 a server without the Composite extension is refused with the reason', async (t) => {
  const error = await t.throwsAsync(rig(t, { args: ['-extension', 'Composite'] }))
  t.regex(error!.message, /no Composite extension/)
})

test('a server without shared memory is drawn on all the same', async (t) => {
  const on = await rig(t, { args: ['-extension', 'MIT-SHM'] })
  t.false(on.host.info().shm)
  await show(on.host, [{ x: 0, y: 0, width: 1280, height: 790 }])
  await showsSoon(t, on.eye, [5, 785], over(YELLOW, BLUE))
  await on.x.startCompositor()
  await showsSoon(t, on.eye, [5, 785], over(YELLOW, GREY))
})

test('what is asked wrongly is refused with a sentence, and the host lives on', async (t) => {
  const { host } = await rig(t)
  const { epoch, monitors } = await host.monitors()
  const monitor = monitors[0]!.name
  const rect = { x: 0, y: 0, width: 10, height: 10 }
  const ask = { epoch, monitor, patches: [rect], pixels: fill([rect], RED), ink: [rect] }
  await t.throwsAsync(host.present({ ...ask, pixels: Buffer.alloc(3) }), { message: /need 400 bytes/ })
  await t.throwsAsync(host.present({ ...ask, patches: [{ ...rect, x: 1275 }] }), {
    message: /not within its monitor/,
  })
  await t.throwsAsync(host.present({ ...ask, patches: [{ ...rect, x: -1 }] }), {
    message: /not within its monitor/,
  })
  await t.throwsAsync(host.present({ ...ask, monitor: 'nowhere' }), { message: /no monitor named 'nowhere'/ })
  await t.throwsAsync(host.capture({ x: 0, y: 0, width: 5000, height: 10, overlay: true }), {
    message: /not within the screen of 1280x800/,
  })
  t.like(await host.present({ ...ask, epoch: epoch + 1 }), { shown: false, stale: true })
  t.true((await host.present(ask)).shown)
})

test('ink is never above a screen locker, and says that it is covered', async (t) => {
  const on = await rig(t, { compositor: true })
  await show(on.host, INK)
  // Like a locker: override-redirect, larger than the monitor, and taking input.
  const size = ['-geometry', '250x90+0+0', '-b', '0', '-bw', '0', '-xrm', '*overrideRedirect: true']
  const locker = on.x.spawn('xterm', ['-T', 'locker', ...size, '-bg', '#400000', '-e', 'sleep', '99'])
  await showsSoon(t, on.eye, [700, 400], [0x40, 0, 0])
  t.deepEqual(await show(on.host, INK, RED), { shown: false, stale: false, covered: true, inputEmpty: true })
  await show(on.host, [])
  t.like(await show(on.host, INK, RED), { shown: false, covered: true })
  // A menu or the like below the locker is no reason to come up.
  on.x.spawn('xev', ['-geometry', '200x200+600+300', '-name', 'other'])
  await on.x.windowNamed('other')
  await showsSoon(t, on.eye, [300, 200], [0x40, 0, 0])
  locker.kill()
  await showsSoon(t, on.eye, [700, 400], [255, 0, 0])
  t.true((await show(on.host, INK, RED)).shown)
})

test('another window that keeps raising itself is let there, and said so', async (t) => {
  const on = await rig(t, { compositor: true })
  on.x.spawn('xev', ['-geometry', '900x600+100+80', '-name', 'rival', '-event', 'button'])
  const rival = await on.x.windowNamed('rival')
  await show(on.host, INK)
  await on.x.run('xdotool', 'windowraise', rival)
  await showsSoon(t, on.eye, [350, 250], over(YELLOW, [255, 255, 255]))
  const raises = on.x.run(
    'xdotool',
    ...Array.from({ length: 60 }, () => ['windowraise', rival, 'sleep', '0.025']).flat(),
  )
  await until('it gives up', () => on.host.info().notes.some((note) => note.includes('raising itself')))
  await raises
  await showsSoon(t, on.eye, [350, 250], [255, 255, 255])
})

test('connecting fails with a plain sentence, and within its time', async (t) => {
  const connectTo = (display: string) =>
    native.X11Host.connect({ display, timeoutMs: 500, hotkey: false }, () => {})
  await t.throwsAsync(connectTo(':64321'), {
    message: /no X server answers at ':64321': .*; set DISPLAY to /,
  })
  await t.throwsAsync(connectTo('nonsense'), { message: /'nonsense' is not the name of an X display/ })
  mkdirSync('/tmp/.X11-unix', { recursive: true })
  const number = 40000 + (process.pid % 20000)
  const held = new Set<Socket>()
  let letGo = 0
  const mute = createServer((socket) => {
    held.add(socket)
    socket
      .resume()
      .on('error', () => {})
      .on('close', () => {
        letGo += 1
      })
  })
  await new Promise<void>((resolve) => mute.listen(`/tmp/.X11-unix/X${number}`, resolve))
  t.teardown(() => {
    for (const socket of held) socket.destroy()
    mute.close()
  })
  const started = performance.now()
  await t.throwsAsync(connectTo(`:${number}`), { message: /did not answer within 500 ms/ })
  await t.throwsAsync(native.listDisplays({ display: `:${number}`, timeoutMs: 200 }), {
    message: /within 200 ms/,
  })
  t.true(performance.now() - started < 20_000)
  await until('both connections are given up', () => letGo === 2)
})

test('with a compositor, ink that comes and goes in quick succession is seen each time', async (t) => {
  const on = await rig(t, { compositor: true })
  for (let round = 0; round < 25; round++) {
    const square = { x: 100 + (round % 8) * 120, y: 300, width: 60, height: 40 }
    await show(on.host, [square], RED)
    await showsSoon(t, on.eye, [square.x + 30, square.y + 20], [255, 0, 0])
    await show(on.host, [])
    await showsSoon(t, on.eye, [square.x + 30, square.y + 20], GREY)
  }
})
