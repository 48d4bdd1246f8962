/** Request to pixels on headless sway, and what a still mark costs. */

import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../../daemon/client/index.js'
import { loadNative } from '../../native/index.js'
import { startDaemonProcess } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { PYTHON } from '../wayland/processes.js'
import { PAINT } from '../wayland/support.js'
import { startSway, swayVersion } from '../wayland/sway.js'
import { figure, ms, percentile } from './figures.js'

/** How long a still mark is watched, in ms. */
const STILL_MS = 60_000

if (swayVersion === undefined) throw new Error('sway is not installed')
const loaded = loadNative()
if (!loaded.ok) throw new Error(`${loaded.reason}; ${loaded.fix}`)

const on = await startSway({ config: PAINT })
const daemon = await startDaemonProcess({ env: { WAYLAND_DISPLAY: on.display }, args: ['--host', 'wayland'] })
const client = await connect({ clientName: 'bench', socket: daemon.socket, lingerMs: 0 })

// Another program looks at the screen: it is told of frames that are drawn, and makes the compositor draw none.
const watcher = on.quarters.start(PYTHON, [on.quarters.program('watch.py')], on.env, {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const said = createInterface({ input: watcher.stdout as Readable })[Symbol.asyncIterator]()

/** From a request until a frame shows its mark. */
async function measure(count: number): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < count; index++) {
    const left = 100 + (index % 8) * 120
    watcher.stdin?.write(`${left} 320\n`)
    await said.next()
    // At any moment, as a request comes.
    await delay(40 + Math.random() * 17)
    const start = performance.now()
    const request = client.highlight({ rect: [left, 305, 40, 30] })
    await said.next()
    samples.push(performance.now() - start)
    await client.clear((await request).annotation_id)
    await delay(40)
  }
  return samples
}

figure('request -> pixels, the first of a daemon', ms((await measure(1))[0] ?? Number.NaN))
await measure(10)
const samples = await measure(100)
figure('request -> pixels seen by screencopy, sway, p50', ms(percentile(samples, 0.5)), '< 25 ms')
figure('request -> pixels seen by screencopy, sway, p95', ms(percentile(samples, 0.95)))

await client.point({ x: 900, y: 600 })
await delay(1000)
const among = await measure(60)
figure('request -> pixels, with another mark up, p50', ms(percentile(among, 0.5)), '< 25 ms')

const eye = await loaded.native.WaylandHost.connect({ display: on.display, timeoutMs: 3000 }, () => {})
const pictures: number[] = []
for (let index = 0; index < 30; index++) {
  await delay(40 + Math.random() * 17)
  const start = performance.now()
  await eye.captureInto(
    { output: 'HEADLESS-1', x: 0, y: 0, width: 1280, height: 800, overlay: true },
    Buffer.alloc(1280 * 800 * 4),
  )
  pictures.push(performance.now() - start)
}
figure('a picture of 1280x800, p50', ms(percentile(pictures, 0.5)))

await delay(3000)
const [busy, compositor] = [busyMs(daemon.pid), busyMs(on.pid)]
await delay(STILL_MS)
const share = (used: number) => `${((used / STILL_MS) * 100).toFixed(3)} %`
figure('a still mark: the daemon, of a core over 60 s', share(busyMs(daemon.pid) - busy), '< 0.3 %')
figure('a still mark: sway, of a core over 60 s', share(busyMs(on.pid) - compositor), '< 0.3 %')

await client.close()
await eye.close()
watcher.stdin?.end()
await daemon.stop()
await on.stop()
