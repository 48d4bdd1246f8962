/**
 * A connection to the daemon that has no session: it asks which displays there are, and hears what the person does with the
 * companion. Made when it is first needed, and made anew when it broke; in between it only waits.
 */
import type { Display } from '../../protocol/overlay/geometry.js'
import type { AckMessage, CompanionEventMessage } from '../../protocol/overlay/schema.js'
import { type Body, Wire } from '../client/wire.js'

type Log = (level: 'warn', event: string, fields?: Record<string, unknown>) => void

export class Ears {
  #wire: Promise<Wire> | null = null
  /** The connection that is told already. */
  #hearing: Promise<Wire> | null = null

  constructor(
    private readonly socket: string,
    private readonly token: string,
    private readonly log: Log,
    private readonly heard: (event: CompanionEventMessage) => void,
  ) {}

  async displays(): Promise<readonly Display[]> {
    return (await this.#ask({ type: 'displays' })).displays ?? []
  }

  /** From now on what the person does with the companion is told. */
  hear(): void {
    this.#wire ??= this.#open()
    if (this.#hearing === this.#wire) return
    const hearing = this.#wire
    this.#hearing = hearing
    this.#ask({ type: 'companion', listen: true, token: this.token }).catch((error: unknown) => {
      if (this.#hearing === hearing) this.#hearing = null
      this.log('warn', 'companion_not_heard', { error: String(error) })
    })
  }

  async close(): Promise<void> {
    const wire = await this.#wire?.catch(() => null)
    await wire?.close()
  }

  async #ask(body: Body): Promise<AckMessage> {
    this.#wire ??= this.#open()
    return (await this.#wire).request(body)
  }

  #open(): Promise<Wire> {
    const opening = Wire.open(this.socket, {
      push: (message) => {
        if (message.type === 'companion_event') this.heard(message)
      },
      ack: () => {},
      closed: () => forget(),
    }).then((wire) => {
      wire.setKeepsProcess(false)
      return wire
    })
    const forget = () => {
      if (this.#wire === opening) this.#wire = null
    }
    opening.catch(forget)
    return opening
  }
}
