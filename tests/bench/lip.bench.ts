/** The LIP host: its start, an event's way to a reader, and many windows at once beside the overlay's own work. */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { LipOperator } from '../../daemon/client/operator.js'
import { Page, PROBE, reachHost, type Served } from '../lip/support.js'
import { type DaemonProcess, startDaemonProcess, tempHome } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { figure, ms, percentile } from './figures.js'

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function start(): Promise<{
  readonly daemon: DaemonProcess
  readonly lets: Served
  readonly home: string
}> {
  const home = tempHome()
  mkdirSync(join(home, 'uniques'), { recursive: true })
  cpSync(PROBE, join(home, 'uniques', 'probe'), { recursive: true })
  const daemon = await startDaemonProcess({
    args: ['--host', 'headless'],
    env: { LETS_HOME: home, LETS_LOG: 'warn' },
  })
  return { daemon, lets: reachHost(daemon, home), home }
}

async function end({
  daemon,
  home,
}: {
  readonly daemon: DaemonProcess
  readonly home: string
}): Promise<void> {
  await daemon.stop()
  rmSync(home, { recursive: true, force: true, maxRetries: 3 })
}

const starts: number[] = []
const memory: number[] = []
for (let round = 0; round < 7; round++) {
  const one = await start()
  const before = residentMb(one.daemon.pid)
  const began = performance.now()
  await one.lets.operator('/lip/windows')
  starts.push(performance.now() - began)
  memory.push(residentMb(one.daemon.pid) - before)
  await end(one)
}
figure('the host on top of a daemon, first request answered, p50', ms(percentile(starts, 0.5)), '< 300 ms')
figure('  what it adds to the daemon, resident, p50', `${percentile(memory, 0.5).toFixed(0)} MB`)

const one = await start()
const { daemon, lets, home } = one
const host = LipOperator.find(join(home, 'host.json')) as LipOperator
const pages = await Promise.all(
  Array.from({ length: 8 }, async () => Page.connect(lets.port, (await lets.open()).token)),
)

const latencies: number[] = []
for (let round = 0; round < 500; round++) {
  const heard = host.listen({ waitMs: 5000 })
  // The listener is there before the event is.
  await delay(3)
  const began = performance.now()
  pages[0]?.emit('probe.picked', { id: `n${round}` })
  await heard
  latencies.push(performance.now() - began)
}
figure('an event in a window -> listen returns, p50', ms(percentile(latencies, 0.5)), '< 5 ms')
figure('  p99', ms(percentile(latencies, 0.99)))

/** Samples by second. */
function acks(forMs: number, socket = daemon.socket): Promise<number[][]> {
  const worker = new Worker(new URL('./overlay-acks.js', import.meta.url), {
    workerData: { socket, forMs },
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** Of each second's: a machine that does other things as well spoils some. */
function typical(seconds: readonly number[][], share: number): string {
  return ms(
    percentile(
      seconds.map((samples) => percentile(samples, share)),
      0.5,
    ),
  )
}

const SECONDS = Number(process.env.BENCH_LIP_S ?? 10)
const RATE = 5000
// Another daemon has nothing to do with it: what it suffers is the machine's load.
const other = await start()
const quiet = await acks(SECONDS * 1000)
const before = { memory: residentMb(daemon.pid), busy: busyMs(daemon.pid) }
let sent = 0
let got = 0
let lost = 0
let sending = true
const began = performance.now()
const flood = (async () => {
  while (performance.now() - began < SECONDS * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * RATE)
    for (; sent < due; sent++) pages[sent % pages.length]?.emit('probe.picked', { id: `n${sent % 1000}` })
    await delay(5)
  }
  sending = false
})()
const peaks: number[] = []
const reading = (async () => {
  for (;;) {
    const heard = await host.listen({ waitMs: sending ? 1000 : 500, max: 1000 })
    got += heard.events.length
    lost += heard.lost
    if (!sending && heard.events.length === 0) return
  }
})()
const watching = (async () => {
  while (sending) {
    peaks.push(residentMb(daemon.pid))
    await delay(500)
  }
})()
const [loaded, beside] = await Promise.all([acks(SECONDS * 1000), acks(SECONDS * 1000, other.daemon.socket)])
await Promise.all([flood, reading, watching])
await end(other)
const half = peaks.slice(Math.floor(peaks.length / 2))
figure(`${RATE} events/s for ${SECONDS} s from 8 windows: sent`, String(sent))
figure('  read, and counted as lost', `${got} + ${lost}`, `${sent}`)
figure(
  '  resident before, and at most in the second half',
  `${before.memory.toFixed(0)}, ${Math.max(...half).toFixed(0)} MB`,
  'flat',
)
figure(
  '    when the second half began, and at its end',
  `${(half[0] ?? 0).toFixed(0)}, ${(half.at(-1) ?? 0).toFixed(0)} MB`,
)
figure('  of a core, daemon', `${((busyMs(daemon.pid) - before.busy) / (SECONDS * 10)).toFixed(0)} %`)
figure(
  '  overlay request -> ack, p99 of a second, without and with it',
  `${typical(quiet, 0.99)}, ${typical(loaded, 0.99)}`,
  'at most double',
)
figure('    the same of another daemon beside it', typical(beside, 0.99))
figure(
  '  overlay request -> ack, p50, without and with it',
  `${typical(quiet, 0.5)}, ${typical(loaded, 0.5)}`,
)

// Nobody reads: what is overrun is counted all the same.
const unread = 6000
for (let n = 0; n < unread; n++) pages[n % pages.length]?.emit('probe.picked', { id: 'a' })
await delay(3000)
let late = 0
let counted = 0
for (;;) {
  const heard = await host.listen({ waitMs: 200, max: 1000 })
  late += heard.events.length
  counted += heard.lost
  if (heard.events.length === 0) break
}
figure('6000 events that nobody read in time: read + counted', `${late} + ${counted}`, `${unread}`)

const still = busyMs(daemon.pid)
await delay(10_000)
figure(
  '8 windows open for 10 s, nothing happens, of a core',
  `${((busyMs(daemon.pid) - still) / 100).toFixed(2)} %`,
  '0 %',
)
for (const page of pages) page.socket.terminate()
await end(one)
