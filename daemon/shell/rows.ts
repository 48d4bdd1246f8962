/** Records to rows of the database and back. */
import type { CommandRecord, EventRecord, Metadata, SessionRecord } from './records.js'

const SESSION = 'id, kind, cwd, status, pid, started_at, updated_at, closed_at, metadata, event_count'
const COMMAND = `id, session_id, command, status, cwd, timeout_seconds, exit_code, created_at, started_at, updated_at,
  ended_at, stdout_tail, stderr_tail, output_hash, metadata, event_count, stdout_event_count, stderr_event_count, stored_bytes`
const EVENT = 'owner, seq, event_type, bytes, created_at, metadata'

export const STATEMENTS = {
  saveSession: `INSERT INTO sessions (${SESSION}) VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET
    status = excluded.status, pid = excluded.pid, updated_at = excluded.updated_at, closed_at = excluded.closed_at,
    metadata = excluded.metadata, event_count = excluded.event_count`,
  addCommand: `INSERT INTO commands (${COMMAND}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
  // The command's text may be long: it is written once.
  updateCommand: `UPDATE commands SET status = ?, exit_code = ?, started_at = ?, updated_at = ?, ended_at = ?,
    stdout_tail = ?, stderr_tail = ?, output_hash = ?, metadata = ?, event_count = ?, stdout_event_count = ?,
    stderr_event_count = ?, stored_bytes = ? WHERE id = ?`,
  saveEvent: `INSERT INTO events (${EVENT}) VALUES (?,?,?,?,?,?)`,
  beginDaemon: 'INSERT INTO daemons (daemon_id, pid, started_at) VALUES (?,?,?)',
  endDaemon: 'UPDATE daemons SET ended_at = ? WHERE daemon_id = ?',
  dropOutput: `UPDATE events SET metadata = json_object('stream', event_type, 'dropped_bytes', length(bytes)),
    event_type = 'gap', bytes = NULL WHERE owner = ? AND bytes IS NOT NULL`,
  forgetOutput: 'UPDATE commands SET stored_bytes = 0 WHERE id = ?',
  sessions: `SELECT ${SESSION} FROM sessions ORDER BY ord`,
  liveSessions: `SELECT ${SESSION} FROM sessions WHERE closed_at IS NULL`,
  session: `SELECT ${SESSION} FROM sessions WHERE id = ?`,
  command: `SELECT ${COMMAND} FROM commands WHERE id = ?`,
  liveCommands: `SELECT ${COMMAND} FROM commands WHERE ended_at IS NULL ORDER BY ord`,
  events: `SELECT ${EVENT} FROM events WHERE owner = ? AND seq > ? ORDER BY seq LIMIT ?`,
  commandCount: 'SELECT count(*) FROM commands',
  sessionCount: 'SELECT count(*) FROM sessions',
  commandsOfSession: 'SELECT count(*) FROM commands WHERE session_id = ?',
  lastCommand: 'SELECT max(ord) FROM commands',
  forgetEvents:
    'DELETE FROM events WHERE owner IN (SELECT id FROM commands WHERE ord <= ? AND ended_at IS NOT NULL)',
  forgetCommands: 'DELETE FROM commands WHERE ord <= ? AND ended_at IS NOT NULL',
  lastSeq: 'SELECT max(seq) FROM events WHERE owner = ?',
  storedBytes: 'SELECT sum(stored_bytes) FROM commands',
  oldestOutput:
    'SELECT id, stored_bytes FROM commands WHERE stored_bytes > 0 AND ended_at IS NOT NULL ORDER BY ended_at LIMIT 1000',
  crashedDaemons: 'SELECT daemon_id FROM daemons WHERE ended_at IS NULL',
} as const

export function sessionRow(session: SessionRecord): unknown[] {
  const { id, kind, cwd, status, pid, started_at, updated_at, closed_at, metadata, event_count } = session
  return [
    id,
    kind,
    cwd,
    status,
    pid,
    started_at,
    updated_at,
    closed_at,
    JSON.stringify(metadata),
    event_count,
  ]
}

export function sessionFrom(row: unknown[]): SessionRecord {
  const [id, kind, cwd, status, pid, started_at, updated_at, closed_at, metadata, event_count] = row
  return {
    ...{ id, kind, cwd, status, pid, started_at, updated_at, closed_at, event_count },
    metadata: JSON.parse(metadata as string) as Metadata,
  } as SessionRecord
}

export function commandRow(command: CommandRecord): unknown[] {
  const { id, session_id, command: text, status, cwd, timeout_seconds, created_at, metadata } = command
  const { exit_code, started_at, updated_at, ended_at, stdout_tail, stderr_tail, output_hash } = command
  return [
    ...[
      id,
      session_id,
      text,
      status,
      cwd,
      timeout_seconds,
      exit_code,
      created_at,
      started_at,
      updated_at,
      ended_at,
    ],
    ...[stdout_tail, stderr_tail, output_hash, JSON.stringify(metadata), command.event_count],
    ...[command.stdout_event_count, command.stderr_event_count, command.stored_bytes],
  ]
}

export function commandUpdate(command: CommandRecord): unknown[] {
  const { id, status, exit_code, started_at, updated_at, ended_at, stdout_tail, stderr_tail, output_hash } =
    command
  return [
    ...[status, exit_code, started_at, updated_at, ended_at, stdout_tail, stderr_tail, output_hash],
    ...[JSON.stringify(command.metadata), command.event_count, command.stdout_event_count],
    ...[command.stderr_event_count, command.stored_bytes, id],
  ]
}

export function commandFrom(row: unknown[]): CommandRecord {
  const [id, session_id, command, status, cwd, timeout_seconds, exit_code, created_at, started_at, ...more] =
    row
  const [updated_at, ended_at, stdout_tail, stderr_tail, output_hash, metadata, event_count, ...counts] = more
  const [stdout_event_count, stderr_event_count, stored_bytes] = counts
  return {
    ...{
      id,
      session_id,
      command,
      status,
      cwd,
      timeout_seconds,
      exit_code,
      created_at,
      started_at,
      updated_at,
    },
    ...{
      ended_at,
      stdout_tail,
      stderr_tail,
      output_hash,
      event_count,
      stdout_event_count,
      stderr_event_count,
    },
    stored_bytes,
    metadata: JSON.parse(metadata as string) as Metadata,
  } as CommandRecord
}

export function eventRow({ owner, seq, event_type, bytes, created_at, metadata }: EventRecord): unknown[] {
  return [owner, seq, event_type, bytes, created_at, metadata ? JSON.stringify(metadata) : null]
}

/** The row of an output event whose bytes could not be kept. */
export function gapRow(row: readonly unknown[], reason: string): { values: unknown[]; bytes: number } {
  const [owner, seq, stream, bytes, created_at] = row
  const metadata = JSON.stringify({ stream, dropped_bytes: (bytes as Buffer).length, reason })
  return { values: [owner, seq, 'gap', null, created_at, metadata], bytes: 0 }
}

export function eventFrom(row: unknown[]): EventRecord {
  const [owner, seq, event_type, bytes, created_at, metadata] = row
  return {
    ...{ owner, seq, event_type, bytes, created_at },
    metadata: metadata === null ? null : (JSON.parse(metadata as string) as Metadata),
  } as EventRecord
}
