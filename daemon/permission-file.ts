/** What a desktop has allowed for good, as a token of its own: one small file that only the person can read. */
import { lstatSync, readFileSync, rmSync } from 'node:fs'
import type { PermissionStore } from '../overlay/host.js'
import type { Log } from './log.js'
import { writeWholeSync } from './whole-file.js'

/** Larger than this it is no token. */
const MOST_BYTES = 4096

export class PermissionFile implements PermissionStore {
  #token: string | null

  constructor(
    private readonly file: string,
    private readonly log: Log,
  ) {
    this.#token = this.#load()
  }

  read(): string | null {
    return this.#token
  }

  keep(token: string): boolean {
    try {
      // Made anew, readable by nobody else, and put in the place of the one before.
      writeWholeSync(this.file, `${token}\n`)
      this.#token = token
      return true
    } catch (error) {
      this.#failed(error)
      return false
    }
  }

  forget(): void {
    this.#token = null
    try {
      rmSync(this.file, { force: true })
    } catch (error) {
      this.#failed(error)
    }
  }

  #load(): string | null {
    try {
      const stats = lstatSync(this.file)
      if (!stats.isFile() || stats.size > MOST_BYTES) throw new Error('it is no file of ours')
      // Whoever else could have written it could have another screen shown, or read it and have ours.
      if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
        throw new Error('it is open to others, and is not used')
      return readFileSync(this.file, 'utf8').trim() || null
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#failed(error)
      return null
    }
  }

  #failed(error: unknown): void {
    this.log('warn', 'permission_file', { file: this.file, reason: String(error) })
  }
}
