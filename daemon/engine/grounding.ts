/** Requests that say in words what they are about: from the words to a place, with the person's consent. */
import type { Frame } from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Point, Rect } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'
import type { EngineOptions } from './connection.js'
import type { Asker, Consents } from './consents.js'
import { screenOf } from './ground-screen.js'
import type { Found, GroundScreen, Match, Outcome } from './grounder.js'
import { noResolver } from './refusals.js'
import type { SceneQueue } from './scene-queue.js'
import type { Serving } from './serving.js'
import type { Windows } from './windows.js'

export type QueryRequest = (RequestOf<'point'> | RequestOf<'highlight'> | RequestOf<'locate'>) & {
  readonly query: string
}

/** What a query found. */
export interface Target {
  readonly found: Found
  readonly screen: GroundScreen
  readonly ack: AckFields
}

/** How long the resolvers may take for one query, in ms; what the person takes to answer is not in it. */
const QUERY_MS = 30_000

/** Nothing is shown of a query that is answered sooner, in ms. */
const THINKING_MS = 200

/** Queries of one client, and of all, that may be under way. */
const MOST_OF_ONE = 8
const MOST_OF_ALL = 32

/** How often, and how long after each other in ms, a place is confirmed: what programs say of it may be a moment old. */
const CONFIRMATIONS = 4
const CONFIRM_MS = 150

/** So long a query may take while a newer one waits behind it, in ms. */
const PATIENCE_MS = 5000

interface Running {
  readonly abort: AbortController
  /** When the resolvers were asked; null: the person still thinks. */
  startedAt: number | null
  /** Something newer waits behind it. */
  hurried: boolean
  cancelPatience: () => void
}

export class Grounding {
  readonly #running = new Map<Asker, Set<Running>>()
  readonly #thinking = new Map<number, number>()

  constructor(
    private readonly options: EngineOptions,
    private readonly serving: Serving,
    private readonly windows: Windows,
    private readonly queue: SceneQueue,
    private readonly consents: Consents,
  ) {}

  /** Who finds things, and whether clients may have it done; null: nobody does. */
  state() {
    const { grounder, groundingConsent } = this.options
    if (grounder.order.length === 0) return null
    return { policy: groundingConsent.policy(), resolvers: grounder.order.map(({ name }) => name) }
  }

  /** Answers `locate`: what a `point` with these words would be put on, and nothing is drawn. */
  locate(request: RequestOf<'locate'>, asker: Asker, off: AbortSignal): Promise<AckFields> {
    return this.find(request, asker, off, async ({ ack }) => ack)
  }

  /**
   * Finds what the words say, and hands it to `use` before anything, such as `off`, can call it off. Throws or rejects with `no_resolver`,
   * `not_permitted`, `ambiguous`, `resolve_failed`.
   */
  find(
    request: QueryRequest,
    asker: Asker,
    off: AbortSignal,
    use: (target: Target) => Promise<AckFields> | AckFields,
  ): Promise<AckFields> {
    const { grounder } = this.options
    if (grounder.order.length === 0) throw noResolver(request.query)
    if (('frame' in request && request.frame) || ('window' in request && request.window)) {
      throw new WireError(
        'bad_schema',
        `${request.type}: with a query send display_id, and "app" or "within" to narrow it; not frame or window`,
      )
    }
    this.serving.display(request.display_id as number)
    const run = this.#start(request.type, asker)
    const callOff = () => run.abort.abort(new WireError('resolve_failed', 'the client called it off'))
    off.addEventListener('abort', callOff)
    return this.serving
      .asked(() => this.#find(request, asker, run, use))
      .finally(() => {
        off.removeEventListener('abort', callOff)
        this.#end(asker, run)
      })
  }

  /** The client wants nothing more of what it looks for. */
  cancel(asker: Asker): void {
    for (const { abort } of this.#running.get(asker) ?? []) {
      abort.abort(new WireError('resolve_failed', 'the client cleared its marks before this was found'))
    }
  }

  /** A newer query of the client waits behind those under way: none of them is waited for much longer. */
  hurry(asker: Asker): void {
    for (const run of this.#running.get(asker) ?? []) {
      run.hurried = true
      this.#limitPatience(run)
    }
  }

  #limitPatience(run: Running): void {
    if (!run.hurried || run.startedAt === null) return
    run.cancelPatience()
    const left = run.startedAt + PATIENCE_MS - this.options.clock.now()
    run.cancelPatience = this.options.clock.after(Math.max(0, left), () => run.abort.abort(superseded()))
  }

  #start(type: QueryRequest['type'], asker: Asker): Running {
    const mine = this.#running.get(asker) ?? new Set<Running>()
    const all = [...this.#running.values()].reduce((sum, { size }) => sum + size, 0)
    if (mine.size >= MOST_OF_ONE || all >= MOST_OF_ALL) {
      throw new WireError(
        'limit',
        `${type}: ${mine.size} queries of this client are under way already; ask again`,
      )
    }
    const run: Running = {
      abort: new AbortController(),
      startedAt: null,
      hurried: false,
      cancelPatience: () => {},
    }
    this.#running.set(asker, mine.add(run))
    return run
  }

  #end(asker: Asker, run: Running): void {
    run.cancelPatience()
    const mine = this.#running.get(asker)
    mine?.delete(run)
    if (mine?.size === 0) this.#running.delete(asker)
  }

  async #find(
    request: QueryRequest,
    asker: Asker,
    run: Running,
    use: (target: Target) => Promise<AckFields> | AckFields,
  ): Promise<AckFields> {
    const { grounder, clock, log, host } = this.options
    const display = this.serving.display(request.display_id as number)
    const calledOff = run.abort.signal
    const over = new AbortController()
    const stop = () => over.abort(calledOff.aborted ? calledOff.reason : GONE)
    for (const signal of [calledOff, asker.gone.signal]) signal.addEventListener('abort', stop)
    if (calledOff.aborted || asker.gone.signal.aborted) stop()
    let cancelLimit = () => {}
    let settle = () => {}
    try {
      // A display that exists in memory only shows nothing of the person's.
      const isPrivate = host.kind !== 'headless'
      if (isPrivate) await this.consents.ground(asker, display, request.token, over.signal)
      run.startedAt = clock.now()
      this.#limitPatience(run)
      cancelLimit = clock.after(QUERY_MS, () => over.abort(tooLong(request)))
      settle = this.#think(display.id)
      over.signal.throwIfAborted()
      const { query: text, within, nth, app } = request
      const { canList } = this.windows
      if (app !== undefined && !canList)
        throw new WireError('unavailable', `${request.type}: app: ${UNKNOWN}`)
      const screen = await screenOf(this.windows, display)
      const outcome = await grounder.find(
        {
          ...screen,
          text,
          ...(within && { within }),
          ...(nth !== undefined && { nth }),
          ...(app !== undefined && { app }),
        },
        () => this.#pixels(display.id),
        over.signal,
      )
      over.signal.throwIfAborted()
      log('info', 'grounded', {
        client: asker.client,
        kind: outcome.kind,
        ...(outcome.kind === 'found' && { by: outcome.found.resolver, confidence: outcome.found.confidence }),
        ...(outcome.sentTo.length > 0 && { sent_to: outcome.sentTo }),
      })
      if (outcome.kind !== 'found') {
        const notes = canList || !isPrivate ? outcome.notes : [...outcome.notes, NO_WINDOWS]
        throw refusal(request, { ...outcome, notes }, display.id)
      }
      const target = await this.#confirmed(outcome.found, screen, over.signal)
      if (!target) {
        throw refusal(
          request,
          { ...outcome, kind: 'unsure', candidates: [outcome.found], notes: [NOT_THERE, ...outcome.notes] },
          display.id,
        )
      }
      over.signal.throwIfAborted()
      if (isPrivate) this.consents.sureGrounding(asker, display, request.token)
      settle()
      return await use({ ...target, ack: fieldsOf(target, outcome.sentTo) })
    } finally {
      cancelLimit()
      settle()
      for (const signal of [calledOff, asker.gone.signal]) signal.removeEventListener('abort', stop)
    }
  }

  /** The display's pixels, for resolvers that read them; no client gets them. */
  async #pixels(display: number): Promise<Frame> {
    const { captures, host } = this.options
    if (captures.policy() === 'never') {
      throw new WireError('not_permitted', 'the person has turned pictures of the screen off')
    }
    return host.capture({ display, marks: false, backdrop: 'screen' })
  }

  /** Sees that it is where it was read to be; null: it is not, or something is over it. */
  async #confirmed(
    found: Found,
    before: GroundScreen,
    signal: AbortSignal,
  ): Promise<{ found: Found; screen: GroundScreen } | null> {
    const { element } = found
    if (!element) return { found, screen: before }
    let { rect } = found
    let screen = before
    for (let time = 0; time < CONFIRMATIONS; time++) {
      if (time > 0) {
        await this.#pause(CONFIRM_MS)
        signal.throwIfAborted()
        screen = await screenOf(this.windows, this.serving.display(before.display.id))
        const now = await element.locate(screen, signal)
        if (!now) return null
        rect = now
      }
      if (await element.isAt(rect, screen, signal)) return { found: { ...found, rect }, screen }
    }
    return null
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.options.clock.after(ms, resolve))
  }

  /** Has the pointer show that something is looked for; the returned function ends that. */
  #think(display: number): () => void {
    let shown = false
    const cancel = this.options.clock.after(THINKING_MS, () => {
      shown = true
      const others = this.#thinking.get(display) ?? 0
      this.#thinking.set(display, others + 1)
      if (others === 0) this.queue.thinking(display, true)
    })
    return () => {
      cancel()
      if (!shown) return
      shown = false
      const others = (this.#thinking.get(display) ?? 1) - 1
      this.#thinking.set(display, others)
      if (others === 0) this.queue.thinking(display, false)
    }
  }
}

function superseded(): WireError {
  return new WireError(
    'resolve_failed',
    `a newer query of this client waited behind this one, which was not found within ${PATIENCE_MS / 1000} s`,
  )
}

const UNKNOWN = 'this host does not know the windows of other programs'
const NO_WINDOWS = `${UNKNOWN}: what looks into them finds nothing`
const NOT_THERE =
  'it is said to be there, but something else is to be seen at that place: it may be covered, or on the move'
const GONE = new WireError('resolve_failed', 'the client went away before this was found')

function tooLong({ type, query }: QueryRequest): WireError {
  return new WireError(
    'resolve_failed',
    `${type}: ${JSON.stringify(query.slice(0, 80))} was not found within ${QUERY_MS / 1000} s`,
  )
}

/** The middle of a rectangle, where a pointer goes. */
export function middleOf([x, y, width, height]: Rect): Point {
  return [x + width / 2, y + height / 2]
}

function fieldsOf({ found }: { readonly found: Found }, sentTo: readonly string[]): AckFields {
  const { name, role, rect, confidence, resolver } = found
  const [x, y] = middleOf(rect)
  return {
    resolved_coords: { x, y },
    confidence,
    resolved_by: resolver,
    matched: { name, role, rect: [...rect] as [number, number, number, number] },
    ...(sentTo.length > 0 && { sent_to: [...sentTo] }),
  }
}

/** Candidates as clients are told them. */
function toWire(candidates: readonly Match[], display: number) {
  return candidates.map(({ name, role, rect, confidence }) => ({
    name,
    role,
    rect: [...rect],
    confidence,
    display_id: display,
  }))
}

function refusal(
  { type, query }: QueryRequest,
  outcome: Exclude<Outcome, { readonly kind: 'found' }>,
  display: number,
): WireError {
  const { candidates, notes } = outcome
  const words = JSON.stringify(query.length > 80 ? `${query.slice(0, 80)}…` : query)
  const more = notes.length > 0 ? ` ${notes.map(sentence).join(' ')}` : ''
  const data = { candidates: toWire(candidates, display) }
  if (outcome.kind === 'ambiguous') {
    const rest =
      outcome.count > candidates.length ? ` (the first ${candidates.length} are the candidates)` : ''
    return new WireError(
      'ambiguous',
      `${type}: ${outcome.count} things fit ${words} equally${rest}; say which with "nth", "within" or "app", or in other words.${more}`,
      data,
    )
  }
  const near =
    candidates.length > 0 ? '; the nearest are the candidates, and none is sure enough to show' : ''
  return new WireError(
    'resolve_failed',
    `${type}: ${words} was not found on display ${display}${near}.${more}`,
    data,
  )
}

function sentence(note: string): string {
  const text = note.charAt(0).toUpperCase() + note.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
