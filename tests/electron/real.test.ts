/**
 * What holds of an Electron that draws, on every system: run by `npm run verify:electron` against the real one, and skipped
 * elsewhere. Only what any system can tell is asked here; the suite on X11 is run besides.
 */
import test, { type ExecutionContext } from 'ava'
import { connect, type LetsClient } from '../../daemon/client/index.js'
import { startDaemonProcess, tempHome } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { desk, ELECTRON } from '../x11/support.js'
import { isRunning, runningElectron } from './processes.js'

const verified = ELECTRON === undefined ? test.serial.skip : test.serial

interface Running {
  readonly client: LetsClient
  /** The process that is Electron now; 0: there is none. */
  electron(): Promise<number>
  stop(): Promise<unknown>
  kill(): void
}

async function running(t: ExecutionContext): Promise<Running> {
  t.timeout(120_000)
  const { daemon, client } = process.platform === 'linux' ? await onX(t) : await onTheScreen(t)
  const folder = `${daemon.home}/electron`
  return {
    client,
    electron: () => runningElectron(folder),
    stop: () => daemon.stop(),
    kill: () => daemon.kill('SIGKILL'),
  }
}

async function onX(t: ExecutionContext) {
  const on = await desk(t)
  return { daemon: on.daemon, client: await on.client() }
}

/** The screen of whoever runs this: marks are on it for a moment. */
async function onTheScreen(t: ExecutionContext) {
  const daemon = await startDaemonProcess({
    env: { LETS_HOME: tempHome() },
    args: ['--host', 'electron', '--electron', ELECTRON ?? '', '--capture-consent', 'always'],
  })
  t.teardown(() => daemon.stop())
  const client = await connect({ clientName: 'verify', socket: daemon.socket, acks: 'painted', lingerMs: 0 })
  t.teardown(() => client.close())
  return { daemon, client }
}

verified('Electron draws, and no other host had to take its place', async (t) => {
  const { client, electron } = await running(t)
  const { host, host_facts: facts } = await client.status()
  t.log(JSON.stringify(facts))
  t.is(host, 'electron')
  t.false(facts?.notes?.some((note) => note.includes('not used')))
  t.true((await electron()) > 0)
  const displays = await client.displays()
  t.true(displays.length > 0)
  t.is(displays.filter(({ primary }) => primary).length, 1)
})

verified('every kind of mark is painted on every display, and taken off', async (t) => {
  const { client } = await running(t)
  for (const { id: display_id, logical_size } of await client.displays()) {
    const [width, height] = logical_size
    const rect: [number, number, number, number] = [width / 4, height / 4, 200, 100]
    await client.point({ x: width / 2, y: height / 2, label: 'here', display_id })
    await client.highlight({ rect, label: 'a label', display_id })
    await client.highlight({ rect, shape: 'ellipse', spotlight: true, display_id })
    await client.textbox({ rect: [20, 20, 200, 80], text: 'a note', display_id })
    await client.textbox({ rect: [20, 120, 200, 80], text: 'go there', style: 'guide', display_id })
    await client.arrow({ from: [50, 50], to: [300, 300], display_id })
    await client.draw({
      path: [
        [10, 10],
        [200, 40],
        [100, 200],
      ],
      display_id,
    } as Parameters<LetsClient['draw']>[0])
    t.is(await client.clear(), 7)
  }
  t.is((await client.status()).mark_count, 0)
})

verified('killed, it comes back, and every mark with it', async (t) => {
  const { client, electron } = await running(t)
  await client.highlight({ rect: [100, 100, 200, 100], display_id: 1 })
  const first = await electron()
  process.kill(first, 'SIGKILL')
  await until('another one runs', async () => ![0, first].includes(await electron()), 60_000)
  await client.highlight({ rect: [100, 300, 200, 100], display_id: 1 })
  const { host, mark_count } = await client.status()
  t.is(host, 'electron')
  t.is(mark_count, 2)
})

verified('it goes with its daemon, whether that ends or is killed', async (t) => {
  for (const end of ['stop', 'kill'] as const) {
    const on = await running(t)
    await on.client.highlight({ rect: [100, 100, 200, 100], display_id: 1 })
    const pid = await on.electron()
    await on[end]()
    await until('it is gone', () => !isRunning(pid), 20_000)
  }
  t.pass()
})

verified('pictures have the marks in them when they are wanted', async (t) => {
  const { client } = await running(t)
  try {
    t.truthy((await client.capture({ marks: true })).path)
  } catch (error) {
    // macOS asks its person before a program may see the screen, and nobody answers in a test.
    t.log(`no picture: ${(error as Error).message}`)
    t.not(process.platform, 'linux')
  }
})
