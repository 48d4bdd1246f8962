/** What requests are made of, as JSON Schema: places, names, times, colours. As with `schema.ts`, nothing at run time needs it. */
import Type from 'typebox'
import { LIMITS } from './limits.js'

export const Coordinate = Type.Number({
  minimum: -LIMITS.coordinate,
  maximum: LIMITS.coordinate,
  description: 'logical points',
})
const Extent = Type.Number({ exclusiveMinimum: 0, maximum: LIMITS.coordinate, description: 'logical points' })
export const PointSchema = Type.Tuple([Coordinate, Coordinate], { description: '[x, y]' })
export const RectSchema = Type.Tuple([Coordinate, Coordinate, Extent, Extent], {
  description: '[x, y, width, height]',
})
export const Position = Type.String({
  minLength: 1,
  maxLength: LIMITS.name,
  description: 'a named position (top-left, top, …, center) or "X%,Y%"',
})
export const Place = Type.Union([PointSchema, Position], { description: '[x, y] or a named position' })
export const Name = Type.String({ minLength: 1, maxLength: LIMITS.name, pattern: '\\S' })
/** Words for a resolver: as long as a text box's text. */
export const Query = Type.String({ minLength: 1, maxLength: LIMITS.text, pattern: '\\S' })
export const Label = Type.String({ maxLength: LIMITS.label })
export const Milliseconds = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'milliseconds',
})
const Color = Type.String({
  pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$',
  description: '#rgb, #rrggbb or #rrggbbaa',
})
export const StrokeStyle = Type.Object({
  width: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 200, description: 'logical points' })),
  color: Type.Optional(Color),
})

/** Exactly one of several sets of fields: `oneOf` for validators, and `dependencies` so that half a pair is refused. */
export function exactlyOneOf(forms: readonly (readonly string[])[]) {
  const pairs = forms.filter((form) => form.length > 1)
  return {
    oneOf: forms.map((required) => ({ required })),
    ...(pairs.length > 0 && {
      dependencies: Object.fromEntries(
        pairs.flatMap((form) => form.map((field) => [field, form.filter((other) => other !== field)])),
      ),
    }),
  }
}
