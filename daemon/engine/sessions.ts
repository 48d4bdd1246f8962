import { LIMITS } from '../../protocol/overlay/limits.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'
import type { Clock } from './clock.js'
import type { MarkStore } from './mark-store.js'
import type { Push, Session } from './session.js'

type Log = (level: 'info', event: string, fields: Record<string, unknown>) => void

/** Which sessions there are: those in use, and those that ended and whose marks are still shown. */
export class Sessions {
  readonly #inUse = new Set<Session>()
  /** By id: what a client that lost its connection may take up again. */
  readonly #lingering = new Map<string, { session: Session; cancel: () => void }>()

  constructor(
    private readonly marks: MarkStore,
    private readonly clock: Clock,
    private readonly newId: (prefix: 's_') => string,
    private readonly log: Log,
    /** Told of each. */
    private readonly onlooker: () => {
      sessionOpened(session: Session): void
      sessionEnded(session: Session): void
    },
  ) {}

  inUse(): Iterable<Session> {
    return this.#inUse
  }

  /** Sessions in use. */
  get size(): number {
    return this.#inUse.size
  }

  /** The lingering session a client names, with what it asks for now; else a new one. */
  open(request: RequestOf<'session_start'>, push: Push): { session: Session; resumed: boolean } {
    const lingering = request.resume === undefined ? undefined : this.#lingering.get(request.resume)
    lingering?.cancel()
    const session: Session = lingering?.session ?? {
      id: this.newId('s_'),
      clientName: '',
      lingerMs: 0,
      acks: 'accepted',
      entries: new Map(),
      push,
      onEmpty: null,
    }
    session.push = push
    session.clientName = request.client_name
    session.lingerMs = request.linger_ms ?? LIMITS.defaultLingerMs
    session.acks = request.acks ?? 'accepted'
    this.#inUse.add(session)
    const resumed = lingering !== undefined
    this.onlooker().sessionOpened(session)
    this.log('info', 'session_start', { session: shortOf(session), client: session.clientName, resumed })
    return { session, resumed }
  }

  /** Ends a session: nobody is told of its marks any more, and they go when its linger time is over. */
  end(session: Session): void {
    session.push = null
    this.#inUse.delete(session)
    this.onlooker().sessionEnded(session)
    this.log('info', 'session_end', { session: shortOf(session), marks: session.entries.size })
    if (session.entries.size === 0) return
    const cancelTimer = this.clock.after(session.lingerMs, () => {
      for (const entry of [...session.entries.values()]) this.marks.drop(entry, null)
    })
    const cancel = () => {
      cancelTimer()
      session.onEmpty = null
      this.#lingering.delete(session.id)
    }
    session.onEmpty = cancel
    this.#lingering.set(session.id, { session, cancel })
  }
}

/** Enough to tell sessions apart in a log, and too little to take one up: the whole id is its owner's secret. */
function shortOf({ id }: Session): string {
  return id.slice(0, 16)
}
