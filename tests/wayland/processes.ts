/** Programs of an ordinary user in a folder of its own: what a Wayland compositor and its clients are. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv } from '../support/daemon.js'
import { end } from '../support/xserver.js'

/** The Python that Debian's packages are for. */
export const PYTHON = '/usr/bin/python3'

/** Root starts them as nobody: sway refuses root, and KWin reads who its clients are. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

const programs = fileURLToPath(new URL('../../../tests/wayland/programs', import.meta.url))

/** A folder that is the user's, as XDG_RUNTIME_DIR is, and what was started in it. */
export class Quarters {
  readonly folder: string
  private readonly children: ChildProcess[] = []
  private readonly user: { readonly uid?: number; readonly gid?: number }

  /** `ordinary`: an ordinary user's, also where root runs the tests. */
  constructor(ordinary = true) {
    this.user = ordinary ? ORDINARY : {}
    // Short: sockets go in it.
    this.folder = mkdtempSync(join(tmpdir(), 'lets-w-'))
    mkdirSync(join(this.folder, 'programs'))
    // The user may not be able to read the checkout.
    for (const file of readdirSync(programs).filter((name) => name.endsWith('.py')))
      copyFileSync(join(programs, file), join(this.folder, 'programs', file))
    this.give('programs')
    this.give('.')
    chmodSync(this.folder, 0o700)
  }

  /** Makes a file of the folder the user's own. */
  give(file: string): void {
    const { uid, gid } = this.user
    if (uid !== undefined && gid !== undefined) chownSync(join(this.folder, file), uid, gid)
  }

  /** What every program here has; nothing leads to a person's own session. */
  env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const own = { HOME: this.folder, XDG_RUNTIME_DIR: this.folder, XDG_CONFIG_HOME: this.folder }
    const outside = {
      DBUS_SESSION_BUS_ADDRESS: undefined,
      SWAYSOCK: undefined,
      XDG_CURRENT_DESKTOP: undefined,
    }
    return cleanEnv({ ...outside, ...own, PYTHONDONTWRITEBYTECODE: '1', ...more })
  }

  /** Starts a program as the user; it ends with `stop`. */
  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv, options: SpawnOptions = {}) {
    // A test runner that is killed tears nothing down: they end with it all the same.
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', command, ...args], {
      ...{ stdio: 'ignore', cwd: this.folder, ...options, ...this.user },
      env,
    })
    child.on('error', () => {})
    this.children.push(child)
    return child
  }

  /** A path of one of the Python programs. */
  program(name: string): string {
    return join(this.folder, 'programs', name)
  }

  /** Ends everything, the last first, and removes the folder. */
  async stop(): Promise<void> {
    for (const child of this.children.reverse()) await end(child, 'SIGTERM')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** A bus of its own, as a desktop session has one. */
export async function startBus(quarters: Quarters): Promise<string> {
  const address = `unix:path=${join(quarters.folder, 'bus')}`
  const bus = quarters.start(
    'dbus-daemon',
    ['--session', '--nofork', `--address=${address}`, '--print-address=3'],
    quarters.env(),
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  await new Promise<void>((resolve, reject) => {
    bus.stdio[3]?.once('data', () => resolve())
    bus.once('exit', (code) => reject(new Error(`dbus-daemon ended with ${code}`)))
  })
  return address
}

/** The version that a program prints, or undefined where it is not installed. */
export function versionOf(command: string, ...args: string[]): string | undefined {
  try {
    const said = execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    return /\d+(?:\.\d+)+/.exec(said)?.[0] ?? ''
  } catch {
    return undefined
  }
}
