/**
 * What a host in another process is told, and tells, as JSON Schema: the single source of types and validators. Not part of
 * the overlay wire: both ends are of one installation. Nothing at run time imports this file for its values.
 */
import Type, { type Static, type TSchema } from 'typebox'

// Clients' input is held to the wire's limits before it becomes a mark; here only shapes matter.
const Id = Type.String({ minLength: 1 })
export const PointTuple = Type.Tuple([Type.Number(), Type.Number()])
const Extent = Type.Number({ minimum: 0 })
const RectTuple = Type.Tuple([Type.Number(), Type.Number(), Extent, Extent])
export const SizeTuple = Type.Tuple([
  Type.Number({ exclusiveMinimum: 0 }),
  Type.Number({ exclusiveMinimum: 0 }),
])
const Seq = Type.Integer({ minimum: 0 })

const anyMark = { id: Id, step: Type.Optional(Type.Integer({ minimum: 1, maximum: 99 })) }
const label = { label: Type.Optional(Type.String()) }

/** `Mark` of `overlay/marks.ts`. */
const MarkSchema = Type.Union([
  Type.Object({ ...anyMark, ...label, kind: Type.Literal('point'), at: PointTuple }),
  Type.Object({
    ...anyMark,
    ...label,
    kind: Type.Literal('highlight'),
    rect: RectTuple,
    shape: Type.Enum(['rect', 'ellipse']),
    spotlight: Type.Boolean(),
  }),
  Type.Object({
    ...anyMark,
    kind: Type.Literal('textbox'),
    rect: RectTuple,
    text: Type.String(),
    style: Type.Enum(['note', 'guide']),
    about: Type.Optional(Type.Literal('screen')),
  }),
  Type.Object({
    ...anyMark,
    kind: Type.Enum(['draw', 'arrow']),
    path: Type.Array(PointTuple, { minItems: 2 }),
    width: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    color: Type.Optional(Type.String()),
  }),
])

/** `Prompt` of `overlay/marks.ts`. */
const PromptSchema = Type.Object({
  title: Type.String(),
  body: Type.String(),
  answers: Type.Array(Type.Object({ label: Type.String(), keys: Type.Array(Type.String()) })),
  sign: Type.Optional(Type.Enum(['camera', 'terminal'])),
})

/**
 * What is on the screen under (a part of) new marks, without our marks, as whoever can see the screen sampled it: RGBA in rows
 * without padding, in base64. Any size will do: a place's colour is that of the nearest pixel; one a logical point is plenty.
 */
const BackdropSchema = Type.Object({
  /** What the pixels show, in logical points of the display. */
  rect: RectTuple,
  width: Type.Integer({ minimum: 1, maximum: 16_384 }),
  height: Type.Integer({ minimum: 1, maximum: 16_384 }),
  rgba: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
})

/** RGBA in rows without padding, premultiplied, in base64. */
const Pixels = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', maxLength: 1 << 26 })
const Side = Type.Integer({ minimum: 1, maximum: 8192 })

/** A picture of the companion, for a surface that shows it and takes clicks where it is told to. */
export const companionPicture = {
  /** In device pixels. */
  size: Type.Tuple([Side, Side]),
  /** Absent: as they were. */
  pixels: Type.Optional(Pixels),
  /** Clicks are taken where it is at least half there, and pass through elsewhere. Absent: where they were. */
  input: Type.Optional(Pixels),
}

/** Where no mark is drawn, in logical points: the companion's open menu is there, below. Null: everywhere again. */
const Opening = Type.Optional(Type.Union([RectTuple, Type.Null()]))

/** What a `SceneChange` has besides its display, and what it was put over. */
export const change = {
  /** In drawing order. */
  put: Type.Array(MarkSchema),
  remove: Type.Array(Id),
  pointer: Type.Optional(Type.Union([Id, Type.Null()])),
  /** Whether the pointer shows that something is looked for. */
  thinking: Type.Optional(Type.Boolean()),
  prompt: Type.Optional(Type.Union([PromptSchema, Type.Null()])),
  jump: Type.Optional(Type.Array(Id)),
  opening: Opening,
  /** Under the ink of marks among `put`; absent: not known, new marks are amber with their halo and others keep their colour. */
  backdrop: Type.Optional(Type.Array(BackdropSchema)),
}

/** What the page of a display is told: one of these a message. */
export const TO_PAGE = {
  /** All there is on the display of this page. Whatever the page had before is gone; nothing flies or glides. */
  scene: Type.Object({
    type: Type.Literal('scene'),
    seq: Seq,
    /** The display in logical points. */
    size: SizeTuple,
    /** Where the window's content begins on the display, in logical points: [0, 0] where the window got all of it. */
    offset: PointTuple,
    reduced_motion: Type.Boolean(),
    put: change.put,
    pointer: Type.Union([Id, Type.Null()]),
    thinking: Type.Boolean(),
    prompt: Type.Union([PromptSchema, Type.Null()]),
    opening: Opening,
    backdrop: change.backdrop,
  }),
  /** What changes, after a `scene`. */
  change: Type.Object({ type: Type.Literal('change'), seq: Seq, ...change }),
  /** Which graphemes of a text can no font here show? Answered by `missing`. */
  glyphs: Type.Object({ type: Type.Literal('glyphs'), id: Seq, text: Type.String() }),
  /** Answered by `pong` at once: a page that hangs does not. */
  ping: Type.Object({ type: Type.Literal('ping'), id: Seq }),
}

const surface = {
  /** Device pixels per logical point, as the page has it: that of the screen its window is on. */
  ratio: Type.Number({ exclusiveMinimum: 0 }),
  /** The canvas in device pixels: [width, height]. */
  pixels: Type.Tuple([Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 0 })]),
}

/** What a page tells: one of these a message. */
export const FROM_PAGE = {
  /** It is loaded (again) and has its fonts and its size, and nothing on it: it waits for a `scene`. */
  ready: Type.Object({ type: Type.Literal('ready'), ...surface }),
  /** Another size, or another screen's ratio. What was on it is painted anew. */
  surface: Type.Object({ type: Type.Literal('surface'), ...surface }),
  /** Every message up to `seq` is on the canvas. */
  painted: Type.Object({
    type: Type.Literal('painted'),
    seq: Seq,
    /** Whether a frame with it was presented. False: the window shows no frames now, so that nobody can have seen it. */
    presented: Type.Boolean(),
    /** Whether anything is on the canvas. While nothing is, the window may be hidden. */
    ink: Type.Boolean(),
  }),
  missing: Type.Object({ type: Type.Literal('missing'), id: Seq, graphemes: Type.Array(Type.String()) }),
  pong: Type.Object({ type: Type.Literal('pong'), id: Seq }),
  /** A message was refused, and nothing of it was done; `reason` names the field. `seq` when it had one. */
  refused: Type.Object({
    type: Type.Literal('refused'),
    reason: Type.String(),
    seq: Type.Optional(Seq),
  }),
  /** The page failed at something. What is on it may not be what it was told: load it again. */
  fault: Type.Object({ type: Type.Literal('fault'), reason: Type.String() }),
}

/** What the companion's page is told. */
export const TO_COMPANION = {
  /** Answered by `drawn`. `offset`: where the picture begins in the window, in device pixels. `menu`: whether moves over it are told. */
  companion: Type.Object({
    type: Type.Literal('companion'),
    seq: Seq,
    offset: PointTuple,
    menu: Type.Boolean(),
    ...companionPicture,
  }),
}

/** What the companion's page tells. Places are in logical points from the window's corner. */
export const FROM_COMPANION = {
  /** It is loaded (again), and has nothing on it. */
  waiting: Type.Object({ type: Type.Literal('waiting') }),
  /** Every message up to `seq` is on the canvas. */
  drawn: Type.Object({ type: Type.Literal('drawn'), seq: Seq }),
  /** Whether the pointer is where clicks are taken. */
  takes: Type.Object({ type: Type.Literal('takes'), takes: Type.Boolean() }),
  press: Type.Object({
    type: Type.Literal('press'),
    button: Type.Enum(['primary', 'secondary']),
    at: PointTuple,
  }),
  /** Null: it left. */
  over: Type.Object({ type: Type.Literal('over'), at: Type.Union([PointTuple, Type.Null()]) }),
  failed: Type.Object({ type: Type.Literal('failed'), reason: Type.String() }),
}

type OneOf<S extends Record<string, TSchema>> = { [K in keyof S]: Static<S[K]> }[keyof S]

export type ToPage = OneOf<typeof TO_PAGE>
export type FromPage = OneOf<typeof FROM_PAGE>
export type ToCompanion = OneOf<typeof TO_COMPANION>
export type FromCompanion = OneOf<typeof FROM_COMPANION>
export type SentBackdrop = Static<typeof BackdropSchema>
