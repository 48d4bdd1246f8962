/**
 * Finding by accessibility on a page of 800 things: how long a query takes, and what others wait meanwhile. On a real Chromium;
 * prints figures and fails on none.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { connect } from '../../daemon/client/index.js'
import { accessibleDesk, located } from '../grounding/support.js'
import { until } from '../support/xserver.js'
import { figure, ms, percentile } from './figures.js'

const teardowns: (() => unknown)[] = []
// What the desk needs of a test is that it ends.
const bench = { teardown: (end: () => unknown) => void teardowns.push(end) } as unknown as ExecutionContext

const folder = mkdtempSync(join(tmpdir(), 'lets-bench-'))
const page = join(folder, 'page.html')
const buttons = Array.from({ length: 800 }, (_, at) => `<button type="button">Open ${at}</button>`)
const style =
  'body{margin:0;display:flex;flex-wrap:wrap}button{font:6px sans-serif;padding:0;border:0;width:28px;height:14px;margin:1px}'
writeFileSync(page, `<!doctype html><title>Bench</title><style>${style}</style>${buttons.join('')}`)

async function query(client: Awaited<ReturnType<typeof connect>>, count: number): Promise<number[]> {
  const samples: number[] = []
  for (let round = 0; round < count; round++) {
    const at = (round * 37) % 400
    const before = performance.now()
    await client.locate({ query: `the Open ${at} button`, display_id: 1 })
    samples.push(performance.now() - before)
  }
  return samples
}

/** Requests of another client, one after the other, while `over` is pending. */
async function others(socket: string, over: Promise<unknown>): Promise<number[]> {
  const client = await connect({ clientName: 'other', socket, lingerMs: 0 })
  const samples: number[] = []
  let done = false
  over.finally(() => {
    done = true
  })
  while (!done) {
    const before = performance.now()
    await client.point({ at: 'center', ttl_ms: 1000 })
    samples.push(performance.now() - before)
    await client.clear()
  }
  await client.close()
  return samples
}

try {
  const desk = await accessibleDesk(bench, {})
  await desk.browser(`file://${page}`)
  const client = await desk.client({ acks: 'accepted' })
  await until('the page is there', async () => (await desk.x.tree()).includes('"Bench - Chromium"'), 30_000)
  // A browser has its page in its list of things when it was there before the first question.
  await delay(2000)
  const first = performance.now()
  await located(client, 'Open 5')
  figure('the page is there, first answer after', ms(performance.now() - first))
  await query(client, 5)
  const alone = await query(client, 40)
  figure('locate by accessibility, 800 things, warm, median', ms(percentile(alone, 0.5)), '< 80 ms')
  figure('  p90', ms(percentile(alone, 0.9)))
  const busy = query(client, 40)
  const waited = await others(desk.daemon.socket, busy)
  figure(`request -> ack of another client meanwhile, p50 (${waited.length})`, ms(percentile(waited, 0.5)))
  figure('  p99', ms(percentile(waited, 0.99)), '< 2 ms')
  const calm = await others(desk.daemon.socket, new Promise((resolve) => setTimeout(resolve, 2000)))
  figure('  the same while nothing is looked for, p99', ms(percentile(calm, 0.99)))
  // A page that is loaded later is in no list, and its things are asked for one by one.
  await desk.x.run('xdotool', 'key', 'F5')
  await delay(3000)
  await located(client, 'Open 5')
  await query(client, 5)
  figure('locate on a page that was loaded since, warm, median', ms(percentile(await query(client, 40), 0.5)))
} finally {
  for (const end of teardowns.reverse()) await end()
  rmSync(folder, { recursive: true, force: true })
}
