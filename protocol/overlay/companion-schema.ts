/** The request, the acks and the push that are about the companion. As with `schema.ts`, nothing at run time needs it. */
import Type from 'typebox'
import { ANY_MOOD_ENTITY_DATA, type EntityCommand, type EntityData } from '../lip/entity-schema.js'
import { LIMITS } from './limits.js'
import { DisplayId } from './reply-parts.js'
import { Name } from './request-parts.js'

const opt = Type.Optional

/** The person's settings. */
const Settings = Type.Object(
  {
    on: opt(Type.Boolean()),
    quiet_ms: opt(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.quietMs,
        description: 'milliseconds from now; 0 ends it',
      }),
    ),
    hours: opt(
      Type.String({
        pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]|none)$',
        description: 'when it keeps away every day, in local time, such as 22:00-07:00; or none',
      }),
    ),
    mute: opt(Name),
    unmute: opt(Name),
  },
  { minProperties: 1 },
)

export const COMPANION_FIELDS = {
  command: opt(Type.Enum(Object.keys(ANY_MOOD_ENTITY_DATA) as EntityCommand[])),
  data: opt(Type.Record(Type.String(), Type.Unknown(), { description: 'of the command' })),
  display_id: opt(DisplayId),
  set: opt(Settings),
  listen: opt(Type.Boolean()),
  log: opt(Type.Boolean()),
  token: opt(Name),
}

const FORMS = ['command', 'set', 'listen'] as const

/** One of three things, or none: then it only asks. `data` is the command's. */
export const COMPANION_RULES = {
  oneOf: [
    ...FORMS.map((field) => ({ required: [field] })),
    { not: { anyOf: FORMS.map((field) => ({ required: [field] })) } },
  ],
  dependencies: { data: ['command'] },
  allOf: Object.entries(ANY_MOOD_ENTITY_DATA).map(([command, data]) => ({
    // biome-ignore lint/suspicious/noThenProperty: that is what JSON Schema calls it
    then: { properties: { data }, ...(Object.keys(data.properties).length > 0 && { required: ['data'] }) },
    if: { properties: { command: { const: command } }, required: ['command'] },
  })),
}

/** A command and its `data`, once the schema has passed them. */
export type CompanionCommand = {
  readonly [C in EntityCommand]: { readonly command: C; readonly data: EntityData[C] }
}[EntityCommand]

const Suggestion = Type.Object({
  id: Type.String(),
  label: Type.String(),
  hint: opt(Type.String()),
})

/** One thing that was asked of the companion. */
const LogEntry = Type.Object({
  ago_ms: Type.Number({ minimum: 0, description: 'milliseconds' }),
  client: Type.String({ description: 'as a person would be shown its name' }),
  command: Type.String(),
  text: opt(Type.String({ description: 'what it said' })),
  shown: Type.Boolean({ description: 'whether the companion was on the screen then' }),
  note: opt(Type.String({ description: 'what was left out, and why' })),
})

export const CompanionState = Type.Object({
  on: Type.Boolean(),
  shown: Type.Boolean(),
  hidden_because: opt(
    Type.String({
      description:
        'off, no_surface, paused, sent_away, quiet, hours, hidden, full_screen or muted_app; a newer daemon may say others',
    }),
  ),
  display_id: opt(DisplayId),
  at: opt(Type.Tuple([Type.Number(), Type.Number()])),
  mood: opt(Type.String()),
  asleep: opt(Type.Boolean()),
  says: opt(Type.String()),
  crowded: opt(
    Type.Boolean({ description: 'marks leave no place for what it says: it is on the screen once they do' }),
  ),
  suggestions: opt(Type.Array(Suggestion)),
  persona: opt(Type.Object({ name: Type.String(), traits: Type.Record(Type.String(), Type.Unknown()) })),
  quiet_ms: opt(Type.Number({ minimum: 0, description: 'milliseconds that are left' })),
  hours: opt(Type.String()),
  muted_apps: opt(Type.Array(Type.String())),
  summon_key: opt(Type.Array(Type.String(), { description: 'a key cap each; absent: none could be had' })),
  log: opt(Type.Array(LogEntry, { description: 'the latest last' })),
})

export const COMPANION_EVENT_FIELDS = {
  event: Type.String({
    description:
      'entity.click, entity.pick, entity.dismiss, entity.summon, entity.secret or entity.profile; a newer daemon may send others',
  }),
  display_id: opt(DisplayId),
  data: Type.Record(Type.String(), Type.Unknown()),
}
