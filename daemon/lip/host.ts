/** The LIP host: the parts put together, and what the operator asks of them. Knows no HTTP. */
import { join } from 'node:path'
import type { Capability } from '../../protocol/lip/domains.js'
import { LipError } from '../../protocol/lip/errors.js'
import { ManifestError } from '../../protocol/lip/manifest.js'
import type { Clock } from '../engine/clock.js'
import type { Log } from '../log.js'
import { Allowed } from '../uniques/allowed.js'
import { Catalog } from '../uniques/catalog.js'
import { readGuide, type Unique } from '../uniques/folder.js'
import { CARDS, Cards } from './cards.js'
import { readConfig } from './config.js'
import { Handoff } from './handoff.js'
import { Inbound } from './inbound.js'
import { Kept } from './kept.js'
import { type MakeMedium, type Sender, screenNamed } from './medium.js'
import { checkCommand } from './outbound.js'
import { Pages } from './pages.js'
import { type KeptQueue, Queue } from './queue.js'
import type { Runner } from './runner.js'
import { type RunParts, Runs } from './runs.js'
import type { Screens } from './screen.js'
import { ScreenCommands, type SentToScreen } from './screen-commands.js'
import { SessionStore } from './sessions.js'
import { commandFrom, eventFrom } from './stamp.js'
import { Turns } from './turns.js'
import { Uploads } from './uploads.js'
import { CLOSE, type Link, type LipWindow, type OwnId } from './window.js'
import { type KeptWindows, Windows } from './windows.js'

export interface LipHostOptions {
  /** The home folder of everything Lets writes. */
  readonly home: string
  /** The uniques that come with the package. */
  readonly bundled: string
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  /** What takes pictures of the screen for windows; null where nothing does. */
  readonly screens: Screens | null
  /** Makes the medium that the screens are; null where nothing is drawn on. */
  readonly medium: MakeMedium | null
  /** What runs code for uniques; null where nothing does. */
  readonly runner: Runner | null
  /** Asks the person whether a unique may run code; null where nobody can be asked. */
  readonly ask: RunParts['ask']
}

interface KeptState {
  readonly queue?: KeptQueue
  readonly windows?: KeptWindows
  readonly pages?: Readonly<Record<string, string>>
}

interface KeptTaken {
  readonly taken?: Readonly<Record<string, readonly OwnId[]>>
}

export interface Opened {
  readonly window: LipWindow
  readonly token: string
  readonly guide: string
  readonly session: string | null
}

/** What became of a command to a window. */
type Sent = {
  readonly id: string
  readonly window: string
  /** false: it waits for the page to come (back). */
  readonly delivered: boolean
}

export class LipHost {
  readonly queue: Queue
  readonly windows: Windows
  readonly catalog: Catalog
  readonly sessions: SessionStore
  readonly uploads: Uploads
  readonly allowed: Allowed
  readonly runs: Runs
  readonly pages: Pages
  readonly inbound: Inbound
  readonly handoff: Handoff
  /** What is sent to screens. */
  readonly screens: ScreenCommands
  /** What windows send is worked off in them. */
  readonly turns: Turns
  readonly #queueFile: Kept
  readonly #windowsFile: Kept

  constructor(readonly options: LipHostOptions) {
    const { home, clock, log, bundled, version, runner, ask } = options
    const folder = join(home, 'lip')
    this.#queueFile = new Kept(join(folder, 'queue.json'), () => this.#keepQueue(), clock, log)
    this.#windowsFile = new Kept(join(folder, 'windows.json'), () => [this.#keepWindows()], clock, log)
    this.queue = new Queue({ clock, changed: () => this.#queueFile.changed() })
    this.catalog = new Catalog({ own: join(home, 'uniques'), bundled }, version)
    this.pages = new Pages(clock)
    this.turns = new Turns(clock)
    this.windows = new Windows({
      clock,
      log,
      catalog: this.catalog,
      changed: () => this.#windowsFile.changed(),
      gone: (window, reason) => this.#gone(window, reason),
    })
    this.sessions = new SessionStore(join(home, 'sessions'))
    this.uploads = new Uploads(join(home, 'uploads'))
    this.allowed = new Allowed(join(home, 'allow.json'))
    this.runs = new Runs({
      allowed: this.allowed,
      log,
      runner,
      ask,
      tell: (window, said) => void this.#deliver(window, commandFrom('host', said)),
    })
    this.handoff = new Handoff({
      clock,
      log,
      queue: this.queue,
      store: this.sessions,
      config: () => this.config(),
      close: (window, reason, session) => this.close(window, reason, session),
    })
    this.inbound = new Inbound({
      log,
      put: (event) => this.queue.put(event),
      answer: (window, type, re) => this.say(window, type, {}, re),
      ended: (window, reason) => this.close(window, reason),
      handOff: (window, event) => this.handoff.send(window, event),
      snapshot: (window, event) => this.handoff.snapshot(window, event),
      isUpload: (unique, path) => this.uploads.has(unique, path),
    })
    const medium = options.medium?.((from, said) => this.queue.put(eventFrom(from, said))) ?? null
    this.screens = new ScreenCommands(
      medium,
      new Cards({
        open: () => this.open(CARDS),
        find: (id) => this.windows.list().find((window) => window.id === id),
        send: (window, { type, data, re }) => this.#send(window, { type, data, re }).delivered,
      }),
    )
    this.#restore()
  }

  config() {
    return readConfig(join(this.options.home, 'config.json'), this.options.log)
  }

  /** The installed unique of this name. Throws `LipError`. */
  unique(name: string): Unique {
    let unique: Unique | null
    try {
      unique = this.catalog.get(name)
    } catch (error) {
      if (error instanceof ManifestError)
        throw new LipError('bad_manifest', `${name} cannot be served: ${error.message}`)
      throw error
    }
    if (unique) return unique
    const names = this.catalog.list().map((each) => each.name)
    throw new LipError(
      'unknown_unique',
      `no unique ${JSON.stringify(name).slice(0, 60)} is installed; ${names.length > 0 ? `there are ${names.join(', ')}` : '`lets unique add FOLDER` installs one'}`,
    )
  }

  /** Opens a window of a unique, with a session taken up where `resume` names one. Rejects with `LipError`. */
  async open(name: string, resume?: string): Promise<Opened> {
    const unique = this.unique(name)
    const session = resume === undefined ? null : await this.sessions.load(name, resume)
    const { window, token } = this.#openWindow(unique)
    if (session) await this.handoff.restore(window, session)
    this.options.log('info', 'window_opened', { window: window.id, unique: name, session: session?.id })
    return { window, token, guide: readGuide(unique), session: session?.id ?? null }
  }

  /** Sends one command of the operator to a window or a screen. Throws, or rejects with, `LipError`. */
  send(given: Readonly<Record<string, unknown>>, sender: Sender): Sent | Promise<SentToScreen> {
    if (typeof given.window !== 'string')
      throw new LipError('bad_request', 'window must say which, such as "w1" or "screen#d1"')
    const screen = screenNamed(given.window)
    return screen === null
      ? this.#send(this.windows.named(given.window), given)
      : this.screens.send(screen, given, sender)
  }

  #send(window: LipWindow, given: Readonly<Record<string, unknown>>): Sent {
    const envelope = commandFrom('claude', checkCommand(window, given))
    if (envelope.type === 'session.close') {
      this.close(window, String(envelope.data.reason))
      return { id: envelope.id, window: window.id, delivered: true }
    }
    return { id: envelope.id, window: window.id, delivered: this.#deliver(window, envelope) }
  }

  /** Says something about a window's connection to it; it is not repeated to a later one. */
  say(window: LipWindow, type: string, data: Readonly<Record<string, unknown>>, re?: string): void {
    window.link?.send(JSON.stringify(commandFrom('host', { type, data, re })))
  }

  /** A page speaks for its window from now on, and is told what it missed after `last`. */
  attach(window: LipWindow, link: Link, last?: string): void {
    window.attach(link)
    const { texts, missed } = window.outbox.catchUp(last)
    const { name, manifest } = window.unique
    const runs = this.runs.of(window)
    this.windows.came(window)
    this.say(window, 'lip.ready', {
      window: window.id,
      unique: name,
      host: this.options.version,
      capabilities: (manifest.capabilities ?? []) as Capability[],
      ...(window.sessionId !== null && { resume: { session: window.sessionId } }),
      ...(missed > 0 && { missed }),
      ...(runs.length > 0 && { runs }),
    })
    for (const { id, text } of texts) link.send(text, id)
  }

  detach(window: LipWindow, link: Link): void {
    if (window.detach(link)) this.windows.left(window)
  }

  /** Ends a window: its page is told why, and its token is good for nothing any more. */
  close(window: LipWindow, reason: string, session?: string): void {
    if (window.state === 'closed') return
    window.deliver(
      commandFrom('host', {
        type: 'session.close',
        data: { reason, ...(session !== undefined && { session }) },
      }),
    )
    this.windows.end(window, { reason, session: session ?? null })
    window.link?.close(CLOSE.ended, 'the window is closed')
    this.runs.end(window)
    this.options.screens?.forget(window.id)
    const { name } = window.unique
    if (this.windows.ofUnique(name).length === 0) this.pages.revoke(name)
    this.options.log('info', 'window_closed', { window: window.id, reason })
  }

  /** Lets pages know that it ends: from now on nothing is acknowledged. */
  leave(): void {
    for (const window of this.windows.list()) {
      this.runs.end(window)
      window.link?.close(CLOSE.leaving, 'the daemon ends')
    }
    this.windows.stop()
  }

  /** Writes what outlives the process, once nobody is connected any more. */
  async end(): Promise<void> {
    this.queue.flush()
    this.#windowsFile.changed()
    await Promise.all([this.#windowsFile.end(), this.#queueFile.end()])
  }

  #openWindow(unique: Unique): { readonly window: LipWindow; readonly token: string } {
    try {
      return this.windows.open(unique)
    } catch (error) {
      if (error instanceof ManifestError)
        throw new LipError('bad_manifest', `${unique.name} cannot be served: ${error.message}`)
      throw error
    }
  }

  #deliver(window: LipWindow, envelope: Parameters<LipWindow['deliver']>[0]): boolean {
    const delivered = window.deliver(envelope)
    this.#windowsFile.changed()
    return delivered
  }

  /** Nobody said goodbye: readers are told, so that they do not wait for a window that is no more. */
  #gone(window: LipWindow, reason: string): void {
    this.queue.put(eventFrom(window.from, { type: 'session.close', data: { reason } }))
    this.close(window, reason)
  }

  /** With the events what their windows call them: which of them a window has no need to send again is as true as the ring is. */
  #keepQueue(): Iterable<string> {
    return this.queue.keep(() => ({
      taken: Object.fromEntries(
        Object.entries(this.windows.taken()).map(([window, all]) => [
          window,
          all.filter(([, id]) => !this.queue.isHeld(id)),
        ]),
      ),
    }))
  }

  #keepWindows(): string {
    return JSON.stringify({ windows: this.windows.keep(), pages: this.pages.keep() })
  }

  #restore(): void {
    const { log } = this.options
    try {
      const queue = this.#queueFile.read() as (KeptQueue & KeptTaken) | null
      if (queue) this.queue.restore(queue)
      const kept = this.#windowsFile.read() as KeptState | null
      if (kept?.windows) this.windows.restore(kept.windows)
      if (kept?.pages) this.pages.restore(kept.pages)
      if (queue?.taken) this.windows.recall(queue.taken)
    } catch (error) {
      log('warn', 'lip_state_unreadable', { error: String(error) })
    }
  }
}
