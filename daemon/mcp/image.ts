/** A picture that MCP clients take: they refuse or cut results of more than a mebibyte. */
import type { Image } from '@napi-rs/canvas'

/** What a picture may have in base64, the result around it included, stays below 1 MiB. */
const MAX_BASE64 = 1_000_000

/** What models see as it is; they shrink larger pictures without a word. */
export const MAX_EDGE = 1568

/** Below the last, text is no longer read with certainty: rather fewer pixels. */
const QUALITIES = [90, 75]

export interface FittedImage {
  /** Base64. */
  readonly data: string
  readonly mimeType: 'image/png' | 'image/jpeg'
}

/** The picture with all of its pixels, as PNG or else as JPEG; null where it has to have fewer. */
export async function fitted(png: Buffer): Promise<FittedImage | null> {
  if (fits(png)) return { data: png.toString('base64'), mimeType: 'image/png' }
  const { createCanvas, loadImage } = await import('@napi-rs/canvas')
  const image: Image = await loadImage(png)
  const canvas = createCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  for (const quality of QUALITIES) {
    const jpeg = await canvas.encode('jpeg', quality)
    if (fits(jpeg)) return { data: jpeg.toString('base64'), mimeType: 'image/jpeg' }
  }
  return null
}

function fits({ length }: Buffer): boolean {
  return Math.ceil(length / 3) * 4 <= MAX_BASE64
}
