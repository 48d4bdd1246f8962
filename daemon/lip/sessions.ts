/** Sessions that were sent: one file each, whole at every moment. */
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { LipError } from '../../protocol/lip/errors.js'
import { writeWhole } from '../whole-file.js'

export interface SavedSession {
  readonly lip: 1
  readonly id: string
  readonly unique: string
  readonly version: string
  /** One line for a person, and for the model to choose by. */
  readonly summary: string
  /** Milliseconds since 1970. */
  readonly saved: number
  /** The type it came as. */
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

export type SessionLine = Omit<SavedSession, 'lip' | 'data' | 'type'> & {
  readonly file: string
  readonly bytes: number
}

const FILE = /^(s_[0-9A-Z]{26})\.json$/
const HEAD_BYTES = 4096

export class SessionStore {
  constructor(private readonly folder: string) {}

  newId(): string {
    return `s_${ulid()}`
  }

  async save(session: SavedSession): Promise<void> {
    // What tells sessions apart comes first: listing them reads no more than that.
    const { data, ...head } = session
    const text = `${JSON.stringify(head).slice(0, -1)},"data":${JSON.stringify(data)}}\n`
    await writeWhole(this.fileOf(session.unique, session.id), [text])
  }

  fileOf(unique: string, id: string): string {
    return join(this.folder, unique, `${id}.json`)
  }

  /** Throws `LipError` when there is none. `last` is the one that was saved last. */
  async load(unique: string, id: string): Promise<SavedSession> {
    const found = id === 'last' ? (await this.list(unique))[0]?.id : id
    if (found === undefined) throw new LipError('unknown_session', `no session of ${unique} is saved`)
    try {
      if (!FILE.test(`${found}.json`)) throw new Error('no id of a session')
      return JSON.parse(await readFile(this.fileOf(unique, found), 'utf8'))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== undefined)
        throw new LipError('unavailable', `session ${found} of ${unique} cannot be read (${code})`)
      throw new LipError(
        'unknown_session',
        `no session ${JSON.stringify(found).slice(0, 60)} of ${unique} is saved`,
      )
    }
  }

  /** The latest first; of one unique, or of all. */
  async list(unique?: string): Promise<SessionLine[]> {
    const names = unique === undefined ? await folders(this.folder) : [unique]
    const all = await Promise.all(names.map((name) => this.#listOf(name)))
    return all.flat().sort((a, b) => b.saved - a.saved || (a.id < b.id ? 1 : -1))
  }

  async #listOf(unique: string): Promise<SessionLine[]> {
    const files = await readdir(join(this.folder, unique)).catch(() => [])
    const lines = await Promise.all(
      files.filter((name) => FILE.test(name)).map((name) => lineOf(join(this.folder, unique, name))),
    )
    return lines.filter((line) => line !== null)
  }
}

async function folders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
}

async function lineOf(file: string): Promise<SessionLine | null> {
  try {
    const { size } = await stat(file)
    const head = await headOf(file)
    const { id, unique, version, summary, saved } = JSON.parse(`${head.slice(0, head.indexOf(',"data":'))}}`)
    return { id, unique, version, summary, saved, file, bytes: size }
  } catch {
    return null
  }
}

async function headOf(file: string): Promise<string> {
  let text = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', end: HEAD_BYTES })) text += chunk
  return text
}
