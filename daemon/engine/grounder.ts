import type { Frame } from '../../overlay/host.js'
import type { Display, Rect } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'

/** What turns words into places: handed to the engine, which knows no resolver. All geometry is in logical points. */
export interface Grounder {
  /** The resolvers that are asked, in their order. Empty: there are none, and every query is refused. */
  readonly order: readonly ResolverFacts[]
  /**
   * Asks them one after the other. `pixels` is called at most once, and only when one needs them. Rejects with the signal's
   * reason as soon as that is aborted.
   */
  find(words: Words, pixels: () => Promise<Frame>, signal: AbortSignal): Promise<Outcome>
  /** Every resolver there is: whether it is asked, whether it could answer, and what would make it so. */
  list(): Promise<NonNullable<AckFields['resolvers']>>
}

export interface ResolverFacts {
  readonly name: string
  readonly remote: boolean
  readonly destination?: string
  readonly needsFrame: boolean
}

/** A display and what is on it at one moment. */
export interface GroundScreen {
  readonly display: Display
  readonly windows: readonly GroundWindow[]
}

export interface GroundWindow {
  readonly id: number
  readonly app: string
  readonly title: string
  readonly pid?: number
  readonly rect: Rect
  readonly content: Rect
  readonly transient: boolean
}

/** What a client looks for. */
export interface Words extends GroundScreen {
  readonly text: string
  readonly within?: Rect
  readonly nth?: number
  readonly app?: string
}

export interface Match {
  readonly name: string
  readonly role: string
  readonly rect: Rect
  readonly confidence: number
}

export interface Found extends Match {
  readonly resolver: string
  /** `pointer`: sure enough to point at it. `region`: likely, and only its region may be shown. */
  readonly draw: 'pointer' | 'region'
  readonly element?: GroundElement
}

/** Something that can be found again by more than its looks. */
export interface GroundElement {
  /** Where it is now; null: gone, or out of sight. Rejects when that cannot be told. */
  locate(screen: GroundScreen, signal: AbortSignal): Promise<Rect | null>
  /** Whether it is what is to be seen in the middle of `rect`. */
  isAt(rect: Rect, screen: GroundScreen, signal: AbortSignal): Promise<boolean>
  /** Remembers it until the returned function is called. */
  keep(): () => void
}

export type Outcome = {
  /** What should be known about how it was looked, one sentence each. */
  readonly notes: readonly string[]
  /** Where something of the screen went. */
  readonly sentTo: readonly string[]
} & (
  | { readonly kind: 'found'; readonly found: Found }
  /** Several fit equally: so many, of which these are the first, in the order that `nth` counts in. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Match[]; readonly count: number }
  /** None fits well enough. */
  | { readonly kind: 'unsure'; readonly candidates: readonly Match[] }
)
