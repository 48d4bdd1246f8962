/**
 * The overlay wire 0.2 as JSON Schema (draft 7), the single source: types are inferred from it, validators and the
 * schema files for other languages are generated from it. Nothing at run time imports this file for its values.
 */
import Type, { type Static, type TProperties } from 'typebox'
import { HOST_CAPABILITIES } from './capabilities.js'
import {
  COMPANION_EVENT_FIELDS,
  COMPANION_FIELDS,
  COMPANION_RULES,
  CompanionState,
} from './companion-schema.js'
import { ERROR_CODES } from './errors.js'
import { FORMS } from './forms.js'
import { LIMITS } from './limits.js'
import {
  AckDisplay,
  DisplayId,
  DisplayInfo,
  Grant,
  MarkStatus,
  NumberRect,
  ResolverInfo,
  SizeSchema,
  WindowInfo,
} from './reply-parts.js'
import {
  Coordinate,
  exactlyOneOf,
  Label,
  Milliseconds,
  Name,
  Place,
  PointSchema,
  Position,
  Query,
  RectSchema,
  StrokeStyle,
} from './request-parts.js'

/** Numbers are held to what every JSON reader keeps exact: a reply with a rounded id would answer nobody. */
const RequestId = Type.Union(
  [
    Type.String({ maxLength: LIMITS.name }),
    Type.Number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  ],
  { description: 'echoed on the reply' },
)
const ENVELOPE = {
  v: Type.String({
    pattern: '^0+\\.[0-9]+$',
    description: 'protocol version, "0.2"; any other minor is understood',
  }),
  id: Type.Optional(RequestId),
}

/** What every drawing request may carry. */
const DRAWING = {
  ttl_ms: Type.Optional(Milliseconds),
  step: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.step })),
  window: Type.Optional(Name),
  frame: Type.Optional(Name),
}
/** What narrows a query. */
const GROUNDING = {
  within: Type.Optional(RectSchema),
  nth: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  app: Type.Optional(Name),
  token: Type.Optional(Name),
}

/** `display_id`, unless a `frame` or a `window` says which display it is. */
const onADisplay = {
  anyOf: [{ required: ['display_id'] }, { required: ['frame'] }, { required: ['window'] }],
}

function request<T extends string, P extends TProperties>(
  type: T,
  properties: P,
  options: Record<string, unknown> = {},
) {
  return Type.Object({ ...ENVELOPE, type: Type.Literal(type), ...properties }, options)
}

export const SessionStart = request('session_start', {
  client_name: Name,
  linger_ms: Type.Optional(
    Type.Integer({ minimum: 0, maximum: LIMITS.lingerMs, description: 'milliseconds' }),
  ),
  acks: Type.Optional(Type.Enum(['accepted', 'painted'])),
  resume: Type.Optional(Name),
})
export const PointRequest = request(
  'point',
  {
    x: Type.Optional(Coordinate),
    y: Type.Optional(Coordinate),
    at: Type.Optional(Position),
    query: Type.Optional(Query),
    display_id: Type.Optional(DisplayId),
    label: Type.Optional(Label),
    ...DRAWING,
    ...GROUNDING,
  },
  { ...exactlyOneOf(FORMS.point), ...onADisplay },
)
export const HighlightRequest = request(
  'highlight',
  {
    rect: Type.Optional(RectSchema),
    query: Type.Optional(Query),
    display_id: Type.Optional(DisplayId),
    label: Type.Optional(Label),
    shape: Type.Optional(Type.Enum(['rect', 'ellipse'])),
    spotlight: Type.Optional(Type.Boolean()),
    ...DRAWING,
    ...GROUNDING,
  },
  { ...exactlyOneOf(FORMS.highlight), ...onADisplay },
)
export const TextboxRequest = request(
  'textbox',
  {
    anchor: Type.Optional(
      Type.Object({
        screen_rect: RectSchema,
        display_id: DisplayId,
        content_hash: Type.Optional(Type.Union([Type.String({ maxLength: 4096 }), Type.Null()])),
      }),
    ),
    rect: Type.Optional(RectSchema),
    display_id: Type.Optional(DisplayId),
    text: Type.String({ minLength: 1, maxLength: LIMITS.text, pattern: '\\S' }),
    style: Type.Optional(Type.Enum(['note', 'guide'])),
    about: Type.Optional(
      Type.Enum(['screen'], { description: 'about no window: it goes with none, and stays where it is' }),
    ),
    ...DRAWING,
  },
  { ...exactlyOneOf(FORMS.textbox), anyOf: [...onADisplay.anyOf, { required: ['anchor'] }] },
)
export const DrawRequest = request(
  'draw',
  {
    display_id: Type.Optional(DisplayId),
    path: Type.Array(PointSchema, { minItems: 2, maxItems: LIMITS.pathPoints }),
    style: Type.Optional(StrokeStyle),
    ...DRAWING,
  },
  onADisplay,
)
export const ArrowRequest = request(
  'arrow',
  {
    display_id: Type.Optional(DisplayId),
    from: Place,
    to: Place,
    bow: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
    style: Type.Optional(StrokeStyle),
    ...DRAWING,
  },
  onADisplay,
)
export const Move = request(
  'move',
  { annotation_id: Name, to: Type.Optional(PointSchema), by: Type.Optional(PointSchema) },
  exactlyOneOf(FORMS.move),
)
export const Clear = request(
  'clear',
  {
    annotation_id: Type.Optional(Name),
    all: Type.Optional(Type.Literal(true)),
    all_sessions: Type.Optional(Type.Literal(true)),
  },
  exactlyOneOf(FORMS.clear),
)
export const SessionEnd = request('session_end', {})
export const Focus = request('focus', { app: Name })
export const AwaitWindow = request('await_window', {
  app: Name,
  timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000, description: 'milliseconds' })),
})
export const AwaitNext = request('await_next', {
  timeout_ms: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 600_000, description: 'milliseconds; 0 ends the wait that is on' }),
  ),
})
export const Cancel = request('cancel', { request: RequestId })
export const Displays = request('displays', {})
export const Status = request('status', { token: Type.Optional(Name) })
export const Apps = request('apps', {})
export const Resolvers = request('resolvers', {})
export const Capture = request('capture', {
  display_id: DisplayId,
  rect: Type.Optional(RectSchema),
  max_edge: Type.Optional(Type.Integer({ minimum: 16, maximum: 16_384, description: 'image pixels' })),
  marks: Type.Optional(Type.Boolean()),
  backdrop: Type.Optional(Type.Enum(['screen', 'none'])),
  token: Type.Optional(Name),
})
export const FrameRequest = request('frame', { frame: Name })
export const Locate = request('locate', { query: Query, display_id: DisplayId, ...GROUNDING })
export const Consent = request(
  'consent',
  {
    capture: Type.Optional(Type.Enum(['ask', 'always', 'never'])),
    grounding: Type.Optional(Type.Enum(['ask', 'always', 'never'])),
    answer: Type.Optional(
      Type.Enum(['yes', 'no'], { description: 'to the question that is on the screen now' }),
    ),
    token: Type.Optional(Name),
    for_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400_000, description: 'milliseconds' })),
  },
  exactlyOneOf(FORMS.consent),
)

export const PauseRequest = request('pause', { paused: Type.Boolean(), token: Type.Optional(Name) })
export const CompanionRequest = request('companion', COMPANION_FIELDS, COMPANION_RULES)

/** Every request, by its `type`. The one list: validators, types, vectors and docs follow it. */
export const REQUESTS = {
  session_start: SessionStart,
  point: PointRequest,
  highlight: HighlightRequest,
  textbox: TextboxRequest,
  draw: DrawRequest,
  arrow: ArrowRequest,
  move: Move,
  clear: Clear,
  session_end: SessionEnd,
  focus: Focus,
  await_window: AwaitWindow,
  await_next: AwaitNext,
  cancel: Cancel,
  displays: Displays,
  status: Status,
  apps: Apps,
  capture: Capture,
  frame: FrameRequest,
  locate: Locate,
  resolvers: Resolvers,
  consent: Consent,
  pause: PauseRequest,
  companion: CompanionRequest,
} as const

const REPLY = {
  v: Type.String({ description: "the daemon's protocol version" }),
  id: Type.Optional(RequestId),
}

export const Ack = Type.Object({
  ...REPLY,
  type: Type.Literal('ack'),
  session_id: Type.Optional(Type.String()),
  resumed: Type.Optional(Type.Boolean()),
  annotation_id: Type.Optional(Type.String()),
  resolved_coords: Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() })),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  resolved_by: Type.Optional(Type.String({ description: 'the resolver that found it' })),
  matched: Type.Optional(
    Type.Object({
      name: Type.String({ description: 'what it says' }),
      role: Type.String({ description: 'what it is, such as button' }),
      rect: NumberRect,
    }),
  ),
  kind: Type.Optional(Type.String({ description: 'what was drawn for a query: point or highlight' })),
  sent_to: Type.Optional(
    Type.Array(Type.String(), { description: 'where something of the screen went to find it' }),
  ),
  resolvers: Type.Optional(Type.Array(ResolverInfo)),
  display: Type.Optional(AckDisplay),
  painted: Type.Optional(Type.Boolean()),
  missing_glyphs: Type.Optional(Type.Array(Type.String())),
  cleared: Type.Optional(Type.Integer({ minimum: 0 })),
  displays: Type.Optional(Type.Array(DisplayInfo)),
  version: Type.Optional(Type.String()),
  screen: Type.Optional(
    Type.String({ description: 'such as :0 or wayland-1; absent: no screen is drawn on' }),
  ),
  host: Type.Optional(Type.String()),
  capabilities: Type.Optional(
    Type.Array(Type.String(), { description: `of ${Object.keys(HOST_CAPABILITIES).join(', ')}: what is so` }),
  ),
  sessions: Type.Optional(Type.Integer({ minimum: 0 })),
  mark_count: Type.Optional(Type.Integer({ minimum: 0 })),
  uptime_ms: Type.Optional(Type.Number({ minimum: 0 })),
  marks: Type.Optional(Type.Array(MarkStatus)),
  pid: Type.Optional(Type.Integer()),
  peer_check: Type.Optional(Type.String({ description: 'credentials or folder' })),
  capture_consent: Type.Optional(Type.String({ description: 'ask, always or never' })),
  grounding_consent: Type.Optional(Type.String({ description: 'ask, always or never' })),
  grants: Type.Optional(Type.Array(Grant)),
  paused: Type.Optional(Type.Boolean({ description: 'the person wants nothing drawn for now' })),
  companion: Type.Optional(CompanionState),
  ignored: Type.Optional(
    Type.Array(Type.String(), { description: 'what of the command was left out, and why' }),
  ),
  answered: Type.Optional(
    Type.Object({
      client: Type.String({ description: 'as the question named it' }),
      display_id: DisplayId,
      answer: Type.String({ description: 'yes or no' }),
      about: Type.Optional(Type.String({ description: 'capture or grounding' })),
    }),
  ),
  host_facts: Type.Optional(
    Type.Object({
      screen: Type.Optional(Type.String({ description: 'such as :0; absent: no screen is drawn on' })),
      compositor: Type.Optional(Type.String({ description: 'present or none' })),
      hotkey: Type.String(),
      hotkey_keys: Type.Optional(Type.String({ description: 'absent: Ctrl+Shift+K' })),
      capture: Type.Optional(Type.String({ description: 'ready, or why there are no pictures' })),
      capture_permission: Type.Optional(
        Type.String({ description: 'kept: the desktop allowed pictures for good, and does not ask' }),
      ),
      reduced_motion: Type.Boolean(),
      notes: Type.Array(Type.String()),
    }),
  ),
  apps: Type.Optional(Type.Array(WindowInfo)),
  activated: Type.Optional(Type.Object({ app: Type.String(), title: Type.Optional(Type.String()) })),
  appeared: Type.Optional(Type.Boolean()),
  next: Type.Optional(Type.Boolean({ description: 'the person pressed the key' })),
  cancelled: Type.Optional(Type.Boolean({ description: 'it was under way, and was told to end' })),
  path: Type.Optional(Type.String()),
  frame_id: Type.Optional(Type.String()),
  content_hash: Type.Optional(Type.String()),
  image_size: Type.Optional(SizeSchema),
  logical_size: Type.Optional(SizeSchema),
  scale_to_logical: Type.Optional(Type.Number()),
  origin: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
})
export const ErrorReply = Type.Object({
  ...REPLY,
  type: Type.Literal('error'),
  code: Type.String({ description: `one of ${ERROR_CODES.join(', ')}; a newer daemon may send others` }),
  msg: Type.String({ description: 'for people: never parse it' }),
  candidates: Type.Optional(Type.Array(Type.Unknown())),
})
export const Invalidated = Type.Object({
  v: REPLY.v,
  type: Type.Literal('invalidated'),
  annotation_id: Type.String(),
  reason: Type.String({
    description: 'scroll, ttl, cleared or display_change; a newer daemon may send others',
  }),
})
export const CompanionEventPush = Type.Object({
  v: REPLY.v,
  type: Type.Literal('companion_event'),
  ...COMPANION_EVENT_FIELDS,
})

/** Every message the daemon sends, by its `type`. */
export const REPLIES = {
  ack: Ack,
  error: ErrorReply,
  invalidated: Invalidated,
  companion_event: CompanionEventPush,
} as const

export type RequestType = keyof typeof REQUESTS
export type RequestOf<T extends RequestType> = Static<(typeof REQUESTS)[T]>
export type Request = { [T in RequestType]: RequestOf<T> }[RequestType]
export type AckMessage = Static<typeof Ack>
export type ErrorMessage = Static<typeof ErrorReply>
export type InvalidatedMessage = Static<typeof Invalidated>
export type Reply = AckMessage | ErrorMessage
export type CompanionEventMessage = Static<typeof CompanionEventPush>
/** What the daemon says unasked. */
export type PushMessage = InvalidatedMessage | CompanionEventMessage
export type DaemonMessage = Reply | PushMessage
export type { CompanionCommand } from './companion-schema.js'
export type CompanionStateFields = NonNullable<AckMessage['companion']>
