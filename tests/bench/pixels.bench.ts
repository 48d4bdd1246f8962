/** Request to pixels on a real X server with a compositor, beside what a shell user would pick instead. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../daemon/client/index.js'
import { loadNative } from '../../native/index.js'
import { startDaemonProcess } from '../support/daemon.js'
import { startX, until } from '../support/xserver.js'
import { figure, ms, percentile } from './figures.js'

const loaded = loadNative()
if (!loaded.ok) throw new Error(`${loaded.reason}; ${loaded.fix}`)

const x = await startX({ screen: '1280x800x24', windowManager: true, compositor: true })
const home = mkdtempSync(join(tmpdir(), 'lets-bench-'))
const daemon = await startDaemonProcess({ env: { ...x.env, LETS_HOME: home }, args: ['--host', 'x11'] })
// A connection of its own, that only looks: the pixels are judged from outside of the daemon.
const eye = await loaded.native.X11Host.connect(
  { display: x.display, timeoutMs: 3000, hotkey: false },
  () => {},
)
// The compositor paints a root without a wallpaper in its own grey; until then it is not at work.
await until('the compositor paints', async () => {
  const { data } = await eye.capture({ x: 2, y: 2, width: 1, height: 1, overlay: true })
  return data[0] === 0x80
})
const client = await connect({ clientName: 'bench', socket: daemon.socket, lingerMs: 0 })

/** Until the root shows something else than before in this rectangle. */
async function seen(
  rect: { x: number; y: number; width: number; height: number },
  before: Buffer,
): Promise<void> {
  for (;;) {
    const { data } = await eye.capture({ ...rect, overlay: true })
    if (!data.equals(before)) return
  }
}

async function measure(count: number): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < count; index++) {
    const left = 100 + (index % 8) * 120
    const rect = { x: left, y: 300, width: 60, height: 40 }
    const { data: before } = await eye.capture({ ...rect, overlay: true })
    const start = performance.now()
    const [{ annotation_id }] = await Promise.all([
      client.highlight({ rect: [left + 10, 305, 40, 30] }),
      seen(rect, before).then(() => samples.push(performance.now() - start)),
    ])
    await client.clear(annotation_id)
    await changedBack(rect, before)
  }
  return samples
}

async function changedBack(
  rect: { x: number; y: number; width: number; height: number },
  before: Buffer,
): Promise<void> {
  while (!(await eye.capture({ ...rect, overlay: true })).data.equals(before));
}

const first = await measure(1)
figure('request -> pixels, the first of a daemon', ms(first[0] ?? Number.NaN))
await measure(10)
const samples = await measure(100)
figure('request -> pixels seen in the root, picom, p50', ms(percentile(samples, 0.5)), '< 10 ms')
figure('request -> pixels seen in the root, picom, p95', ms(percentile(samples, 0.95)), '< 20 ms')

await client.close()
await eye.close()
await daemon.stop()
await x.stop()
rmSync(home, { recursive: true, force: true })
