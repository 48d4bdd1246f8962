import { readdirSync, readFileSync } from 'node:fs'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Frame, ScreenWindow } from '../../grounding/index.js'
import type { Truth } from './queries.js'

/** A held-out screen as `look.js` wrote it down: its pixels, its windows, and the truth. */
export interface Recorded {
  readonly name: string
  readonly frame: Frame
  readonly windows: readonly ScreenWindow[]
  readonly truth: Truth
}

const folder = new URL('../../../tests/grounding-eval/recorded/', import.meta.url)

export function recordedNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''))
}

export async function readRecorded(name: string): Promise<Recorded> {
  const told = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as {
    scale: number
    truth: Truth
    windows: ScreenWindow[]
  }
  const image = await loadImage(readFileSync(new URL(`${name}.png`, folder)))
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const data = new Uint8Array(context.getImageData(0, 0, width, height).data)
  const frame: Frame = { width, height, scale: told.scale, origin: [0, 0], data }
  return { name, frame, windows: told.windows, truth: told.truth }
}
