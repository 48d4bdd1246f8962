/** Pictures of a 4K display, end to end, and how long others wait meanwhile; beside what a script would reach for. */
import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import screenshot from 'screenshot-desktop'
import { connect } from '../../daemon/client/index.js'
import { LETS, startDaemonProcess, tempHome } from '../support/daemon.js'
import { startX, until } from '../support/xserver.js'
import { figure, ms, percentile } from './figures.js'

const x = await startX({ screen: '3840x2160x24', windowManager: true, compositor: true })
// Something to compress: text in several windows.
for (let index = 0; index < 6; index++) {
  const at = `150x60+${(index % 3) * 1250}+${Math.floor(index / 3) * 1050}`
  x.spawn('xterm', [
    '-geometry',
    at,
    '-title',
    `text${index}`,
    '-e',
    'ls -lR /usr/share | head -2000; sleep 600',
  ])
  await x.windowNamed(`text${index}`)
}
const home = tempHome()
const daemon = await startDaemonProcess({
  env: { DISPLAY: x.display, LETS_HOME: home },
  args: ['--host', 'x11', '--capture-consent', 'always'],
})
const client = await connect({ clientName: 'bench', socket: daemon.socket, acks: 'painted' })
const other = await connect({ clientName: 'other', socket: daemon.socket })

async function timed(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < count; index++) {
    const before = performance.now()
    await run()
    samples.push(performance.now() - before)
  }
  return samples
}

/**
 * Takes pictures, and returns how long each took, and the longest that another client waited during each of as many more.
 * One after the other, since a client that asks without pause needs one of the two cores that the picture needs.
 */
async function captures(count: number, marks: boolean): Promise<{ took: number[]; waited: number[] }> {
  const waited: number[] = []
  const took = await timed(count, () => client.capture({ marks }))
  await timed(count, async () => {
    let over = false
    const picture = client.capture({ marks }).finally(() => {
      over = true
    })
    let longest = 0
    while (!over) longest = Math.max(longest, ...(await timed(1, () => other.status())))
    waited.push(longest)
    await picture
  })
  return { took, waited }
}

function report(name: string, { took, waited }: { took: number[]; waited: number[] }): void {
  figure(`${name}, p50 / p95`, `${ms(percentile(took, 0.5))} / ${ms(percentile(took, 0.95))}`, '< 350 ms')
  figure(
    '  longest another client waited, p50 / most',
    `${ms(percentile(waited, 0.5))} / ${ms(Math.max(...waited))}`,
  )
}

report('the first picture (starts the thread)', await captures(1, false))
report('capture of 3840x2160 to a PNG for models', await captures(20, false))
await client.highlight({ rect: [400, 300, 900, 500], label: 'a mark' })
await client.point({ x: 2000, y: 1200, label: 'another' })
report('  with two marks painted over', await captures(20, true))
await client.highlight({ rect: [100, 100, 300, 300], spotlight: true })
report('  with a spotlight, which is ink everywhere', await captures(10, true))
await client.clear()

const run = (command: string, args: readonly string[]) => async () => {
  const child = spawn(command, args, { env: { ...daemon.env, DISPLAY: x.display }, stdio: 'ignore' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`${command} exited with ${code}`)
}
const file = `${home}/picture.png`
const lets = await timed(10, run(process.execPath, [LETS, 'capture', file]))
figure('`lets capture`, p50 / p95', `${ms(percentile(lets, 0.5))} / ${ms(percentile(lets, 0.95))}`)

process.env.DISPLAY = x.display
const desktop = await timed(5, () => screenshot({ format: 'png' }))
figure('  beside it: screenshot-desktop to PNG, whole size, p50', ms(percentile(desktop, 0.5)))
if (spawnSync('import', ['-version']).status === 0) {
  const shrink = ['-window', 'root', '-resize', '1429x804', file]
  const imported = await timed(5, run('import', shrink))
  figure('  beside it: ImageMagick `import`, shrunk alike, p50', ms(percentile(imported, 0.5)))
}

// The thread must not outlive its use.
await until('the thread has ended', async () => {
  const threads = spawnSync('ps', ['-T', '-p', String(daemon.pid), '-o', 'comm='], {
    encoding: 'utf8',
  }).stdout
  return !threads.includes('lets-png')
})
await other.close()
await client.close()
await daemon.stop()
rmSync(home, { recursive: true, force: true })
await x.stop()
