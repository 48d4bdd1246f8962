/** Where the companion is kept between runs of the daemon: one small file, whole at every moment. */
import { copyFileSync, lstatSync, readFileSync } from 'node:fs'
import { DEFAULTS, readSettings, type Settings } from './companion/settings.js'
import type { Clock } from './engine/clock.js'
import type { Log } from './log.js'
import { writeWhole, writeWholeSync } from './whole-file.js'

/** Larger than this it is no file of ours. */
const MOST_BYTES = 256 * 1024

/** Changes within so many ms are one write: an agent may move it many times a second. */
const GATHER_MS = 500

export class CompanionStore {
  readonly settings: Settings
  #unwritten: Settings | null = null
  #writing: Promise<void> = Promise.resolve()

  /** Reads the file; what in it is not right is left at its default, logged, and kept aside as `….broken`. */
  constructor(
    private readonly file: string,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.settings = this.#read()
  }

  keep(settings: Settings): void {
    const isWaiting = this.#unwritten !== null
    this.#unwritten = settings
    if (isWaiting) return
    this.clock.after(GATHER_MS, () => {
      this.#writing = this.#writing.then(() => this.#write())
    })
  }

  /** The daemon ends: what was not written yet is. */
  close(): void {
    const settings = this.#unwritten
    this.#unwritten = null
    if (!settings) return
    try {
      writeWholeSync(this.file, textOf(settings))
    } catch (error) {
      this.#failed(error)
    }
  }

  async #write(): Promise<void> {
    const settings = this.#unwritten
    this.#unwritten = null
    if (!settings) return
    try {
      await writeWhole(this.file, [textOf(settings)])
    } catch (error) {
      this.#failed(error)
    }
  }

  #read(): Settings {
    let text: string
    try {
      const stats = lstatSync(this.file)
      if (!stats.isFile()) return this.#broken(['it is no file'], false)
      if (stats.size > MOST_BYTES) return this.#broken([`it has ${stats.size} bytes`])
      text = readFileSync(this.file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return DEFAULTS
      return this.#broken([String(error)], false)
    }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return this.#broken(['it is not JSON'])
    }
    const { settings, faults } = readSettings(value)
    if (faults.length > 0) this.#broken(faults)
    return settings
  }

  #broken(faults: readonly string[], isReadable = true): Settings {
    const aside = `${this.file}.broken`
    this.log('warn', 'companion_file', { file: this.file, faults, ...(isReadable && { kept_as: aside }) })
    try {
      if (isReadable) copyFileSync(this.file, aside)
    } catch (error) {
      this.#failed(error)
    }
    return DEFAULTS
  }

  #failed(error: unknown): void {
    this.log('warn', 'companion_file', { file: this.file, reason: String(error) })
  }
}

function textOf(settings: Settings): string {
  return `${JSON.stringify(settings, null, 2)}\n`
}
