import { setTimeout as delay } from 'node:timers/promises'
import { loadNative, type X11Host } from '../../../native/index.js'
import { startX, until, type XServer } from '../../support/xserver.js'
import type { Shot } from './book.js'

/** A window of an application, with the person's hands. */
export class Window {
  constructor(
    readonly x: XServer,
    readonly id: string,
    private readonly eye: X11Host,
    readonly at: readonly [number, number],
    readonly width: number,
    readonly height: number,
  ) {}

  /** As the screen shows it at this moment. */
  async glance(): Promise<Shot> {
    const [x, y] = this.at
    return this.eye.capture({ x, y, width: this.width, height: this.height, overlay: false })
  }

  /** Once nothing has changed for `quiet` milliseconds. */
  async shot(quiet = 150): Promise<Shot> {
    let last = await this.glance()
    let since = performance.now()
    await until(`${this.id} is still`, async () => {
      await delay(25)
      const next = await this.glance()
      if (!next.data.equals(last.data)) since = performance.now()
      last = next
      return performance.now() - since > quiet
    })
    return last
  }

  /** Does something, waits until it shows, and returns the picture when it has come to rest. */
  async after(what: () => Promise<unknown>, before: Shot, quiet?: number): Promise<Shot> {
    await what()
    await until('something changes', async () => !(await this.glance()).data.equals(before.data))
    return this.shot(quiet)
  }

  async pointer(x: number, y: number): Promise<void> {
    await this.x.run('xdotool', 'mousemove', '--sync', String(this.at[0] + x), String(this.at[1] + y))
  }

  async wheel(button: 4 | 5 | 6 | 7, clicks = 1): Promise<void> {
    await this.x.run('xdotool', 'click', '--repeat', String(clicks), '--delay', '15', String(button))
  }

  async click(x: number, y: number, ...more: string[]): Promise<void> {
    await this.pointer(x, y)
    await this.x.run('xdotool', 'click', ...more, '1')
  }

  async keys(...keys: string[]): Promise<void> {
    await this.x.run('xdotool', 'key', '--delay', '15', ...keys)
  }

  async type(text: string): Promise<void> {
    await this.x.run('xdotool', 'type', '--delay', '10', text)
  }
}

export class Stage {
  constructor(
    readonly x: XServer,
    private readonly eye: X11Host,
  ) {}

  static async set(): Promise<Stage> {
    const load = loadNative()
    if (!load.ok) throw new Error(`${load.reason}; ${load.fix}`)
    const x = await startX({ windowManager: true })
    return new Stage(
      x,
      await load.native.X11Host.connect({ display: x.display, timeoutMs: 5000, hotkey: false }, () => {}),
    )
  }

  /** Waits for the window of an application, puts it where it is wholly on the screen, and gives it the focus. */
  async window(pattern: readonly string[], width?: number, height?: number): Promise<Window> {
    const { x } = this
    const id = await until(
      `a window ${pattern.join(' ')}`,
      async () =>
        (await x.run('xdotool', 'search', '--onlyvisible', ...pattern).catch(() => ''))
          .trim()
          .split('\n')
          .at(-1) || undefined,
      30_000,
    )
    if (width !== undefined && height !== undefined)
      await x.run('xdotool', 'windowsize', id, String(width), String(height))
    await x.run('xdotool', 'windowmove', id, '60', '50')
    await x.run('xdotool', 'windowactivate', '--sync', id)
    // Where it is comes to rest only after the window manager has framed it.
    let last = ''
    const geometry = await until('the window is in its place', async () => {
      await delay(100)
      const now = await x.run('xwininfo', '-id', id)
      const still = now === last && now.includes('IsViewable')
      last = now
      return still && now
    })
    const number = (what: string): number => Number(new RegExp(`${what}:\\s+(-?\\d+)`).exec(geometry)![1])
    const at = [number('Absolute upper-left X'), number('Absolute upper-left Y')] as const
    return new Window(x, id, this.eye, at, number('Width'), number('Height'))
  }

  async strike(): Promise<void> {
    await this.eye.close()
    await this.x.stop()
  }
}
