import type { ContentChange, WindowsChange } from '../../overlay/host.js'
import type { CompanionEvent } from '../../protocol/overlay/companion.js'
import { type Display, differs } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { Request, RequestOf } from '../../protocol/overlay/schema.js'
import { CompanionDesk } from './companion.js'
import type { Connection, EngineOptions, Handled, Outcome } from './connection.js'
import type { RunWish } from './consent-texts.js'
import { Asker, Consents, heedDecisions } from './consents.js'
import { Content } from './content.js'
import { Drawing } from './drawing.js'
import { Elements } from './elements.js'
import { Frames } from './frames.js'
import { screenOf } from './ground-screen.js'
import { Grounding } from './grounding.js'
import { MarkStore } from './mark-store.js'
import { NextKey } from './next-key.js'
import { type PanelFacts, PanelKeeper } from './panel.js'
import { Pause } from './pause.js'
import { Prompts } from './prompts.js'
import { own, owned } from './refusals.js'
import { SceneQueue } from './scene-queue.js'
import { Serving } from './serving.js'
import type { Push, Session } from './session.js'
import { Sessions } from './sessions.js'
import { startedOf, statusOf } from './status.js'
import { awaitWindow, listApps } from './window-requests.js'
import { Windows } from './windows.js'

/**
 * Sessions and their marks. A state machine: every effect goes through the host, clock and push functions handed in.
 * The whole scene lives here, so that a host can die and be told everything once more.
 */
export class Engine {
  readonly #options: EngineOptions
  readonly #queue: SceneQueue
  readonly #marks: MarkStore
  readonly #windows: Windows
  readonly #frames: Frames
  readonly #startedAt: number
  readonly #sessions: Sessions
  readonly #prompts: Prompts
  readonly #consents: Consents
  readonly #nextKey: NextKey
  readonly #serving: Serving
  readonly #drawing: Drawing
  readonly #grounding: Grounding
  readonly #pause: Pause
  readonly #panel: PanelKeeper
  readonly #companion: CompanionDesk

  constructor(options: EngineOptions) {
    this.#options = options
    this.#startedAt = options.clock.now()
    this.#serving = new Serving(options.revive)
    this.#queue = new SceneQueue(options.host, options.clock, (change, error) => {
      options.log('warn', 'apply_failed', { display: change.display, reason: String(error) })
      // Not on the screen: the owners are told, rather than left to believe an ack.
      this.#marks.dropIds(
        change.put.map((mark) => mark.id),
        'display_change',
      )
    })
    const displays = () => this.#serving.displays
    const elements = new Elements(
      options.clock,
      () => this.#marks,
      () => content,
      (display) => screenOf(this.#windows, display),
      displays,
    )
    const content: Content = new Content(
      options.host.content,
      () => this.#marks,
      displays,
      () => elements,
    )
    this.#windows = new Windows(
      options.host.windows,
      () => this.#marks,
      content,
      displays,
      (error) => options.log('warn', 'windows_failed', { reason: String(error) }),
    )
    this.#marks = new MarkStore(
      this.#queue,
      options.clock,
      (busy) => this.#windows.setBusy(busy),
      (entry) => {
        content.release(entry)
        elements.release(entry)
        this.#panel.changed()
      },
      () => this.#companion.marksChanged(),
    )
    this.#frames = new Frames(options.clock, options.newId)
    this.#sessions = new Sessions(
      this.#marks,
      options.clock,
      options.newId,
      options.log,
      () => this.#companion,
    )
    this.#prompts = new Prompts(options.host, this.#queue, options.clock, () =>
      this.#companion.marksChanged(),
    )
    this.#nextKey = new NextKey(options.host, options.clock, options.log)
    this.#consents = new Consents(
      this.#prompts,
      options.captures,
      options.groundingConsent,
      () => options.grounder.order,
      options.clock,
      options.log,
    )
    this.#grounding = new Grounding(options, this.#serving, this.#windows, this.#queue, this.#consents)
    this.#pause = new Pause(
      (token) => options.captures.isPerson(token),
      () => this.clearForPerson(),
      () => this.#companion.pauseChanged(),
      options.log,
    )
    this.#companion = new CompanionDesk({
      options,
      serving: this.#serving,
      windows: this.#windows,
      marks: () => this.#marks,
      prompts: () => this.#prompts,
      pause: () => this.#pause,
      changed: () => this.#panel.changed(),
    })
    this.#panel = new PanelKeeper(options.host, options.clock, () => this.#panelFacts(), {
      clear: () => this.clearForPerson(),
      pause: (paused) => this.#pause.set(paused),
      pictures: (policy, forMs) => this.#consents.decideAsPerson(policy, forMs),
      queries: (policy, forMs) => this.#consents.decideGroundingAsPerson(policy, forMs),
      companion: (settings) => this.#companion.decide(settings),
      quit: options.quit,
    })
    heedDecisions(options, () => this.#panel.changed())
    options.groundingConsent.onChanged(() => this.#panel.changed())
    this.#drawing = new Drawing(
      options,
      this.#serving,
      this.#marks,
      this.#queue,
      this.#windows,
      this.#frames,
      this.#pause,
      this.#grounding,
      elements,
    )
  }

  /** The host serves (again): takes its displays and shows it everything that is still true. */
  hostStarted(displays: readonly Display[]): void {
    this.#serving.down = null
    this.#queue.reset()
    this.#serving.displays = []
    this.displaysChanged(displays)
    this.#windows.reset()
    this.#companion.hostStarted()
    this.#panel.reset()
  }

  /** Nothing of the host is on the screen any more: every mark is gone, and every owner is told. */
  hostExited(reason: string): void {
    this.#serving.down = reason
    this.#prompts.answer(false, 'host_gone')
    this.#nextKey.lost(reason)
    this.#marks.dropAll('display_change')
    this.#queue.reset()
    this.#windows.lost()
    this.#companion.hostExited()
  }

  displaysChanged(displays: readonly Display[]): void {
    const before = this.#serving.displays
    this.#serving.displays = displays
    this.#marks.displaysChanged(before, displays)
    this.#windows.displaysChanged()
    this.#prompts.displaysChanged(displays)
    this.#companion.displaysChanged()
    this.#frames.displaysChanged((id) => {
      const [then, now] = [before, displays].map((layout) => layout.find((display) => display.id === id))
      return now !== undefined && !differs(then, now)
    })
  }

  windowsChanged(change: WindowsChange): void {
    this.#survive(() => this.#windows.changed(change))
  }

  contentChanged(change: ContentChange): void {
    this.#survive(() => this.#windows.contentChanged(change))
  }

  /** What the person did with the companion. */
  companionEvent(event: CompanionEvent): void {
    this.#survive(() => this.#companion.happened(event))
  }

  /** An event of the host answers nobody: a fault in handling it must not end the daemon. */
  #survive(handle: () => void): void {
    try {
      handle()
    } catch (error) {
      this.#options.log('warn', 'event_failed', { reason: String(error) })
    }
  }

  /** The person wants a clean screen: every mark goes, and every owner is told. Returns how many there were. */
  clearForPerson(): number {
    this.#prompts.answer(false, 'clear_key')
    this.#nextKey.dismissed()
    this.#companion.cleared()
    return this.#marks.dropAll('cleared')
  }

  /** The daemon ends: a question that is up goes without an answer. */
  ending(): void {
    this.#prompts.answer(false, 'daemon_ends')
    this.#nextKey.dismissed()
    this.#companion.ending()
  }

  /** The person pressed one of the keys that answer a prompt. */
  answered(yes: boolean): void {
    this.#prompts.answer(yes, 'key')
  }

  /** The person pressed the key to the next step. */
  nextPressed(): void {
    this.#nextKey.pressed()
  }

  /** Asks the person whether a unique may run code; null: nobody answers, or there is nobody to ask. Never rejects. */
  async askToRun(wish: RunWish, signal: AbortSignal): Promise<boolean | null> {
    const display = this.#serving.displays.find(({ primary }) => primary) ?? this.#serving.displays[0]
    // A display in memory is seen by nobody.
    if (!display || this.#serving.down !== null || this.#options.host.kind === 'headless') return null
    return this.#consents.run(wish, display, signal)
  }

  /** The person chose an item of the host's panel. */
  chosen(id: string): void {
    this.#survive(() => this.#panel.chosen(id))
  }

  #panelFacts(): PanelFacts {
    return {
      marks: this.#marks.size,
      sessions: this.#sessions.inUse(),
      paused: this.#pause.on,
      pictures: this.#options.captures.policy(),
      queries: this.#grounding.state(),
      companion: this.#companion.facts(),
    }
  }

  /** A new connection's handle. `push` must not throw. `pid`: the client's process, where that is known. */
  connect(push: Push, pid?: number): Connection {
    let session: Session | null = null
    let asker = new Asker(undefined, undefined, pid)
    const connected = new AbortController()
    const companion = this.#companion.connect(push, () => session)
    return {
      handle: (request, off = new AbortController().signal) => {
        this.#panel.changed()
        this.#companion.heard(session)
        if (request.type === 'companion') return companion.handle(request, session)
        if (request.type === 'session_start') {
          if (session) this.#sessions.end(session)
          const opened = this.#sessions.open(request, push)
          session = opened.session
          asker = new Asker(session.clientName, asker)
          const resumed = request.resume === undefined ? undefined : opened.resumed
          return startedOf(this.#options.host, session, resumed)
        }
        if (request.type === 'session_end') {
          const ended = owned(session)
          session = null
          asker = new Asker(undefined, asker)
          this.#sessions.end(ended)
          return { session_id: ended.id }
        }
        return this.#handle(request, session, asker, { hungUp: connected.signal, off })
      },
      announced: (request) => this.#announced(request, asker),
      ending: () => asker.gone.abort(),
      close: () => {
        asker.gone.abort()
        companion.close()
        if (session) this.#sessions.end(session)
        session = null
        this.#panel.changed()
        connected.abort()
      },
    }
  }

  #handle(
    request: Exclude<Handled, RequestOf<'session_start' | 'session_end' | 'companion'>>,
    session: Session | null,
    asker: Asker,
    { hungUp, off }: { readonly hungUp: AbortSignal; readonly off: AbortSignal },
  ): Outcome {
    const { captures, clock } = this.#options
    switch (request.type) {
      case 'point':
      case 'highlight':
      case 'textbox':
      case 'draw':
      case 'arrow':
        return this.#drawing.draw(request, owned(session), asker, off)
      case 'move':
        return this.#drawing.move(request, owned(session))
      case 'clear':
        return this.#clear(request, session, asker)
      case 'displays':
        return this.#serving.asked(async () => ({
          displays: (await this.#options.host.displays()) as AckFields['displays'] & object,
        }))
      case 'status':
        return this.#status(request, session, asker)
      case 'capture':
        return this.#serving.asked(() => this.#capture(request, asker, off))
      case 'frame':
        return this.#frames.describe(request.frame, this.#serving.displays)
      case 'consent':
        return this.#consents.decide(request)
      case 'pause':
        return this.#pause.decide(request)
      case 'locate':
        return this.#grounding.locate(request, asker, off)
      case 'resolvers':
        return this.#options.grounder.list().then((resolvers) => ({ resolvers }))
      case 'apps':
        return this.#serving.asked(() =>
          listApps(this.#windows, this.#serving.displays, captures.policy() === 'always'),
        )
      case 'focus':
        return this.#serving.asked(async () => {
          const { app, title } = await this.#windows.activate(request.app)
          this.#options.log('info', 'focus', { app, client: session?.clientName })
          return { activated: { app, ...(captures.policy() === 'always' && { title }) } }
        })
      case 'await_next': {
        const waiting = owned(session)
        return this.#serving.asked(() =>
          this.#nextKey.wait(request, waiting, AbortSignal.any([asker.gone.signal, off])),
        )
      }
      case 'await_window':
        return this.#serving.asked(() =>
          awaitWindow(this.#windows, request, clock, AbortSignal.any([hungUp, off])),
        )
    }
  }

  /** Takes a picture, and remembers it so that clients can name its pixels. */
  async #capture(request: RequestOf<'capture'>, asker: Asker, off: AbortSignal): Promise<AckFields> {
    const display = this.#serving.display(request.display_id)
    const { captures, host } = this.#options
    const asking = this.#consents.asking(asker, display, off)
    return this.#frames.remembered(display.id, await captures.capture(request, display, host, asking))
  }

  /** A request that waits for its turn, perhaps behind a query. */
  #announced(request: Request, asker: Asker): void {
    if ('query' in request && request.query !== undefined) this.#grounding.hurry(asker)
    else if (request.type === 'clear' && request.annotation_id === undefined) this.#grounding.cancel(asker)
  }

  #clear(request: RequestOf<'clear'>, session: Session | null, asker: Asker): AckFields {
    if (request.annotation_id === undefined) this.#grounding.cancel(asker)
    if (request.all_sessions) return { cleared: this.#marks.dropAll('cleared', session) }
    const mine = owned(session)
    const entries =
      request.annotation_id === undefined ? [...mine.entries.values()] : [own(request.annotation_id, mine)]
    for (const entry of entries) this.#marks.drop(entry, null)
    return {
      cleared: entries.length,
      ...(request.annotation_id !== undefined && { annotation_id: request.annotation_id }),
    }
  }

  #status(request: RequestOf<'status'>, session: Session | null, asker: Asker): AckFields {
    const grants = this.#consents.grants(asker, request.token)
    return {
      ...statusOf(this.#options, session, this.#serving.down),
      sessions: this.#sessions.size,
      mark_count: this.#marks.size,
      paused: this.#pause.on,
      companion: this.#companion.summary(),
      ...(grants.length > 0 && { grants }),
      uptime_ms: Math.round(this.#options.clock.now() - this.#startedAt),
    }
  }
}
