import { createHash } from 'node:crypto'
import type { Item } from '../items.js'
import type { Layout } from './chrome.js'
import { type Chunk, findChunks } from './chunks.js'
import { type Crop, cropOf } from './crop.js'
import type { Engine } from './engine.js'
import { findGrounds } from './grounds.js'
import { findInk } from './ink.js'
import { thingsOf } from './items.js'
import type { Box, Picture } from './picture.js'
import { type Text, textsOf, type Word } from './reading.js'

export interface Reading {
  /** Boxes in pixels of the picture. */
  readonly items: readonly Item[]
  /** How many lines of text there are, how many were read just now, and how many were left unread. */
  readonly lines: number
  readonly read: number
  readonly unread: number
}

/** How many whole pictures, and how many lines, are remembered. A line takes some hundred bytes. */
const MOST_PICTURES = 8
const MOST_LINES = 4000

/** In ms: what is not read by then stays unread, and is said to be. */
const LIMIT_MS = 20_000

/**
 * Reads pictures of a screen. What it has read once it knows again by its pixels, wherever on the screen it is: an unchanged
 * screen costs nothing twice, and of a changed one only what is new is read.
 */
export class Reader {
  readonly #pictures = new Map<string, Reading>()
  readonly #lines = new Map<string, readonly Word[]>()

  constructor(private readonly engine: Engine) {}

  /** Rejects with the signal's reason when that is aborted; lines read until then are remembered. */
  async read(picture: Picture, signal: AbortSignal): Promise<Reading> {
    const key = keyOf([picture.width, picture.height, picture.scale], picture.data)
    const known = this.#pictures.get(key)
    if (known) {
      remember(this.#pictures, key, known, MOST_PICTURES)
      return { ...known, read: 0 }
    }
    const { layout, chunks, crops } = prepare(picture)
    const { words, read } = await this.#wordsOf(crops, signal)
    const reads = chunks.map((chunk, n) => ({ chunk, texts: textsIn(crops[n] as Crop, words[n] ?? []) }))
    const unread = words.filter((one) => one === null).length
    const reading = { items: thingsOf(layout, reads), lines: chunks.length, read, unread }
    if (unread === 0) remember(this.#pictures, key, reading, MOST_PICTURES)
    return reading
  }

  /** The words of each crop, null for those that time did not suffice for. */
  async #wordsOf(crops: readonly Crop[], signal: AbortSignal) {
    const keys = crops.map(({ width, height, gray }) => keyOf([width, height], gray))
    const unknown = [...new Set(keys.filter((key) => !this.#lines.has(key)))]
    const first = new Map(keys.map((key, n) => [key, crops[n] as Crop] as const))
    const limit = AbortSignal.timeout(LIMIT_MS)
    let read = 0
    const wanted = unknown.map((key) => first.get(key) as Crop)
    await this.engine
      .read(wanted, AbortSignal.any([signal, limit]), (index, words) => {
        read++
        remember(this.#lines, unknown[index] as string, words, MOST_LINES)
      })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        if (!limit.aborted) throw error
      })
    return { words: keys.map((key) => this.#lines.get(key) ?? null), read }
  }

  async close(): Promise<void> {
    await this.engine.close()
  }
}

function prepare(picture: Picture): { layout: Layout; chunks: readonly Chunk[]; crops: readonly Crop[] } {
  const { width, height, scale } = picture
  const found = findGrounds(picture)
  const ink = findInk(found, width, scale)
  const chunks = findChunks(ink.glyphs, scale)
  const crops = chunks.map(({ box }) => cropOf(found.distance, width, box, scale))
  return {
    layout: {
      width,
      height,
      scale,
      grounds: found.grounds,
      of: found.of,
      distance: found.distance,
      data: picture.data,
      ink,
    },
    chunks,
    crops,
  }
}

/** Texts with their boxes in pixels of the picture. */
function textsIn({ zoom, left, top }: Crop, words: readonly Word[]): Text[] {
  const back = (box: Box): Box => ({
    left: Math.floor((box.left - left) / zoom),
    top: Math.floor((box.top - top) / zoom),
    right: Math.ceil((box.right - left) / zoom),
    bottom: Math.ceil((box.bottom - top) / zoom),
  })
  return textsOf(words.map((word) => ({ ...word, box: back(word.box) })))
}

function keyOf(numbers: readonly number[], bytes: Uint8Array): string {
  return createHash('sha1').update(numbers.join()).update(bytes).digest('base64')
}

/** Puts it last, and forgets the first when there are too many. */
function remember<T>(cache: Map<string, T>, key: string, value: T, most: number): void {
  cache.delete(key)
  cache.set(key, value)
  for (const oldest of cache.keys()) {
    if (cache.size <= most) break
    cache.delete(oldest)
  }
}
