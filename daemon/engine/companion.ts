/** The requests about the companion, and the world it lives in: what the engine knows, as the companion may see it. */
import type { CompanionEvent } from '../../protocol/overlay/companion.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Rect } from '../../protocol/overlay/geometry.js'
import { type AckFields, ackDisplay } from '../../protocol/overlay/replies.js'
import type { CompanionCommand, CompanionStateFields, RequestOf } from '../../protocol/overlay/schema.js'
import { rectOf } from './build.js'
import type { Companion, CompanionAsker, CompanionSettings, CompanionWorld } from './companion-seam.js'
import type { EngineOptions } from './connection.js'
import type { MarkStore } from './mark-store.js'
import type { Pause } from './pause.js'
import type { Prompts } from './prompts.js'
import { owned } from './refusals.js'
import type { Serving } from './serving.js'
import type { Push, Session } from './session.js'
import { shownName } from './shown-name.js'
import type { Windows } from './windows.js'

/** Of the marks on a display, so many of the latest are kept off: more than those are no place to be anyway. */
const MOST_OCCUPIED = 64

/** About where a question to the person is: in the middle of the bottom, in logical points. */
const QUESTION = { width: 620, height: 300 } as const

/** What it needs of the engine. */
export interface CompanionParts {
  readonly options: Pick<EngineOptions, 'host' | 'clock' | 'captures' | 'companion'>
  readonly serving: Serving
  readonly windows: Windows
  readonly marks: () => MarkStore
  readonly prompts: () => Prompts
  readonly pause: () => Pause
  /** What the person is shown of it is another one. */
  readonly changed: () => void
}

/** One connection's part of it. */
export interface CompanionConnection {
  /** Throws, or rejects with, `WireError`. */
  handle(request: RequestOf<'companion'>, session: Session | null): AckFields | Promise<AckFields>
  close(): void
}

export class CompanionDesk {
  /** Undefined: this daemon has none. */
  private readonly companion: Companion | undefined
  #marksChanged = false

  constructor(private readonly parts: CompanionParts) {
    this.companion = parts.options.companion
    this.companion?.attach(this.#world())
  }

  /** For `status`. */
  summary(): CompanionStateFields {
    if (!this.companion) return { on: false, shown: false, hidden_because: 'no_surface' }
    const { on, shown, hidden_because, quiet_ms, summon_key } = this.companion.state(NOBODY)
    return {
      on,
      shown,
      ...(hidden_because !== undefined && { hidden_because }),
      ...(quiet_ms !== undefined && { quiet_ms }),
      ...(summon_key && { summon_key }),
    }
  }

  /** For the panel; null: there is nothing to turn on here. */
  facts(): { readonly on: boolean; readonly quiet: boolean } | null {
    if (!this.companion || !this.parts.options.host.companion) return null
    const { on, quiet_ms } = this.companion.state(NOBODY)
    return { on, quiet: quiet_ms !== undefined }
  }

  /** A decision of the person's that came from their own panel. */
  decide(settings: CompanionSettings): void {
    void this.companion?.set(settings)
  }

  hostStarted(): void {
    this.companion?.hostStarted()
  }

  hostExited(): void {
    this.companion?.hostExited()
  }

  happened(event: CompanionEvent): void {
    this.companion?.happened(event)
  }

  displaysChanged(): void {
    this.companion?.worldChanged('displays')
  }

  pauseChanged(): void {
    this.companion?.worldChanged('pause')
  }

  /** Marks come in bursts: they are looked at once after each. */
  marksChanged(): void {
    if (!this.companion || this.#marksChanged) return
    this.#marksChanged = true
    this.parts.options.clock.soon(() => {
      this.#marksChanged = false
      this.companion?.worldChanged('marks')
    })
  }

  /** The person wants a clean screen. */
  cleared(): void {
    this.companion?.cleared()
  }

  sessionOpened({ id }: Session): void {
    this.companion?.sessionBack(id)
  }

  sessionEnded({ id, lingerMs }: Session): void {
    this.companion?.sessionEnded(id, lingerMs)
  }

  heard(session: Session | null): void {
    if (session) this.companion?.heard(session.id)
  }

  ending(): void {
    this.companion?.close()
  }

  connect(push: Push, session: () => Session | null): CompanionConnection {
    let unlisten: (() => void) | null = null
    const close = () => {
      unlisten?.()
      unlisten = null
    }
    return {
      close,
      handle: (request, asking) => {
        const { companion } = this
        if (!companion) return { companion: this.summary() }
        const asker = this.#asker(request, asking)
        const { listen, log = false } = request
        if (listen !== undefined) close()
        if (listen)
          unlisten = companion.listen({
            session: () => session()?.id ?? null,
            isPerson: asker.isPerson,
            push,
          })
        if (request.set) return this.#set(companion, request.set, asker)
        if (request.command === undefined) return { companion: companion.state(asker, log) }
        return this.#command(companion, request, owned(asking), asker)
      },
    }
  }

  async #set(companion: Companion, settings: CompanionSettings, asker: CompanionAsker): Promise<AckFields> {
    if (!asker.isPerson) {
      throw new WireError(
        'not_permitted',
        'companion: only the person decides whether it is there, and where not, with `lets companion`',
      )
    }
    await companion.set(settings)
    return { companion: companion.state(asker) }
  }

  async #command(
    companion: Companion,
    request: RequestOf<'companion'>,
    session: Session,
    asker: CompanionAsker,
  ): Promise<AckFields> {
    const { serving } = this.parts
    // A host that went away may be back; where it is not, the ack says that nobody sees it.
    if (serving.down !== null && companion.state(asker).on) await serving.revive().catch(() => {})
    // The schema has held `data` against the command.
    const command = { command: request.command, data: request.data ?? {} } as CompanionCommand
    const { ignored, painted } = await companion.command(command, asker, request.display_id)
    const isPainted = session.acks === 'painted' ? { painted: await painted() } : {}
    const state = companion.state(asker)
    const display = serving.displays.find(({ id }) => id === state.display_id)
    return {
      companion: state,
      ...(display && { display: ackDisplay(display) }),
      ...(ignored.length > 0 && { ignored: [...ignored] }),
      ...isPainted,
    }
  }

  #asker({ token }: RequestOf<'companion'>, session: Session | null): CompanionAsker {
    return {
      session: session?.id ?? null,
      client: shownName(session?.clientName),
      isPerson: this.parts.options.captures.isPerson(token),
    }
  }

  #world(): CompanionWorld {
    const { options, serving, windows, pause, changed } = this.parts
    const { host, captures } = options
    return {
      access: () => host.companion,
      displays: () => serving.displays,
      display: (id) => serving.display(id),
      windows: () => windows.known,
      watchWindows: (on) => windows.setOnlooker(on ? () => this.companion?.worldChanged('windows') : null),
      readWindows: () => windows.list(),
      titles: () => captures.policy() === 'always',
      occupied: (display) => this.#occupied(display),
      paused: () => pause().on,
      changed,
    }
  }

  #occupied(id: number): readonly Rect[] {
    const rects: Rect[] = []
    for (const { mark, display } of this.parts.marks().entries()) if (display === id) rects.push(rectOf(mark))
    const asking = this.parts.prompts().display
    const question: Rect[] = asking?.id === id ? [questionOn(asking.logical_size)] : []
    return [...rects.slice(-MOST_OCCUPIED), ...question]
  }
}

function questionOn([width, height]: readonly [number, number]): Rect {
  const wide = Math.min(QUESTION.width, width)
  const high = Math.min(QUESTION.height, height)
  return [(width - wide) / 2, height - high, wide, high]
}

const NOBODY: CompanionAsker = { session: null, client: '', isPerson: false }
