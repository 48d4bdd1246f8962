/** Files that windows hand over: pictures, named by the host, counted while they come. */
import { createWriteStream, mkdirSync, realpathSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { disableTypes, imageSize, types } from 'image-size'
import { ulid } from 'ulid'
import { LipError } from '../../protocol/lip/errors.js'
import { IMAGE_TYPES, type ImageType, sniff } from './sniff.js'

export interface Upload {
  readonly path: string
  readonly w: number
  readonly h: number
  readonly mime: string
  readonly bytes: number
  /** Where pages of the unique find it. */
  readonly url: string
}

export interface UploadLimits {
  readonly uploadBytes: number
  readonly quotaBytes: number
}

/** Uploads of one unique that come at once. */
const AT_ONCE = 4
const NAME = /^u_[0-9A-Z]{26}\.(?:png|jpg|gif|webp|bmp)$/
const EDGE = 65_535

disableTypes(types.filter((type) => !(type in IMAGE_TYPES)))

export class Uploads {
  readonly #coming = new Map<string, number>()

  constructor(private readonly folder: string) {}

  /** Stores what `body` holds. Rejects with `LipError`, and then nothing of it is left. */
  async take(unique: string, body: Readable, limits: UploadLimits): Promise<Upload> {
    const coming = this.#coming.get(unique) ?? 0
    if (coming >= AT_ONCE)
      throw new LipError('limit', `${AT_ONCE} uploads of ${unique} come already, the most at once`)
    this.#coming.set(unique, coming + 1)
    try {
      return await this.#take(unique, body, limits)
    } finally {
      this.#coming.set(unique, (this.#coming.get(unique) ?? 1) - 1)
    }
  }

  /** The stored file of this name, for pages of its unique; null when there is none. */
  fileOf(unique: string, name: string): { readonly file: string; readonly mime: string } | null {
    if (!NAME.test(name)) return null
    const type = name.slice(name.lastIndexOf('.') + 1) as ImageType
    return { file: join(this.folder, unique, name), mime: IMAGE_TYPES[type] }
  }

  /** Whether `path` is what an upload of this unique was stored as. */
  has(unique: string, path: string): boolean {
    const folder = join(this.folder, unique)
    if (!path.startsWith(folder + sep) || !NAME.test(path.slice(folder.length + 1))) return false
    try {
      return realpathSync(path) === join(realpathSync(folder), path.slice(folder.length + 1))
    } catch {
      return false
    }
  }

  async #take(unique: string, body: Readable, { uploadBytes, quotaBytes }: UploadLimits): Promise<Upload> {
    const folder = join(this.folder, unique)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const room = quotaBytes - (await bytesIn(folder))
    if (room <= 0)
      throw new LipError(
        'quota',
        `the uploads of ${unique} take all of ${megabytes(quotaBytes)}; remove what is not needed from ${folder}`,
      )
    const id = ulid()
    const beside = join(folder, `.${id}.tmp`)
    try {
      const bytes = await store(
        body,
        beside,
        Math.min(uploadBytes, room),
        room < uploadBytes ? 'quota' : 'payload_too_large',
      )
      const { type, w, h } = await measured(beside)
      const name = `u_${id}.${type}`
      const path = join(folder, name)
      await rename(beside, path)
      return { path, w, h, mime: IMAGE_TYPES[type], bytes, url: `/lip/uploads/${name}` }
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
  }
}

async function store(
  body: Readable,
  file: string,
  max: number,
  code: 'quota' | 'payload_too_large',
): Promise<number> {
  let bytes = 0
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  try {
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          bytes += chunk.length
          // Counted as it comes: what the sender says of its size is the sender's word.
          if (bytes > max)
            throw new LipError(code, `more than ${megabytes(max)}, the most that is taken; nothing is kept`)
          yield chunk
        }
      },
      out,
    )
  } catch (error) {
    if (error instanceof LipError) throw error
    const { code: why } = error as NodeJS.ErrnoException
    if (why === 'ERR_STREAM_PREMATURE_CLOSE' || why === 'ECONNRESET')
      throw new LipError('bad_request', 'the upload ended before it was whole')
    throw new LipError('not_saved', `the upload cannot be written (${why ?? String(error)})`)
  }
  if (bytes === 0) throw new LipError('bad_data', 'the upload is empty')
  return bytes
}

async function measured(
  file: string,
): Promise<{ readonly type: ImageType; readonly w: number; readonly h: number }> {
  const handle = await open(file)
  const head = Buffer.alloc(16)
  try {
    await handle.read(head, 0, 16, 0)
  } finally {
    await handle.close()
  }
  const type = sniff(head)
  if (!type)
    throw new LipError(
      'unsupported_media',
      `the bytes are no picture of a type that is taken: ${Object.keys(IMAGE_TYPES).join(', ')}`,
    )
  let size: { readonly width?: number; readonly height?: number }
  try {
    size = imageSize(await readFile(file))
  } catch {
    throw new LipError('unsupported_media', `the bytes begin like a ${type} picture, and are none`)
  }
  const { width: w = 0, height: h = 0 } = size
  if (!(w >= 1 && h >= 1 && w <= EDGE && h <= EDGE))
    throw new LipError('unsupported_media', `a picture of ${w}x${h} pixels cannot be used`)
  return { type, w, h }
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function megabytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Number((bytes / 1024 / 1024).toFixed(1))} MB`
}
