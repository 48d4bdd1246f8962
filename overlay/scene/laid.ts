import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import type { Line } from './bidi.js'
import type { Tint } from './color.js'
import type { Context2D } from './context.js'
import type { Ruler } from './font.js'

/** What laying out and painting need to know about the display. */
export interface Env {
  readonly size: Size
  /** Device pixels per logical point. */
  readonly scale: number
  readonly ruler: Ruler
  readonly measure: Context2D
}

/**
 * A mark laid out: everything needed to paint it, as plain values in logical points. It is made once, when the mark is
 * put; a gliding mark is a mixture of two of these.
 */
export interface Laid {
  readonly mark: Mark
  readonly body: Body
  readonly caption: Caption | null
  readonly badge: Badge | null
  readonly tint: Tint
  /** Rectangles that hold every pixel drawn. */
  readonly areas: readonly Rect[]
}

export type Body = PointBody | HighlightBody | TextboxBody | PathBody

export interface PointBody {
  readonly kind: 'point'
  readonly at: Point
  /** Where the pointer's body hangs from its tip: 1 is right (down), -1 left (up). */
  readonly facing: Facing
}

export type Facing = readonly [x: 1 | -1, y: 1 | -1]

export interface HighlightBody {
  readonly kind: 'highlight'
  /** Between this and `WIDTH` outside of it runs the outline. */
  readonly box: Rect
  readonly shape: 'rect' | 'ellipse'
  readonly spotlight: boolean
}

export interface TextboxBody {
  readonly kind: 'textbox'
  readonly rect: Rect
  readonly style: 'note' | 'guide'
  readonly lines: readonly Line[]
  /** Font size. */
  readonly size: number
  /** Whether it reads from the right: its band is there then. */
  readonly rtl: boolean
}

export interface PathBody {
  readonly kind: 'path'
  readonly path: readonly Point[]
  readonly width: number
  readonly arrow: boolean
}

export interface Caption {
  readonly rect: Rect
  readonly lines: readonly Line[]
  /** Font size. */
  readonly size: number
}

export interface Badge {
  readonly at: Point
  readonly step: number
}
