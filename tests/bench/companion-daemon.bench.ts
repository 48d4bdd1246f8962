/** The companion through the whole daemon on X11: what it costs at rest, and how soon an agent and a click are answered. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../../daemon/client/index.js'
import { connect as look, near, pixel } from '../native/support.js'
import { startDaemonProcess, tempHome } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { startX } from '../support/xserver.js'
import { mouse } from '../x11/companion.js'
import { figure, ms, percentile } from './figures.js'

const seconds = Number(process.env.BENCH_STILL_S ?? 60)
/** Nothing takes so long, in ms: what has not come by then does not come, and the bench says so rather than wait. */
const LIMIT_MS = 3000

/** How often the thread that draws woke: a frame is one time at least. */
function wakes(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'),
  )
  const drawing = tasks.find((status) => /^Name:\tlets-x11$/m.test(status)) ?? ''
  return Number(/^voluntary_ctxt_switches:\t(\d+)$/m.exec(drawing)?.[1] ?? Number.NaN)
}

const x = await startX({ windowManager: true })
await x.run('xsetroot', '-solid', '#336699')
const daemon = await startDaemonProcess({
  env: { DISPLAY: x.display, LETS_HOME: tempHome() },
  args: ['--host', 'x11'],
})
const eye = await look(x.display)
const client = await connect({ clientName: 'bench', socket: daemon.socket, acks: 'painted', lingerMs: 0 })
const token = readFileSync(`${daemon.socket}.consent`, 'utf8')
await client.companion({ set: { on: true }, token })
await client.companion({ listen: true })
const hand = await mouse(x)
await hand.move(100, 100)
await delay(2000)

const pid = daemon.pid
const [busy, woken, started] = [busyMs(pid), wakes(pid), performance.now()]
await delay(seconds * 1000)
const share = ((busyMs(pid) - busy) / (performance.now() - started)) * 100
figure(`frames of it in ${seconds} s (times that its thread woke)`, String(wakes(pid) - woken), '0')
figure(`the daemon, companion shown and at rest, ${seconds} s`, `${share.toFixed(2)} %`, '< 0.3 % of a core')

const said: number[] = []
let unseen = 0
for (let n = 0; n < 40; n++) {
  const from = performance.now()
  const { painted } = await client.companion({
    command: 'entity.say',
    data: { text: `What it says, ${n}` },
  })
  if (painted) said.push(performance.now() - from)
  else unseen++
  await delay(100)
}
figure('entity.say to the ack that it is on the screen, p50', ms(percentile(said, 0.5)), '< 30 ms')
figure('  p95', ms(percentile(said, 0.95)))
if (unseen > 0) figure('  that nobody saw', `${unseen} of 40`, '0')
await client.companion({ command: 'entity.say', data: { text: '' } })

const { companion } = await client.companion()
const [px = 0, py = 0] = companion?.at ?? []
await hand.move(px, py)
await delay(500)
// Of its menu, which opens beside it: the middle of the side with more room.
const beside = [Math.round(px) - 90, Math.round(py)] as const
const ground = await pixel(eye, ...beside)
/** Waits until its menu is there, or not. */
async function menuIs(open: boolean): Promise<boolean> {
  const deadline = performance.now() + LIMIT_MS
  while (near(await pixel(eye, ...beside), ground, 24) === open) {
    if (performance.now() > deadline) return false
    await delay(0)
  }
  return true
}
const clicked: number[] = []
let lost = 0
for (let n = 0; n < 20 && lost < 3; n++) {
  await delay(200)
  const from = performance.now()
  await hand.click()
  if (await menuIs(true)) clicked.push(performance.now() - from)
  else lost++
  await delay(200)
  await hand.click()
  if (!(await menuIs(false))) lost++
}
figure('click to its menu on the screen, through the daemon, p50', ms(percentile(clicked, 0.5)), '< 60 ms')
figure('  p95', ms(percentile(clicked, 0.95)))
if (lost > 0) figure(`  clicks that nothing came of within ${LIMIT_MS} ms`, String(lost), '0')

await client.close()
await daemon.stop()
await eye.close()
await x.stop()
process.exit(0)
