import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Frame, ScreenWindow } from '../../grounding/index.js'
import { loadNative, type WindowInfo, type X11Host } from '../../native/index.js'
import type { Rect } from '../../protocol/overlay/geometry.js'
import { startX, until, type XServer } from '../support/xserver.js'

/** A desktop of its own: an X server, a window manager, and a D-Bus session with the accessibility bus switched on. */
export class EvalDesk {
  private constructor(
    readonly scale: number,
    readonly x: XServer,
    readonly eye: X11Host,
    private readonly bus: ChildProcess,
    private readonly folder: string,
  ) {}

  static async set(scale: 1 | 2): Promise<EvalDesk> {
    const load = loadNative()
    if (!load.ok) throw new Error(`${load.reason}; ${load.fix}`)
    const folder = mkdtempSync(join(tmpdir(), 'grounding-eval-'))
    const x = await startX({ screen: `${1280 * scale}x${800 * scale}x24`, windowManager: true })
    await x.run('xsetroot', '-solid', '#40505e')
    const own = {
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      XDG_CONFIG_HOME: folder,
      GSETTINGS_BACKEND: 'memory',
    }
    Object.assign(x.env, own, { LANG: 'C.UTF-8', LETS_SCALE: String(scale) })
    delete x.env.DBUS_SESSION_BUS_ADDRESS
    delete x.env.AT_SPI_BUS_ADDRESS
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=3'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env: x.env,
    })
    x.env.DBUS_SESSION_BUS_ADDRESS = await firstLine(bus.stdio[3] as Readable)
    const status = ['--session', '--dest', 'org.a11y.Bus', '--object-path', '/org/a11y/bus']
    const set = ['--method', 'org.freedesktop.DBus.Properties.Set', 'org.a11y.Status', 'IsEnabled', '<true>']
    await x.run('gdbus', 'call', ...status, ...set)
    const eye = await load.native.X11Host.connect(
      { display: x.display, timeoutMs: 5000, hotkey: false },
      () => {},
    )
    return new EvalDesk(scale, x, eye, bus, folder)
  }

  /** The whole screen, once it has been still for a moment. */
  async frame(): Promise<Frame> {
    const [width, height] = [1280 * this.scale, 800 * this.scale]
    const look = () => this.eye.capture({ x: 0, y: 0, width, height, overlay: false })
    let last = await look()
    let since = performance.now()
    await until('the screen is still', async () => {
      const next = await look()
      if (!next.data.equals(last.data)) since = performance.now()
      last = next
      return performance.now() - since > 400
    })
    return { width, height, scale: this.scale, origin: [0, 0], data: last.data }
  }

  async windows(): Promise<ScreenWindow[]> {
    const seen = (await this.eye.windows()).filter(
      ({ viewable, minimized, hidden }) => viewable && !minimized && !hidden,
    )
    return Promise.all(seen.map((window) => this.#window(window)))
  }

  async #window(window: WindowInfo): Promise<ScreenWindow> {
    const { id, className, instance, title, pid, x, y, width, height } = window
    const rect = [x, y, width, height].map((edge) => edge / this.scale) as unknown as Rect
    const content = await this.content(window)
    const known = pid === null ? {} : { pid }
    return {
      id,
      app: className || instance || title,
      title,
      ...known,
      rect,
      content,
      transient: window.overrideRedirect,
    }
  }

  /** What the program draws itself, in logical points: asked of the server, not of what is to be judged. */
  async content({ client }: Pick<WindowInfo, 'client'>): Promise<Rect> {
    const text = await this.x.run('xwininfo', '-id', String(client))
    const number = (label: string) => Number(new RegExp(`${label}:\\s+(-?\\d+)`).exec(text)![1]) / this.scale
    return [
      number('Absolute upper-left X'),
      number('Absolute upper-left Y'),
      number('Width'),
      number('Height'),
    ]
  }

  /** Waits for the one window there is besides the desktop, when it is as it will stay. */
  async window(title: string): Promise<WindowInfo> {
    return until(
      `a window ${title}`,
      async () => {
        const windows = await this.eye.windows()
        return windows.find((window) => window.title.includes(title) && window.viewable)
      },
      20_000,
    )
  }

  async end(): Promise<void> {
    await this.eye.close()
    const { bus } = this
    if (bus.exitCode === null && bus.signalCode === null) {
      const gone = new Promise((done) => bus.once('exit', done))
      bus.kill()
      await gone
    }
    await this.x.stop()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** Ends a program of a screen and waits until it is gone. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill()
  await gone
}

export function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stream })
    lines.once('line', resolve)
    lines.once('close', () => reject(new Error('a program ended before it said where its controls are')))
  })
}
