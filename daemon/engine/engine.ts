import type { ContentChange, WindowsChange } from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { type AckFields, ackDisplay } from '../../protocol/overlay/replies.js'
import type { Request, RequestOf } from '../../protocol/overlay/schema.js'
import {
  buildMark,
  type DrawingRequest,
  displayIdOf,
  inRange,
  moved,
  shifted,
  textBeyondLatin,
  touches,
} from './build.js'
import type { Connection, EngineOptions, Outcome } from './connection.js'
import { Asker, Consents } from './consents.js'
import { Content } from './content.js'
import { completeAck } from './drawing-ack.js'
import { Frames } from './frames.js'
import { sureStill } from './impressions.js'
import { differs, MarkStore } from './mark-store.js'
import { NextKey } from './next-key.js'
import { Prompts } from './prompts.js'
import { asWireError, noResolver, own, owned } from './refusals.js'
import { SceneQueue } from './scene-queue.js'
import type { Entry, Push, Session } from './session.js'
import { Sessions } from './sessions.js'
import { statusOf } from './status.js'
import { awaitWindow, homeOf, listApps } from './window-requests.js'
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
  #displays: readonly Display[] = []
  /** Why nothing can be drawn, or null while the host serves. */
  #down: string | null = 'the host has not started'

  constructor(options: EngineOptions) {
    this.#options = options
    this.#startedAt = options.clock.now()
    this.#queue = new SceneQueue(options.host, options.clock, (change, error) => {
      options.log('warn', 'apply_failed', { display: change.display, reason: String(error) })
      // Not on the screen: the owners are told, rather than left to believe an ack.
      this.#marks.dropIds(
        change.put.map((mark) => mark.id),
        'display_change',
      )
    })
    const content = new Content(
      options.host.content,
      () => this.#marks,
      () => this.#displays,
    )
    this.#windows = new Windows(
      options.host.windows,
      () => this.#marks,
      content,
      () => this.#displays,
      (error) => options.log('warn', 'windows_failed', { reason: String(error) }),
    )
    this.#marks = new MarkStore(
      this.#queue,
      options.clock,
      (busy) => this.#windows.setBusy(busy),
      (entry) => content.release(entry),
    )
    this.#frames = new Frames(options.clock, options.newId)
    this.#sessions = new Sessions(this.#marks, options.clock, options.newId, options.log)
    this.#prompts = new Prompts(options.host, this.#queue, options.clock)
    this.#nextKey = new NextKey(options.host, options.clock, options.log)
    this.#consents = new Consents(this.#prompts, options.captures, options.clock, options.log)
  }

  /** The host serves (again): takes its displays and shows it everything that is still true. */
  hostStarted(displays: readonly Display[]): void {
    this.#down = null
    this.#queue.reset()
    this.#displays = []
    this.displaysChanged(displays)
    this.#windows.reset()
  }

  /** Nothing of the host is on the screen any more: every mark is gone, and every owner is told. */
  hostExited(reason: string): void {
    this.#down = reason
    this.#prompts.answer(false, 'host_gone')
    this.#nextKey.lost(reason)
    this.#marks.dropAll('display_change')
    this.#queue.reset()
    this.#windows.lost()
  }

  displaysChanged(displays: readonly Display[]): void {
    const before = this.#displays
    this.#displays = displays
    this.#marks.displaysChanged(before, displays)
    this.#windows.displaysChanged()
    this.#prompts.displaysChanged(displays)
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

  /** An event of the host answers nobody: a fault in handling it must not end the daemon. */
  #survive(handle: () => void): void {
    try {
      handle()
    } catch (error) {
      this.#options.log('warn', 'windows_failed', { reason: String(error) })
    }
  }

  /** The person wants a clean screen: every mark goes, and every owner is told. Returns how many there were. */
  clearForPerson(): number {
    this.#prompts.answer(false, 'clear_key')
    this.#nextKey.dismissed()
    return this.#marks.dropAll('cleared')
  }

  /** The daemon ends: a question that is up goes without an answer. */
  ending(): void {
    this.#prompts.answer(false, 'daemon_ends')
    this.#nextKey.dismissed()
  }

  /** The person pressed one of the keys that answer a prompt. */
  answered(yes: boolean): void {
    this.#prompts.answer(yes, 'key')
  }

  /** The person pressed the key to the next step. */
  nextPressed(): void {
    this.#nextKey.pressed()
  }

  /** A new connection's handle. `push` must not throw. */
  connect(push: Push): Connection {
    let session: Session | null = null
    let asker = new Asker(undefined)
    const connected = new AbortController()
    return {
      handle: (request) => {
        if (request.type === 'session_start') {
          if (session) this.#sessions.end(session)
          const opened = this.#sessions.open(request, push)
          session = opened.session
          asker = new Asker(session.clientName, asker)
          const { host } = this.#options
          const { screen } = host.facts()
          return {
            session_id: session.id,
            host: host.kind,
            ...(screen !== undefined && { screen }),
            ...(request.resume !== undefined && { resumed: opened.resumed }),
          }
        }
        if (request.type === 'session_end') {
          const ended = owned(session)
          session = null
          asker = new Asker(undefined, asker)
          this.#sessions.end(ended)
          return { session_id: ended.id }
        }
        return this.#handle(request, session, asker, connected.signal)
      },
      ending: () => asker.gone.abort(),
      close: () => {
        asker.gone.abort()
        if (session) this.#sessions.end(session)
        session = null
        connected.abort()
      },
    }
  }

  #handle(
    request: Exclude<Request, RequestOf<'session_start' | 'session_end'>>,
    session: Session | null,
    asker: Asker,
    hungUp: AbortSignal,
  ): Outcome {
    const { captures, clock } = this.#options
    switch (request.type) {
      case 'point':
      case 'highlight':
      case 'textbox':
      case 'draw':
      case 'arrow':
        return this.#draw(request, owned(session))
      case 'move':
        return this.#move(request, owned(session))
      case 'clear':
        return this.#clear(request, session)
      case 'displays':
        return this.#asked(async () => ({
          displays: (await this.#options.host.displays()) as AckFields['displays'] & object,
        }))
      case 'status':
        return this.#status(session)
      case 'capture':
        return this.#asked(() => this.#capture(request, asker))
      case 'frame':
        return this.#frames.describe(request.frame, this.#displays)
      case 'consent':
        return this.#consents.decide(request)
      case 'locate':
        throw noResolver(request.query)
      case 'apps':
        return this.#asked(() => listApps(this.#windows, this.#displays, captures.policy() === 'always'))
      case 'focus':
        return this.#asked(async () => {
          const { app, title } = await this.#windows.activate(request.app)
          this.#options.log('info', 'focus', { app, client: session?.clientName })
          return { activated: { app, ...(captures.policy() === 'always' && { title }) } }
        })
      case 'await_next': {
        const waiting = owned(session)
        return this.#asked(() => this.#nextKey.wait(request, waiting, asker.gone.signal))
      }
      case 'await_window':
        return this.#asked(() => awaitWindow(this.#windows, request, clock, hungUp))
    }
  }

  /** Carries out what needs the host, which may have gone away. */
  async #asked(ask: () => Promise<AckFields>): Promise<AckFields> {
    if (this.#down !== null) await this.#revive()
    try {
      return await ask()
    } catch (error) {
      throw asWireError(error)
    }
  }

  #draw(request: DrawingRequest, session: Session): Outcome {
    if ('query' in request && request.query !== undefined) throw noResolver(request.query)
    if (request.frame !== undefined && request.window !== undefined) {
      throw new WireError('bad_schema', `${request.type}: send either a frame or a window, not both`)
    }
    const { onDisplay, seen } = this.#frames.open(request, this.#displays)
    if (!seen || this.#down !== null) return this.#drawNow(onDisplay, session)
    return this.#asked(async () => {
      const display = this.#display(displayIdOf(onDisplay))
      await sureStill(onDisplay, seen, display, this.#options.host)
      return this.#drawNow(onDisplay, session)
    })
  }

  #drawNow(request: DrawingRequest, session: Session): Outcome {
    if (this.#down !== null) return this.#revive().then(() => this.#drawNow(request, session))
    if (request.window !== undefined) return this.#drawOnWindow(request.window, request, session)
    const display = this.#display(displayIdOf(request))
    return this.#add(request, buildMark(request, display, this.#options.newId('a_')), display, session)
  }

  /** Takes a picture, and remembers it so that clients can name its pixels. */
  async #capture(request: RequestOf<'capture'>, asker: Asker): Promise<AckFields> {
    const display = this.#display(request.display_id)
    const { captures, host } = this.#options
    const asking = this.#consents.asking(asker, display)
    return this.#frames.remembered(display.id, await captures.capture(request, display, host, asking))
  }

  /** Coordinates are relative to the window's top left; the mark belongs to that window, which must be seen there. */
  async #drawOnWindow(name: string, request: DrawingRequest, session: Session): Promise<AckFields> {
    return this.#asked(async () => {
      const list = await this.#windows.list()
      const window = this.#windows.find(name, list)
      const { display, rect } = homeOf(window, this.#displays)
      const ground = { label: `the window of ${window.app}`, logical_size: [rect[2], rect[3]] as const }
      const inWindow = buildMark(request, ground, this.#options.newId('a_'))
      const mark = inRange(shifted(inWindow, [rect[0], rect[1]]), request.type)
      if (!touches(mark, display)) {
        throw new WireError('unavailable', `${request.type}: that part of ${ground.label} is off the display`)
      }
      const bound = this.#windows.bind({ mark, display: display.id }, window, list)
      return this.#add(request, mark, display, session, bound)
    })
  }

  #add(
    request: DrawingRequest,
    mark: Mark,
    display: Display,
    session: Session,
    window?: Entry['window'],
  ): Outcome {
    // Its client went away while the host came back: a mark now would have no owner.
    if (session.push === null) throw new WireError('bad_schema', 'the session has ended')
    const entry = this.#marks.add(mark, display.id, session, request.ttl_ms)
    entry.window = window
    this.#windows.attach(entry)
    return this.#settle(mark, display, session)
  }

  #move(request: RequestOf<'move'>, session: Session): Outcome {
    const entry = own(request.annotation_id, session)
    const display = this.#display(entry.display)
    const mark = moved(entry.mark, request)
    if (!touches(mark, display)) {
      const [width, height] = display.logical_size
      throw new WireError(
        'bad_schema',
        `move: that is off display ${display.id}, which is ${width}x${height} logical points; the mark stays where it was`,
      )
    }
    this.#marks.replace(entry, mark)
    entry.window = undefined
    this.#windows.attach(entry)
    return this.#settle(mark, display, session)
  }

  /** Completes a drawing ack: glyphs that cannot be shown, and painting where the session wants to know. */
  #settle(mark: Mark, display: Display, session: Session): Outcome {
    const fields: AckFields = {
      annotation_id: mark.id,
      display: ackDisplay(display),
    }
    const text = textBeyondLatin(mark)
    if (session.acks === 'accepted' && text === null) return fields
    // Asked for now, so that what is waited for includes this mark.
    const painted = session.acks === 'painted' ? this.#queue.painted(display.id) : null
    return completeAck(fields, this.#options.host, text, painted, () => this.#marks.has(mark.id))
  }

  #clear(request: RequestOf<'clear'>, session: Session | null): AckFields {
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

  #status(session: Session | null): AckFields {
    return {
      ...statusOf(this.#options, session, this.#down),
      sessions: this.#sessions.size,
      mark_count: this.#marks.size,
      uptime_ms: Math.round(this.#options.clock.now() - this.#startedAt),
    }
  }

  /** Gives a host that went away one chance to come back: a person may have logged in again. */
  async #revive(): Promise<void> {
    try {
      await this.#options.revive()
    } catch (error) {
      throw asWireError(error)
    }
    if (this.#down !== null) throw new WireError('unavailable', this.#down)
  }

  /** The display with this id. 1 always means something: the primary, when no display has that id any more. */
  #display(id: number): Display {
    const display =
      this.#displays.find((one) => one.id === id) ??
      (id === 1 ? this.#displays.find((one) => one.primary) : undefined)
    if (display) return display
    const ids = this.#displays.map((one) => one.id).join(', ')
    throw new WireError(
      'unknown_display',
      `display_id ${id} is not connected; the displays are ${ids || '(none)'}`,
    )
  }
}
