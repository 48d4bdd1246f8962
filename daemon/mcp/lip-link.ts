/** How the tools about windows and screens reach the host of uniques: with the daemon that runs, or one started for them. */
import { randomBytes } from 'node:crypto'
import { LipOperator } from '../client/operator.js'
import type { DaemonLink } from './daemon-link.js'
import { ToolError } from './errors.js'

export class LipLink {
  /** What this server puts on screens is its own, and nobody else can say that it is theirs. */
  readonly #key = randomBytes(16).toString('hex')
  readonly #leaving = new AbortController()
  #present: Promise<unknown> | null = null

  constructor(
    /** `host.json` of the daemon. */
    private readonly file: string,
    private readonly link: DaemonLink,
    private readonly clientName: () => string,
  ) {}

  async host(): Promise<LipOperator> {
    const running = this.#find()
    if (running) return running
    // Whoever connects starts a daemon where none runs.
    await (await this.link.open()).close()
    const started = this.#find()
    if (started) return started
    throw new ToolError(
      'unavailable',
      'The daemon that runs serves no uniques; its log says why. Ask the person to run `lets stop`, and call again.',
    )
  }

  /** The same, for what is to stay for as long as this server is there, and no longer. */
  async hostWhilePresent(): Promise<LipOperator> {
    const host = await this.host()
    this.#present ??= host.present(this.#leaving.signal).then(({ ended }) => {
      void ended.then(() => {
        this.#present = null
      })
    })
    try {
      await this.#present
    } catch (error) {
      this.#present = null
      throw error
    }
    return host
  }

  /** Has the daemon keep what the person does with the companion, for `listen`; false where it cannot. */
  async hear(): Promise<boolean> {
    try {
      await this.#find()?.windows()
      return this.#find() !== null
    } catch {
      return false
    }
  }

  close(): void {
    this.#leaving.abort()
  }

  #find(): LipOperator | null {
    return LipOperator.find(this.file, { key: this.#key, name: this.clientName() })
  }
}
