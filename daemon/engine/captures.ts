import type { Impression, OverlayHost } from '../../overlay/host.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'

export type CapturePolicy = 'ask' | 'always' | 'never'

/** A `consent` request that is about all pictures, not about one question. */
export type PolicyRequest = RequestOf<'consent'> & { readonly capture: CapturePolicy }

/** The person's consent to one client's picture of one display. */
export interface Asking {
  /** Resolves once the person allows it; rejects with `not_permitted` when they do not, or cannot be asked. */
  ask(): Promise<void>
  /** Whether that yes holds at this moment: it was not taken back, and the client is still there. */
  stands(): boolean
}

/** A picture that was taken. */
export interface Taken {
  /** What the client is told of it. */
  readonly ack: AckFields
  readonly impression?: Impression
}

/** What the person has decided about one kind of looking, for all clients. */
export interface ConsentPolicy {
  /** What is so now: a decision given for a time falls back to asking. */
  policy(): CapturePolicy
  /** A decision that came over the wire: one that allows more takes the person's token. Returns what is so now. */
  decide(policy: CapturePolicy, forMs: number | undefined, isPerson: boolean): CapturePolicy
  /** Told when the policy changes, also when the time of a decision is over. */
  onChanged(listener: () => void): void
}

/** The guard between clients and pictures of the person's screen: every capture on the wire passes here. */
export interface CaptureGate {
  /** What is so now: a decision given for a time falls back to asking. */
  policy(): CapturePolicy
  /** The person's decision about all pictures, for a time or for good; returns what is so now. */
  decide(request: PolicyRequest): CapturePolicy
  /** The same, chosen in the person's own panel. */
  decideAsPerson(policy: CapturePolicy, forMs?: number): CapturePolicy
  /** Told when the policy changes, also when the time of a decision is over. */
  onChanged(listener: () => void): void
  /** Whether this is the secret of the person's own commands. */
  isPerson(token: string | undefined): boolean
  /** Takes the picture and says where it is, or throws `not_permitted` before anything is captured. */
  capture(request: RequestOf<'capture'>, display: Display, host: OverlayHost, asking: Asking): Promise<Taken>
}
