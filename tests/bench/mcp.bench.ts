/** `lets mcp` as an agent has it, through the SDK's own client: the first answer, a mark, a picture. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { LETS, startDaemonProcess } from '../support/daemon.js'
import { startX } from '../support/xserver.js'
import { figure, ms, percentile } from './figures.js'

const x = await startX({ screen: '1920x1080x24', windowManager: true, compositor: true })
for (const [index, place] of ['90x40+20+20', '120x50+700+300'].entries()) {
  const title = `text${index}`
  const list = 'ls -lR /usr/share | head -500; sleep 600'
  x.spawn('xterm', ['-geometry', place, '-title', title, '-e', list])
  await x.windowNamed(title)
}
const daemon = await startDaemonProcess({
  env: { DISPLAY: x.display },
  args: ['--host', 'x11', '--capture-consent', 'always'],
})

async function start(): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' })
  const env = daemon.env as Record<string, string>
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [LETS, 'mcp'], env }))
  return client
}

async function timed(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < count; index++) {
    const before = performance.now()
    await run()
    samples.push(performance.now() - before)
  }
  return samples
}

function report(name: string, samples: readonly number[], goal: string): void {
  figure(`${name}, p50 / p95`, `${ms(percentile(samples, 0.5))} / ${ms(percentile(samples, 0.95))}`, goal)
}

const starts: number[] = []
for (let index = 0; index < 10; index++) {
  const before = performance.now()
  const client = await start()
  await client.listTools()
  starts.push(performance.now() - before)
  await client.close()
}
report('from the start of the process to tools/list', starts, '< 500 ms')

const client = await start()
const call = async (name: string, given: Record<string, unknown>) => {
  const result = await client.callTool({ name, arguments: given })
  if (result.isError) throw new Error(JSON.stringify(result.content))
  return result.structuredContent as Record<string, unknown>
}
report('the first point_at (connects)', await timed(1, () => call('point_at', { at: 'center' })), '')
await call('clear', {})
const point = async () => call('point_at', { display_id: 1, x: 1500, y: 200, ttl_ms: 60_000 })
const points: number[] = []
for (let index = 0; index < 100; index++) {
  points.push(...(await timed(1, point)))
  await call('clear', {})
}
report('point_at, painted on the screen', points, '< 15 ms')
report('the first look (connects, starts a thread)', await timed(1, () => call('look', {})), '')
report('look at 1920x1080', await timed(20, () => call('look', {})), '< 300 ms')
await client.close()
await daemon.stop()
await x.stop()
