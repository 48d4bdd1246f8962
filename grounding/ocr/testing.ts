import { createCanvas } from '@napi-rs/canvas'
import type { Crop } from './crop.js'
import type { Engine } from './engine.js'
import type { Picture } from './picture.js'
import type { Word } from './reading.js'

export interface Pen {
  box(x: number, y: number, width: number, height: number, color: string): void
  frame(x: number, y: number, width: number, height: number, color: string): void
  circle(x: number, y: number, radius: number, color: string): void
  /** `y` is the line that letters stand on. */
  text(text: string, x: number, y: number, color: string, size?: number): void
}

/** A picture drawn in logical points. */
export function draw(width: number, height: number, scale: number, paint: (pen: Pen) => void): Picture {
  const canvas = createCanvas(width * scale, height * scale)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  paint({
    box(x, y, w, h, color) {
      context.fillStyle = color
      context.fillRect(x, y, w, h)
    },
    frame(x, y, w, h, color) {
      context.strokeStyle = color
      context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1)
    },
    circle(x, y, radius, color) {
      context.strokeStyle = color
      context.beginPath()
      context.arc(x, y, radius, 0, 2 * Math.PI)
      context.stroke()
    },
    text(text, x, y, color, size = 14) {
      context.fillStyle = color
      context.font = `${size}px "DejaVu Sans", sans-serif`
      context.fillText(text, x, y)
    },
  })
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  return { width: canvas.width, height: canvas.height, scale, data: new Uint8Array(data) }
}

/** An engine that reads nothing, and counts what it is given. */
export class Counting implements Engine {
  readonly name = 'counting'
  readonly given: Crop[] = []
  /** Called with each crop before it is read. */
  onCrop: (count: number) => void = () => {}

  async read(
    crops: readonly Crop[],
    signal: AbortSignal,
    done: (index: number, words: readonly Word[]) => void,
  ): Promise<void> {
    for (const [index, crop] of crops.entries()) {
      signal.throwIfAborted()
      this.given.push(crop)
      this.onCrop(this.given.length)
      const box = { left: 12, top: 12, right: crop.width - 12, bottom: crop.height - 12 }
      done(index, [{ text: `word${this.given.length}`, confidence: 95, box }])
    }
  }

  async close(): Promise<void> {}
}
