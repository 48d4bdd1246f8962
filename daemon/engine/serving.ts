import { WireError } from '../../protocol/overlay/errors.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import { asWireError } from './refusals.js'

/** The host as requests meet it: which displays it has, and whether it serves now. */
export class Serving {
  displays: readonly Display[] = []
  /** Why nothing can be drawn, or null while the host serves. */
  down: string | null = 'the host has not started'

  /** `bringBack` resolves when a host that went away serves again, and rejects with why not. */
  constructor(private readonly bringBack: () => Promise<void>) {}

  /** Carries out what needs the host, which may have gone away. Rejects with `WireError`. */
  async asked(ask: () => Promise<AckFields>): Promise<AckFields> {
    if (this.down !== null) await this.revive()
    try {
      return await ask()
    } catch (error) {
      throw asWireError(error)
    }
  }

  /** Gives a host that went away one chance to come back: a person may have logged in again. Rejects with `unavailable`. */
  async revive(): Promise<void> {
    try {
      await this.bringBack()
    } catch (error) {
      throw asWireError(error)
    }
    if (this.down !== null) throw new WireError('unavailable', this.down)
  }

  /** The display with this id. 1 always means something: the primary, when no display has that id any more. */
  display(id: number): Display {
    const display =
      this.displays.find((one) => one.id === id) ??
      (id === 1 ? this.displays.find((one) => one.primary) : undefined)
    if (display) return display
    const ids = this.displays.map((one) => one.id).join(', ')
    throw new WireError(
      'unknown_display',
      `display_id ${id} is not connected; the displays are ${ids || '(none)'}`,
    )
  }
}
