import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import type { X11Event, X11Host } from '../../native/index.js'
import { until, type XServer } from '../support/xserver.js'
import { near, rig, show, sleeps } from './support.js'

/** An application that shows what it is told: a terminal that follows a file. */
async function terminal(x: XServer, host: X11Host) {
  const file = join(mkdtempSync(join(tmpdir(), 'lets-content-')), 'text')
  writeFileSync(file, '')
  // Its own caret would be a change, too.
  const plain = ['-xrm', '*cursorColor: white', '-xrm', '*cursorBlink: false', '-uc']
  const shown = ['-b', '0', '-geometry', '40x10+100+100', '-sl', '100', '-T', 'content']
  const child = x.spawn('xterm', [...plain, ...shown, '-e', 'tail', '-n', '+1', '-f', file])
  const window = await until('the terminal is there', async () => {
    const found = (await host.windows()).find(({ title }) => title === 'content')
    return found?.viewable === true && found
  })
  const type = (text: string) => appendFileSync(file, text)
  return { ...window, child, type }
}

function told(events: readonly X11Event[]): Extract<X11Event, { type: 'content' }>[] {
  return events.filter((event) => event.type === 'content')
}

const EVERYWHERE = { x: 0, y: 0, width: 4000, height: 4000 }

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test(`a watched window tells once of a change, and again after a look, ${way}`, async (t) => {
    const { x, host, events } = await rig(t, { compositor })
    const app = await terminal(x, host)
    await host.watchContent([{ window: app.id, areas: [EVERYWHERE] }])
    await host.look({ window: app.id })
    app.type('one')
    await until('the change is told', () => told(events).some(({ window }) => window === app.id))
    await settled(host, app.id, events)
    const before = told(events).length
    app.type('two')
    await until('it is told again', () => told(events).length > before)
    t.true(told(events).every(({ scrolled }) => !scrolled))
  })

  test(`a look shows the window's own pixels, whatever covers it, ${way}`, async (t) => {
    const { x, host } = await rig(t, { compositor })
    const app = await terminal(x, host)
    await host.watchContent([{ window: app.id, areas: [] }])
    const before = await host.look({ window: app.id })
    t.is(before.width, app.width)
    t.is(before.height, app.height)
    t.is(before.data.length, app.width * app.height * 4)
    x.spawn('xterm', ['-T', 'cover', '-geometry', '60x20+50+50', '-bg', 'red', '-e', 'cat'])
    await until('the other covers it', async () =>
      (await host.windows()).some(({ title, viewable }) => title === 'cover' && viewable),
    )
    await show(host, [{ x: 100, y: 100, width: 50, height: 50 }])
    const after = await host.look({ window: app.id })
    t.deepEqual(Buffer.compare(Buffer.from(before.data), Buffer.from(after.data)), 0)
  })
}

/** Looks until the window has told of nothing more for a look: what was under way has been told. */
async function settled(host: X11Host, window: number, events: readonly X11Event[]): Promise<void> {
  await until('nothing more is drawn', async () => {
    const before = told(events).length
    await host.look({ window })
    await delay(60)
    return told(events).length === before
  })
}

for (const depth of [16, 24]) {
  test(`a look has the colours of the screen, on a screen of ${depth} bits`, async (t) => {
    const { x, host, events, eye } = await rig(t, { screen: `1280x800x${depth}` })
    const app = await terminal(x, host)
    app.type('some text')
    await host.watchContent([{ window: app.id, areas: [EVERYWHERE] }])
    await settled(host, app.id, events)
    const { data } = await host.look({ window: app.id })
    const seen = await eye.capture({
      x: app.x,
      y: app.y,
      width: app.width,
      height: app.height,
      overlay: true,
    })
    t.true(isMixed(data))
    for (let at = 0; at < data.length; at += 4) {
      const [blue, green, red] = data.subarray(at, at + 3)
      if (near([red!, green!, blue!], [...seen.data.subarray(at, at + 3)])) continue
      t.fail(`pixel ${at / 4}`)
      return
    }
  })
}

test('a change away from the areas is not told', async (t) => {
  const { x, host, events } = await rig(t)
  const app = await terminal(x, host)
  // The first line is where the text appears; the last one stays empty.
  const below = { x: 0, y: app.height - 20, width: app.width, height: 20 }
  await host.watchContent([{ window: app.id, areas: [below] }])
  await settled(host, app.id, events)
  const before = told(events).length
  app.type('text')
  await until('the text is drawn', async () => {
    const { data, width } = await host.look({ window: app.id })
    return isMixed(data.subarray(0, width * 20 * 4))
  })
  app.type('more')
  await host.windows()
  t.is(told(events).length, before)
})

test('a wheel turned over the window is told with the change', async (t) => {
  const { x, host, events } = await rig(t)
  const app = await terminal(x, host)
  const lines = Array.from({ length: 30 }, (_, index) => `${index}`).join('\n')
  app.type(`${lines}\n`)
  await host.watchContent([{ window: app.id, areas: [EVERYWHERE] }])
  // Under the pointer a terminal draws its caret otherwise.
  await x.run('xdotool', 'mousemove', String(app.x + 40), String(app.y + 40))
  await settled(host, app.id, events)
  const before = told(events).length
  // Whatever else it may draw first is looked at, so that more is told. What a busy terminal draws long after the wheel is not its
  // doing: it is turned again.
  await until('the scroll is told', async () => {
    await x.run('xdotool', 'click', '4')
    const isTold = () =>
      told(events)
        .slice(before)
        .some(({ scrolled }) => scrolled)
    return until(
      'this one is',
      async () => {
        await host.look({ window: app.id })
        return isTold()
      },
      1500,
    ).catch(isTold)
  })
  t.false(
    told(events)
      .slice(0, before)
      .some(({ scrolled }) => scrolled),
  )
})

test('a window that never stops drawing tells once until it is looked at', async (t) => {
  const { x, host, events } = await rig(t)
  x.spawn('xterm', ['-T', 'busy', '-e', 'sh', '-c', 'while :; do date +%N; done'])
  const busy = await until('it is there', async () =>
    (await host.windows()).find(({ title, viewable }) => title === 'busy' && viewable),
  )
  await host.watchContent([{ window: busy.id, areas: [EVERYWHERE] }])
  await until('it tells', () => told(events).length > 0)
  for (let asked = 0; asked < 20; asked++) await host.windows()
  t.is(told(events).length, 1)
  await host.look({ window: busy.id })
  await until('it tells again', () => told(events).length === 2)
})

test('a look at a window that is gone says so', async (t) => {
  const { x, host } = await rig(t)
  const app = await terminal(x, host)
  await host.watchContent([{ window: app.id, areas: [EVERYWHERE] }])
  app.child.kill('SIGKILL')
  await until('it is gone', async () => !(await host.windows()).some(({ id }) => id === app.id))
  await t.throwsAsync(host.look({ window: app.id }), { message: /not on the screen/ })
  await t.notThrowsAsync(host.watchContent([{ window: app.id, areas: [EVERYWHERE] }]))
  await t.notThrowsAsync(host.watchContent([]))
})

test.serial('nothing runs while nothing is watched, and while a watched window is still', async (t) => {
  const { x, host, events } = await rig(t)
  const app = await terminal(x, host)
  await host.watchContent([{ window: app.id, areas: [EVERYWHERE] }])
  await settled(host, app.id, events)
  const watching = await sleeps()
  await delay(400)
  t.is(await sleeps(), watching)
  await host.watchContent([])
  const resting = await sleeps()
  app.type('unseen')
  await delay(400)
  t.is(await sleeps(), resting)
})

function isMixed(bytes: Uint8Array): boolean {
  return bytes.some((byte, index) => index >= 4 && byte !== bytes[index - 4])
}
