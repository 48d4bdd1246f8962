/** What the daemon and the thread of the resolvers tell each other. */
import type { Rect } from '../protocol/overlay/geometry.js'
import type { Availability, Candidate, Frame, Query, Resolver, Screen } from './resolver.js'

/** What is known of a resolver without asking it. */
export type Facts = Pick<Resolver, 'name' | 'sees' | 'remote' | 'destination' | 'needsFrame'>

/** A candidate whose thing stays in the thread, under a number. */
export type SentCandidate = Omit<Candidate, 'element'> & { readonly element?: number }

export type Ask =
  | { readonly kind: 'facts' }
  | { readonly kind: 'available'; readonly resolver: string }
  | {
      readonly kind: 'resolve'
      readonly resolver: string
      readonly query: Query
      readonly frame: Frame | null
    }
  | { readonly kind: 'locate'; readonly element: number; readonly screen: Screen }
  | { readonly kind: 'isAt'; readonly element: number; readonly rect: Rect; readonly screen: Screen }

export interface Answers {
  readonly facts: readonly Facts[]
  readonly available: Availability
  readonly resolve: { readonly candidates: readonly SentCandidate[]; readonly notes: readonly string[] }
  readonly locate: Rect | null
  readonly isAt: boolean
}

export type ToThread =
  | { readonly id: number; readonly ask: Ask }
  | { readonly abort: number }
  | { readonly keep: number }
  | { readonly release: number }
  | { readonly close: true }

export type FromThread =
  | { readonly id: number; readonly answer: Answers[keyof Answers] }
  /** `fix`: it is a `ResolverError`; `fault`: it is a fault of ours. */
  | { readonly id: number; readonly error: string; readonly fix?: string; readonly fault?: string }
  | {
      readonly log: {
        readonly level: 'debug' | 'info' | 'warn'
        readonly event: string
        readonly fields?: Record<string, unknown>
      }
    }
