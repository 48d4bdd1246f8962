/** The companion through the whole daemon on X11: what it costs at rest, and how soon an agent and a click are answered. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../../daemon/client/index.js'
import { connect as look, near, pixel } from '../native/support.js'
import { startDaemonProcess, tempHome } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { startX } from '../support/xserver.js'
import { mouse } from '../x11/companion.js'
import { figure, ms, percentile } from './figures.js'

const seconds = Number(process.env.BENCH_STILL_S ?? 60)

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
const [busy, started] = [busyMs(pid), performance.now()]
await delay(seconds * 1000)
const share = ((busyMs(pid) - busy) / (performance.now() - started)) * 100
figure(`the daemon, companion shown and at rest, ${seconds} s`, `${share.toFixed(2)} %`, '< 0.3 % of a core')

const said: number[] = []
for (let n = 0; n < 40; n++) {
  const from = performance.now()
  await client.companion({ command: 'entity.say', data: { text: `What it says, ${n}` } })
  said.push(performance.now() - from)
  await delay(200)
}
figure('entity.say to the ack that it is on the screen, p50', ms(percentile(said, 0.5)), '< 30 ms')
figure('  p95', ms(percentile(said, 0.95)))
await client.companion({ command: 'entity.say', data: { text: '' } })

const { companion } = await client.companion()
const [px = 0, py = 0] = companion?.at ?? []
await hand.move(px, py)
await delay(500)
// Of its menu, which opens beside it: the middle of the side with more room.
const beside = [px - 90, py] as const
const ground = await pixel(eye, ...beside)
const clicked: number[] = []
for (let n = 0; n < 20; n++) {
  await delay(400)
  const from = performance.now()
  await hand.click()
  while (near(await pixel(eye, ...beside), ground, 24)) await delay(0)
  clicked.push(performance.now() - from)
  await delay(400)
  await hand.click()
}
figure('click to its menu on the screen, through the daemon, p50', ms(percentile(clicked, 0.5)), '< 60 ms')
figure('  p95', ms(percentile(clicked, 0.95)))

await client.close()
await daemon.stop()
await eye.close()
await x.stop()
process.exit(0)
