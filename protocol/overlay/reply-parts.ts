/** What acks are made of, as JSON Schema: displays, marks, windows, resolvers, grants. As with `schema.ts`, nothing at run time needs it. */
import Type from 'typebox'

export const DisplayId = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })

export const SizeSchema = Type.Tuple([Type.Number(), Type.Number()], { description: '[width, height]' })
export const AckDisplay = Type.Object({
  id: DisplayId,
  scale: Type.Number({ exclusiveMinimum: 0 }),
  logical_size: SizeSchema,
})
export const DisplayInfo = Type.Object({
  id: DisplayId,
  scale: Type.Number({ exclusiveMinimum: 0 }),
  logical_size: SizeSchema,
  origin: Type.Tuple([Type.Number(), Type.Number()]),
  primary: Type.Boolean(),
  name: Type.String(),
})
export const MarkStatus = Type.Object({
  annotation_id: Type.String(),
  kind: Type.String({ description: 'point, highlight, textbox, draw or arrow' }),
  display_id: DisplayId,
  rect: Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()]),
})
/** Where a reply names one of several words it is any string: a newer daemon may know more of them. */
export const WindowInfo = Type.Object({
  id: Type.Number(),
  app: Type.String(),
  title: Type.Optional(Type.String()),
  display_id: DisplayId,
  rect: Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()]),
  stacking: Type.Integer({ minimum: 0, description: '0 is the lowest' }),
})
export const NumberRect = Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()])
export const ResolverInfo = Type.Object({
  name: Type.String(),
  sees: Type.String({ description: 'where it looks' }),
  remote: Type.Boolean({ description: 'whether anything leaves the machine' }),
  destination: Type.Optional(Type.String({ description: 'where to' })),
  enabled: Type.Boolean({ description: 'whether this daemon asks it' }),
  available: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'why it is not available' })),
  fix: Type.Optional(Type.String({ description: 'what would make it so' })),
  note: Type.Optional(Type.String()),
})
export const Grant = Type.Object({
  what: Type.String({ description: 'capture or grounding' }),
  client: Type.String({ description: 'as the question named it' }),
  pid: Type.Optional(Type.Integer()),
  display_id: DisplayId,
  left_ms: Type.Number({ minimum: 0 }),
})
