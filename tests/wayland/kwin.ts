/** KWin on a virtual screen. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/xserver.js'
import { PYTHON, Quarters, startBus, versionOf } from './processes.js'
import { alive, type Compositor, compositor, globalsOf, socketIn } from './rig.js'

const KWIN = '/usr/bin/kwin_wayland'
export const kwinHere =
  existsSync(KWIN) && existsSync(PYTHON) && versionOf('dbus-daemon', '--version') !== undefined

export interface KWinOptions {
  readonly size?: readonly [width: number, height: number]
  readonly scale?: number
  readonly outputs?: number
  /** Whether it gives every client what only those it knows may have: needed for `hand`. */
  readonly trusting?: boolean
  readonly xwayland?: boolean
}

export async function startKWin(options: KWinOptions = {}): Promise<Compositor & { bus: string }> {
  const { size = [1280, 800], scale = 1, outputs = 1, trusting = true, xwayland = false } = options
  const quarters = new Quarters()
  try {
    const bus = await startBus(quarters)
    // The packaged program has a file capability, and does not start where that may not be had: a copy has none.
    // It keeps its name, by which KWin's own Qt plugin knows it.
    mkdirSync(join(quarters.folder, 'bin'))
    const program = join(quarters.folder, 'bin', 'kwin_wayland')
    copyFileSync(KWIN, program)
    const env = quarters.env({
      DBUS_SESSION_BUS_ADDRESS: bus,
      KWIN_COMPOSE: 'Q',
      XDG_CURRENT_DESKTOP: 'KDE',
      ...(trusting && { KWIN_WAYLAND_NO_PERMISSION_CHECKS: '1' }),
    })
    const server = quarters.start(
      program,
      [
        '--virtual',
        ...['--width', String(size[0]), '--height', String(size[1]), '--scale', String(scale)],
        ...['--output-count', String(outputs), '--socket', 'wayland-0'],
        ...['--no-lockscreen', '--no-global-shortcuts'],
        ...(xwayland ? ['--xwayland'] : []),
      ],
      env,
    )
    const clients = { ...env, WAYLAND_DISPLAY: join(quarters.folder, 'wayland-0') }
    const offered = (): Promise<string[]> =>
      socketIn(quarters.folder) === undefined
        ? Promise.resolve([])
        : globalsOf(quarters, clients).catch(() => [])
    await alive(server, 'kwin_wayland', () =>
      until('KWin has an output', async () => (await offered()).includes('wl_output')),
    )
    return { ...compositor(server, quarters, clients, async () => size), bus }
  } catch (error) {
    await quarters.stop()
    throw error
  }
}
