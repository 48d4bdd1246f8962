/** A desktop with an accessibility bus of its own, and programs on it that tell what they were clicked on. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { type ConnectOptions, connect, type LetsClient } from '../../daemon/client/index.js'
import { type DaemonProcess, startDaemonProcess, tempHome } from '../support/daemon.js'
import { startX, until, type XServer } from '../support/xserver.js'

/** The sources of this folder's programs; compiled, this file is dist/tests/grounding/support.js. */
const programs = fileURLToPath(new URL('../../../tests/grounding/programs/', import.meta.url))

/** The system's own Python: others have no GTK. */
const PYTHON = '/usr/bin/python3'

export interface Session {
  readonly env: NodeJS.ProcessEnv
  /** The address of the accessibility bus. */
  readonly bus: string
  /** The address of the accessibility bus that runs now. */
  address(): Promise<string>
  /** Ends the accessibility bus, as a crash would, and starts another one. */
  endBus(): Promise<void>
  /** Ends it alone: there is none then. */
  stopBus(): Promise<void>
  startBus(): Promise<void>
  /** Whether there is one; asking for that starts none. */
  hasBus(): Promise<boolean>
}

/** A D-Bus session with accessibility switched on, in folders of its own; it ends with the test. */
export async function startSession(
  t: ExecutionContext,
  env: NodeJS.ProcessEnv,
  enabled = true,
): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'lets-bus-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const own: NodeJS.ProcessEnv = {
    ...env,
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    XDG_CONFIG_HOME: folder,
    GSETTINGS_BACKEND: 'memory',
    LANG: 'C.UTF-8',
    AT_SPI_BUS_ADDRESS: undefined,
    GTK_MODULES: undefined,
    NO_AT_BRIDGE: undefined,
  }
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=3'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: own,
  })
  t.teardown(() => end(daemon))
  own.DBUS_SESSION_BUS_ADDRESS = await firstLine(daemon.stdio[3] as Readable)
  // Not activated by the bus, so that its process is ours to end.
  let launcher = await launch(own, enabled)
  t.teardown(() => end(launcher))
  const stopBus = async () => {
    await end(launcher)
    await until('the accessibility bus is gone', async () => !(await named(own)).includes('true'))
  }
  const startBus = async () => {
    launcher = await launch(own, enabled)
  }
  return {
    env: own,
    bus: await addressOf(own),
    address: () => addressOf(own),
    async endBus() {
      await end(launcher)
      await startBus()
    },
    stopBus,
    startBus,
    hasBus: async () => (await named(own)).includes('true'),
  }
}

async function launch(env: NodeJS.ProcessEnv, enabled: boolean): Promise<ChildProcess> {
  const launcher = spawn('/usr/libexec/at-spi-bus-launcher', ['--launch-immediately'], {
    stdio: 'ignore',
    env,
  })
  // Asking it for its address at once would have the session start another one.
  await until('the accessibility bus has its name', async () => (await named(env)).includes('true'))
  await until('the accessibility bus runs', () => addressOf(env).catch(() => false as const))
  const value = `<${enabled}>`
  await call(env, 'org.freedesktop.DBus.Properties.Set', 'org.a11y.Status', 'IsEnabled', value)
  return launcher
}

async function addressOf(env: NodeJS.ProcessEnv): Promise<string> {
  const [, address] = /'([^']+)'/.exec(await call(env, 'org.a11y.Bus.GetAddress')) ?? []
  if (!address) throw new Error('no address')
  return address
}

/** Whether the accessibility bus has its name, in words; asking for that starts nothing. */
function named(env: NodeJS.ProcessEnv): Promise<string> {
  const bus = ['org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.NameHasOwner'] as const
  return gdbus(env, bus, 'org.a11y.Bus')
}

function call(env: NodeJS.ProcessEnv, method: string, ...values: string[]): Promise<string> {
  return gdbus(env, ['org.a11y.Bus', '/org/a11y/bus', method], ...values)
}

function gdbus(
  env: NodeJS.ProcessEnv,
  [name, path, method]: readonly [name: string, path: string, method: string],
  ...values: string[]
): Promise<string> {
  const target = ['--session', '--dest', name, '--object-path', path, '--method', method]
  return new Promise((resolve, reject) => {
    const child = spawn('gdbus', ['call', ...target, ...values], { stdio: ['ignore', 'pipe', 'ignore'], env })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(said) : reject(new Error(`gdbus ended with ${code}`)),
    )
  })
}

/** Ends a process that was started here, and waits for that. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGCONT')
  child.kill('SIGTERM')
  const harder = setTimeout(() => child.kill('SIGKILL'), 3000)
  await gone
  clearTimeout(harder)
}

function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => createInterface({ input: stream }).once('line', resolve))
}

export interface Program {
  readonly pid: number
  readonly process: ChildProcess
  /** What it said of clicks so far, in order. */
  readonly clicks: readonly string[]
  /** What its field holds. */
  typed(): string
  tell(line: string): void
}

export interface AccessibleDesk {
  readonly x: XServer
  readonly session: Session
  readonly daemon: DaemonProcess
  readonly scale: number
  client(options?: Partial<ConnectOptions>): Promise<LetsClient>
  /** Starts `list3` or `list4`, and waits for its window. */
  program(name: 'list3' | 'list4'): Promise<Program>
  /** Opens a page of this folder, and waits for its window. Absent `tree`: the browser shows its pages to accessibility. */
  browser(
    page: string,
    options?: { readonly tree?: boolean; readonly size?: string; readonly at?: string },
  ): Promise<ChildProcess>
  /** Clicks in the middle of what was found: logical points of the display. */
  click(at: { readonly x: number; readonly y: number }): Promise<void>
}

export interface DeskSetup {
  readonly scale?: 1 | 2
  readonly enabled?: boolean
  readonly args?: readonly string[]
  /** Whether clients may have things found; by default they may. */
  readonly consent?: 'ask' | 'always'
}

/** A real X server, window manager, session and daemon; everything ends with the test. */
export async function accessibleDesk(t: ExecutionContext, setup: DeskSetup = {}): Promise<AccessibleDesk> {
  const { scale = 1 } = setup
  const x = await startX({ screen: `${1280 * scale}x${800 * scale}x24`, windowManager: true })
  t.teardown(() => x.stop())
  const session = await startSession(t, { ...x.env, LETS_SCALE: String(scale) }, setup.enabled)
  const daemon = await startDaemonProcess({
    env: { ...session.env, LETS_HOME: tempHome(), LETS_RESOLVER: undefined },
    args: [
      '--host',
      'x11',
      '--resolver',
      'accessibility',
      '--grounding-consent',
      setup.consent ?? 'always',
      ...(setup.args ?? []),
    ],
  })
  t.teardown(() => daemon.stop())
  const start = (command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...session.env, ...more },
    })
    t.teardown(() => end(child))
    return child
  }
  return {
    x,
    session,
    daemon,
    scale,
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
    async program(name) {
      const child = start(PYTHON, [`${programs}${name}.py`], {
        GDK_SCALE: String(scale),
        GDK_BACKEND: 'x11',
        GSK_RENDERER: 'cairo',
      })
      const clicks: string[] = []
      let typed = ''
      createInterface({ input: child.stdout as Readable }).on('line', (line) => {
        if (line.startsWith('clicked ')) clicks.push(line.slice('clicked '.length))
        if (line.startsWith('typed ')) typed = line.slice('typed '.length)
      })
      const id = await x.windowNamed(name === 'list3' ? 'List 3' : 'List 4')
      // Window managers put them one over the other.
      const [left, top] = name === 'list3' ? [20, 40] : [20, 500]
      await x.run('xdotool', 'windowmove', id, String(left * scale), String(Math.min(top, 350) * scale))
      if (name === 'list4') await x.run('xdotool', 'windowmove', id, String(460 * scale), String(350 * scale))
      return {
        pid: child.pid as number,
        process: child,
        clicks,
        typed: () => typed,
        tell: (line) => void child.stdin?.write(`${line}\n`),
      }
    },
    async browser(page, { tree = true, size = '740,760', at = '520,10' } = {}) {
      const profile = mkdtempSync(join(tmpdir(), 'lets-chromium-'))
      t.teardown(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }))
      const child = start('chromium', [
        '--no-sandbox',
        '--no-first-run',
        '--test-type',
        '--disable-gpu',
        ...(tree ? ['--force-renderer-accessibility'] : []),
        `--force-device-scale-factor=${scale}`,
        `--user-data-dir=${profile}`,
        `--window-size=${size}`,
        `--window-position=${at}`,
        page.includes(':') ? page : `file://${programs}${page}`,
      ])
      await until('the browser has a window', async () => (await x.tree()).includes(' - Chromium"'), 30_000)
      return child
    },
    async click({ x: left, y: top }) {
      const [px, py] = [Math.round(left * scale), Math.round(top * scale)].map(String) as [string, string]
      await x.run('xdotool', 'mousemove', px, py, 'click', '1')
    },
  }
}

/** Asks until it is found: programs take a moment to show themselves to accessibility. */
export async function located(client: LetsClient, query: string, more: Record<string, unknown> = {}) {
  return until(
    `“${query}” is found`,
    async () => {
      try {
        return await client.locate({ query, display_id: 1, ...more })
      } catch (error) {
        const { code } = error as { code?: string }
        if (code === 'resolve_failed') return false
        throw error
      }
    },
    30_000,
  )
}
