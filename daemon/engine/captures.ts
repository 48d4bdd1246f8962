import type { OverlayHost } from '../../overlay/host.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'

export type CapturePolicy = 'ask' | 'always' | 'never'

/** The guard between clients and pictures of the person's screen: every capture on the wire passes here. */
export interface CaptureGate {
  /** What is so now: a decision given for a time falls back to asking. */
  policy(): CapturePolicy
  /** The person's decision, for a time or for good; returns what is so now. */
  decide(request: RequestOf<'consent'>): CapturePolicy
  /** Takes the picture and says where it is, or throws `not_permitted` before anything is captured. */
  capture(request: RequestOf<'capture'>, display: Display, host: OverlayHost): Promise<AckFields>
}
