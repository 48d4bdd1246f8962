/** The page of the Electron host in Chromium under Xvfb, drawn in software: frames of a flight, stillness, latency, many marks. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { box, COUNTED, change, launch, openPage, point, scene } from '../electron/page.js'
import { busyMs } from '../support/processor.js'
import { startX } from '../support/xserver.js'
import { figure, ms, percentile } from './figures.js'

const ending: (() => unknown)[] = []
const t = {
  teardown: (end: () => unknown) => void ending.push(end),
  is: () => true,
  fail: (reason: string) => {
    throw new Error(reason)
  },
} as unknown as Parameters<typeof openPage>[0]

/** Processor time of all that descends from this process and has that name. */
function busyOf(name: string): number {
  const parents = new Map<number, { parent: number; name: string }>()
  for (const entry of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const found = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))
      if (found) parents.set(Number(entry), { parent: Number(found[2]), name: found[1]! })
    } catch {
      // It has ended.
    }
  }
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (pid > 1 && isOurs(parents.get(pid)?.parent ?? 0))
  return [...parents].reduce(
    (sum, [pid, one]) => sum + (one.name === name && isOurs(pid) ? busyMs(pid) : 0),
    0,
  )
}

const x = await startX({ screen: '1920x1080x24' })
ending.push(() => x.stop())
const on = await openPage(t, { before: COUNTED }, await launch(t, x))
const size: [number, number] = [1920, 1080]
await on.send(scene(on, { size, put: [point('p', [60, 60])], pointer: 'p' }))
await on.hears('painted')

const rates: number[] = []
const taken: number[] = []
for (let round = 0; round < 10; round++) {
  const put = [point(`q${round}`, round % 2 === 0 ? [700, 500] : [60, 60], 'here')]
  const fly = JSON.stringify(change(on, { put, pointer: `q${round}` }))
  const { frames, offered, took } = await on.page.evaluate<Record<string, number>>(`(async () => {
    const frame = () => new Promise((done) => uncountedFrame(done))
    await frame()
    const before = counts.frames
    const since = performance.now()
    document.dispatchEvent(new CustomEvent('from-main', { detail: ['lets:to-page', ${fly}] }))
    let last = -1
    let offered = 0
    while (counts.frames !== last) {
      last = counts.frames
      await frame()
      offered++
    }
    return { frames: counts.frames - before, offered, took: performance.now() - since }
  })()`)
  rates.push((frames! / took!) * 1000)
  taken.push(frames! / offered!)
  await on.hears('painted')
}
figure('frames a second while flying, p50', percentile(rates, 0.5).toFixed(1), '60')
figure('  of the frames that the browser offered', `${(percentile(taken, 0.5) * 100).toFixed(0)} %`, '100 %')

const waits: number[] = []
for (let round = 0; round < 30; round++) {
  const since = performance.now()
  await on.send(change(on, { put: [box('b', [300 + round, 300, 90, 40])], jump: ['b'] }))
  await on.hears('painted')
  waits.push(performance.now() - since)
}
figure('a change until it is told to be on the screen, p50', ms(percentile(waits, 0.5)), '< 100 ms')

await delay(1000)
const before = busyOf('chromium')
const counts = await on.page.evaluate<Record<string, number>>('({ ...counts })')
const seconds = Number(process.env.BENCH_STILL_S ?? 20)
await delay(seconds * 1000)
const share = (busyOf('chromium') - before) / (seconds * 10)
const after = await on.page.evaluate<Record<string, number>>('({ ...counts })')
figure(`all of Chromium with settled marks for ${seconds} s, of a core`, `${share.toFixed(2)} %`)
figure(
  '  frames asked for, timers and paints meanwhile',
  String(['frames', 'timers', 'paints'].map((key) => after[key]! - counts[key]!)),
  '0,0,0',
)

const put = Array.from({ length: 2000 }, (_, n) => {
  const [left, top] = [20 + (n % 60) * 31, 20 + Math.floor(n / 60) * 30]
  return n % 2 === 0 ? point(`m${n}`, [left, top], `mark ${n}`) : box(`m${n}`, [left - 10, top - 10, 24, 18])
})
const since = performance.now()
await on.send(change(on, { put }))
await on.hears('painted')
figure('2,000 marks in one change until they are on the screen', ms(performance.now() - since))
for (const end of ending.reverse()) await end()
