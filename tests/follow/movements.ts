import { readdirSync, readFileSync } from 'node:fs'
import { createCanvas, loadImage } from '@napi-rs/canvas'

/** Window pixels. A point has no width and no height. */
export type Rect = readonly [x: number, y: number, width: number, height: number]

export type Truth =
  | { readonly outcome: 'same' }
  | { readonly outcome: 'moved'; readonly by: readonly [dx: number, dy: number] }
  | { readonly outcome: 'gone' }

export interface Movement {
  readonly id: string
  readonly situation: string
  readonly before: string
  readonly after: string
  /** What the mark is about, in `before`. */
  readonly rect: Rect
  readonly truth: Truth
  /**
   * How the recorder knows: `devtools` (the page says where its elements are), `terminal text` (the terminal says what
   * is on its lines), `search` (patches that are nowhere else in `before` are found again, to the pixel, at one place
   * in `after`) or `what was done` (something was selected, and nothing else).
   */
  readonly truth_from: string
}

export interface Recording {
  readonly app: string
  readonly made_with: string
  readonly movements: readonly Movement[]
}

/** 32-bit pixels, rows without padding. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint32Array
}

export const folder = new URL('../../../tests/follow/recordings/', import.meta.url)

export function recordings(): Recording[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Recording)
}

/** A picture is asked for again by the movements that share it; those come one after the other. */
const decoded = new Map<string, Pixels>()

export async function picture(app: string, name: string): Promise<Pixels> {
  const key = `${app}/${name}`
  let pixels = decoded.get(key)
  if (pixels === undefined) {
    const image = await loadImage(readFileSync(new URL(key, folder)))
    const context = createCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    const { data, width, height } = context.getImageData(0, 0, image.width, image.height)
    pixels = { width, height, data: new Uint32Array(data.buffer, data.byteOffset, width * height) }
  }
  decoded.delete(key)
  decoded.set(key, pixels)
  for (const oldest of decoded.keys()) {
    if (decoded.size <= 8) break
    decoded.delete(oldest)
  }
  return pixels
}
