import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import test from 'ava'
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js'
import { RawClient } from '../support/raw-client.js'
import { until } from '../support/xserver.js'

test.serial(
  'E6 a client that never reads is dropped at its cap; nobody else notices, and memory stays flat',
  async (t) => {
    const daemon = await startDaemonProcess()
    t.teardown(() => daemon.stop())
    const b = await (await RawClient.open(daemon.socket)).begin()
    await drawAndClear(b, 500)
    const alone = await drawAndClear(b, 1500)
    const before = memory(daemon)
    const a = connect(daemon.socket)
    await once(a, 'connect')
    a.pause()
    // Marks make what it asks for, and does not read, large.
    const lines = [
      { type: 'session_start', client_name: 'deaf' },
      ...Array(250).fill({ type: 'point', x: 1, y: 1, display_id: 1 }),
    ]
    a.write(lines.map((line) => `${JSON.stringify({ v: '0.2', ...line })}\n`).join(''))
    a.on('error', () => {})
    a.write('{"v":"0.2","type":"status"}\n'.repeat(20_000))
    const beside = await drawAndClear(b, 5000)
    const dropped = await until('it is dropped', () =>
      daemon.log().find(({ event }) => event === 'client_dropped'),
    )
    const unsent = Number(dropped.unsent_bytes)
    t.true(unsent > 4 * 2 ** 20 && unsent < 4.5 * 2 ** 20, `${unsent}`)
    const peak = memory(daemon)
    t.log(
      `p99 ${p99(alone).toFixed(2)} ms alone, ${p99(beside).toFixed(2)} ms beside it; memory ${before.rss} -> ${peak.rss} MB, at most ${peak.most} MB`,
    )
    t.true(p99(beside) < Math.max(20 * p99(alone), 200))
    t.true(Math.max(...beside) < 5000)
    t.true(peak.most - before.most < 64, `${before.most} -> ${peak.most} MB`)
    t.is((await b.ask({ type: 'status' })).type, 'ack')
    a.destroy()
    await b.end()
  },
)

async function drawAndClear(client: RawClient, count: number): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < count; index++) {
    const start = performance.now()
    const mark = await client.point()
    samples.push(performance.now() - start)
    await client.ask({ type: 'clear', annotation_id: mark })
    // What came is kept for other tests' sake; here it would be what grows.
    if (index % 100 === 0) client.all.length = 0
  }
  return samples
}

function p99(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length * 0.99)]!
}

/** Resident memory now, and at most so far, in MB. */
function memory({ pid }: DaemonProcess): { rss: number; most: number } {
  if (process.platform !== 'linux') return { rss: 0, most: 0 }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024)
  return { rss: megabytes('VmRSS'), most: megabytes('VmHWM') }
}

test.serial(
  '128 connections are served, the 129th is told why not, and a place that becomes free can be taken',
  async (t) => {
    const daemon = await startDaemonProcess()
    t.teardown(() => daemon.stop())
    const clients = await Promise.all(Array.from({ length: 128 }, () => RawClient.open(daemon.socket)))
    for (const client of clients) t.is((await client.ask({ type: 'status' })).type, 'ack')
    const late = await RawClient.open(daemon.socket)
    late.send({ type: 'status' })
    await late.untilClosed()
    t.deepEqual(late.all, [
      { v: '0.2', type: 'error', code: 'limit', msg: '128 connections are open, the most there may be' },
    ])
    await clients[0]!.end()
    await until('a place is free', async () => {
      const next = await RawClient.open(daemon.socket)
      const reply = await next.ask({ type: 'status' }).catch(() => null)
      await next.end()
      return reply?.type === 'ack'
    })
    t.is((await clients[127]!.ask({ type: 'status' })).type, 'ack')
    const started = performance.now()
    t.deepEqual(await daemon.stop(), { code: 0, signal: null })
    t.true(performance.now() - started < 15_000)
  },
)

test.serial('requests far beyond what may wait are all answered, in order', async (t) => {
  const daemon = await startDaemonProcess()
  t.teardown(() => daemon.stop())
  const raw = await (await RawClient.open(daemon.socket)).begin()
  // `displays` is answered later than it is read, so that these queue up.
  raw.write('{"v":"0.2","type":"displays"}\n{"v":"0.2","type":"status"}\n'.repeat(3000))
  await raw.until(() => raw.replies.length === 6001)
  const replies = raw.replies.slice(1)
  t.true(replies.every((reply, index) => (index % 2 === 0 ? 'displays' : 'mark_count') in reply))
  await raw.end()
})
