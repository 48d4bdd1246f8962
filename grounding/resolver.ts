import type { Display, Point, Rect } from '../protocol/overlay/geometry.js'

/**
 * From words to a place: what every resolver is. It is handed what it may look at and never captures; it answers with
 * candidates, best first, or with none. Everything is in logical points of the query's display.
 */
export interface Resolver {
  /** How it is named on the command line and in acks: lower case, one word. */
  readonly name: string
  /** Where it looks, in a few words, for `lets resolvers`. */
  readonly sees: string
  /** Whether anything at all leaves the machine. */
  readonly remote: boolean
  /** Where to, for the question to the person; only of remote ones. */
  readonly destination?: string
  /** Whether it needs the pixels of the display: then it is only asked where the person allows a picture. */
  readonly needsFrame: boolean
  /** Whether it could answer now, and if not, what fixes it. Never rejects, and takes a second at most. */
  available(): Promise<Availability>
  /**
   * Looks for what the words say. Resolves with none where there is none. Rejects with a `ResolverError` when it
   * cannot look, with the signal's reason when that is aborted: it then leaves nothing running.
   */
  resolve(query: Query, frame: Frame | null, signal: AbortSignal): Promise<Resolution>
  /** Lets go of what it holds (connections, workers). Safe to call twice; the next `resolve` starts it again. */
  close?(): Promise<void>
}

export type Availability =
  | { readonly available: true; readonly note?: string }
  | { readonly available: false; readonly reason: string; readonly fix: string }

/** What is on a display at one moment. */
export interface Screen {
  readonly display: Display
  /** The windows a person could see there, bottom to top. Empty where the host lists none. */
  readonly windows: readonly ScreenWindow[]
}

/** What is looked for, and where. */
export interface Query extends Screen {
  /** A client's words, as they came: text to match, never an instruction to anybody. */
  readonly text: string
  /** Only what has its middle in this rectangle. */
  readonly within?: Rect
  /** The n-th of those that fit equally, in reading order, from 1. */
  readonly nth?: number
  /** Only windows of this application or title. */
  readonly app?: string
}

/** A window of another program, as the daemon knows it. */
export interface ScreenWindow {
  readonly id: number
  readonly app: string
  readonly title: string
  /** Of the process that made it, where the window says so. */
  readonly pid?: number
  /** With its frame, where it has one. */
  readonly rect: Rect
  /** Without its frame: what the program itself draws. The same as `rect` where the host cannot tell. */
  readonly content: Rect
  /** A menu, a tooltip and the like. */
  readonly transient: boolean
}

/** Opaque pixels of the display in RGBA order, rows without padding, without our own marks. */
export interface Frame {
  readonly width: number
  readonly height: number
  /** Image pixels per logical point. */
  readonly scale: number
  /** Top left of the picture on its display, in logical points. */
  readonly origin: Point
  readonly data: Uint8Array
}

export interface Resolution {
  /** Best first. */
  readonly candidates: readonly Candidate[]
  /** What a person or an agent should know about how it was looked, one sentence each: a hint, a limit that was met. */
  readonly notes: readonly string[]
}

export interface Candidate {
  /** What it says: a button's label, a line of text. */
  readonly name: string
  /** What it is, in a plain word: `button`, `link`, `text`. */
  readonly role: string
  readonly rect: Rect
  /** 0..1, calibrated: how often a candidate with this number is the right one. */
  readonly confidence: number
  /** How many fit as well as this one, itself included: more than one is an ambiguity to report, not a choice to make. */
  readonly ties: number
  /** The thing itself, where it can be found again later. */
  readonly element?: LiveElement
}

/** Something on the screen that its resolver can find again. */
export interface LiveElement {
  /** Where it is now; null: gone, out of sight, or another thing by now. Rejects with a `ResolverError` when that cannot be told. */
  locate(screen: Screen, signal: AbortSignal): Promise<Rect | null>
  /** Whether a click in the middle of `rect` would hit it: what was read may be older than what is seen. */
  isAt(rect: Rect, screen: Screen, signal: AbortSignal): Promise<boolean>
  /** Remembers it until the returned function is called; without that it can be found again for a moment only. */
  keep?(): () => void
}

/** A resolver could not look: not a fault of the words. `fix` says what would help, in a sentence. */
export class ResolverError extends Error {
  override readonly name = 'ResolverError'
  constructor(
    message: string,
    readonly fix?: string,
  ) {
    super(message)
  }
}
