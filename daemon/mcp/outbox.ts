/**
 * What went away and was not told yet, in a file: a hook of the agent, which is another process, tells it with the person's
 * next prompt. Ids and reasons, nothing of the screen. Without a private folder there is none.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GoneMark } from '../client/gone.js'
import { folderFault } from '../paths.js'

/** Past this many the oldest are dropped. */
const MAX_PENDING = 1000

export class Outbox {
  readonly #file: string
  #pending: GoneMark[] = []

  constructor(
    private readonly folder: string,
    /** The process that started this server, and runs the hook. */
    private readonly agent: number,
  ) {
    this.#file = join(folder, `${process.pid}.json`)
    // Of an earlier process with this number.
    this.told()
  }

  /** A mark whose time was over went as it was asked to. */
  add(gone: GoneMark): void {
    if (gone.reason === 'ttl') return
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      if (folderFault(this.folder) !== null) return
      // The hook took it, and has told what was in it.
      if (!existsSync(this.#file)) this.#pending = []
      this.#pending.push(gone)
      if (this.#pending.length > MAX_PENDING) this.#pending.shift()
      const next = `${this.#file}.next`
      writeFileSync(next, JSON.stringify({ agent: this.agent, gone: this.#pending }), { mode: 0o600 })
      renameSync(next, this.#file)
    } catch {
      // It is told with the next result all the same.
    }
  }

  /** A result has told all of it, or there is nobody left to tell. */
  told(): void {
    this.#pending = []
    try {
      rmSync(this.#file, { force: true })
    } catch {
      // Such as a folder that is none.
    }
  }
}
