/** Named pipes for the output of commands: one pair a command at a time, used again when nobody holds it any more. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BATCH = 8

export interface FifoPair {
  readonly stdout: string
  readonly stderr: string
}

export class Fifos {
  readonly #folder: string
  readonly #free: FifoPair[] = []
  #made = 0
  #making: Promise<void> | null = null

  /** @param folder emptied: pipes of an earlier daemon have nobody behind them */
  constructor(folder: string) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // As the system names it, where it tells which pipes a process has open.
    this.#folder = realpathSync(folder)
  }

  async take(): Promise<FifoPair> {
    for (;;) {
      const pair = this.#free.pop()
      if (pair) return pair
      this.#making ??= this.#make().finally(() => {
        this.#making = null
      })
      await this.#making
    }
  }

  /** A folder with named pipes of these names in it; whoever asked removes it. */
  async folder(names: readonly string[]): Promise<string> {
    // A name that never comes again: it is removed when the shell's end is noticed.
    const folder = mkdtempSync(join(this.#folder, 'shell-'))
    await run('mkfifo', ['-m', '600', ...names.map((name) => join(folder, name))])
    return folder
  }

  /** A pair that nobody has open any more. */
  giveBack(pair: FifoPair): void {
    this.#free.push(pair)
  }

  /** A pair that something in the background still writes to: it goes with that. */
  discard({ stdout, stderr }: FifoPair): void {
    rmSync(stdout, { force: true })
    rmSync(stderr, { force: true })
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #make(): Promise<void> {
    const pairs = Array.from({ length: BATCH }, () => {
      const name = join(this.#folder, String(++this.#made))
      return { stdout: `${name}.out`, stderr: `${name}.err` }
    })
    await run('mkfifo', ['-m', '600', ...pairs.flatMap(({ stdout, stderr }) => [stdout, stderr])])
    this.#free.push(...pairs)
  }
}
