/** A companion as the addon is handed one: a disc of one colour with a clear ring and a pale one around it. */
import type { X11Host } from '../../native/index.js'
import { until, type XServer } from '../support/xserver.js'
import type { Color } from './support.js'

export const BLUE: Color = [0, 0, 255, 255]
/** Forty per cent of it takes no clicks. */
const PALE: Color = [0, 0, 102, 102]

export interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** RGBA of a picture, pixel by pixel. */
export function picture(
  { width, height }: Frame,
  color: (x: number, y: number) => Color | undefined,
): Buffer {
  const data = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set(color(x, y) ?? [0, 0, 0, 0], (y * width + x) * 4)
  return data
}

/** Whether a pixel of a frame is in the disc that fills it, but for a margin. */
function inside({ width, height }: Frame, x: number, y: number, margin: number): boolean {
  const [radius, dx, dy] = [Math.min(width, height) / 2 - margin, x + 0.5 - width / 2, y + 0.5 - height / 2]
  return dx * dx + dy * dy < radius * radius
}

export const SOLID_MARGIN = 12

export function disc(frame: Frame, color: Color = BLUE): { pixels: Buffer; input: Buffer } {
  const pixels = picture(frame, (x, y) => {
    if (inside(frame, x, y, SOLID_MARGIN)) return color
    return inside(frame, x, y, 4) ? PALE : undefined
  })
  return { pixels, input: picture(frame, (x, y) => (inside(frame, x, y, SOLID_MARGIN) ? color : undefined)) }
}

/** Where the disc takes clicks, said from its pixels alone. */
export function takesClicks(input: Buffer, { width, height }: Frame, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < width && y < height && input.readUInt8((y * width + x) * 4 + 3) >= 128
}

/** The outermost pixels that take clicks and those one further out, on all sides of a few rows and columns. */
export function edges(input: Buffer, frame: Frame): { in: [number, number][]; out: [number, number][] } {
  const found = { in: [] as [number, number][], out: [] as [number, number][] }
  const solid = (x: number, y: number) => takesClicks(input, frame, x, y)
  const line = (length: number, at: (n: number) => [number, number]) => {
    const hit = Array.from({ length }, (_, n) => n).filter((n) => solid(...at(n)))
    const [first, last] = [hit[0], hit.at(-1)]
    if (first === undefined || last === undefined) return
    found.in.push(at(first), at(last))
    found.out.push(at(first - 1), at(last + 1))
  }
  const rows = Array.from({ length: frame.height }, (_, y) => y).filter((y) =>
    Array.from({ length: frame.width }, (_, x) => x).some((x) => solid(x, y)),
  )
  const columns = Array.from({ length: frame.width }, (_, x) => x).filter((x) =>
    rows.some((y) => solid(x, y)),
  )
  for (const part of [0.25, 0.5, 0.75]) {
    line(frame.width, (n) => [n, rows[Math.floor(rows.length * part)]!])
    line(frame.height, (n) => [columns[Math.floor(columns.length * part)]!, n])
  }
  return found
}

export async function showFigure(
  host: X11Host,
  frame: Frame,
  more: { pixels?: Buffer; input?: Buffer; menu?: boolean } = disc(frame),
) {
  const { epoch } = await host.monitors()
  return host.showCompanion({ epoch, ...frame, menu: false, ...more })
}

export async function click({ run }: XServer, x: number, y: number, button = 1): Promise<void> {
  await run('xdotool', 'mousemove', `${x}`, `${y}`, 'click', `${button}`)
}

/** A window that tells which buttons and keys it got, in root pixels. */
export async function logger(x: XServer, geometry: string) {
  const xev = x.spawn(
    'xev',
    ['-geometry', geometry, '-name', 'below', '-event', 'button', '-event', 'keyboard'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let output = ''
  xev.stdout?.on('data', (chunk) => {
    output += chunk
  })
  const id = await x.windowNamed('below')
  await until('it is seen', async () => (await x.run('xwininfo', '-id', id)).includes('IsViewable'))
  const press = /ButtonPress event[\s\S]*?root:\((\d+,\d+)\)[\s\S]*?button (\d+)/g
  return {
    id,
    presses: () => [...output.matchAll(press)].map(([, at, button]) => `${at} ${button}`),
    keys: () =>
      [...output.matchAll(/KeyPress event[\s\S]*?keysym 0x[0-9a-f]+, (\w+)/g)].map((found) => found[1]),
  }
}
