import type { Crop } from './crop.js'

/** Tags of a TIFF page, as its specification numbers them. */
const WIDTH = 256
const HEIGHT = 257
const BITS = 258
const COMPRESSION = 259
const PHOTOMETRIC = 262
const STRIP_OFFSETS = 273
const SAMPLES = 277
const ROWS_PER_STRIP = 278
const STRIP_BYTES = 279

const [SHORT, LONG] = [3, 4]
const [NONE, BLACK_IS_ZERO] = [1, 1]

/** Several gray pictures as one file with a page for each: plain, without compression. */
export function pages(crops: readonly Crop[]): Buffer {
  const header = Buffer.alloc(8)
  header.write('II')
  header.writeUInt16LE(42, 2)
  const parts: Buffer[] = [header]
  let at = header.length
  // Each page's directory says where the next one is; the one before is told when this place is known.
  let pointer = { buffer: header, offset: 4 }
  for (const { width, height, gray } of crops) {
    // Directories must begin at an even place.
    const pixels = Buffer.concat([gray, Buffer.alloc(gray.length % 2)])
    const tags = [
      [WIDTH, LONG, width],
      [HEIGHT, LONG, height],
      [BITS, SHORT, 8],
      [COMPRESSION, SHORT, NONE],
      [PHOTOMETRIC, SHORT, BLACK_IS_ZERO],
      [STRIP_OFFSETS, LONG, at],
      [SAMPLES, SHORT, 1],
      [ROWS_PER_STRIP, LONG, height],
      [STRIP_BYTES, LONG, gray.length],
    ] as const
    const directory = Buffer.alloc(2 + tags.length * 12 + 4)
    directory.writeUInt16LE(tags.length, 0)
    for (const [n, [tag, type, value]] of tags.entries()) {
      const entry = 2 + n * 12
      directory.writeUInt16LE(tag, entry)
      directory.writeUInt16LE(type, entry + 2)
      directory.writeUInt32LE(1, entry + 4)
      directory.writeUInt32LE(value, entry + 8)
    }
    pointer.buffer.writeUInt32LE(at + pixels.length, pointer.offset)
    pointer = { buffer: directory, offset: directory.length - 4 }
    parts.push(pixels, directory)
    at += pixels.length + directory.length
  }
  return Buffer.concat(parts)
}
