/** The two named pipes of a shell: its script, and its reports. */
import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { PipeReader } from './reader.js'

export const REPORT = 'report'

export class Pipes {
  /** Both ends of the script's, so that it is there before the shell is; its end is the daemon's, however that comes. */
  readonly #script: number
  /** Held, or the reports would seem to end with each. */
  readonly #holder: number
  readonly #reports: PipeReader
  #closed = false
  onReport: (bytes: Buffer) => void = () => {}

  /** @param folder with pipes of these names in it; removed at the end */
  constructor(
    readonly folder: string,
    script: string,
  ) {
    this.#script = openSync(join(folder, script), constants.O_RDWR | constants.O_NONBLOCK)
    this.#reports = new PipeReader(join(folder, REPORT), (bytes) => this.onReport(bytes))
    this.#holder = openSync(join(folder, REPORT), constants.O_WRONLY | constants.O_NONBLOCK)
  }

  /** Says a line of the script. It fits: the shell has read the one before. */
  say(line: string): void {
    if (!this.#closed) writeSync(this.#script, line)
  }

  /** The shell finds the end of its script. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#script)
    closeSync(this.#holder)
    this.#reports.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
