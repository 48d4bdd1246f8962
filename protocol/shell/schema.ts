/**
 * The shell protocol 1.0 as JSON Schema (draft 7), the single source: types are inferred from it, validators and the
 * schema file for other languages are generated from it. Nothing at run time imports this file for its values.
 */
import Type, { type Static, type TProperties } from 'typebox'
import { SHELL_ERROR_CODES } from './errors.js'
import { SESSION_KINDS } from './kinds.js'
import { SHELL_LIMITS } from './limits.js'

const Name = Type.String({ minLength: 1, maxLength: SHELL_LIMITS.name, pattern: '\\S' })
const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'the caller’s own, kept as it is',
})
const Time = Type.String({ description: 'ISO 8601, UTC, with Z' })
const Count = Type.Integer({ minimum: 0 })
const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const Seconds = Type.Number({
  exclusiveMinimum: 0,
  maximum: SHELL_LIMITS.timeoutSeconds,
  description: 'seconds',
})
const Wait = Type.Number({
  minimum: 0,
  maximum: SHELL_LIMITS.waitSeconds,
  description: 'seconds the reply may be held back for something to tell; an addition to 1.0',
})

const SESSION_STATUSES = ['starting', 'running', 'closed', 'crashed'] as const
const COMMAND_STATUSES = [
  'queued',
  'starting',
  'running',
  'completed',
  'failed',
  'timed_out',
  'canceled',
] as const
const EVENT_TYPES = [
  'command_started',
  'stdout',
  'stderr',
  'heartbeat',
  'gap',
  'command_completed',
  'command_failed',
  'command_timed_out',
  'command_canceled',
  'session_started',
  'session_reset',
  'session_closed',
  'session_crashed',
] as const

function params<P extends TProperties>(properties: P) {
  return Type.Object(properties)
}

const SessionId = params({ session_id: Name })

/** The parameters of each method; unknown ones are ignored, and null stands for an absent one. */
export const SHELL_METHODS = {
  'capability.discover': params({}),
  'daemon.status': params({}),
  'daemon.shutdown': params({ reason: Type.Optional(Name) }),
  'session.create': params({
    kind: Type.Enum([...SESSION_KINDS]),
    cwd: Type.Optional(Name),
    metadata: Type.Optional(Metadata),
  }),
  'session.list': params({}),
  'session.snapshot': SessionId,
  'session.close': params({ session_id: Name, reason: Type.Optional(Name) }),
  'session.events': params({ session_id: Name, since_seq: Type.Optional(Count) }),
  'command.start': params({
    session_id: Name,
    command: Type.String({ minLength: 1, maxLength: SHELL_LIMITS.command, pattern: '\\S' }),
    cwd: Type.Optional(Name),
    timeout_seconds: Type.Optional(Seconds),
    metadata: Type.Optional(Metadata),
    input: Type.Optional(
      Type.String({
        maxLength: SHELL_LIMITS.command,
        description: 'what the command reads from stdin; an addition to 1.0',
      }),
    ),
  }),
  'command.poll': params({ command_id: Name, wait_seconds: Type.Optional(Wait) }),
  'command.events': params({
    command_id: Name,
    since_seq: Type.Optional(Count),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    wait_seconds: Type.Optional(Wait),
    with_epoch: Type.Optional(Type.Boolean()),
    epoch: Type.Optional(Name),
  }),
  'command.cancel': params({ command_id: Name, reason: Type.Optional(Name) }),
  'command.result': params({ command_id: Name, wait_seconds: Type.Optional(Wait) }),
} as const

const SessionSnapshotSchema = Type.Object({
  id: Name,
  kind: Type.Enum([...SESSION_KINDS]),
  status: Type.Enum([...SESSION_STATUSES]),
  cwd: Type.String(),
  pid: Nullable(Type.Integer()),
  started_at: Time,
  updated_at: Time,
  closed_at: Nullable(Time),
  metadata: Metadata,
  command_count: Count,
  active_command_count: Count,
})

const CommandSnapshotSchema = Type.Object({
  id: Name,
  session_id: Name,
  command: Type.String(),
  status: Type.Enum([...COMMAND_STATUSES]),
  cwd: Type.String(),
  timeout_seconds: Nullable(Type.Number()),
  exit_code: Nullable(Type.Integer()),
  created_at: Time,
  started_at: Nullable(Time),
  updated_at: Time,
  ended_at: Nullable(Time),
  stdout_tail: Type.String({ description: `the last ${SHELL_LIMITS.tailBytes} bytes` }),
  stderr_tail: Type.String(),
  output_hash: Nullable(Type.String({ description: 'SHA-256 of the bytes of stdout, hex; once terminal' })),
  metadata: Metadata,
  event_count: Count,
  stdout_event_count: Count,
  stderr_event_count: Count,
})

const ShellEventSchema = Type.Object({
  id: Name,
  command_id: Type.Optional(Name),
  session_id: Type.Optional(Name),
  seq: Type.Integer({ minimum: 1 }),
  event_type: Type.Enum([...EVENT_TYPES]),
  text: Type.String(),
  created_at: Time,
  metadata: Metadata,
})

const ShellResultSchema = Type.Object({
  command: CommandSnapshotSchema,
  events: Type.Array(ShellEventSchema),
  stdout: Type.String(),
  stderr: Type.String(),
})

const Id = Type.Unknown({ description: 'echoed, whatever JSON value it is' })

/** What crosses the wire. */
export const SHELL_MESSAGES = {
  request: Type.Object({
    id: Type.Optional(Id),
    method: Type.String({ minLength: 1, maxLength: SHELL_LIMITS.name }),
    params: Type.Optional(Type.Object({})),
    token: Type.Optional(Type.String()),
  }),
  success: Type.Object({ id: Id, ok: Type.Literal(true), result: Type.Unknown() }),
  failure: Type.Object({
    id: Id,
    ok: Type.Literal(false),
    error: Type.Object({
      type: Type.String(),
      code: Type.Enum([...SHELL_ERROR_CODES]),
      message: Type.String({ description: 'for people: never parse it' }),
    }),
  }),
} as const

/** What results are made of. */
export const SHELL_RECORDS = {
  session: SessionSnapshotSchema,
  command: CommandSnapshotSchema,
  event: ShellEventSchema,
  result: ShellResultSchema,
} as const

export type ShellMethod = keyof typeof SHELL_METHODS
export type ShellParams<M extends ShellMethod> = Static<(typeof SHELL_METHODS)[M]>
export type SessionKind = (typeof SESSION_KINDS)[number]
export type SessionStatus = (typeof SESSION_STATUSES)[number]
export type CommandStatus = (typeof COMMAND_STATUSES)[number]
export type ShellEventType = (typeof EVENT_TYPES)[number]
export type SessionSnapshot = Static<typeof SessionSnapshotSchema>
export type CommandSnapshot = Static<typeof CommandSnapshotSchema>
export type ShellEvent = Static<typeof ShellEventSchema>
export type CommandResult = Static<typeof ShellResultSchema> & {
  /** The exact bytes in base64, where the output is not UTF-8. */
  readonly stdout_base64?: string
  readonly stderr_base64?: string
}
/** What `command.events` answers with `with_epoch`. */
export interface EventPage {
  readonly epoch: string
  /** Whether the daemon was started anew since the epoch that was sent. */
  readonly restarted: boolean
  readonly events: readonly ShellEvent[]
  readonly next_seq: number
}
