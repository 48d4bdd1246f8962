/** What becomes of a window's work when it is sent, when it is asked for, and when it is opened again. */
import { LipError } from '../../protocol/lip/errors.js'
import type { Envelope } from '../../protocol/lip/schema.js'
import type { Clock } from '../engine/clock.js'
import type { Log } from '../log.js'
import type { LipConfig } from './config.js'
import type { Queue } from './queue.js'
import type { SavedSession, SessionStore } from './sessions.js'
import { commandFrom } from './stamp.js'
import type { LipWindow } from './window.js'

export interface HandoffParts {
  readonly clock: Clock
  readonly log: Log
  readonly queue: Queue
  readonly store: SessionStore
  readonly config: () => LipConfig
  /** Ends a window that was sent. */
  readonly close: (window: LipWindow, reason: string, session: string) => void
}

type Data = Readonly<Record<string, unknown>>

interface Asked {
  readonly command: string
  readonly answer: (data: Data) => void
}

export class Handoff {
  readonly #asked = new Map<LipWindow, Set<Asked>>()

  constructor(private readonly parts: HandoffParts) {}

  /** Saves what the person sent, tells readers of it, and closes the window unless it is to stay. */
  async send(window: LipWindow, event: Envelope): Promise<void> {
    const { queue, config, close, store } = this.parts
    const { session: _, ...data } = event.data
    const id = store.newId()
    const summary = summaryOf(window, data)
    const fault = await this.#save(window, { id, summary, type: event.type, data })
    const saved = fault === null
    const stays = config().handoff === 'stay' || !saved
    queue.put({ ...event, data: { session: { id, handoff: !stays, saved, summary }, ...data } })
    if (fault) throw fault
    window.sessionId = id
    if (!stays) close(window, 'handoff', id)
  }

  /** A window's state: for whoever asked, and into the session it goes on with. */
  async snapshot(window: LipWindow, event: Envelope): Promise<void> {
    const asked = [...(this.#asked.get(window) ?? [])].filter(
      ({ command }) => event.re === undefined || event.re === command,
    )
    for (const { answer } of asked) answer(event.data)
    // An answer to a command that readers sent is theirs to read.
    if (asked.length === 0 && event.re !== undefined) this.parts.queue.put(event)
    if (window.sessionId === null) return
    const { session: _, ...data } = event.data
    const { sessionId: id, session } = window
    const fault = await this.#save(window, {
      id,
      summary: summaryOf(window, data),
      type: session.export,
      data,
    })
    if (fault) throw fault
  }

  /** Asks a window for its state. Rejects with `LipError` when it does not say within `waitMs`. */
  ask(window: LipWindow, waitMs: number, signal: AbortSignal): Promise<Data> {
    if (window.state !== 'open')
      return Promise.reject(
        new LipError('unavailable', `the page of ${window.id} is not connected (${window.state})`),
      )
    const command = commandFrom('claude', { type: 'session.state', data: {}, ttl: waitMs })
    const all = this.#asked.get(window) ?? new Set()
    this.#asked.set(window, all)
    return new Promise<Data>((resolve, reject) => {
      const over = () =>
        end(() =>
          reject(
            new LipError(
              'timeout',
              `${window.id} did not answer session.state with ${window.session.snapshot} within ${waitMs} ms`,
            ),
          ),
        )
      const cancel = this.parts.clock.after(waitMs, over)
      const end = (settle: () => void) => {
        cancel()
        signal.removeEventListener('abort', over)
        all.delete(asked)
        settle()
      }
      const asked: Asked = { command: command.id, answer: (data) => end(() => resolve(data)) }
      all.add(asked)
      signal.addEventListener('abort', over, { once: true })
      window.deliver(command)
    })
  }

  /** Queues what a session held for a window that goes on with it. Rejects with `LipError`. */
  async restore(window: LipWindow, session: SavedSession): Promise<void> {
    window.sessionId = session.id
    window.deliver(commandFrom('host', { type: window.session.restore, data: session.data }))
  }

  async #save(
    window: LipWindow,
    { id, summary, type, data }: Pick<SavedSession, 'id' | 'summary' | 'type' | 'data'>,
  ): Promise<LipError | null> {
    const { name, manifest } = window.unique
    try {
      await this.parts.store.save({
        lip: 1,
        id,
        unique: name,
        version: manifest.version,
        summary,
        saved: Date.now(),
        type,
        data,
      })
      this.parts.log('info', 'session_saved', { window: window.id, session: id })
      return null
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? String(error)
      this.parts.log('error', 'session_not_saved', { window: window.id, error: String(error) })
      return new LipError('not_saved', `the session could not be saved (${why}); the window stays open`)
    }
  }
}

/** One line of what was sent, in the words of whoever sent it. */
function summaryOf({ unique }: LipWindow, data: Data): string {
  for (const key of ['summary', 'title', 'name', 'text']) {
    const said = data[key]
    if (typeof said !== 'string') continue
    const line = said.replace(/\s+/g, ' ').trim()
    if (line !== '') return line.length > 200 ? `${line.slice(0, 199)}…` : line
  }
  const counts = Object.entries(data).flatMap(([key, value]) =>
    Array.isArray(value) ? [`${value.length} ${key.slice(0, 40)}`] : [],
  )
  return `${unique.manifest.title}${counts.length > 0 ? `: ${counts.slice(0, 4).join(', ')}` : ''}`
}
