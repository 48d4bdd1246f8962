import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Canvas, createCanvas, GlobalFonts, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { fontFiles, Stage } from '../../overlay/scene/index.js'
import type { Rect, Size } from '../../protocol/overlay/geometry.js'

const root = new URL('../../../', import.meta.url)

let registered = false

/** Registers the bundled fonts, once. */
export function registerFonts(): void {
  if (registered) return
  registered = true
  for (const { file, family } of fontFiles) {
    const path = fileURLToPath(new URL(`overlay/scene/fonts/${file}`, root))
    if (!GlobalFonts.registerFromPath(path, family)) throw new Error(`cannot register ${path}`)
  }
}

export interface Screen {
  readonly canvas: Canvas
  readonly context: SKRSContext2D
  readonly scale: number
}

/** A canvas as large as a display, with logical points mapped to its pixels. */
export function screen(size: Size, scale: number): Screen {
  const canvas = createCanvas(Math.ceil(size[0] * scale), Math.ceil(size[1] * scale))
  const context = canvas.getContext('2d')
  context.scale(scale, scale)
  return { canvas, context, scale }
}

export function stage(size: Size, scale: number, reducedMotion = false): Stage {
  registerFonts()
  return new Stage({ size, scale, reducedMotion, measure: createCanvas(1, 1).getContext('2d') })
}

/** Clears and repaints `rects`, as a host does. */
export function repaint(on: Screen, rects: readonly Rect[], from: Stage, now: number): void {
  for (const rect of rects) {
    on.context.clearRect(...rect)
    from.paint(on.context, rect, now)
  }
}

/** RGBA of the whole canvas, not premultiplied. */
export function pixels({ canvas, context }: Screen): Uint8ClampedArray {
  return context.getImageData(0, 0, canvas.width, canvas.height).data
}

/** The largest difference of any channel, alpha-weighted so that invisible colours do not count. */
export function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let most = Math.abs(a.length - b.length)
  for (let i = 0; i < a.length; i += 4) {
    const alphaA = a[i + 3] ?? 0
    const alphaB = b[i + 3] ?? 0
    most = Math.max(most, Math.abs(alphaA - alphaB))
    for (let c = 0; c < 3; c++) {
      most = Math.max(most, Math.abs((a[i + c] ?? 0) * alphaA - (b[i + c] ?? 0) * alphaB) / 255)
    }
  }
  return most
}

/** How many pixels have a channel that differs by more than `by`. */
export function differing(a: Uint8ClampedArray, b: Uint8ClampedArray, by: number): number {
  let count = 0
  for (let i = 0; i < a.length; i += 4) {
    if (difference(a.subarray(i, i + 4), b.subarray(i, i + 4)) > by) count++
  }
  return count
}

/**
 * Compares with `tests/golden/<name>.png`; returns why it differs, or null. With `UPDATE_GOLDEN=1` the file is
 * (re)written. A few antialiased pixels may differ between processors, so a small share may.
 */
export async function golden(name: string, painted: Screen): Promise<string | null> {
  const file = fileURLToPath(new URL(`tests/golden/${name}.png`, root))
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(fileURLToPath(new URL('tests/golden/', root)), { recursive: true })
    writeFileSync(file, painted.canvas.toBuffer('image/png'))
    return null
  }
  if (!existsSync(file)) return `${file} does not exist; UPDATE_GOLDEN=1 writes it`
  const image = await loadImage(readFileSync(file))
  const { width, height } = painted.canvas
  if (image.width !== width || image.height !== height) {
    return `${file} is ${image.width}x${image.height}, painted ${width}x${height}`
  }
  const other = createCanvas(width, height)
  const context = other.getContext('2d')
  context.drawImage(image, 0, 0)
  const wanted = context.getImageData(0, 0, width, height).data
  const got = pixels(painted)
  let off = 0
  for (let i = 0; i < got.length; i += 4) {
    for (let c = 0; c < 4; c++) {
      if (Math.abs((got[i + c] ?? 0) - (wanted[i + c] ?? 0)) > 12) {
        off++
        break
      }
    }
  }
  const share = off / (width * height)
  return share > 0.001 ? `${file}: ${off} pixels differ (${(share * 100).toFixed(2)} %)` : null
}
