/**
 * LIP v1 as JSON Schema (draft 7), the single source: the envelope and the `data` of every core message. Types are
 * inferred from it; validators and the schema files for other languages are generated from it. `data` may hold more
 * than what is named here: what a receiver does not know, it ignores.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { REQUESTS } from '../overlay/schema.js'
import { type DownType, TYPE_PATTERN, type UpType } from './domains.js'
import { ENTITY_DATA } from './entity-schema.js'
import { LIP_ERROR_CODES } from './errors.js'
import { LIP_LIMITS } from './limits.js'
import { Coordinate, Data, Milliseconds, Nothing, object, opt, Text, Word } from './parts.js'

const Id = Type.String({ minLength: 1, maxLength: LIP_LIMITS.id, pattern: '^[A-Za-z0-9_.:-]+$' })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Pixels = Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'pixels' })

const LipMajor = Type.Literal(1, { description: 'the major version of LIP' })
const MessageType = Type.String({
  maxLength: LIP_LIMITS.type,
  pattern: TYPE_PATTERN,
  description: 'domain.name, or deeper',
})

/** An envelope as every receiver gets it. */
export const Envelope = object({
  lip: LipMajor,
  id: Type.String({ pattern: '^(ev|cm)_[0-9A-HJKMNP-TV-Z]{26}$', description: 'ev_ or cm_, and a ULID' }),
  ts: Type.Integer({ minimum: 0, description: 'milliseconds since 1970' }),
  dir: Type.Enum(['up', 'down']),
  from: Type.String({
    maxLength: LIP_LIMITS.id,
    pattern: '^(claude|host|unique:[a-z][a-z0-9-]{1,31}#w[0-9]+|entity#[a-z0-9]+|screen#d[0-9]+)$',
  }),
  type: MessageType,
  data: Data,
  re: opt(Id),
  ttl: opt(Milliseconds),
})
export type Envelope = Static<typeof Envelope>

/** An envelope as a window may send it: the host fills in the rest, and overwrites what it says of itself. */
export const Sent = object({
  lip: LipMajor,
  type: MessageType,
  data: opt(Data),
  id: opt(Type.String({ maxLength: LIP_LIMITS.id, description: 'the sender’s own; asks for a lip.ack' })),
  re: opt(Id),
  ttl: opt(Milliseconds),
})
export type Sent = Static<typeof Sent>

const Place = object({ x: Coordinate, y: Coordinate, context: opt(Type.Unknown()) })
const Attachment = object({ path: Type.String({ minLength: 1, maxLength: 4096 }), mime: Word })
const Capabilities = Type.Array(Word, { maxItems: 64 })

/** `data` of every core event. */
export const UP_DATA = {
  'lip.hello': object({
    sdk: opt(Word),
    capabilities: opt(Capabilities),
    token: opt(
      Type.String({ maxLength: LIP_LIMITS.word, description: 'the window’s, where no header had it' }),
    ),
    last: opt(Type.String({ maxLength: LIP_LIMITS.id, description: 'id of the last command that came' })),
  }),
  'lip.ping': Nothing,
  'session.open': Nothing,
  'session.close': object({ reason: Word }),
  'entity.summon': Place,
  'entity.dismiss': Nothing,
  'entity.click': Place,
  'entity.pick': object({ id: Word, label: Word }),
  // Aggregates only, under any further name: never what the pointer did moment by moment.
  'entity.profile': object({
    pace: opt(Type.Unknown()),
    clickRate: opt(Type.Number()),
    dwell: opt(Type.Unknown()),
    regions: opt(Type.Unknown()),
    idleMs: opt(Type.Number({ minimum: 0 })),
    sessionMs: opt(Type.Number({ minimum: 0 })),
  }),
  'entity.secret': object({ name: Word }),
  'chat.message': object({ text: Text, attachments: opt(Type.Array(Attachment, { maxItems: 32 })) }),
  'component.action': object({ id: Word, action: Word, value: opt(Type.Unknown()) }),
  'media.image': object({
    path: Type.String({ minLength: 1, maxLength: 4096 }),
    w: Pixels,
    h: Pixels,
    mime: Word,
    bytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    source: Type.Enum(['paste', 'drop', 'file']),
    componentId: opt(Word),
  }),
  'screen.invalidated': object({ annotation_id: Id, reason: Word }),
} as const satisfies Record<UpType, TSchema>

/** What the overlay wire says of a mark, less its envelope. */
function onScreen(request: TSchema): TSchema {
  const { properties, required, ...rest } = JSON.parse(JSON.stringify(request))
  const { v, id, type, ...fields } = properties
  return Type.Unsafe<Record<string, unknown>>({
    ...rest,
    required: (required as string[]).filter((name) => name in fields),
    properties: fields,
  })
}

/** `data` of every core command, and of what the host says down. */
export const DOWN_DATA = {
  'lip.ready': object({
    window: Id,
    unique: Word,
    host: Type.String({ description: 'the version of the host' }),
    capabilities: Capabilities,
    resume: opt(object({ session: Id })),
    missed: opt(Type.Integer({ minimum: 1, description: 'commands that can no longer be had' })),
    runs: opt(Type.Array(Id, { description: 'runs of this window that are under way' })),
  }),
  'lip.pong': Nothing,
  'lip.error': object({ code: Type.Enum([...LIP_ERROR_CODES]), message: Text, re: opt(Id) }),
  'lip.ack': object({ id: Id, ignored: opt(Type.Boolean()) }),
  'session.close': object({ reason: Word, session: opt(Id) }),
  'session.state': Nothing,
  ...ENTITY_DATA,
  'chat.open': Nothing,
  'chat.close': Nothing,
  'chat.say': object({ text: Text, seq: opt(Count), done: opt(Type.Boolean()) }),
  'chat.typing': object({ on: Type.Boolean() }),
  'component.create': object({
    id: Word,
    // Any word: an unknown one is shown as a note with its props.
    type: Word,
    props: Data,
    slot: opt(Type.Enum(['dock', 'float', 'panel', 'inline'])),
    at: opt(object({ x: Coordinate, y: Coordinate })),
  }),
  'component.update': object({ id: Word, props: Data }),
  'component.remove': object({ id: Word }),
  'ui.toast': object({
    text: Text,
    level: opt(Type.Enum(['info', 'ok', 'warn', 'error'])),
    ttl: opt(Milliseconds),
  }),
  'ui.theme': object({
    name: opt(Word),
    vars: opt(
      Type.Record(Type.String({ pattern: '^--[A-Za-z0-9-]{1,100}$' }), Type.String({ maxLength: 1000 }), {
        additionalProperties: false,
      }),
    ),
  }),
  'screen.point': onScreen(REQUESTS.point),
  'screen.highlight': onScreen(REQUESTS.highlight),
  'screen.textbox': onScreen(REQUESTS.textbox),
  'screen.draw': onScreen(REQUESTS.draw),
  'screen.arrow': onScreen(REQUESTS.arrow),
  'screen.clear': onScreen(REQUESTS.clear),
  'host.run.output': object({
    run: Id,
    stream: Type.Enum(['stdout', 'stderr']),
    text: Type.String(),
    seq: Count,
  }),
  'host.run.end': object({
    run: Id,
    exit_code: Type.Union([Type.Integer(), Type.Null()], { description: 'null: it did not end by itself' }),
    timed_out: opt(Type.Boolean()),
    cut: opt(Type.Boolean({ description: 'there was more output than is passed on' })),
    error: opt(Text),
  }),
} as const satisfies Record<DownType, TSchema>

export type UpData = { readonly [T in UpType]: Static<(typeof UP_DATA)[T]> }
export type DownData = { readonly [T in DownType]: Static<(typeof DOWN_DATA)[T]> }
