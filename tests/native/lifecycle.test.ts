import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { PixelRect } from '../../native/index.js'
import { startX, until, type XServer } from '../support/xserver.js'
import { connect, near, over, pixel, rig, screenshot, show, showsSoon, sleeps, YELLOW } from './support.js'

const INK: PixelRect[] = [{ x: 200, y: 150, width: 300, height: 150 }]
const BLUE = [0x33, 0x66, 0x99]
const GREY = [0x80, 0x80, 0x80]

async function hasOverlay(x: XServer): Promise<boolean> {
  return (await x.tree()).includes('"lets-overlay"')
}

/** A process of its own that draws and then does as it is told. */
async function drawingProcess(x: XServer, then: string) {
  const index = fileURLToPath(new URL('../../native/index.js', import.meta.url))
  const script = `
    const { loadNative } = await import(${JSON.stringify(index)})
    const { native } = loadNative()
    const host = await native.X11Host.connect({ display: '${x.display}', timeoutMs: 5000, hotkey: false }, () => {})
    const { epoch, monitors } = await host.monitors()
    const ink = ${JSON.stringify(INK)}
    await host.present({ epoch, monitor: monitors[0].name, patches: ink, pixels: Buffer.alloc(180000, 102), ink })
    console.log('drawn')
    ${then}
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // Listened for from the start: one that ends by itself may be seen to end before what it said is read.
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [first] = await once(child.stdout!, 'data')
  if (!String(first).includes('drawn')) throw new Error(`the process said ${first}`)
  return { child, ended }
}

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test(`A4 ${way}, a process killed with marks up leaves nothing on the screen`, async (t) => {
    const on = await rig(t, { compositor })
    const below = await pixel(on.eye, 350, 220)
    const { child } = await drawingProcess(on.x, 'setInterval(() => {}, 1000)')
    t.true(await hasOverlay(on.x))
    child.kill('SIGKILL')
    await until('the window is gone', async () => !(await hasOverlay(on.x)), 1000)
    await showsSoon(t, on.eye, [350, 220], below)
  })

  test(`${way}, a server killed with marks up ends the host with an event, and every call rejects`, async (t) => {
    const x = await startX({ compositor })
    t.teardown(() => x.stop())
    const events: string[] = []
    const host = await connect(x.display, (event) =>
      events.push(event.type === 'exit' ? event.reason : event.type),
    )
    await show(host, INK)
    const pending = Promise.allSettled(Array.from({ length: 200 }, () => screenshotOf(host)))
    await x.kill()
    await until('the exit is told', () => events.includes('the X server went away'))
    const rejected = (await pending).filter((result) => result.status === 'rejected')
    t.true(rejected.every((result) => result.reason.message === 'the X server went away'))
    await t.throwsAsync(host.monitors(), { message: 'the X server went away' })
    await t.throwsAsync(
      host.present({ epoch: 1, monitor: 'screen', patches: [], pixels: Buffer.alloc(0), ink: [] }),
      {
        message: 'the X server went away',
      },
    )
    await t.notThrowsAsync(host.close())
    t.is(events.filter((event) => event === 'the X server went away').length, 1)
  })
}

function screenshotOf(host: Awaited<ReturnType<typeof connect>>) {
  return host.capture({ x: 0, y: 0, width: 1280, height: 800, overlay: false })
}

test('an open host does not keep a process alive, and its windows go with it', async (t) => {
  const on = await rig(t)
  const { ended } = await drawingProcess(on.x, '')
  t.is(await ended, 0)
  await until('the window is gone', async () => !(await hasOverlay(on.x)), 1000)
  t.pass()
})

test('closing twice is closing once; other calls then reject', async (t) => {
  const on = await rig(t)
  await show(on.host, INK)
  await Promise.all([on.host.close(), on.host.close()])
  await on.host.close()
  t.false(await hasOverlay(on.x))
  await t.throwsAsync(on.host.monitors(), { message: /closed/ })
  t.deepEqual(on.events, [], 'closing is not losing')
})

test('a compositor that comes and goes with marks up: never black, never opaque, right again within a second', async (t) => {
  const on = await rig(t)
  on.x.spawn('xterm', ['-T', 'page', '-geometry', '100x40+100+80', '-bg', '#ffffff', '-e', 'sleep', '99'])
  await showsSoon(t, on.eye, [480, 280], [255, 255, 255])
  await show(on.host, [...INK, { x: 900, y: 600, width: 100, height: 100 }])
  const inked = over(YELLOW, [255, 255, 255])
  await showsSoon(t, on.eye, [480, 280], inked)
  // Between a compositor's end and the first event about it, the server itself shows the bare ink where there is ink;
  // outside the ink nothing of ours may ever be seen.
  const outside = [
    [600, 500],
    [1100, 100],
    [120, 100],
    [1200, 750],
  ] as const
  const odd = new Set<string>()
  let watching = true
  const watcher = (async () => {
    while (watching) {
      for (const [x, y] of outside) {
        const seen = await pixel(on.eye, x, y)
        if (![BLUE, GREY, [255, 255, 255]].some((color) => near(seen, color))) odd.add(`${seen} at ${x},${y}`)
      }
    }
  })()
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
    await on.x.startCompositor()
    await until('it is seen', () => on.host.info().compositor)
    await showsSoon(t, on.eye, [480, 280], inked)
    await showsSoon(t, on.eye, [950, 650], over(YELLOW, GREY))
    await show(on.host, [...INK, { x: 900, y: 600, width: 100, height: 100 }])
    await on.x.stopCompositor(signal)
    await until('its end is seen', () => !on.host.info().compositor)
    await showsSoon(t, on.eye, [480, 280], inked)
    await showsSoon(t, on.eye, [950, 650], over(YELLOW, BLUE))
  }
  watching = false
  await watcher
  t.deepEqual([...odd], [])
  t.deepEqual(
    on.events.map((event) => event.type === 'compositor' && event.present),
    [true, false, true, false, true, false],
  )
})

test('Ctrl+Shift+K is heard in every lock state, and only that', async (t) => {
  const on = await rig(t, { hotkey: true })
  t.is(on.host.info().hotkey, 'ready')
  const heard = () => on.events.filter((event) => event.type === 'hotkey').length
  await on.x.run('xdotool', 'key', 'k', 'ctrl+k', 'shift+k')
  await on.x.run('xdotool', 'key', 'ctrl+shift+k')
  await until('it is heard', () => heard() === 1)
  for (const lock of ['Num_Lock', 'Caps_Lock', 'Num_Lock']) {
    const before = heard()
    await on.x.run('xdotool', 'key', lock)
    await on.x.run('xdotool', 'key', 'ctrl+shift+k')
    await until(`it is heard after ${lock}`, () => heard() === before + 1)
  }
  t.is(heard(), 4)
})

test('a hotkey that is taken is said so, and is free for the next once the first closes', async (t) => {
  const on = await rig(t, { hotkey: true })
  const second = await connect(on.x.display, () => {}, true)
  t.is(second.info().hotkey, 'taken')
  t.true(second.info().notes.some((note) => note.includes('Ctrl+Shift+K')))
  await second.close()
  await on.x.run('xdotool', 'key', 'ctrl+shift+k')
  await until('the first still has it', () => on.events.length > 0)
  await on.host.close()
  const third = await connect(on.x.display, () => {}, true)
  t.is(third.info().hotkey, 'ready')
  await third.close()
})

test('the answer keys are taken until they are given back, with every lock, and then reach programs again', async (t) => {
  const on = await rig(t)
  const answers = () => on.events.flatMap((event) => (event.type === 'answer' ? [event.yes] : []))
  const press = async (key: string, count: number) => {
    await on.x.run('xdotool', 'key', `ctrl+shift+${key}`)
    await until(`${key} is heard`, () => answers().length === count)
  }
  t.deepEqual(await on.host.takeAnswerKeys(), { yes: 'ready', no: 'ready' })
  t.deepEqual(await on.eye.takeAnswerKeys(), { yes: 'taken', no: 'taken' })
  await on.eye.releaseAnswerKeys()
  await press('y', 1)
  await press('n', 2)
  await on.x.run('xdotool', 'key', 'Caps_Lock')
  await on.x.run('xdotool', 'key', 'Num_Lock')
  await press('y', 3)
  t.deepEqual(answers(), [true, false, true])
  await on.host.releaseAnswerKeys()
  await on.host.releaseAnswerKeys()
  t.deepEqual(await on.eye.takeAnswerKeys(), { yes: 'ready', no: 'ready' })
})

test('a yes that was down before it is taken counts once it was let go and pressed again', async (t) => {
  const on = await rig(t)
  const answers = () => on.events.filter(({ type }) => type === 'answer').length
  await on.x.run('xdotool', 'keydown', 'ctrl', 'keydown', 'shift', 'keydown', 'y')
  await on.host.takeAnswerKeys()
  // Longer than a held key waits before it repeats.
  await delay(1200)
  t.is(answers(), 0)
  await on.x.run('xdotool', 'keyup', 'y', 'keyup', 'shift', 'keyup', 'ctrl')
  await until('it is heard', async () => {
    await on.x.run('xdotool', 'key', 'ctrl+shift+y')
    return answers() > 0
  })
  t.pass()
})

test('a letter on another key after the keyboard mapping changed is the one that answers', async (t) => {
  const on = await rig(t)
  const answers = () => on.events.filter(({ type }) => type === 'answer').length
  await on.host.takeAnswerKeys()
  await on.x.run('xmodmap', '-e', 'keycode 52 = y Y', '-e', 'keycode 29 = z Z')
  await until('it is heard', async () => {
    await on.x.run('xdotool', 'key', 'ctrl+shift+y')
    return answers() > 0
  })
  const before = answers()
  await on.x.run('xdotool', 'key', 'ctrl+shift+z')
  await on.x.run('xdotool', 'key', 'ctrl+shift+y')
  await until('only the second is heard', () => answers() === before + 1)
  t.is(answers(), before + 1)
})

// Alone, so that no other test's threads are counted.
test.serial('A17 nothing happens while nothing happens', async (t) => {
  const on = await rig(t, { compositor: true })
  await show(on.host, INK)
  await screenshot(on.host, false)
  await until('all has settled', async () => {
    const before = await sleeps()
    await delay(500)
    return before === (await sleeps())
  })
  const before = await sleeps()
  await delay(2000)
  t.is((await sleeps()) - before, 0, 'the threads did not wake up once')
})
