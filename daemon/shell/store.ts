/**
 * What outlives the daemon. Writes are queued and committed together: before any answer that tells of them, when much is
 * queued, and a few ms after the first. One commit is one transaction, so that a terminal status and its event are too.
 * A commit that fails keeps the queue: nothing is lost when a disk is full for a while.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ShellError } from '../../protocol/shell/errors.js'
import { type Database, openDatabase, type Prepared, SCHEMA_VERSION } from './database.js'
import type { CommandRecord, EventRecord, SessionRecord } from './records.js'
import {
  commandFrom,
  commandRow,
  commandUpdate,
  eventFrom,
  eventRow,
  gapRow,
  STATEMENTS,
  sessionFrom,
  sessionRow,
} from './rows.js'

/** How long a write may wait for others to share its commit, in ms. */
const GATHER_MS = 5
/** Queued bytes that are committed at once. */
const GATHER_BYTES = 512 * 1024
const RETRY_MS = 500
/** Given up when the disk is full, so that what has ended can still be written. */
const RESERVE_BYTES = 512 * 1024

type Statement = keyof typeof STATEMENTS
type Count = 'commandCount' | 'sessionCount' | 'commandsOfSession' | 'storedBytes' | 'lastSeq'
interface Write {
  readonly statement: Statement
  readonly values: readonly unknown[]
  readonly bytes: number
}

export interface StoreEvents {
  /** Commits begin to fail (why), or work again (null). */
  fault(fault: string | null): void
  /** All that was queued is safe. */
  committed(): void
}

export class Store {
  readonly #db: Database
  readonly #statements: Readonly<Record<Statement, Prepared>>
  readonly #reserve: string
  #queue: Write[] = []
  #queuedBytes = 0
  readonly #before: (() => void)[] = []
  #timer: NodeJS.Timeout | null = null
  #fault: string | null = null
  #closed = false
  readonly #events: StoreEvents

  /** Where a corrupt database was put, if there was one. */
  readonly aside: string | null
  readonly schemaVersion = SCHEMA_VERSION

  constructor(folder: string, events: StoreEvents) {
    const { db, aside } = openDatabase(folder)
    this.#db = db
    this.aside = aside
    this.#events = events
    this.#reserve = join(folder, 'store', 'reserve')
    this.#statements = Object.fromEntries(
      Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)]),
    ) as Record<Statement, Prepared>
    this.#keepReserve()
  }

  /** Why nothing can be committed at the moment, or null. */
  get fault(): string | null {
    return this.#fault
  }

  /** Whether output is kept: it must not fill the memory while nothing can be committed, nor the room that is left. */
  get takesOutput(): boolean {
    return this.#fault === null
  }

  write(statement: Statement, values: readonly unknown[], bytes = 0): void {
    this.#queue.push({ statement, values, bytes })
    this.#queuedBytes += bytes
    if (this.#queuedBytes >= GATHER_BYTES && this.#fault === null) this.commit()
    else this.#soon()
  }

  /** Calls `write` once, right before the next commit: for what changes often and counts as it is then. */
  beforeCommit(write: () => void): void {
    this.#before.push(write)
    this.#soon()
  }

  saveSession(session: SessionRecord): void {
    this.write('saveSession', sessionRow(session))
  }

  addCommand(command: CommandRecord): void {
    this.write('addCommand', commandRow(command))
  }

  updateCommand(command: CommandRecord): void {
    this.write('updateCommand', commandUpdate(command))
  }

  saveEvent(event: EventRecord): void {
    this.write('saveEvent', eventRow(event), event.bytes?.length ?? 0)
  }

  /**
   * Writes a record that is acknowledged only once it is safe. Throws `ShellError`, and then nothing of it is kept.
   */
  insist(write: () => void): void {
    // What waits is committed apart: only this may be taken back.
    this.commit()
    if (this.#fault !== null) throw storageError(this.#fault)
    const kept = this.#queue.length
    const keptBytes = this.#queuedBytes
    write()
    if (this.commit() || this.#fault === null) return
    this.#queue.length = Math.min(kept, this.#queue.length)
    this.#queuedBytes = keptBytes
    throw storageError(this.#fault)
  }

  /**
   * Commits what is queued; when that fails, `fault` says why and it is tried again. Returns whether all of it is safe, be
   * there room for more or not.
   */
  commit(): boolean {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    for (const write of this.#before.splice(0)) write()
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#queue.length === 0 && this.#fault === null) return true
    let failure = this.#attempt()
    if (failure !== null) {
      // What became of commands comes first.
      this.#giveReserve()
      this.#dropOutput(failure)
      failure = this.#attempt()
    }
    const safe = failure === null
    if (safe) {
      this.#queue = []
      this.#queuedBytes = 0
      this.#events.committed()
    }
    // The reserve is made again when there is room: a disk that is full stays a fault until then.
    if (safe) failure = this.#keepReserve()
    if (failure !== null) this.#soon()
    if ((failure === null) === (this.#fault === null)) return safe
    this.#fault = failure
    this.#events.fault(failure)
    return safe
  }

  sessions(): SessionRecord[] {
    return this.#rows('sessions', []).map(sessionFrom)
  }

  liveSessions(): SessionRecord[] {
    return this.#rows('liveSessions', []).map(sessionFrom)
  }

  session(id: string): SessionRecord | null {
    const [row] = this.#rows('session', [id])
    return row ? sessionFrom(row) : null
  }

  command(id: string): CommandRecord | null {
    const [row] = this.#rows('command', [id])
    return row ? commandFrom(row) : null
  }

  liveCommands(): CommandRecord[] {
    return this.#rows('liveCommands', []).map(commandFrom)
  }

  /** Events of `owner` after `seq`, at most `limit`. */
  events(owner: string, seq: number, limit: number): EventRecord[] {
    return this.#rows('events', [owner, seq, limit]).map(eventFrom)
  }

  count(what: Count, ...values: unknown[]): number {
    return Number(this.#rows(what, values)[0]?.[0] ?? 0)
  }

  /** Ids of earlier daemons of this folder that did not end by themselves. */
  crashedDaemons(): string[] {
    return this.#rows('crashedDaemons', []).map(([id]) => String(id))
  }

  /** Forgets the oldest commands that have ended, so that `count` of them are kept. */
  forget(count: number): void {
    if (this.#closed) return
    const last = Number(this.#rows('lastCommand', [])[0]?.[0] ?? 0)
    if (last <= count) return
    this.write('forgetEvents', [last - count])
    this.write('forgetCommands', [last - count])
  }

  /** Makes room: output of the commands that ended first becomes gaps, until no more than `bytes` are kept. */
  prune(bytes: number): void {
    if (this.#closed) return
    this.commit()
    let stored = this.count('storedBytes')
    if (stored <= bytes) return
    for (const [id, size] of this.#rows('oldestOutput', [])) {
      if (stored <= bytes) break
      this.write('dropOutput', [id])
      this.write('forgetOutput', [id])
      stored -= Number(size)
    }
    this.commit()
    if (this.#fault === null) this.#db.exec('PRAGMA incremental_vacuum(4096)')
  }

  close(): void {
    this.commit()
    if (this.#timer) clearTimeout(this.#timer)
    this.#closed = true
    // Statements hold the connection until they are collected: it would not do that by itself.
    if (this.#fault === null) this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    this.#db.close()
    rmSync(this.#reserve, { force: true })
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.#tick(), this.#fault === null ? GATHER_MS : RETRY_MS)
  }

  #tick(): void {
    this.#timer = null
    this.commit()
  }

  #attempt(): string | null {
    try {
      this.#db.exec('BEGIN IMMEDIATE')
      for (const { statement, values } of this.#queue) this.#statements[statement].run(...values)
      this.#db.exec('COMMIT')
      return null
    } catch (error) {
      try {
        this.#db.exec('ROLLBACK')
      } catch {
        // SQLite has rolled back by itself.
      }
      return (error as Error).message
    }
  }

  #rows(statement: Statement, values: readonly unknown[]): unknown[][] {
    this.commit()
    return this.#statements[statement].raw().all(...(values as unknown[])) as unknown[][]
  }

  /** Why there is no room for the reserve, or null. */
  #keepReserve(): string | null {
    try {
      if (!existsSync(this.#reserve))
        writeFileSync(this.#reserve, Buffer.alloc(RESERVE_BYTES, 1), { mode: 0o600 })
      return null
    } catch (error) {
      rmSync(this.#reserve, { force: true })
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return 'it was removed while the daemon ran; start another one'
      return code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : code || (error as Error).message
    }
  }

  #giveReserve(): void {
    rmSync(this.#reserve, { force: true })
  }

  /** Queued output becomes gaps, which take no room. */
  #dropOutput(reason: string): void {
    this.#queue = this.#queue.map((write) =>
      write.bytes > 0 ? { ...write, ...gapRow(write.values, reason) } : write,
    )
    this.#queuedBytes = 0
  }
}

function storageError(fault: string): ShellError {
  return new ShellError(
    'internal_error',
    `the state folder cannot be written (${fault}); nothing was started`,
  )
}
