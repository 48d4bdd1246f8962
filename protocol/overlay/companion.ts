/** The companion on the screen, as the daemon wants it and as hosts tell of it. Geometry is in logical points of a display. */
import type { Mood, Reaction } from '../lip/domains.js'
import type { Point, Rect } from './geometry.js'

/** A place on one of the displays. */
export interface DisplayPoint {
  readonly display: number
  readonly at: Point
}

/** A part of one of the displays, in its logical points. */
export interface DisplayRect {
  readonly display: number
  readonly rect: Rect
}

/**
 * The companion as it is to be. Hosts keep it so: they ease from what they show to what the next one says, along a path
 * and never by a jump, also from one display to another.
 */
export interface CompanionScene {
  /** Where the middle of its body is to rest. */
  readonly place: DisplayPoint
  readonly look: CompanionLook
  readonly mood: Mood
  /** Eyes closed; nothing of it moves. */
  readonly asleep: boolean
  /** Where its eyes turn: a side, above or below; [0, 0] is straight ahead. */
  readonly gaze: readonly [x: -1 | 0 | 1, y: -1 | 0 | 1]
  /** Played once for each `id`. */
  readonly reaction: { readonly id: number; readonly name: Reaction; readonly ms: number } | null
  /** What it says: on the screen until the next scene says otherwise. Never in the way of clicks. */
  readonly bubble: { readonly id: string; readonly text: string } | null
  /** What it offers, opened by the person. `chosen`: the item that Enter picks, by its number. */
  readonly menu: { readonly items: readonly CompanionItem[]; readonly chosen: number | null } | null
  /** It has something to offer that was not looked at yet: a small sign beside it. */
  readonly beckons: boolean
}

export interface CompanionItem {
  readonly id: string
  readonly label: string
  readonly hint?: string
}

/** Of its persona: how it looks, and how it goes. */
export interface CompanionLook {
  readonly name: string
  /** Of its body, as #rrggbb; absent: its own. */
  readonly color?: string
  /** How fast it goes and plays: 1 is its own pace, 0.5 half of that. */
  readonly pace: number
}

/** What the person did with the companion, and where it is. */
export type CompanionEvent =
  /** The pointer is elsewhere now; told at most 60 times a second, and only while `watchPointer` is on. */
  | ({ readonly kind: 'pointer' } & DisplayPoint)
  /** Its body was clicked there. */
  | ({ readonly kind: 'clicked'; readonly button: 'primary' | 'secondary' } & DisplayPoint)
  /** The summoning key was pressed; this is where the pointer is. */
  | ({ readonly kind: 'summoned' } & DisplayPoint)
  /** It came to rest, there. */
  | ({ readonly kind: 'arrived' } & DisplayPoint)
  /** The pointer is on this item of the menu, or on none. */
  | { readonly kind: 'hovered'; readonly item: number | null }
  /** This item of the menu was clicked. */
  | { readonly kind: 'picked'; readonly item: number }
  /** A key was pressed while its menu is open: only these are taken, and only then. */
  | { readonly kind: 'key'; readonly key: 'up' | 'down' | 'enter' | 'escape' }
  /**
   * A button was pressed elsewhere while its menu is open; the press went where it was meant to go. Where presses elsewhere
   * cannot be told: the pointer has been elsewhere for a while.
   */
  | { readonly kind: 'elsewhere' }
