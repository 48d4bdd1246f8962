/** How the tools about windows reach the host of uniques: with the daemon that runs, or one started for them. */
import { LipOperator } from '../client/operator.js'
import type { DaemonLink } from './daemon-link.js'
import { ToolError } from './errors.js'

export class LipLink {
  constructor(
    /** `host.json` of the daemon. */
    private readonly file: string,
    private readonly link: DaemonLink,
  ) {}

  async host(): Promise<LipOperator> {
    const running = LipOperator.find(this.file)
    if (running) return running
    // Whoever connects starts a daemon where none runs.
    await (await this.link.open()).close()
    const started = LipOperator.find(this.file)
    if (started) return started
    throw new ToolError(
      'unavailable',
      'The daemon that runs serves no uniques; its log says why. Ask the person to run `lets stop`, and call again.',
    )
  }
}
