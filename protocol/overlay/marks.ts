import type { Point, Rect } from './geometry.js'

/**
 * A mark as the engine stores it and every host draws it. Coordinates are logical points relative to the display's
 * top left. What a client sent in other forms (a named position, an arrow's bow) is resolved before a mark exists.
 */
export type Mark = PointMark | HighlightMark | TextboxMark | PathMark

/**
 * A question of the daemon itself to the person, in plain words. It is no mark: it belongs to no client, so none may see,
 * move or clear it, and it is in no picture.
 */
export interface Prompt {
  readonly title: string
  readonly body: string
  /** What to press, or to type, for each answer. */
  readonly answers: readonly { readonly label: string; readonly keys: readonly string[] }[]
  /** What it is about, at a glance: seeing the screen (default), or running code. */
  readonly sign?: 'camera' | 'terminal'
}

interface MarkBase {
  /** `annotation_id` on the wire. */
  readonly id: string
  /** 1..99: drawn as a numbered badge. */
  readonly step?: number
}

/** A place pointed at: a ring at `at`, its caption, and the system's one pointer while this is the latest point. */
export interface PointMark extends MarkBase {
  readonly kind: 'point'
  readonly at: Point
  readonly label?: string
}

/** A region outlined. `spotlight` dims the rest of its display. */
export interface HighlightMark extends MarkBase {
  readonly kind: 'highlight'
  readonly rect: Rect
  readonly shape: 'rect' | 'ellipse'
  readonly spotlight: boolean
  readonly label?: string
}

/** Text in a box. A `guide` is an instruction to the person and looks unmistakably different from a `note`. */
export interface TextboxMark extends MarkBase {
  readonly kind: 'textbox'
  readonly rect: Rect
  readonly text: string
  readonly style: 'note' | 'guide'
  /** It is about no window, whatever is under it: a guide always is. */
  readonly about?: 'screen'
}

/** A stroke through two or more points; an `arrow` has its head at the last one. */
export interface PathMark extends MarkBase {
  readonly kind: 'draw' | 'arrow'
  readonly path: readonly Point[]
  /** Stroke width in logical points. */
  readonly width?: number
  /** A CSS colour the client named: never second-guessed. Absent: chosen for contrast. */
  readonly color?: string
}
