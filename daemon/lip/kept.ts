/** A part of the host's state on disk: written a moment after it changed, and at the end. */
import { readFileSync } from 'node:fs'
import type { Clock } from '../engine/clock.js'
import type { Log } from '../log.js'
import { writeWhole } from '../whole-file.js'

/** How long after a change it is written, and how long there is between two writes, in ms. */
const SOON_MS = 150
const BETWEEN_MS = 1000

export class Kept {
  #cancel: (() => void) | null = null
  #writing: Promise<void> | null = null
  #changed = false
  #lastAt = Number.NEGATIVE_INFINITY
  #ended = false

  /** @param render the whole text of the file, in pieces, as of now */
  constructor(
    private readonly file: string,
    private readonly render: () => Iterable<string>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** What was kept; null where nothing is, or nothing that can be read. */
  read(): unknown {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.log('warn', 'lip_state_unreadable', { file: this.file, error: String(error) })
      return null
    }
  }

  changed(): void {
    this.#changed = true
    if (this.#cancel || this.#writing || this.#ended) return
    const wait = Math.max(SOON_MS, this.#lastAt + BETWEEN_MS - this.clock.now())
    this.#cancel = this.clock.after(wait, () => {
      this.#cancel = null
      this.#writing = this.#write()
    })
  }

  /** Writes what is not written yet, and nothing after that. Resolves when it is on disk. */
  async end(): Promise<void> {
    this.#ended = true
    this.#cancel?.()
    // What is being written now is older: it must not come after what is written last, nor be cut off.
    await this.#writing
    if (this.#changed) await this.#write()
  }

  async #write(): Promise<void> {
    this.#changed = false
    this.#lastAt = this.clock.now()
    try {
      await writeWhole(this.file, this.render())
    } catch (error) {
      this.log('error', 'lip_state_unwritten', { file: this.file, error: String(error) })
    }
    this.#writing = null
    if (this.#changed) this.changed()
  }
}
