/** Opens the SQLite database of a state folder: WAL, schema version, migrations; a corrupt file is kept aside. */
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Libsql from 'libsql'
import { MIGRATIONS } from './migrations.js'

export type Database = Libsql.Database
export type Prepared = Libsql.Statement<unknown[]>

export const SCHEMA_VERSION = MIGRATIONS.length

export interface Opened {
  readonly db: Libsql.Database
  /** Where a corrupt database was put, if there was one. */
  readonly aside: string | null
}

/** The file is of a newer Lets: it is left alone. */
class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
}

/** Only whoever owns the folder may call this. Throws `NewerSchema`, or with what SQLite says. */
export function openDatabase(folder: string): Opened {
  // Apart: the folder above is watched, and a commit is no news there.
  const file = join(folder, 'store', 'shell.db')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    return { db: prepared(file), aside: null }
  } catch (error) {
    if (!isCorrupt(error)) throw error
    const aside = freeName(`${file}.corrupt`)
    renameSync(file, aside)
    // What is left of the log belongs to the file it was written for.
    for (const suffix of ['-wal', '-shm'])
      if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
    return { db: prepared(file), aside }
  }
}

/** Takes an exclusive lock on a file, until it is closed or the process ends; null when another process has it. */
export function openLock(file: string): Libsql.Database | null {
  const lock = new Libsql(file, { timeout: 0 } as Libsql.Options)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    const { code = '' } = error as { code?: string }
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return null
    throw error
  }
}

function prepared(file: string): Libsql.Database {
  const db = new Libsql(file)
  try {
    // NORMAL: a commit outlives the process, and after a power cut the last moments may be missing, never the file's
    // consistency.
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA auto_vacuum = INCREMENTAL; PRAGMA cache_size = -8192; PRAGMA journal_size_limit = 16777216`)
    const [check] = db.prepare('PRAGMA quick_check(1)').raw().all() as [string][]
    if (check?.[0] !== 'ok') throw Object.assign(new Error(String(check?.[0])), { code: 'SQLITE_CORRUPT' })
    migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function migrate(db: Libsql.Database): void {
  const [[version = 0] = []] = db.prepare('PRAGMA user_version').raw().all() as [number][]
  if (version > SCHEMA_VERSION)
    throw new NewerSchema(
      `the database is of schema version ${version}, and this Lets knows up to ${SCHEMA_VERSION}: use the newer Lets, or another state folder`,
    )
  for (let step = version; step < SCHEMA_VERSION; step++)
    db.exec(`BEGIN IMMEDIATE; ${MIGRATIONS[step]} PRAGMA user_version = ${step + 1}; COMMIT`)
}

function isCorrupt(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')
}

function freeName(wanted: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}.${n}`
    if (!existsSync(name)) return name
  }
}
