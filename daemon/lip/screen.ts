/** Pictures of the screen for windows: taken by whoever has the person's consent to ask for, and kept as uploads are. */
import { createReadStream } from 'node:fs'
import { LipError } from '../../protocol/lip/errors.js'
import { show } from '../../protocol/overlay/explain.js'
import type { LipConfig } from './config.js'
import type { Upload, Uploads } from './uploads.js'
import type { LipWindow } from './window.js'

/** One picture, as a PNG file that is not ours to keep. */
export interface ScreenPicture {
  readonly file: string
  /** What marks name the picture by; null where it cannot be named. */
  readonly frame: string | null
}

/** What takes them. Every window is a party of its own, and the person is asked about each. */
export interface Screens {
  /** Rejects with `LipError` when the person does not want it, or it cannot be. */
  take(
    window: string,
    title: string,
    display: number,
    maxEdge: number | undefined,
    signal: AbortSignal,
  ): Promise<ScreenPicture>
  /** The window is no more, and what was allowed to it neither. */
  forget(window: string): void
}

export interface Captured extends Upload {
  readonly frame: string | null
  readonly display: number
}

const taking = new WeakSet<LipWindow>()

/** Takes a picture for a window. Rejects with `LipError`. */
export async function captureFor(
  window: LipWindow,
  body: Readonly<Record<string, unknown>>,
  parts: { readonly screens: Screens | null; readonly uploads: Uploads; readonly config: LipConfig },
  signal: AbortSignal,
): Promise<Captured> {
  const { name, manifest } = window.unique
  const { display = 1, max_edge } = body
  if (!Number.isInteger(display) || Number(display) < 1 || Number(display) > 1000)
    throw new LipError('bad_data', `display must be the number of a display, got ${show(display)}`)
  if (
    max_edge !== undefined &&
    !(Number.isInteger(max_edge) && Number(max_edge) >= 16 && Number(max_edge) <= 16_384)
  )
    throw new LipError('bad_data', `max_edge must be whole pixels from 16 to 16384, got ${show(max_edge)}`)
  if (!manifest.capabilities?.includes('screen.capture'))
    throw new LipError(
      'no_capability',
      `a picture of the screen needs the capability screen.capture, which the manifest of ${name} does not list`,
    )
  if (!parts.screens) throw new LipError('unavailable', 'this daemon takes no pictures of the screen')
  if (taking.has(window)) throw new LipError('limit', `${window.id} waits for a picture already`)
  taking.add(window)
  try {
    const edge = max_edge as number | undefined
    const { file, frame } = await parts.screens.take(window.id, manifest.title, Number(display), edge, signal)
    const kept = await parts.uploads.take(name, createReadStream(file), parts.config)
    return { ...kept, frame, display: Number(display) }
  } finally {
    taking.delete(window)
  }
}
