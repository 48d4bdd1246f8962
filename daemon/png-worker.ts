/** The thread that makes PNG files: shrinking and compressing a large picture would keep every client waiting. */
import { parentPort } from 'node:worker_threads'
import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas'
import type { PngAnswer, PngJob } from './png.js'

const port = parentPort
// A null says that there will be no more: the thread then ends by itself, and what it loaded with it.
port?.on('message', (job: PngJob | null) => {
  if (job === null) return port.close()
  let answer: PngAnswer
  try {
    answer = { id: job.id, png: encode(job) }
  } catch (error) {
    answer = { id: job.id, fault: (error as Error).message }
  }
  port.postMessage(answer, 'png' in answer ? [answer.png.buffer as ArrayBuffer] : [])
})

function encode({ pixels, width, height, size }: PngJob): Uint8Array {
  const whole = createCanvas(width, height)
  const data = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength)
  whole.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0)
  // A copy of the library's own memory, which cannot change hands.
  return new Uint8Array((shrunk(whole, size) ?? whole).toBuffer('image/png'))
}

function shrunk(whole: Canvas, [width, height]: PngJob['size']): Canvas | null {
  if (width === whole.width && height === whole.height) return null
  const image = createCanvas(width, height)
  const context = image.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(whole, 0, 0, width, height)
  return image
}
