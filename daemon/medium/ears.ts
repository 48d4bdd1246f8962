/** A connection to the daemon that asks which displays there are: made when it is first needed, and made anew when it broke. */
import type { Display } from '../../protocol/overlay/geometry.js'
import type { AckMessage } from '../../protocol/overlay/schema.js'
import { type Body, Wire } from '../client/wire.js'

export class Ears {
  #wire: Promise<Wire> | null = null

  constructor(private readonly socket: string) {}

  async displays(): Promise<readonly Display[]> {
    return (await this.#ask({ type: 'displays' })).displays ?? []
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
      push: () => {},
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
