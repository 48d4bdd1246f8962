/** The store's schema, forward only: step N takes a database of version N to N + 1. A step that was released never changes. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE daemons (
    daemon_id TEXT PRIMARY KEY, pid INTEGER NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER
  );
  CREATE TABLE sessions (
    ord INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, cwd TEXT NOT NULL,
    status TEXT NOT NULL, pid INTEGER, started_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    closed_at INTEGER, metadata TEXT NOT NULL, event_count INTEGER NOT NULL
  );
  CREATE TABLE commands (
    ord INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL,
    command TEXT NOT NULL, status TEXT NOT NULL, cwd TEXT NOT NULL, timeout_seconds REAL, exit_code INTEGER,
    created_at INTEGER NOT NULL, started_at INTEGER, updated_at INTEGER NOT NULL, ended_at INTEGER,
    stdout_tail BLOB, stderr_tail BLOB, output_hash TEXT, metadata TEXT NOT NULL,
    event_count INTEGER NOT NULL, stdout_event_count INTEGER NOT NULL, stderr_event_count INTEGER NOT NULL,
    stored_bytes INTEGER NOT NULL
  );
  CREATE INDEX commands_by_session ON commands (session_id);
  CREATE INDEX commands_live ON commands (status) WHERE ended_at IS NULL;
  CREATE TABLE events (
    owner TEXT NOT NULL, seq INTEGER NOT NULL, event_type TEXT NOT NULL, bytes BLOB,
    created_at INTEGER NOT NULL, metadata TEXT, UNIQUE (owner, seq)
  );
  `,
]
