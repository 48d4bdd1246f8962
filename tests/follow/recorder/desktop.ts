import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../support/xserver.js'
import type { Stage, Window } from './stage.js'

/** Runs a desktop application on its own bus and with no settings, until the work with its window is done. */
export async function desktop(
  stage: Stage,
  command: readonly string[],
  size: readonly [number, number],
  work: (window: Window, folder: string) => Promise<void>,
  prepare: (folder: string) => void = () => {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'follow-'))
  let child: ChildProcess | undefined
  try {
    for (const name of ['home', 'config', 'cache', 'documents']) mkdirSync(join(folder, name))
    prepare(join(folder, 'documents'))
    const settings = {
      HOME: join(folder, 'home'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      GSETTINGS_BACKEND: 'memory',
      NO_AT_BRIDGE: '1',
    }
    const env = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
    child = stage.x.spawn('env', [...env, 'dbus-run-session', '--', ...command], {
      cwd: join(folder, 'documents'),
    })
    const window = await stage.window(['--class', command[0]!], ...size)
    await work(window, join(folder, 'documents'))
    await stage.x.run('xdotool', 'windowkill', window.id)
    const ended = child
    await until(`${command[0]} has ended`, () => ended.exitCode !== null || ended.signalCode !== null)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** The first line of what a program says its version is. */
export function version(program: string, argument = '--version'): string {
  const text = execFileSync(program, [argument], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return text.trim().split('\n')[0]!
}
