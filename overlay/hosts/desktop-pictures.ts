/** Pictures through `screenshot-desktop`, which runs what the system has for it. Tried on Linux with X11 only. */
import type { ListedDisplay } from 'screenshot-desktop'
import { HostUnavailable } from '../host.js'
import type { PixelRect } from './paint.js'
import type { PictureSource, Wanted } from './picture-source.js'
import { inTime } from './time-limit.js'

/** The part of the package that is used, so that tests can stand in for it. */
export interface DesktopTool {
  listDisplays(): Promise<readonly ListedDisplay[]>
  /** A PNG of a whole display, by the id it was listed with. */
  shoot(id: string | number): Promise<Uint8Array>
}

export class DesktopPictures implements PictureSource {
  readonly name = 'screenshot-desktop'

  constructor(private readonly load: () => Promise<DesktopTool> = loadTool) {}

  async take(display: Wanted, area: PixelRect): Promise<Uint8Array> {
    try {
      const tool = await this.load()
      const found = find(display, await inTime(tool.listDisplays()))
      const png = await inTime(tool.shoot(found.id))
      return await cut(png, found, display, area)
    } catch (error) {
      if (error instanceof HostUnavailable) throw error
      throw new HostUnavailable(`screenshot-desktop does not work here: ${firstLine(error)}`)
    }
  }
}

interface Found {
  readonly id: string | number
  readonly name: string
  /** What its picture shows, in physical pixels of the desktop. */
  readonly bounds: PixelRect
}

/**
 * The listed display that shows `wanted`: the same rectangle, under the same name before any other, or one that holds all of
 * it (X servers can divide an output into monitors). Where the list has no rectangles (macOS), its name, or being the
 * primary, or the only one, has to do; the size of the picture then tells whether it was right.
 */
function find(wanted: Wanted, listed: readonly ListedDisplay[]): Found {
  const all = listed.map((one) => ({ ...one, name: one.name ?? String(one.id), bounds: boundsOf(one) }))
  const placed = all.filter((one): one is typeof one & { bounds: PixelRect } => one.bounds !== null)
  const same = placed.filter(({ bounds }) => sameRect(bounds, wanted.bounds))
  const around = placed.filter(({ bounds }) => holds(bounds, wanted.bounds))
  const exact =
    same.find(({ name }) => name === wanted.name) ?? same[0] ?? (around.length === 1 ? around[0] : undefined)
  if (exact) return exact
  const nowhere = all.filter(({ bounds }) => bounds === null)
  const named =
    only(nowhere.filter(({ name }) => name === wanted.name)) ??
    only(nowhere.filter(({ primary }) => wanted.primary && primary)) ??
    (all.length === 1 ? nowhere[0] : undefined)
  if (named) return { id: named.id, name: named.name, bounds: wanted.bounds }
  const names = all.map(({ name, bounds }) => (bounds ? `${name} ${show(bounds)}` : name)).join(', ')
  throw new HostUnavailable(
    `screenshot-desktop lists no display that is display ${wanted.id} (${wanted.name} ${show(wanted.bounds)}); it lists ${names || 'none'}`,
  )
}

function boundsOf({ width, height, offsetX, offsetY, left, top }: ListedDisplay): PixelRect | null {
  const [x, y] = [offsetX ?? left, offsetY ?? top]
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null
  return { x, y, width, height }
}

/** The part of a picture that was asked for. Refuses a picture whose pixels are not those of the display. */
async function cut(png: Uint8Array, found: Found, wanted: Wanted, area: PixelRect): Promise<Uint8Array> {
  const { createCanvas, loadImage } = await import('@napi-rs/canvas')
  const image = await loadImage(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
  const { bounds } = found
  if (image.width !== bounds.width || image.height !== bounds.height) {
    throw new HostUnavailable(
      `the picture of display ${wanted.id} (${found.name}) has ${image.width}x${image.height} pixels, but the display ${bounds.width}x${bounds.height}: a place in one would be another place in the other`,
    )
  }
  const context = createCanvas(area.width, area.height).getContext('2d')
  const [x, y] = [wanted.bounds.x - bounds.x + area.x, wanted.bounds.y - bounds.y + area.y]
  context.drawImage(image, -x, -y)
  const { data } = context.getImageData(0, 0, area.width, area.height)
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

async function loadTool(): Promise<DesktopTool> {
  const { default: screenshot } = await import('screenshot-desktop')
  return {
    listDisplays: () => screenshot.listDisplays(),
    shoot: (screen) => screenshot({ screen, format: 'png' }),
  }
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined
}

function sameRect(a: PixelRect, b: PixelRect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height
}

function holds(outer: PixelRect, inner: PixelRect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}

function show({ x, y, width, height }: PixelRect): string {
  return `${width}x${height} at ${x},${y}`
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().split('\n')[0] ?? ''
}
