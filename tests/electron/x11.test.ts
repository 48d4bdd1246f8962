/** A daemon on a real X server whose Electron is the stand-in: with the real page in Chromium, or with windows that take clicks. */
import { readFileSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import { connect, type LetsClient } from '../../daemon/client/index.js'
import { connect as connectEye, pixel } from '../native/support.js'
import { runCli, startDaemonProcess, tempHome } from '../support/daemon.js'
import { startX, until, type XOptions } from '../support/xserver.js'
import { everywhere, nobodyWritesOverMenu } from '../x11/companion-menu.js'
import { type Desk, inked, inputLogger, overlayWindows, seesInk } from '../x11/support.js'
import { browserServer } from './browsers.js'
import { electronOf, isRunning } from './processes.js'
import type { Behaviour } from './standin/program.js'
import { type StandInScript, standInScript } from './standin/script.js'
import { inBrowser } from './support.js'

interface ElectronDesk extends Desk {
  readonly script: StandInScript
  /** The process that is Electron now; 0: there is none. */
  electron(): number
}

async function desk(
  t: ExecutionContext,
  behaviour: Omit<Behaviour, 'control'>,
  { path, ...options }: XOptions & { path?: string } = {},
): Promise<ElectronDesk> {
  const x = await startX({ compositor: true, ...options })
  t.teardown(() => x.stop())
  await x.run('xsetroot', '-solid', '#808080')
  const browser = behaviour.windows === 'painted' && (await browserServer())
  const script = standInScript(t, { ...behaviour, ...(browser && { browser }) })
  const daemon = await startDaemonProcess({
    env: { DISPLAY: x.display, LETS_HOME: tempHome() },
    args: ['--host', 'electron', '--electron', path ?? script.path, '--capture-consent', 'always'],
  })
  t.teardown(() => daemon.stop())
  const eye = await connectEye(x.display)
  t.teardown(() => eye.close())
  return {
    x,
    daemon,
    eye,
    script,
    electron: () => electronOf(`${daemon.home}/electron`),
    async client(more = {}) {
      const client = await connect({
        clientName: 'test',
        socket: daemon.socket,
        acks: 'painted',
        lingerMs: 0,
        ...more,
      })
      t.teardown(() => client.close())
      return client
    },
  }
}

const GROUND = [0x80, 0x80, 0x80]
const box = { rect: [100, 100, 300, 200] as [number, number, number, number], display_id: 1 }

/** The marks that went without its asking, as they go. */
function goneOf(client: LetsClient): unknown[] {
  const gone: unknown[] = []
  void (async () => {
    for await (const mark of client.invalidations()) gone.push(mark)
  })()
  return gone
}

async function standbyOf(client: LetsClient): Promise<string> {
  const { host, host_facts } = await client.status()
  return `${host}: ${host_facts?.notes?.join(' ')}`
}

inBrowser(
  'marks are on the screen, clicks pass through them, and nothing is left when they go',
  async (t) => {
    const desktop = await desk(t, { windows: 'painted' })
    const input = await inputLogger(desktop)
    const client = await desktop.client()
    t.is((await client.status()).host, 'electron')
    t.deepEqual(await overlayWindows(desktop), [], 'nothing is drawn, so no window is on the screen')
    const { annotation_id: id } = await client.highlight(box)
    await seesInk(t, desktop, 100, 200, await pixel(desktop.eye, 600, 600))
    t.is((await overlayWindows(desktop)).length, 1)
    await desktop.x.run('xdotool', 'mousemove', '250', '200', 'click', '1', 'key', 'a')
    await until('the click arrives below', () => input.clicks().includes('250,200'))
    await client.clear(id)
    await until('no window is on the screen', async () => (await overlayWindows(desktop)).length === 0)
  },
)

inBrowser('windows, pictures and the keys are as with the native host', async (t) => {
  const desktop = await desk(t, { windows: 'painted' })
  desktop.x.spawn('xmessage', ['-geometry', '300x200+200+200', '-name', 'follow', 'text'])
  await desktop.x.windowNamed('follow').catch(() => desktop.x.windowNamed('xmessage'))
  const client = await desktop.client()
  const { apps = [] } = await client.request({ type: 'apps' })
  t.is(apps.length, 1, 'neither the page nor its window is among the windows')
  await client.highlight(box)
  const [without, withMarks] = [
    await client.capture({ display_id: 1 }),
    await client.capture({ display_id: 1, marks: true }),
  ]
  t.truthy(without.path)
  t.truthy(withMarks.path)
  await desktop.x.run('xdotool', 'key', 'ctrl+shift+k')
  await until('the key clears', async () => (await client.status()).mark_count === 0)
})

inBrowser(
  'killed, Electron comes back with every mark; clients keep their sessions, and status says so',
  async (t) => {
    const desktop = await desk(t, { windows: 'painted' })
    const client = await desktop.client()
    const gone = goneOf(client)
    await client.highlight(box)
    const first = desktop.electron()
    process.kill(first, 'SIGKILL')
    await until(
      'another process is there',
      () => desktop.electron() !== first && desktop.electron() !== 0,
      20_000,
    )
    await until('the mark is on the screen again', () => inked(desktop, 100, 200, GROUND), 20_000)
    t.deepEqual(gone, [])
    await until('status says so', async () => /^electron: .*started again once/.test(await standbyOf(client)))
    t.is((await client.status()).mark_count, 1)
  },
)

inBrowser(
  'one whose windows take clicks is stopped, and the native host draws instead: status and log say so',
  async (t) => {
    const desktop = await desk(t, { windows: 'chromium' })
    const client = await desktop.client()
    t.regex(
      await standbyOf(client),
      /^x11: Electron is not used: its windows would take the clicks of the person/,
    )
    t.is(desktop.electron(), 0)
    t.true(desktop.daemon.log().some(({ event, to }) => event === 'standby_host' && to === 'x11'))
    t.true(desktop.daemon.ready.notes?.some((note) => note.includes('Electron is not used')))
    const input = await inputLogger(desktop)
    await client.highlight(box)
    await desktop.x.run('xdotool', 'mousemove', '250', '200', 'click', '1')
    await until('the click arrives below', () => input.clicks().includes('250,200'))
  },
)

for (const [what, behaviour, reason] of [
  ['ends at start', { windows: 'answering', start: 'ends' }, /Missing X server/],
  [
    'says that it shows what the X server does not have',
    { windows: 'answering' },
    /the X server that it has none/,
  ],
  ['is too old', { windows: 'answering', electron: '12.0.0' }, /12\.0\.0 is too old/],
] as const) {
  test.serial(`one that ${what}: the native host draws, and says why`, async (t) => {
    const desktop = await desk(t, behaviour)
    const client = await desktop.client()
    const notes = await standbyOf(client)
    t.regex(notes, /^x11: Electron is not used: /)
    t.regex(notes, reason)
    await client.highlight(box)
    await seesInk(t, desktop, 100, 200, GROUND)
    t.is(desktop.electron(), 0)
  })
}

inBrowser('nobody writes over the open menu of the companion: Electron draws no mark there', async (t) => {
  const desktop = await desk(t, { windows: 'painted' })
  const agent = await desktop.client()
  t.is((await agent.status()).host, 'electron')
  const token = readFileSync(`${desktop.daemon.socket}.consent`, 'utf8')
  await agent.companion({ set: { on: true }, token })
  await nobodyWritesOverMenu(t, desktop, agent)
})

inBrowser('what the companion says is never below a mark that Electron draws', async (t) => {
  const desktop = await desk(t, { windows: 'painted' })
  const agent = await desktop.client()
  const token = readFileSync(`${desktop.daemon.socket}.consent`, 'utf8')
  await agent.companion({ set: { on: true }, token })
  const say = () =>
    agent.companion({ command: 'entity.say', data: { text: 'Fourteen tests pass', ttl: 60_000 } })
  t.like(await say(), { painted: true })
  await everywhere(agent)
  await until('nothing is left for it', async () => (await agent.companion()).companion?.crowded === true)
  t.like(await say(), { painted: false, companion: { crowded: true } })
  await agent.clear()
  await until(
    'there is a place again',
    async () => (await agent.companion()).companion?.crowded === undefined,
  )
  t.like(await say(), { painted: true })
})

test.serial('a binary that is not there: the native host draws; status and doctor say so', async (t) => {
  const desktop = await desk(t, { windows: 'answering' }, { path: '/nowhere/electron' })
  t.regex(await standbyOf(await desktop.client()), /^x11: .*does not start: .*ENOENT/)
  const { env } = desktop.daemon
  for (const command of ['status', 'doctor']) {
    const { stdout } = await runCli([command], env)
    t.regex(stdout, /x11/, command)
    t.regex(stdout, /Electron is not used: it does not start: .*ENOENT/, command)
  }
})

test.serial('without a compositor Electron would be black: the native host draws', async (t) => {
  const desktop = await desk(t, { windows: 'painted' }, { compositor: false })
  t.regex(await standbyOf(await desktop.client()), /^x11: Electron is not used: no compositor runs/)
})

inBrowser(
  'the compositor goes: the native host takes over with every mark, and nobody loses anything',
  async (t) => {
    const desktop = await desk(t, { windows: 'painted' })
    const client = await desktop.client()
    const gone = goneOf(client)
    await client.highlight(box)
    const first = desktop.electron()
    await desktop.x.stopCompositor()
    await until('the native host draws', async () => (await client.status()).host === 'x11', 20_000)
    await until('the mark is on the screen', async () =>
      inked(desktop, 100, 200, await pixel(desktop.eye, 600, 600)),
    )
    t.false(isRunning(first))
    t.deepEqual(gone, [])
    t.is((await client.status()).mark_count, 1)
    await client.highlight({ ...box, rect: [500, 100, 50, 50] })
  },
)

inBrowser(
  'one that dies, and is not fit any more, is given up: the native host takes over with every mark',
  async (t) => {
    const desktop = await desk(t, { windows: 'painted' })
    const client = await desktop.client()
    await client.highlight(box)
    desktop.script.behave({ windows: 'answering', electron: '12.0.0' })
    process.kill(desktop.electron(), 'SIGKILL')
    await until('the native host draws', async () => (await client.status()).host === 'x11', 40_000)
    await seesInk(t, desktop, 100, 200, GROUND)
    t.regex(await standbyOf(client), /Electron was given up: Electron 12\.0\.0 is too old/)
  },
)

inBrowser('the daemon is killed: Electron goes with it, and nothing is left on the screen', async (t) => {
  const desktop = await desk(t, { windows: 'painted' })
  const client = await desktop.client()
  await client.highlight(box)
  const child = desktop.electron()
  t.true(isRunning(child))
  desktop.daemon.kill('SIGKILL')
  await until('it is gone', () => !isRunning(child), 10_000)
  await until('nothing is on the screen', async () => (await overlayWindows(desktop)).length === 0)
})
