/** How soon marks follow what they are on, and what watching costs: on a real X server, a real terminal and browser. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, type LetsClient } from '../../daemon/client/index.js'
import { Browser } from '../follow/recorder/browser.js'
import { Stage } from '../follow/recorder/stage.js'
import { connect as connectEye } from '../native/support.js'
import { type DaemonProcess, startDaemonProcess, tempHome } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { startX, type XServer } from '../support/xserver.js'
import { type Terminal, terminal } from '../x11/terminal.js'
import { figure, ms, percentile } from './figures.js'

/** Movements that are timed, of each kind. */
const ROUNDS = 60

/** How long processor time is counted, in ms. */
const CALM_MS = 10_000

interface Bench {
  readonly x: XServer
  readonly daemon: DaemonProcess
  readonly client: LetsClient
  readonly eye: Awaited<ReturnType<typeof connectEye>>
}

async function withDesk(work: (on: Bench) => Promise<void>): Promise<void> {
  const x = await startX({ windowManager: true, compositor: true })
  const daemon = await startDaemonProcess({
    env: { DISPLAY: x.display, LETS_HOME: tempHome() },
    args: ['--host', 'x11'],
  })
  const client = await connect({ clientName: 'bench', socket: daemon.socket, acks: 'painted', lingerMs: 0 })
  const eye = await connectEye(x.display)
  try {
    await work({ x, daemon, client, eye })
  } finally {
    await client.close()
    await eye.close()
    await daemon.stop()
    await x.stop()
  }
}

/** The share of a core a process uses, in percent. */
async function share(pid: number): Promise<number> {
  const before = busyMs(pid)
  await delay(CALM_MS)
  return ((busyMs(pid) - before) / CALM_MS) * 100
}

const percent = (value: number): string => `${value.toFixed(2)} %`

/** Does something and times from the first changed pixel in `area` to the mark's ink at a new place, or its going. */
async function timed(
  { eye, client }: Bench,
  area: readonly [x: number, y: number, width: number, height: number],
  before: readonly number[],
  move: () => Promise<unknown>,
): Promise<number> {
  const [x, y, width, height] = area.map(Math.round) as [number, number, number, number]
  const below = async () => (await eye.capture({ x, y, width, height, overlay: false })).data
  // The eye is another connection: what is below its own ink is the screen, our ink included; so the area lies beside it.
  const first = await below()
  const moving = move()
  let changedAt = Number.NaN
  const deadline = performance.now() + 1000
  while (performance.now() < deadline) {
    if (Number.isNaN(changedAt) && !(await below()).equals(first)) changedAt = performance.now()
    if (Number.isNaN(changedAt)) continue
    const rect = (await client.status()).marks?.[0]?.rect
    if (!rect || rect[0] !== before[0] || rect[1] !== before[1]) break
  }
  const took = performance.now() - changedAt
  await moving
  return took
}

function report(name: string, all: readonly number[], goal: string): void {
  // A movement to where it was already shows nothing to time.
  const samples = all.filter(Number.isFinite)
  figure(`${name}, p50`, ms(percentile(samples, 0.5)))
  figure(`${name}, p95`, ms(percentile(samples, 0.95)), goal)
}

function textFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'lets-bench-')), 'text')
  const line = (n: number) =>
    `${n} ${Math.sin(n).toString(36).slice(3)} ${Math.cos(n * 7)
      .toString(36)
      .slice(3)}`
  writeFileSync(file, Array.from({ length: 2000 }, (_, n) => line(n)).join('\n'))
  return file
}

async function scrollsInTerminal(on: Bench): Promise<void> {
  const app: Terminal = await terminal(on, ['less', textFile()])
  await delay(500)
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await on.client.highlight({ rect: await app.place(12) })
    await on.client.status()
    await delay(60)
    const rect = (await on.client.status()).marks?.[0]?.rect
    if (!rect) continue
    const beside = await app.place(16)
    const key = round % 3 === 0 ? 'Next' : round % 2 === 0 ? 'Down' : 'j'
    samples.push(await timed(on, beside, rect, () => app.key(key)))
    await on.client.clear()
    if (round % 20 === 19) await app.key('g')
  }
  report('scroll in a terminal to mark moved or gone', samples, 'p95 < 60 ms')
}

async function scrollsInBrowser(on: Bench): Promise<void> {
  await Browser.with(new Stage(on.x, on.eye), [], async (browser) => {
    await browser.show('article.html')
    await delay(500)
    const [left, top] = browser.window.at
    const samples: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await on.client.point({ x: left + 250, y: top + 300 })
      await delay(80)
      const rect = (await on.client.status()).marks?.[0]?.rect
      if (!rect) continue
      const by = round % 4 === 3 ? 2000 : 37
      samples.push(
        await timed(on, [left + 100, top + 380, 200, 60], rect, () =>
          browser.page.value(`scrollBy(0, ${by}); 0`),
        ),
      )
      await on.client.clear()
      if (round % 4 === 3) await browser.page.value('scrollTo(0, 0); 0')
      await delay(50)
    }
    report('scroll in a browser to mark moved or gone', samples, 'p95 < 60 ms')
  })
}

async function windowMoves(on: Bench): Promise<void> {
  const app = await terminal(on, ['less', textFile()])
  await delay(500)
  const samples: number[] = []
  await on.client.highlight({ rect: await app.place(5) })
  for (let round = 0; round < ROUNDS; round++) {
    const rect = (await on.client.status()).marks?.[0]?.rect
    if (!rect) break
    // Its left edge, frame included.
    const [x, y] = await app.place(20)
    const to = [`${100 + (round % 7) * 11}`, `${90 + (round % 5) * 9}`]
    samples.push(
      await timed(on, [x - 30, y, 60, 40], rect, () => on.x.run('xdotool', 'windowmove', app.client, ...to)),
    )
    await delay(30)
  }
  report('window moved to mark moved', samples, 'p95 < 35 ms')
}

async function costs(on: Bench): Promise<void> {
  const app = await terminal(on, ['less', textFile()])
  await delay(500)
  await delay(2000)
  figure('no marks', percent(await share(on.daemon.pid)), '0 %')
  for (let line = 2; line < 12; line++) await on.client.highlight({ rect: await app.place(line) })
  await delay(1500)
  figure('ten marks over a still window', percent(await share(on.daemon.pid)), '< 0.5 %')
  await on.client.clear()
  await Browser.with(new Stage(on.x, on.eye), ['--window-position=600,250'], async (browser) => {
    await browser.show('motion.html')
    const [left, top] = browser.window.at
    await on.x.run('xdotool', 'windowmove', app.client, '700', '400')
    await on.x.run('xdotool', 'windowraise', app.client)
    await delay(500)
    for (let line = 10; line < 20; line++) await on.client.highlight({ rect: await app.place(line) })
    await delay(1500)
    const before = (await on.client.status()).marks?.length
    figure(`${before} marks, a film in another window`, percent(await share(on.daemon.pid)), '< 3 %')
    await on.client.clear()
    await on.x.run('xdotool', 'windowraise', browser.window.id)
    await delay(500)
    const places = await browser.hold([
      ['#p0', 'text'],
      ['#s0', 'text'],
      ['#x0', 'rect'],
      ['#f0', 'text'],
    ])
    for (const place of places) {
      if (!place) continue
      const [x, y, width, height] = place
      if (width > 0) await on.client.highlight({ rect: [left + x, top + y, width, height] })
      else await on.client.point({ x: left + x, y: top + y })
    }
    // All of it, the film included.
    await on.client.highlight({ rect: [left + 20, top + 100, 580, 330] })
    for (let more = 0; more < 5; more++) await on.client.point({ x: left + 300 + more * 20, y: top + 113 })
    await delay(2000)
    const left10 = (await on.client.status()).marks?.length
    figure(
      `${left10} marks of 10 stayed, a film under one of them`,
      percent(await share(on.daemon.pid)),
      '< 15 %',
    )
  })
}

for (const measure of [scrollsInTerminal, scrollsInBrowser, windowMoves, costs]) await withDesk(measure)
