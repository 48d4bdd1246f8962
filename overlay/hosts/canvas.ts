/** The native canvas, loaded at the first painting: it and its fonts cost time and memory that an idle daemon keeps. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Canvas, ImageData, SKRSContext2D } from '@napi-rs/canvas'
import { HostUnavailable } from '../host.js'
import { type Context2D, fontFiles, missingGlyphs } from '../scene/index.js'

// Compiled, this file is dist/overlay/hosts/canvas.js; the fonts stay where their source is.
const fontFolder = join(
  dirname(fileURLToPath(import.meta.url)),
  '..',
  '..',
  '..',
  'overlay',
  'scene',
  'fonts',
)

export interface CanvasKit {
  create(width: number, height: number): { canvas: Canvas; context: SKRSContext2D }
  /** Opaque RGBA pixels as an image to put. */
  image(picture: { readonly data: Uint8Array; readonly width: number; readonly height: number }): ImageData
  /** A context to measure text with. */
  readonly measure: Context2D
}

let loading: Promise<CanvasKit> | null = null

/** Rejects with `HostUnavailable`, saying what is missing; a later call tries again. */
export function loadCanvas(): Promise<CanvasKit> {
  loading ??= load().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function load(): Promise<CanvasKit> {
  let library: typeof import('@napi-rs/canvas')
  try {
    library = await import('@napi-rs/canvas')
  } catch (cause) {
    throw new HostUnavailable(
      `the canvas library does not load (${(cause as Error).message}); run \`npm install\` again`,
    )
  }
  const { createCanvas, GlobalFonts, ImageData } = library
  for (const { file, family } of fontFiles) {
    const path = join(fontFolder, file)
    if (!existsSync(path) || !GlobalFonts.registerFromPath(path, family)) {
      throw new HostUnavailable(`the bundled font ${path} does not load; install Lets again`)
    }
  }
  return {
    create: (width, height) => {
      const canvas = createCanvas(width, height)
      return { canvas, context: canvas.getContext('2d') }
    },
    image: ({ data, width, height }) =>
      new ImageData(new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), width, height),
    measure: createCanvas(1, 1).getContext('2d'),
  }
}

/** The graphemes of `text` that no font here shows. */
export async function graphemesWithoutGlyph(text: string): Promise<readonly string[]> {
  const { measure } = await loadCanvas()
  return missingGlyphs(measure, text)
}
