import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { ExecutionContext } from 'ava'
import { type ConnectOptions, connect, type LetsClient } from '../../daemon/client/index.js'
import type { X11Host } from '../../native/index.js'
import { connect as connectEye, pixel } from '../native/support.js'
import { setWallpaper } from '../native/wallpaper.js'
import { type DaemonProcess, startDaemonProcess, tempHome } from '../support/daemon.js'
import { startX, until, type XOptions, type XServer } from '../support/xserver.js'

export interface Desk {
  readonly x: XServer
  readonly daemon: DaemonProcess
  /** A connection of its own that looks at the screen as any program does. */
  readonly eye: X11Host
  client(options?: Partial<ConnectOptions>): Promise<LetsClient>
}

export interface DeskOptions extends XOptions {
  readonly background?: string
  readonly env?: NodeJS.ProcessEnv
  /** Whether clients may picture the screen; by default they may. */
  readonly consent?: 'ask' | 'always'
}

/**
 * The Electron binary that `npm run verify:electron` tries out: desks then have it draw, and a compositor, which it needs.
 * Absent: the native host draws.
 */
export const ELECTRON = process.env.LETS_TEST_ELECTRON

/** A real X server with a real daemon on it; everything ends with the test. */
export async function desk(t: ExecutionContext, options: DeskOptions = {}): Promise<Desk> {
  const x = await startX({ ...options, ...(ELECTRON !== undefined && { compositor: true }) })
  t.teardown(() => x.stop())
  const background = options.background ?? '#336699'
  await x.run('xsetroot', '-solid', background)
  if (ELECTRON !== undefined && options.compositor !== true) await paper(t, x, background)
  const daemon = await startDaemonProcess({
    env: { DISPLAY: x.display, LETS_HOME: tempHome(), ...options.env },
    args: [
      ...(ELECTRON === undefined ? ['--host', 'x11'] : ['--host', 'electron', '--electron', ELECTRON]),
      ...['--capture-consent', options.consent ?? 'always'],
    ],
  })
  t.teardown(() => daemon.stop())
  const eye = await connectEye(x.display)
  t.teardown(() => eye.close())
  if (options.compositor === true) {
    // The compositor paints a root without a wallpaper in its own grey; until then it is not at work.
    await until('the compositor paints', async () => (await pixel(eye, 2, 2))[0] === 0x80)
  }
  return {
    x,
    daemon,
    eye,
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

/** The background as compositors know it, who do not look at the root's own. */
async function paper(t: ExecutionContext, x: XServer, background: string): Promise<void> {
  const [, width, height] = /dimensions:\s+(\d+)x(\d+)/.exec(await x.run('xdpyinfo')) ?? []
  const colour = Number.parseInt(background.slice(1), 16)
  const socket = await setWallpaper(x.display, Number(width), Number(height), [colour, colour])
  t.teardown(() => void socket.destroy())
}

/** Whether a pixel of the root differs from `ground` by more than rounding. */
export async function inked(desk: Desk, x: number, y: number, ground: readonly number[]): Promise<boolean> {
  const seen = await pixel(desk.eye, x, y)
  return seen.some((channel, index) => Math.abs(channel - (ground[index] ?? 0)) > 8)
}

/** Waits until the root shows ink at these root pixels, or no more. */
export async function seesInk(
  t: ExecutionContext,
  desk: Desk,
  x: number,
  y: number,
  ground: readonly number[],
  wanted = true,
) {
  await t.notThrowsAsync(
    until(
      `ink ${wanted ? 'at' : 'gone from'} ${x},${y}`,
      async () => (await inked(desk, x, y, ground)) === wanted,
    ),
  )
}

/** The overlay's windows that are mapped now. */
export async function overlayWindows({ x }: Pick<Desk, 'x'>): Promise<string[]> {
  const tree = await x.tree()
  const ids = tree
    .split('\n')
    .filter((line) => line.includes('"lets-overlay"'))
    .map((line) => line.trim().split(' ')[0] ?? '')
  const mapped = await Promise.all(
    ids.map(async (id) => (await x.run('xwininfo', '-id', id).catch(() => '')).includes('IsViewable')),
  )
  return ids.filter((_, index) => mapped[index])
}

/** A window that reports clicks and key presses it gets. */
export async function inputLogger({ x }: Pick<Desk, 'x'>, geometry = '900x600+100+80') {
  const xev = x.spawn(
    'xev',
    ['-geometry', geometry, '-name', 'input', '-event', 'button', '-event', 'keyboard'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  let output = ''
  xev.stdout?.on('data', (chunk) => {
    output += chunk
  })
  const id = await x.windowNamed('input')
  await until('the window is seen', async () => (await x.run('xwininfo', '-id', id)).includes('IsViewable'))
  return {
    id,
    clicks: () =>
      [...output.matchAll(/ButtonPress event[\s\S]*?root:\((\d+,\d+)\)/g)].map((match) => match[1]),
    keys: () => [...output.matchAll(/KeyPress event/g)].length,
  }
}

/** The colour of a picture at a share of its width and height. */
export async function colourAt(path: string, u: number, v: number): Promise<number[]> {
  const image = await loadImage(path)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const at = [Math.floor(u * image.width), Math.floor(v * image.height)] as const
  return [...context.getImageData(at[0], at[1], 1, 1).data.subarray(0, 3)]
}
