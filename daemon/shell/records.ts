/** What is kept of sessions, commands and events, and how the wire shows it. Times are ms since 1970. */
import { ulid } from 'ulid'
import { SHELL_LIMITS } from '../../protocol/shell/limits.js'
import type {
  CommandSnapshot,
  CommandStatus,
  SessionKind,
  SessionSnapshot,
  SessionStatus,
  ShellEvent,
  ShellEventType,
} from '../../protocol/shell/schema.js'

export type Metadata = Record<string, unknown>

export interface SessionRecord {
  readonly id: string
  readonly kind: SessionKind
  readonly cwd: string
  status: SessionStatus
  pid: number | null
  readonly started_at: number
  updated_at: number
  closed_at: number | null
  metadata: Metadata
  event_count: number
}

export interface CommandRecord {
  readonly id: string
  readonly session_id: string
  readonly command: string
  status: CommandStatus
  readonly cwd: string
  readonly timeout_seconds: number | null
  exit_code: number | null
  readonly created_at: number
  started_at: number | null
  updated_at: number
  ended_at: number | null
  stdout_tail: Buffer | null
  stderr_tail: Buffer | null
  output_hash: string | null
  metadata: Metadata
  event_count: number
  stdout_event_count: number
  stderr_event_count: number
  /** Bytes of output in the store. */
  stored_bytes: number
}

export interface EventRecord {
  readonly owner: string
  readonly seq: number
  readonly event_type: ShellEventType
  readonly bytes: Buffer | null
  readonly created_at: number
  readonly metadata: Metadata | null
}

export function newSession(kind: SessionKind, cwd: string, metadata: Metadata = {}): SessionRecord {
  const now = Date.now()
  return {
    id: `sess_${ulid()}`,
    kind,
    cwd,
    status: 'starting',
    pid: null,
    started_at: now,
    updated_at: now,
    closed_at: null,
    metadata: { ...metadata },
    event_count: 0,
  }
}

export function newCommand(
  { id: session_id, cwd }: SessionRecord,
  command: string,
  timeout_seconds: number | null,
  metadata: Metadata = {},
): CommandRecord {
  const now = Date.now()
  return {
    id: `cmd_${ulid()}`,
    session_id,
    command,
    status: 'queued',
    cwd,
    timeout_seconds,
    exit_code: null,
    created_at: now,
    started_at: null,
    updated_at: now,
    ended_at: null,
    stdout_tail: null,
    stderr_tail: null,
    output_hash: null,
    metadata: { ...metadata },
    event_count: 0,
    stdout_event_count: 0,
    stderr_event_count: 0,
    stored_bytes: 0,
  }
}

const ENDED: ReadonlySet<CommandStatus> = new Set(['completed', 'failed', 'timed_out', 'canceled'])
export const isTerminal = ({ status }: Pick<CommandRecord, 'status'>): boolean => ENDED.has(status)

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

export function sessionSnapshot(session: SessionRecord, commands: number, active: number): SessionSnapshot {
  const { id, kind, status, cwd, pid, started_at, updated_at, closed_at, metadata } = session
  return {
    id,
    kind,
    status,
    cwd,
    pid,
    started_at: iso(started_at),
    updated_at: iso(updated_at),
    closed_at: isoOrNull(closed_at),
    metadata,
    command_count: commands,
    active_command_count: active,
  }
}

export function commandSnapshot(command: CommandRecord): CommandSnapshot {
  const { stdout_tail, stderr_tail, created_at, started_at, updated_at, ended_at, stored_bytes, ...rest } =
    command
  return {
    ...rest,
    created_at: iso(created_at),
    started_at: isoOrNull(started_at),
    updated_at: iso(updated_at),
    ended_at: isoOrNull(ended_at),
    stdout_tail: tailText(stdout_tail),
    stderr_tail: tailText(stderr_tail),
  }
}

export function shellEvent(event: EventRecord): ShellEvent {
  const { owner, seq, event_type, bytes, created_at, metadata } = event
  const text = bytes ? exactText(bytes) : ''
  const lossy = bytes !== null && text === null
  return {
    id: `evt_${owner}_${seq}`,
    ...(owner.startsWith('cmd_') ? { command_id: owner } : { session_id: owner }),
    seq,
    event_type,
    text: text ?? (bytes as Buffer).toString('utf8'),
    created_at: iso(created_at),
    // What is no UTF-8 cannot be in JSON text: the exact bytes are beside it.
    metadata: { ...metadata, ...(lossy && { base64: (bytes as Buffer).toString('base64') }) },
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that these bytes are, or null where they are no UTF-8. */
export function exactText(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

/** The last bytes of a stream as text, from the first whole character on. */
function tailText(tail: Buffer | null): string {
  if (!tail) return ''
  let start = Math.max(0, tail.length - SHELL_LIMITS.tailBytes)
  if (start > 0 || tail.length === SHELL_LIMITS.tailBytes)
    for (let n = 0; n < 3 && start < tail.length && ((tail[start] as number) & 0xc0) === 0x80; n++) start++
  return tail.toString('utf8', start)
}

/** How many bytes at the end are the beginning of a character whose rest is still to come: 0..3. */
export function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if ((byte & 0xc0) === 0x80) continue
    const needs = byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
    return byte < 0xf8 && needs > back ? back : 0
  }
  return 0
}
