/** The companion on X11: what it costs at rest and on its way, and how soon it answers. */
import { setTimeout as delay } from 'node:timers/promises'
import type { CompanionScene } from '../../protocol/overlay/companion.js'
import { connect, near, pixel } from '../native/support.js'
import { busyMs } from '../support/processor.js'
import { startX, until } from '../support/xserver.js'
import { CompanionProcess, MENU, mouse, scene } from '../x11/companion.js'
import { figure, ms, percentile } from './figures.js'

const percent = (share: number) => `${share.toFixed(2)} %`
const seconds = Number(process.env.BENCH_STILL_S ?? 60)

for (const compositor of [true, false]) {
  const way = compositor ? 'compositor' : 'no compositor'
  const x = await startX({ windowManager: true, compositor })
  x.spawn('xterm', ['-geometry', '100x40+100+80', '-bg', '#204060', '-T', 'app', '-e', 'sleep', '999'])
  await x.windowNamed('app')
  const eye = await connect(x.display)
  const own = await CompanionProcess.start(x)
  const hand = await mouse(x)
  await hand.move(1200, 700)

  async function share(during: () => Promise<void>): Promise<{ share: number; frames: number; ms: number }> {
    const [busy, frames, started] = [busyMs(own.pid), await own.frames(), performance.now()]
    await during()
    const took = performance.now() - started
    return { share: ((busyMs(own.pid) - busy) / took) * 100, frames: (await own.frames()) - frames, ms: took }
  }

  await own.show(scene([400, 300], { mood: 'thinking' }))
  await own.tell({ watch: true })
  await delay(2000)
  if (compositor) {
    const still = await share(() => delay(seconds * 1000))
    figure(`shown and awake, the pointer at rest, ${seconds} s`, percent(still.share), '< 0.3 % of a core')
    figure('  frames in that time', String(still.frames), '0')
    const waved = await share(async () => {
      const until = performance.now() + 5000
      for (let n = 0; performance.now() < until; n++) {
        await hand.move(900 + (n % 300), 600)
        await delay(4)
      }
    })
    figure('the same with a pointer that moves without pause, 5 s', percent(waved.share))
  }

  const places = [
    [1150, 700],
    [120, 120],
    [1150, 120],
    [120, 700],
  ] as const
  const moved = await share(async () => {
    for (const place of [...places, ...places]) {
      const arrivals = own.of('arrived').length
      await own.show(scene(place, { look: { name: 'Bun', pace: 0.5 } }))
      await until('it arrived', () => own.of('arrived').length > arrivals)
    }
  })
  figure(`on its way, ${way}, of a core`, percent(moved.share), '< 12 %')
  figure('  frames a second', (moved.frames / (moved.ms / 1000)).toFixed(1), '60')
  figure('  processor time a frame', ms((moved.share * moved.ms) / 100 / moved.frames))
  await own.show(scene([400, 300]))
  await delay(2500)

  // A place where it shows, and what is there without it.
  async function spot(
    wanted: CompanionScene,
    base: CompanionScene,
  ): Promise<readonly [number, number, number[]]> {
    const area = { x: 150, y: 100, width: 600, height: 450, overlay: true }
    const before = await eye.capture(area)
    await own.show(wanted)
    await delay(1000)
    const after = await eye.capture(area)
    await own.show(base)
    await delay(1000)
    let best = 0
    let at = 0
    for (let n = 0; n < after.data.length; n += 4) {
      const differs =
        Math.abs(after.data[n]! - before.data[n]!) + Math.abs(after.data[n + 2]! - before.data[n + 2]!)
      if (differs > best) [best, at] = [differs, n]
    }
    const place = [area.x + ((at / 4) % area.width), area.y + Math.floor(at / 4 / area.width)] as const
    return [...place, [...before.data.subarray(at, at + 3)]]
  }
  const rest = scene([400, 300])
  const said = (n: number) => scene([400, 300], { bubble: { id: `b${n}`, text: 'What it says, once more' } })
  const seen = async (at: readonly [number, number, number[]]) => {
    // What has not come by then does not come.
    const deadline = performance.now() + 3000
    while (near(await pixel(eye, at[0], at[1]), at[2], 24) && performance.now() < deadline) await delay(0)
  }

  const open = scene([400, 300], { menu: MENU })
  const menuAt = await spot(open, rest)
  await own.tell({ onClick: open })
  const clicks: number[] = []
  for (let n = 0; n < 20; n++) {
    await hand.move(400, 310)
    await delay(100)
    const started = performance.now()
    await hand.click()
    await seen(menuAt)
    clicks.push(performance.now() - started)
    await own.show(rest)
    await delay(150)
  }
  figure(`click to menu on the screen, ${way}, p50`, ms(percentile(clicks, 0.5)), '< 60 ms')
  figure('  p95', ms(percentile(clicks, 0.95)))

  const bubbleAt = await spot(said(0), rest)
  const bubbles: number[] = []
  const shows: number[] = []
  for (let n = 1; n <= 20; n++) {
    const started = performance.now()
    const shown = own.show(said(n)).then(() => shows.push(performance.now() - started))
    await seen(bubbleAt)
    bubbles.push(performance.now() - started)
    await shown
    await own.show(rest)
    await delay(250)
  }
  figure(`a scene with a bubble to its pixels, ${way}, p50`, ms(percentile(bubbles, 0.5)), '< 30 ms')
  figure('  p95', ms(percentile(bubbles, 0.95)))
  figure('  until it is said to be shown, p50', ms(percentile(shows, 0.5)))

  await own.end()
  await eye.close()
  await x.stop()
}
process.exit(0)
