/**
 * What the daemon and a host in a process of its own say to each other, one JSON message each, as JSON Schema: the single
 * source of the types and of the validators on both ends. Every message of the daemon carries a `seq` and gets exactly one
 * answer with the same; what the host says by itself carries none. All geometry is in logical points of the display.
 */
import Type, { type Static } from 'typebox'
import { change, companionPicture, PointTuple, SizeTuple } from './schema.js'

const Seq = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const DisplayId = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })
const Extent = Type.Integer({ minimum: 1, maximum: 65_536 })
const PanelId = Type.String({ minLength: 1, maxLength: 200 })
const closed = { additionalProperties: false }

/** A display as the host's own system describes it; the daemon gives it its id. */
const ScreenSchema = Type.Object(
  {
    /** The host's own name for it, unique while it is connected. */
    key: Type.String({ minLength: 1, maxLength: 200 }),
    name: Type.String({ maxLength: 400 }),
    primary: Type.Boolean(),
    /** Physical pixels per logical point. */
    scale: Type.Number({ exclusiveMinimum: 0, maximum: 64 }),
    /** In logical points. */
    size: SizeTuple,
    /** Top left in the desktop's logical space. */
    origin: PointTuple,
    /** In physical pixels of the desktop: left, top, width, height. */
    pixels: Type.Tuple([Type.Integer(), Type.Integer(), Extent, Extent]),
  },
  closed,
)

/** Where a display lies for whoever makes windows. */
const PlaceSchema = Type.Object(
  {
    id: DisplayId,
    /** The display in the host's own units: left, top, width, height. */
    bounds: Type.Tuple([Type.Integer(), Type.Integer(), Extent, Extent]),
    /** In logical points. */
    size: SizeTuple,
    /** The host's own units in a logical point. */
    zoom: Type.Number({ minimum: 0.25, maximum: 5 }),
  },
  closed,
)

/** `PanelState` of the host interface. */
const PanelSchema = Type.Object(
  {
    summary: Type.String({ maxLength: 1000 }),
    items: Type.Array(
      Type.Union([
        Type.Object({ kind: Type.Literal('separator') }, closed),
        Type.Object({ kind: Type.Literal('text'), label: Type.String({ maxLength: 1000 }) }, closed),
        Type.Object(
          {
            kind: Type.Literal('action'),
            id: PanelId,
            label: Type.String({ maxLength: 1000 }),
            checked: Type.Optional(Type.Boolean()),
          },
          closed,
        ),
      ]),
      { maxItems: 1000 },
    ),
  },
  closed,
)

const GlobalKeyName = Type.Enum(['clear', 'yes', 'no', 'next', 'summon'])

/** What the host got from its system, as far as it can tell itself. */
const ReportSchema = Type.Object(
  {
    /** Of the program that draws, such as `45.5.0`. */
    version: Type.String({ maxLength: 100 }),
    pid: Type.Integer({ minimum: 1 }),
    platform: Type.String({ maxLength: 40 }),
    /** What a first window of the same making got. That clicks pass through it no system tells; the daemon verifies it. */
    window: Type.Object(
      { shown: Type.Boolean(), above: Type.Boolean(), focusable: Type.Boolean(), placed: Type.Boolean() },
      closed,
    ),
    reduced_motion: Type.Boolean(),
    notes: Type.Array(Type.String({ maxLength: 400 }), { maxItems: 32 }),
  },
  closed,
)

function ask<T extends string, P extends Type.TProperties>(type: T, properties: P) {
  return Type.Object({ type: Type.Literal(type), seq: Seq, ...properties }, closed)
}
function tell<T extends string, P extends Type.TProperties>(type: T, properties: P) {
  return Type.Object({ type: Type.Literal(type), ...properties }, closed)
}

/** From the daemon to the host. */
export const HOST_ORDERS = {
  /**
   * The first: answered with `started`, or `failed`. `version` is the daemon's and must be the host's. A first window stays up
   * until `lay`, for the daemon to look at.
   */
  start: ask('start', { version: Type.String({ maxLength: 100 }), reduced_motion: Type.Boolean() }),
  /** The displays; on these alone anything is shown, and nothing yet on those that are new or changed. Answered with `done`. */
  lay: ask('lay', { displays: Type.Array(PlaceSchema, { maxItems: 64 }) }),
  /** Answered with `painted`, or `failed`. */
  apply: ask('apply', { display: DisplayId, ...change }),
  /**
   * The companion is there, and looks so. Answered with `painted`, or `failed`. `bounds`: its window in the host's own units;
   * `offset`: where the picture begins in it, in device pixels. While its menu is open the host takes Up, Down, Enter and Escape.
   */
  companion: ask('companion', {
    bounds: Type.Tuple([Type.Integer(), Type.Integer(), Extent, Extent]),
    offset: PointTuple,
    menu: Type.Boolean(),
    ...companionPicture,
  }),
  /** It goes, and its keys are given back. Answered with `done`. */
  no_companion: ask('no_companion', {}),
  /** Where is the pointer? Answered with `pointer`. */
  where: ask('where', {}),
  /** Takes the windows off the screen for as long as a picture of it is taken. Answered with `done`. */
  hide: ask('hide', { hidden: Type.Boolean() }),
  /** Takes these keys from all other programs. Answered with `keys`. */
  take_keys: ask('take_keys', { keys: Type.Array(GlobalKeyName, { maxItems: 5 }) }),
  /** Gives them back. Answered with `done`. */
  release_keys: ask('release_keys', { keys: Type.Array(GlobalKeyName, { maxItems: 5 }) }),
  /** The displays, read afresh. Answered with `screens`. */
  look: ask('look', {}),
  /** The graphemes of a text that no font there can show. Answered with `missing`. */
  glyphs: ask('glyphs', { text: Type.String() }),
  /** What the tray shows; null: no tray. Answered with `done`. */
  panel: ask('panel', { panel: Type.Union([PanelSchema, Type.Null()]) }),
  /** Answered with `done`, once the renderers of all windows with something on them answered too. */
  ping: ask('ping', {}),
}

/** From the host to the daemon. */
export const HOST_REPORTS = {
  started: ask('started', { screens: Type.Array(ScreenSchema, { maxItems: 64 }), report: ReportSchema }),
  /** `visible`: the window with it is on the screen. `mapped`: it came onto the screen with this. */
  painted: ask('painted', { visible: Type.Boolean(), mapped: Type.Boolean() }),
  keys: ask('keys', { had: Type.Array(GlobalKeyName, { maxItems: 5 }) }),
  /** In the host's own units. */
  pointer: ask('pointer', { at: PointTuple }),
  screens: ask('screens', { screens: Type.Array(ScreenSchema, { maxItems: 64 }) }),
  missing: ask('missing', { graphemes: Type.Array(Type.String()) }),
  done: ask('done', {}),
  /** It could not be done, and why. */
  failed: ask('failed', { reason: Type.String({ maxLength: 2000 }) }),
  /** The system's displays changed. */
  layout: tell('layout', { screens: Type.Array(ScreenSchema, { maxItems: 64 }) }),
  pressed: tell('pressed', { key: GlobalKeyName }),
  chosen: tell('chosen', { id: PanelId }),
  /** What the person did with the companion; places in the host's own units. */
  touched: tell('touched', {
    touch: Type.Union([
      Type.Object(
        { kind: Type.Literal('press'), button: Type.Enum(['primary', 'secondary']), at: PointTuple },
        closed,
      ),
      /** The pointer is over its open menu or body; null: it left. */
      Type.Object({ kind: Type.Literal('over'), at: Type.Union([PointTuple, Type.Null()]) }, closed),
      Type.Object({ kind: Type.Literal('key'), key: Type.Enum(['up', 'down', 'enter', 'escape']) }, closed),
    ]),
  }),
  /** Something to note in the log. */
  noted: tell('noted', { event: Type.String({ maxLength: 100 }), detail: Type.String({ maxLength: 2000 }) }),
}

type Orders = { [K in keyof typeof HOST_ORDERS]: Static<(typeof HOST_ORDERS)[K]> }
type Reports = { [K in keyof typeof HOST_REPORTS]: Static<(typeof HOST_REPORTS)[K]> }
export type HostOrder = Orders[keyof Orders]
export type HostOrderOf<K extends keyof Orders> = Orders[K]
export type HostReport = Reports[keyof Reports]
export type HostReportOf<K extends keyof Reports> = Reports[K]
export type HostScreen = Static<typeof ScreenSchema>
export type HostSelfReport = Static<typeof ReportSchema>
export type HostPanel = Static<typeof PanelSchema>
export type HostPlace = Static<typeof PlaceSchema>
export type GlobalKey = Static<typeof GlobalKeyName>
