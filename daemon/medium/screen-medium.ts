/**
 * The screens as a medium of LIP: a client of the daemon’s own socket, like any agent. Each sender has a session of its
 * own there, so limits, ownership and refusals are those of the overlay wire.
 */
import { LipError } from '../../protocol/lip/errors.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import { connect } from '../client/client.js'
import type { Clock } from '../engine/clock.js'
import {
  displayOf,
  type Medium,
  type MediumAnswer,
  type MediumCommand,
  type MediumLine,
  type Sender,
  type Tell,
} from '../lip/medium.js'
import { Ears } from './ears.js'
import { asLipError } from './refusals.js'
import { SenderSession } from './sender-session.js'
import { Shelf } from './shelf.js'

/** Senders that have something on the screens at once. */
const SENDERS = 32

/** How long what a sender put there stays that nobody knows to be there, after it last said something, in ms. */
const UNHEARD_MS = 600_000

export interface ScreenMediumParts {
  /** The daemon's own. */
  readonly socket: string
  /** The person’s: with it all that they do with the companion is told, whoever suggested it. */
  readonly token: string
  readonly clock: Clock
  readonly log: (level: 'warn', event: string, fields?: Record<string, unknown>) => void
  readonly tell: Tell
}

interface Party {
  readonly session: Promise<SenderSession>
  /** Calls off the end of one that is not heard of any more. */
  cancel: () => void
}

export class ScreenMedium implements Medium {
  readonly #ears: Ears
  readonly #shelf = new Shelf()
  readonly #parties = new Map<string, Party>()
  readonly #present = new Set<string>()

  constructor(private readonly parts: ScreenMediumParts) {
    const { socket, token, log } = parts
    this.#ears = new Ears(socket, token, log, ({ event, display_id = 1, data }) =>
      parts.tell(`entity#d${display_id}`, { type: event, data }),
    )
  }

  async list(): Promise<readonly MediumLine[]> {
    this.listen()
    const displays = await this.#ears.displays().catch(() => [])
    return displays.map(({ id, logical_size: [width, height] }) => ({
      name: `screen#d${id}`,
      title: `Screen, display ${id} (${Math.round(width)}×${Math.round(height)})`,
    }))
  }

  async send(command: MediumCommand): Promise<MediumAnswer> {
    try {
      this.listen()
      const display = await this.#display(command.to)
      const session = await this.#sessionOf(command.sender)
      const { type } = command
      if (type.startsWith('screen.')) return await session.mark(command)
      if (type === 'ui.toast') return await session.notice(command, display)
      if (type.startsWith('component.')) return await session.component(command, display)
      if (type.startsWith('entity.')) return await session.entity(command, display)
      if (type === 'chat.say') return await session.chat(command, display)
      return { ignored: `nothing on a screen knows ${type}` }
    } catch (error) {
      throw asLipError(error)
    }
  }

  async state(to: string, sender: Sender): Promise<Readonly<Record<string, unknown>>> {
    try {
      const display = await this.#display(to)
      const session = await this.#parties.get(sender.key)?.session
      const { id, logical_size, scale } = display
      const mine = session ? await session.state(id) : { marks: [], components: [] }
      return { display: { id, logical_size, scale }, ...mine }
    } catch (error) {
      throw asLipError(error)
    }
  }

  listen(): void {
    this.#ears.hear()
  }

  present(key: string, isThere: boolean): void {
    if (isThere) {
      this.#present.add(key)
      this.#parties.get(key)?.cancel()
    } else {
      this.#present.delete(key)
      this.#end(key)
    }
  }

  async stop(): Promise<void> {
    const ending = [...this.#parties.values()].map(async ({ session, cancel }) => {
      cancel()
      await (await session.catch(() => null))?.end('connection_lost')
    })
    this.#parties.clear()
    await Promise.all([...ending, this.#ears.close()])
  }

  async #display(party: string): Promise<Display> {
    const displays = await this.#ears.displays()
    const found = displays.find(({ id }) => id === displayOf(party))
    if (found) return found
    const there = displays.map(({ id }) => `screen#d${id}`).join(', ')
    throw new LipError(
      'unknown_display',
      `there is no ${party}; ${there === '' ? 'no display is connected' : `there is ${there}`}`,
    )
  }

  async #sessionOf({ key, name }: Sender): Promise<SenderSession> {
    const party = this.#parties.get(key) ?? this.#join(key, name)
    party.cancel()
    if (!this.#present.has(key)) party.cancel = this.parts.clock.after(UNHEARD_MS, () => this.#end(key))
    return party.session
  }

  #join(key: string, name: string): Party {
    if (this.#parties.size >= SENDERS)
      throw new LipError('limit', `${SENDERS} senders have something on the screens, the most there may be`)
    const session = connect({
      clientName: name,
      socket: this.parts.socket,
      lingerMs: 0,
      acks: 'painted',
      keepProcess: false,
    }).then((client) => {
      void client.lost().then(() => this.#drop(key, party))
      return new SenderSession({ client, shelf: this.#shelf, tell: this.parts.tell })
    })
    const party: Party = { session, cancel: () => {} }
    this.#parties.set(key, party)
    session.catch(() => this.#drop(key, party))
    return party
  }

  /** What was theirs goes; nobody is left to be told. */
  #end(key: string): void {
    const party = this.#parties.get(key)
    if (!party) return
    this.#drop(key, party)
    void party.session.then((session) => session.end()).catch(() => {})
  }

  #drop(key: string, party: Party): void {
    party.cancel()
    if (this.#parties.get(key) === party) this.#parties.delete(key)
  }
}
