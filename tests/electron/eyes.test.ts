/** What the daemon sees of Electron's windows on X11, with an X server that is what the test says it is. */
import test, { type ExecutionContext } from 'ava'
import { version } from '../../daemon/version.js'
import type { NativeBinding, OwnedSurface, X11Event } from '../../native/index.js'
import type { HostEvents } from '../../overlay/host.js'
import { privateEnvironment } from '../../overlay/hosts/electron/child.js'
import { ElectronOnX11 } from '../../overlay/hosts/electron/on-x11.js'
import { until } from '../support/xserver.js'
import { point } from './host-rig.js'
import { electronOf } from './processes.js'
import { standInScript } from './standin/script.js'

/** The whole of a small desktop, over which the window hangs by a row. */
const MONITOR = { name: 'one', x: 0, y: 0, width: 640, height: 480, mmWidth: 0, mmHeight: 0 }
const CLICK_THROUGH = { x: 0, y: -1, width: 1, height: 1 }

const surface = (input: OwnedSurface['input']): OwnedSurface =>
  ({
    ...{ id: 7, client: 7, x: 0, y: -1, width: 640, height: 481, viewable: true, depth: 32 },
    ...{ inputOnly: false, overrideRedirect: true, input, coveredBy: [] },
  }) as unknown as OwnedSurface

/** A listener as a class is: what it does is not its own but its prototype's. */
class Listener implements HostEvents {
  readonly heard: string[] = []
  readonly exits: string[] = []
  displays(): void {
    this.heard.push('displays')
  }
  windows(): void {
    this.heard.push('windows')
  }
  content(): void {
    this.heard.push('content')
  }
  clearRequested(): void {
    this.heard.push('clear')
  }
  answered(yes: boolean): void {
    this.heard.push(yes ? 'yes' : 'no')
  }
  next(): void {
    this.heard.push('next')
  }
  chosen(id: string): void {
    this.heard.push(id)
  }
  exit(reason: string): void {
    this.exits.push(reason)
  }
}

async function rig(t: ExecutionContext) {
  const script = standInScript(t, { windows: 'answering' })
  const server = {
    surfaces: [surface([CLICK_THROUGH])],
    asked: 0,
    claims: [] as number[][],
    tell: (_event: X11Event) => {},
  }
  const connection = {
    monitors: async () => ({ epoch: 1, monitors: [{ ...MONITOR, primary: true, scale: 1 }] }),
    info: () => ({ hotkey: 'ready', reducedMotion: false, notes: [], compositor: true }),
    windows: async () => [],
    claim: async ({ pids }: { pids: number[] }) => void server.claims.push(pids),
    surfacesOf: async () => {
      server.asked++
      return server.surfaces
    },
    look: async () => {
      throw new Error('there is nothing to be seen')
    },
    close: async () => {},
  }
  const native = {
    X11Host: {
      connect: async (_options: unknown, onEvent: (event: X11Event) => void) => {
        server.tell = onEvent
        return connection
      },
    },
  } as unknown as NativeBinding
  const host = new ElectronOnX11({
    ...{ native, display: ':7', version: version(), log() {}, times: { backoff: 50 } },
    program: {
      ...{ path: script.path, entry: 'entry.js', folder: script.folder },
      switches: [`--user-data-dir=${script.folder}`],
      env: privateEnvironment(process.env),
    },
  })
  const listener = new Listener()
  host.on(listener)
  t.teardown(() => host.stop())
  await host.start()
  return { host, server, listener, script, pid: () => electronOf(script.folder) }
}

test.serial(
  'all that the person does and the screen shows is told, whatever kind of object listens',
  async (t) => {
    const { host, server, listener, script } = await rig(t)
    host.panel.show({ summary: '1 mark', items: [{ kind: 'action', id: 'clear-all', label: 'Clear' }] })
    server.tell({ type: 'hotkey' })
    server.tell({ type: 'answer', yes: true })
    server.tell({ type: 'answer', yes: false })
    server.tell({ type: 'next' })
    server.tell({ type: 'windows', changes: [] })
    server.tell({
      type: 'displays',
      epoch: 2,
      monitors: [{ ...MONITOR, width: 800, primary: true, scale: 1 }],
    })
    script.command({ do: 'choose', label: 'Clear' })
    await until('the choice is told', () => listener.heard.length === 7)
    t.deepEqual(listener.heard, ['clear', 'yes', 'no', 'next', 'windows', 'displays', 'clear-all'])
    t.deepEqual(listener.exits, [])
    server.tell({ type: 'exit', reason: 'the X server went away' })
    t.deepEqual(listener.exits, ['the X server went away'])
  },
)

test.serial('windows that come to take clicks later stop Electron when that happens', async (t) => {
  const { host, server, listener, pid } = await rig(t)
  t.deepEqual(await host.apply({ display: 1, put: [point('a')], remove: [] }), { visible: true })
  const asked = server.asked
  server.tell({ type: 'surfaces' })
  await until('it is looked at', () => server.asked > asked)
  t.deepEqual(listener.exits, [], 'something changed, and all is well')
  // Hidden while its page is loaded again: nothing of it is there, which is no fault.
  server.surfaces = []
  server.tell({ type: 'surfaces' })
  await until('it is looked at', () => server.asked > asked + 1)
  // Somebody put a frame around it.
  server.surfaces = [surface([{ x: 0, y: 0, width: 640, height: 20 }])]
  server.tell({ type: 'surfaces' })
  await until('it is stopped', () => listener.exits.length > 0)
  t.regex(listener.exits[0] ?? '', /would take the clicks of the person \(640x20 pixels at 0,0\)/)
  t.is(pid(), 0)
})

test.serial(
  'a number is claimed while it is Electron’s, and no longer: it may become another program’s',
  async (t) => {
    const { host, server, pid } = await rig(t)
    await host.apply({ display: 1, put: [point('a')], remove: [] })
    const first = pid()
    t.deepEqual(server.claims, [[first]])
    process.kill(first, 'SIGKILL')
    await until('another one is claimed', () => server.claims.length === 3)
    const second = pid()
    t.deepEqual(server.claims, [[first], [], [second]])
    server.surfaces = [surface([{ x: 0, y: 0, width: 1, height: 1 }])]
    server.tell({ type: 'surfaces' })
    await until('it is given up', () => pid() === 0)
    await until('nobody is claimed', () => server.claims.length === 4)
    t.deepEqual(server.claims[3], [])
  },
)
