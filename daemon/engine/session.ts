import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import type { PushMessage } from '../../protocol/overlay/schema.js'
import type { Held } from './elements.js'

/** Sends a push to a client; drops it when that client is gone. */
export type Push = (message: PushMessage) => void

/** One mark on the screen and whom it belongs to. */
export interface Entry {
  mark: Mark
  display: number
  readonly session: Session
  cancelTtl: (() => void) | null
  /** The window it is on, and where that was; null: on the desktop itself; undefined: not known, or not asked. */
  window: { readonly id: number; readonly rect: Rect } | null | undefined
  /** The thing it was put on by words, where that can be found again. */
  held?: Held | undefined
}

/** A client's session: what it owns outlives its connection by `lingerMs`. */
export interface Session {
  readonly id: string
  clientName: string
  lingerMs: number
  acks: 'accepted' | 'painted'
  readonly entries: Map<string, Entry>
  /** Null once the session has ended: its marks linger out, and nobody is told of them. */
  push: Push | null
  /** Called when the last mark goes while the session lingers. */
  onEmpty: (() => void) | null
}
