/** What windows send: each envelope is judged, stamped and put where it belongs. Nothing a window says of itself counts. */
import { coreMessage, domainOf, isReserved } from '../../protocol/lip/domains.js'
import { LipError } from '../../protocol/lip/errors.js'
import { owns } from '../../protocol/lip/manifest.js'
import { asSent, checkCoreData } from '../../protocol/lip/messages.js'
import type { Envelope } from '../../protocol/lip/schema.js'
import type { Log } from '../log.js'
import { eventFrom } from './stamp.js'
import type { LipWindow } from './window.js'

type Sent = ReturnType<typeof asSent>

export interface InboundParts {
  readonly log: Log
  /** Puts an event where readers find it. */
  put(event: Envelope): void
  /** Answers something that is about the connection alone. */
  answer(window: LipWindow, type: 'lip.pong', re: string | undefined): void
  /** The person is done with the window. */
  ended(window: LipWindow, reason: string): void
  /** Saves what was sent, puts the event, and closes the window. */
  handOff(window: LipWindow, event: Envelope): Promise<void>
  /** Takes the state of a window, said by itself or when asked. */
  snapshot(window: LipWindow, event: Envelope): Promise<void>
  /** Whether this is a file that the window’s unique has uploaded. */
  isUpload(unique: string, path: string): boolean
}

/** What became of one envelope. */
export type Outcome =
  /** `own`: what the window calls it, and wants to hear of. */
  | { readonly kind: 'taken'; readonly id: string; readonly own?: string }
  | { readonly kind: 'ignored'; readonly own?: string }
  | { readonly kind: 'refused'; readonly error: LipError; readonly re?: string }

export class Inbound {
  constructor(private readonly parts: InboundParts) {}

  /** Takes one envelope. A promise where it takes time; what the window sends after it waits. Never throws. */
  take(window: LipWindow, value: unknown): Outcome | Promise<Outcome> {
    const outcome = window.busy
      ? window.busy.then(() => this.#take(window, value))
      : this.#take(window, value)
    if (outcome instanceof Promise) holdUp(window, outcome)
    return outcome
  }

  #take(window: LipWindow, value: unknown): Outcome | Promise<Outcome> {
    const own = ownId(value)
    try {
      if (window.state === 'closed') throw new LipError('window_closed', `window ${window.id} is closed`)
      const again = own === undefined ? undefined : window.known(own)
      if (again !== undefined) return { kind: 'taken', id: again, ...(own !== undefined && { own }) }
      const sent = asSent(value)
      if (!this.#isForUs(window, sent)) return this.#ignored(window, sent, own)
      const event = eventFrom(window.from, sent)
      const outcome: Outcome = { kind: 'taken', id: event.id, ...(own !== undefined && { own }) }
      const slow = this.#carryOut(window, event, own)
      // Not before it is done: a process that ends in between has not taken it.
      const done = () => {
        if (own !== undefined) window.remember(own, event.id, event.ttl === undefined)
        window.counts.taken++
        return outcome
      }
      if (!slow) return done()
      return slow.then(done, (error: unknown) => this.#refused(window, error, own))
    } catch (error) {
      return this.#refused(window, error, own)
    }
  }

  /** Whether the type is the window’s to send. Throws `LipError` when it is not; false when nobody knows it. */
  #isForUs(window: LipWindow, { type, data }: Sent): boolean {
    const { manifest } = window.unique
    const domain = domainOf(type)
    if (!isReserved(domain)) {
      if (!owns(manifest, type)) return false
      if (Object.hasOwn(manifest.commands ?? {}, type) && !Object.hasOwn(manifest.events ?? {}, type))
        throw new LipError(
          'not_yours',
          `${type} is a command of ${window.unique.name}: windows get it, and send events`,
        )
      window.schemas.check('up', type, data)
      return true
    }
    const message = coreMessage(type, 'up')
    if (message?.by !== 'window') {
      if (!message && !coreMessage(type, 'down') && domain !== 'host') return false
      throw new LipError('reserved_type', `${type} is not a window’s to send`)
    }
    if (message.needs && !manifest.capabilities?.includes(message.needs))
      throw new LipError(
        'no_capability',
        `${type} needs the capability ${message.needs}, which the manifest of ${window.unique.name} does not list`,
      )
    checkCoreData('up', type, data)
    this.#checkPaths(window, type, data)
    return true
  }

  /** A path is read by whoever is told it: only files that came from this unique may be named. */
  #checkPaths(window: LipWindow, type: string, data: Sent['data']): void {
    const paths =
      type === 'media.image'
        ? [data.path]
        : type === 'chat.message'
          ? ((data.attachments ?? []) as readonly { readonly path: string }[]).map(({ path }) => path)
          : []
    for (const path of paths) {
      if (this.parts.isUpload(window.unique.name, String(path))) continue
      throw new LipError('not_yours', `${type}: path is no upload of ${window.unique.name}`)
    }
  }

  #carryOut(window: LipWindow, event: Envelope, own: string | undefined): Promise<void> | null {
    const { parts } = this
    if (event.type === 'lip.ping') parts.answer(window, 'lip.pong', own)
    else if (event.type === 'session.close') {
      parts.put(event)
      parts.ended(window, String(event.data.reason))
    } else if (event.type === window.session.export) return parts.handOff(window, event)
    else if (event.type === window.session.snapshot) return parts.snapshot(window, event)
    else if (event.type !== 'lip.hello') parts.put(event)
    return null
  }

  #ignored(window: LipWindow, { type }: Sent, own: string | undefined): Outcome {
    window.counts.ignored++
    this.parts.log('debug', 'lip_ignored', { window: window.id, type })
    return { kind: 'ignored', ...(own !== undefined && { own }) }
  }

  #refused(window: LipWindow, error: unknown, own: string | undefined): Outcome {
    window.counts.refused++
    const known = error instanceof LipError ? error : this.#internal(error)
    return { kind: 'refused', error: known, ...(own !== undefined && { re: own }) }
  }

  #internal(error: unknown): LipError {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.parts.log('error', 'internal', { error: said })
    return new LipError('internal', 'a fault of the host; the daemon’s log has the details')
  }
}

/** What a window sends is carried out in its order, also where one thing takes longer than the next. */
function holdUp(window: LipWindow, until: Promise<unknown>): void {
  window.busy = until
  void until.then(() => {
    if (window.busy === until) window.busy = null
  })
}

/** The id that a window gave its event: an answer refers to it. */
function ownId(value: unknown): string | undefined {
  const id = typeof value === 'object' && value !== null ? (value as { readonly id?: unknown }).id : undefined
  return typeof id === 'string' && /^[A-Za-z0-9_.:-]{1,64}$/.test(id) ? id : undefined
}
