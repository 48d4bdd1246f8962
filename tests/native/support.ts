import { readdir, readFile } from 'node:fs/promises'
import type { ExecutionContext } from 'ava'
import {
  type CaptureResult,
  loadNative,
  type Monitor,
  type NativeBinding,
  type PixelRect,
  type PresentResult,
  type X11Event,
  type X11Host,
} from '../../native/index.js'
import { startX, until, type XOptions, type XServer } from '../support/xserver.js'

export const native: NativeBinding = (() => {
  const load = loadNative()
  if (!load.ok) throw new Error(`${load.reason}; ${load.fix}`)
  return load.native
})()

export type Color = readonly [red: number, green: number, blue: number, alpha: number]

/** Forty per cent yellow, premultiplied. */
export const YELLOW: Color = [102, 102, 0, 102]
export const RED: Color = [255, 0, 0, 255]

export interface Rig {
  x: XServer
  host: X11Host
  events: X11Event[]
  /** A second connection that looks at the screen as any program does. */
  eye: X11Host
}

/** An X server, a host on it, and an observer; all ended with the test. */
export async function rig(
  t: ExecutionContext,
  options: XOptions & { background?: string; hotkey?: boolean } = {},
): Promise<Rig> {
  const x = await startX(options)
  t.teardown(() => x.stop())
  await x.run('xsetroot', '-solid', options.background ?? '#336699')
  const events: X11Event[] = []
  const host = await connect(x.display, (event) => events.push(event), options.hotkey ?? false)
  const eye = await connect(x.display)
  t.teardown(() => Promise.all([host.close(), eye.close()]))
  if (options.compositor === true) {
    // The compositor paints a root without a wallpaper in its own grey; until then it is not at work.
    await until('the compositor paints', async () => near(await pixel(eye, 2, 2), [0x80, 0x80, 0x80], 8))
    await until('the compositor is seen', () => host.info().compositor)
  }
  return { x, host, events, eye }
}

export function connect(
  display: string,
  onEvent: (event: X11Event) => void = () => {},
  hotkey = false,
  eyesOnly = false,
): Promise<X11Host> {
  return native.X11Host.connect({ display, timeoutMs: 5000, hotkey, eyesOnly }, onEvent)
}

export function fill(rects: readonly PixelRect[], color: Color): Buffer {
  const pixels = Buffer.alloc(rects.reduce((sum, rect) => sum + rect.width * rect.height * 4, 0))
  for (let at = 0; at < pixels.length; at += 4) pixels.set(color, at)
  return pixels
}

/** Draws rectangles of one colour, and nothing else, on a monitor (the first when it is not named). */
export async function show(
  host: X11Host,
  ink: PixelRect[],
  color: Color = YELLOW,
  name?: string,
): Promise<PresentResult> {
  const { epoch, monitors } = await host.monitors()
  const monitor = name ?? monitors[0]!.name
  return host.present({ epoch, monitor, patches: ink, pixels: fill(ink, color), ink })
}

export async function screenshot(host: X11Host, overlay: boolean, rect?: PixelRect): Promise<CaptureResult> {
  const { monitors } = await host.monitors()
  return host.capture({ ...(rect ?? around(monitors)), overlay })
}

function around(monitors: readonly Monitor[]): PixelRect {
  const width = Math.max(...monitors.map((monitor) => monitor.x + monitor.width))
  const height = Math.max(...monitors.map((monitor) => monitor.y + monitor.height))
  return { x: 0, y: 0, width, height }
}

export async function pixel(eye: X11Host, x: number, y: number): Promise<number[]> {
  const { data } = await eye.capture({ x, y, width: 1, height: 1, overlay: true })
  return [...data.subarray(0, 3)]
}

export function pixelsThatDiffer(a: CaptureResult, b: CaptureResult): number {
  let count = 0
  for (let at = 0; at < a.data.length; at += 4) {
    if (a.data.readUInt32LE(at) !== b.data.readUInt32LE(at)) count += 1
  }
  return a.data.length === b.data.length ? count : Number.POSITIVE_INFINITY
}

export async function showsSoon(
  t: ExecutionContext,
  eye: X11Host,
  at: readonly [number, number],
  color: number[],
): Promise<void> {
  let last: number[] = []
  try {
    await until(
      `${at} is ${color}`,
      async () => {
        last = await pixel(eye, ...at)
        return near(last, color)
      },
      2000,
    )
    t.pass()
  } catch {
    t.deepEqual(last, color, `at ${at}`)
  }
}

/** Compositors and blending round differently by one step; a 16-bit screen by up to eight. */
export function near(a: readonly number[], b: readonly number[], tolerance = 1): boolean {
  return a.every((channel, index) => Math.abs(channel - b[index]!) <= tolerance)
}

export function over(ink: Color, under: readonly number[]): number[] {
  return under.map((channel, index) =>
    Math.min(255, Math.round(ink[index]! + (channel * (255 - ink[3])) / 255)),
  )
}

/** How often the addon's threads of this process have gone to sleep, and so woken up, until now. */
export async function sleeps(): Promise<number> {
  let sum = 0
  for (const task of await readdir('/proc/self/task')) {
    const status = await readFile(`/proc/self/task/${task}/status`, 'utf8').catch(() => '')
    if (/^Name:\tlets-x11$/m.test(status))
      sum += Number(/^voluntary_ctxt_switches:\t(\d+)$/m.exec(status)![1])
  }
  return sum
}
