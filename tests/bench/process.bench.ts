/** The daemon as a process: start, commands, memory, stillness. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../../daemon/client/index.js'
import { cleanEnv, LETS, spawnDaemon, startDaemonProcess, tempHome } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { startX } from '../support/xserver.js'
import { figure, ms, percentile } from './figures.js'

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function timed(count: number, run: () => Promise<void> | void): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < count; index++) {
    const before = performance.now()
    await run()
    samples.push(performance.now() - before)
  }
  return samples
}

const starts = await timed(10, async () => {
  const home = tempHome()
  const child = spawnDaemon(cleanEnv({ LETS_HOME: home, LETS_LOG: 'off' }), ['--host', 'headless'])
  const reading = child.stdio[3] as NodeJS.ReadableStream
  await new Promise((resolve) => reading.once('data', resolve))
  const client = await connect({ clientName: 'bench', socket: `${home}/run/lets.sock` })
  await client.point({ at: 'center' })
  await client.close()
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
})
figure('daemon start to first ack, and its end, p50', ms(percentile(starts, 0.5)), 'start < 400 ms')

const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
const run = (args: string[]) => {
  const { status } = spawnSync(process.execPath, args, { env: daemon.env, stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} exited with ${status}`)
}
const nothing: number[] = []
const points: number[] = []
// Alternating, so that whatever else the machine does meets both alike.
for (let round = 0; round < 20; round++) {
  nothing.push(...(await timed(1, () => run(['-e', '0']))))
  points.push(...(await timed(1, () => run([LETS, 'point', '--at', 'center']))))
}
const base = percentile(nothing, 0.5)
const point = percentile(points, 0.5)
figure('`node -e 0`, p50', ms(base))
figure('`lets point` against a running daemon, p50', ms(point))
figure('  as a multiple of `node -e 0`', (point / base).toFixed(2), '< 2')
figure('a headless daemon that served commands, resident', `${residentMb(daemon.pid).toFixed(0)} MB`)
await daemon.stop()

const x = await startX({ windowManager: true, compositor: true })
const real = await startDaemonProcess({
  env: { DISPLAY: x.display, LETS_HOME: tempHome() },
  args: ['--host', 'x11'],
})
figure('a daemon on X11 before its first mark, resident', `${residentMb(real.pid).toFixed(0)} MB`)
const client = await connect({ clientName: 'bench', socket: real.socket, acks: 'painted', lingerMs: 0 })
await client.point({ x: 400, y: 300, label: 'still' })
await delay(3000)
const before = busyMs(real.pid)
const seconds = Number(process.env.BENCH_STILL_S ?? 60)
await delay(seconds * 1000)
const share = (busyMs(real.pid) - before) / (seconds * 10)
figure(`one settled mark for ${seconds} s, of a core`, `${share.toFixed(2)} %`, '< 0.5 %')
for (let index = 1; index < 20; index++) {
  await client.point({ x: 60 * index, y: 100 + 30 * index, label: `mark ${index}` })
}
await delay(1000)
figure('a daemon on X11 with 20 marks, resident', `${residentMb(real.pid).toFixed(0)} MB`, '< 180 MB')
await client.close()
await real.stop()

// What a person without Lets would reach for: a dialog of the X distribution, which takes focus and clicks.
const shown = await timed(5, async () => {
  const child = spawn('xmessage', ['-timeout', '5', 'hello'], { env: x.env, stdio: 'ignore' })
  await x.windowNamed('xmessage')
  child.kill()
  await new Promise((resolve) => child.once('exit', resolve))
})
figure('  beside it: `xmessage` until its window is there, p50', ms(percentile(shown, 0.5)))
await x.stop()
