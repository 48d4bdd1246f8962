/** Pictures through the Screenshot portal, where the compositor shows its screen to no ordinary program. */
import { readFile, stat, unlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Variant } from '@jellybrick/dbus-next'
import { HostUnavailable } from '../../host.js'
import type { PixelRect } from '../paint.js'
import type { PictureSource, Wanted } from '../picture-source.js'
import { Portal, type PortalFailed, TIMES, type Times } from './portal.js'

const SCREENSHOT = 'org.freedesktop.portal.Screenshot'

/** The most that is read, in bytes: more is no picture of a screen. */
const MOST = 256 * 1024 * 1024

/** An output of the desktop: its place in logical points of the layout, its size in physical pixels. */
export interface Output extends PixelRect {
  readonly scale: number
}

/**
 * The desktop asks the person the first time, and remembers the answer for itself. After a no nobody is asked again by this
 * process. It pictures the whole desktop, with everything on it.
 */
export class PortalPictures implements PictureSource {
  readonly name = 'the Screenshot portal'
  #refused: string | null = null
  #state = 'it is not known yet whether the desktop has a Screenshot portal'

  constructor(
    private readonly address: string | undefined,
    /** The outputs there are now. */
    private readonly outputs: () => readonly Output[],
    private readonly times: Times = TIMES,
  ) {}

  /** `ready`: there is such a portal, and nobody has said no; or why there are no pictures. */
  get state(): string {
    return this.#refused ?? this.#state
  }

  /** Finds out whether there is such a portal; nobody is asked for that. Never rejects. */
  async find(): Promise<void> {
    try {
      const portal = await Portal.open(this.address, SCREENSHOT, {}, this.times)
      portal.close()
      this.#state = 'ready'
    } catch (error) {
      this.#state = `the compositor shows its screen to no ordinary program, and ${(error as Error).message}`
    }
  }

  async take(display: Wanted, area: PixelRect): Promise<Uint8Array> {
    if (this.#refused !== null) throw new HostUnavailable(this.#refused)
    try {
      return await cut(await this.#shoot(), display, area, this.outputs())
    } catch (error) {
      if (error instanceof HostUnavailable) throw error
      const { fault, message } = error as PortalFailed
      const reason = `no picture through the Screenshot portal: ${message}`
      if (fault !== 'dismissed') throw new HostUnavailable(reason)
      this.#refused = `${reason}; \`lets stop\`, and the next daemon asks again`
      throw new HostUnavailable(this.#refused)
    }
  }

  /** A PNG of the desktop. */
  async #shoot(): Promise<Buffer> {
    const portal = await Portal.open(this.address, SCREENSHOT, {}, this.times)
    const began = Date.now()
    try {
      const { uri } = await portal.request(
        SCREENSHOT,
        'Screenshot',
        'sa{sv}',
        (options) => [
          '',
          { ...options, interactive: new Variant('b', false), modal: new Variant('b', false) },
        ],
        this.times.person,
      )
      if (typeof uri !== 'string' || !uri.startsWith('file:'))
        throw new HostUnavailable('the Screenshot portal names no file')
      return await taken(fileURLToPath(uri), began)
    } finally {
      portal.close()
    }
  }
}

/** Reads the file, and removes it: what was made for us must not pile up among the person's pictures. */
async function taken(path: string, began: number): Promise<Buffer> {
  const found = await stat(path)
  if (!found.isFile() || found.size > MOST)
    throw new HostUnavailable('the Screenshot portal names no picture')
  const png = await readFile(path)
  // Not what was there before: then it was not made for us. File systems tell seconds, at the worst.
  if (png.subarray(1, 4).toString() === 'PNG' && found.mtimeMs >= began - 2000)
    await unlink(path).catch(() => {})
  return png
}

/** The part of a picture of the whole desktop that was asked for. Refuses one whose pixels are not those of the display. */
async function cut(
  png: Buffer,
  { id, bounds }: Wanted,
  area: PixelRect,
  outputs: readonly Output[],
): Promise<Uint8Array> {
  const { createCanvas, loadImage } = await import('@napi-rs/canvas')
  const image = await loadImage(png)
  const { scale, width, height, left, top } = extent(outputs)
  if (scale === null || image.width !== width || image.height !== height) {
    throw new HostUnavailable(
      `the picture of the desktop has ${image.width}x${image.height} pixels, and its outputs ${
        scale === null ? 'have different scales' : `${width}x${height}`
      }: where display ${id} is in it cannot be told`,
    )
  }
  const context = createCanvas(area.width, area.height).getContext('2d')
  const [x, y] = [(bounds.x - left) * scale + area.x, (bounds.y - top) * scale + area.y]
  context.drawImage(image, -x, -y)
  const { data } = context.getImageData(0, 0, area.width, area.height)
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

/** What all outputs take up together: its corner in points, its size in pixels; without a scale where they differ in it. */
function extent(outputs: readonly Output[]) {
  const [first] = outputs
  const scale = first && outputs.every((one) => one.scale === first.scale) ? first.scale : null
  const left = Math.min(...outputs.map(({ x }) => x))
  const top = Math.min(...outputs.map(({ y }) => y))
  const by = scale ?? 1
  return {
    scale,
    left,
    top,
    width: Math.max(...outputs.map(({ x, width }) => Math.round((x - left) * by) + width)),
    height: Math.max(...outputs.map(({ y, height }) => Math.round((y - top) * by) + height)),
  }
}
