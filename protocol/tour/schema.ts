/**
 * A tour as JSON Schema (draft 7), the single source: a file of numbered marks, to be shown at once or one after another.
 * The fields of a mark are those of the wire, less what a file outlives (`frame`) and what needs a resolver.
 */
import Type, { type Static, type TProperties } from 'typebox'
import { LIMITS } from '../overlay/limits.js'
import { DisplayId } from '../overlay/reply-parts.js'
import {
  Coordinate,
  exactlyOneOf,
  Label,
  Milliseconds,
  Name,
  Place,
  PointSchema,
  Position,
  RectSchema,
  StrokeStyle,
} from '../overlay/request-parts.js'
import { TOUR_FORMS } from './forms.js'

/** A file is written by hand: what has no meaning is a mistake, and is said. */
function strict<P extends TProperties>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** How long anything in a tour may take, in ms: a day. */
const Time = Type.Integer({ minimum: 1, maximum: 86_400_000, description: 'milliseconds' })

const WHERE = {
  display_id: Type.Optional(DisplayId),
  window: Type.Optional(Name),
  ttl_ms: Type.Optional(Milliseconds),
}
const Box = strict(
  {
    text: Type.String({ minLength: 1, maxLength: LIMITS.text, pattern: '\\S' }),
    rect: Type.Optional(RectSchema),
    at: Type.Optional(Position),
    ...WHERE,
  },
  exactlyOneOf(TOUR_FORMS.annotate),
)
const Stroke = strict(StrokeStyle.properties)

const MARKS = {
  point: strict(
    {
      x: Type.Optional(Coordinate),
      y: Type.Optional(Coordinate),
      at: Type.Optional(Position),
      label: Type.Optional(Label),
      ...WHERE,
    },
    exactlyOneOf(TOUR_FORMS.point),
  ),
  highlight: strict({
    rect: RectSchema,
    label: Type.Optional(Label),
    shape: Type.Optional(Type.Enum(['rect', 'ellipse'])),
    spotlight: Type.Optional(Type.Boolean()),
    ...WHERE,
  }),
  annotate: Box,
  guide: Box,
  arrow: strict({
    from: Place,
    to: Place,
    bow: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
    style: Type.Optional(Stroke),
    ...WHERE,
  }),
  draw: strict({
    path: Type.Array(PointSchema, { minItems: 2, maxItems: LIMITS.pathPoints }),
    style: Type.Optional(Stroke),
    ...WHERE,
  }),
} as const

const Wait = strict(
  {
    ms: Type.Optional(Time),
    window: Type.Optional(Name),
    timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000, description: 'milliseconds' })),
    next: Type.Optional(Type.Literal(true)),
  },
  { ...exactlyOneOf(TOUR_FORMS.wait), dependencies: { timeout_ms: ['window'] } },
)

const Step = strict(
  {
    title: Type.Optional(Label),
    point: Type.Optional(MARKS.point),
    highlight: Type.Optional(MARKS.highlight),
    annotate: Type.Optional(MARKS.annotate),
    guide: Type.Optional(MARKS.guide),
    arrow: Type.Optional(MARKS.arrow),
    draw: Type.Optional(MARKS.draw),
    wait: Type.Optional(Wait),
    keep: Type.Optional(Type.Boolean({ description: 'whether it stays when the next step comes' })),
  },
  exactlyOneOf(TOUR_FORMS.step),
)

export const TourSchema = strict({
  $schema: Type.Optional(Type.String()),
  title: Type.Optional(Label),
  together: Type.Optional(Type.Boolean({ description: 'all marks at once, and then the waits' })),
  steps: Type.Array(Step, { minItems: 1, maxItems: LIMITS.step }),
})

export type Tour = Static<typeof TourSchema>
export type TourStep = Static<typeof Step>
export type TourWait = Static<typeof Wait>
