/** The thread that makes the picture a model is shown: cut out, shrunk and compressed. */
import { parentPort, workerData } from 'node:worker_threads'
import { createCanvas, ImageData } from '@napi-rs/canvas'
import type { Size } from '../../protocol/overlay/geometry.js'

export interface ShrinkJob {
  /** RGBA, rows without padding. */
  readonly data: SharedArrayBuffer
  readonly frame: Size
  /** In pixels of the frame. */
  readonly crop: readonly [x: number, y: number, width: number, height: number]
  readonly size: Size
}

const { data, frame, crop, size } = workerData as ShrinkJob
const whole = createCanvas(frame[0], frame[1])
// A canvas takes no shared memory.
const pixels = Uint8ClampedArray.from(new Uint8ClampedArray(data))
whole.getContext('2d').putImageData(new ImageData(pixels, frame[0], frame[1]), 0, 0)
const shrunk = createCanvas(size[0], size[1])
const context = shrunk.getContext('2d')
context.imageSmoothingEnabled = true
context.imageSmoothingQuality = 'high'
context.drawImage(whole, crop[0], crop[1], crop[2], crop[3], 0, 0, size[0], size[1])
const png = await shrunk.encode('png')
parentPort?.postMessage(new Uint8Array(png))
