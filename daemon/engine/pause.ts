import { WireError } from '../../protocol/overlay/errors.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'

/** The person wants nothing drawn for now. It lasts until they say otherwise, or the daemon ends. */
export class Pause {
  #on = false

  constructor(
    private readonly isPerson: (token: string | undefined) => boolean,
    /** Takes all marks away and tells their owners; returns how many there were. */
    private readonly clear: () => number,
    private readonly onChanged: () => void,
    private readonly log: (level: 'info', event: string, fields: Record<string, unknown>) => void,
  ) {}

  get on(): boolean {
    return this.#on
  }

  /** Throws `not_permitted` while drawing is paused. */
  refuse(type: string): void {
    if (!this.#on) return
    throw new WireError(
      'not_permitted',
      `${type}: the person has paused drawing; nothing is shown until they resume it (\`lets resume\`)`,
    )
  }

  /** Pausing takes every mark off the screen: a paused screen is clean. */
  set(paused: boolean): AckFields {
    const changed = this.#on !== paused
    this.#on = paused
    if (changed) this.onChanged()
    const cleared = paused ? this.clear() : 0
    if (changed) this.log('info', paused ? 'paused' : 'resumed', { marks: cleared })
    return { paused, ...(paused && { cleared }) }
  }

  /** As a client asks for it: an agent must not silence others, so it takes the person's secret. */
  decide({ paused, token }: RequestOf<'pause'>): AckFields {
    if (!this.isPerson(token)) {
      throw new WireError(
        'not_permitted',
        `pause: only the person does that, with \`lets ${paused ? 'pause' : 'resume'}\``,
      )
    }
    return this.set(paused)
  }
}
