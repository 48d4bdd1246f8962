/** What the engine and the companion know of each other. Neither imports the other: whoever starts the daemon ties them. */
import type { CompanionAccess, HostWindow } from '../../overlay/host.js'
import type { CompanionEvent } from '../../protocol/overlay/companion.js'
import type { Display, Rect } from '../../protocol/overlay/geometry.js'
import type {
  CompanionCommand,
  CompanionEventMessage,
  CompanionStateFields,
  RequestOf,
} from '../../protocol/overlay/schema.js'

/** Who asks something of the companion. */
export interface CompanionAsker {
  /** Its session's id; null: it has none. */
  readonly session: string | null
  /** Its name as a person is shown it. */
  readonly client: string
  /** It is the person's own command. */
  readonly isPerson: boolean
}

/** Who wants to know what the person does with the companion. */
export interface CompanionListener {
  readonly session: () => string | null
  readonly isPerson: boolean
  readonly push: (message: CompanionEventMessage) => void
}

export interface CommandOutcome {
  /** What was left out, and why. */
  readonly ignored: readonly string[]
  /** Resolves once it was drawn so: whether a person sees it. Never rejects. */
  painted(): Promise<boolean>
}

export type CompanionSettings = NonNullable<RequestOf<'companion'>['set']>

/** The companion, as the engine has it. Nothing here throws but what says so. */
export interface Companion {
  /** Called once, before anything else. */
  attach(world: CompanionWorld): void
  /** How it is, as far as the asker may know. */
  state(asker: CompanionAsker, withLog?: boolean): CompanionStateFields
  /** Throws `bad_schema` for a place that there is none, `unknown_display`. */
  command(command: CompanionCommand, asker: CompanionAsker, display?: number): Promise<CommandOutcome>
  /** The person's decisions. Rejects with `limit`. Resolves once it is known whether it is shown. */
  set(settings: CompanionSettings): Promise<void>
  /** Returns what ends it. */
  listen(listener: CompanionListener): () => void
  /** A session asked for something, whatever it was: it is there still. */
  heard(session: string): void
  /** A session is over: what it wanted stays for so many ms. */
  sessionEnded(session: string, lingerMs: number): void
  /** It was taken up again. */
  sessionBack(session: string): void
  /** What it lives among is another one: displays, windows, marks, a question, a pause. */
  worldChanged(what: 'displays' | 'windows' | 'marks' | 'pause'): void
  /** The host serves (again), and shows nothing of it yet. */
  hostStarted(): void
  hostExited(): void
  /** The person wants nothing on the screen but what is theirs: what it says and offers goes. */
  cleared(): void
  /** What the person did with it. */
  happened(event: CompanionEvent): void
  /** The daemon ends. */
  close(): void
}

/** What the companion lives among. */
export interface CompanionWorld {
  /** Its surface; undefined while there is none. */
  access(): CompanionAccess | undefined
  displays(): readonly Display[]
  /** The display with this id, or the primary for 1. Throws `unknown_display`. */
  display(id: number): Display
  /** The windows of other programs, bottom to top; empty while they are not watched. */
  windows(): readonly HostWindow[]
  /** Resolves once they are known. */
  watchWindows(on: boolean): Promise<void>
  /** The same, asked anew: for who does not watch them. Rejects where that cannot be. */
  readWindows(): Promise<readonly HostWindow[]>
  /** Whether the titles of windows may be told. */
  titles(): boolean
  /** What is to be seen on a display: the marks, the latest last, and a question to the person. */
  occupied(display: number): readonly Rect[]
  paused(): boolean
  /** What a person may be shown of it is another one. */
  changed(): void
}
