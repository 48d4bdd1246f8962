/**
 * The shell service: durable sessions and commands in one state folder. Transports speak for it; it can as well be used
 * in-process. What a method answers with is committed before it answers. All methods throw or reject with `ShellError`.
 */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ulid } from 'ulid'
import { ShellError } from '../../protocol/shell/errors.js'
import { SHELL_LIMITS } from '../../protocol/shell/limits.js'
import type {
  CommandSnapshot,
  EventPage,
  SessionSnapshot,
  ShellEvent,
  ShellParams,
} from '../../protocol/shell/schema.js'
import { SHELL_PROTOCOL_VERSION } from '../../protocol/shell/version.js'
import { missing } from './backends/index.js'
import { Command } from './command.js'
import { Fifos } from './fifos.js'
import { Guardian } from './guardian.js'
import { DEFAULT_LIMITS, LOOK_BYTES, LOOK_COMMANDS, type ServiceLimits, type ShellLog } from './limits.js'
import {
  type CommandRecord,
  commandSnapshot,
  isTerminal,
  newCommand,
  newSession,
  sessionSnapshot,
  shellEvent,
} from './records.js'
import { type Recovered, recover } from './recovery.js'
import { Session, type SessionParts } from './session.js'
import { readPublished, StateFolder } from './state-folder.js'
import { Store } from './store.js'

export interface ShellServiceOptions {
  /** Made when it is missing; one service has it at a time. */
  readonly stateDir: string
  readonly log?: ShellLog
  readonly limits?: Partial<ServiceLimits>
}

export interface Waiting {
  readonly signal?: AbortSignal | undefined
}

export class ShellService {
  readonly daemonId = `shd_${ulid()}`
  readonly startedAt = new Date().toISOString()
  readonly stateDir: string
  readonly #log: ShellLog
  readonly #limits: ServiceLimits
  readonly #folder: StateFolder
  readonly #store: Store
  readonly #guardian: Guardian
  readonly #fifos: Fifos
  readonly #parts: SessionParts
  readonly #sessions = new Map<string, Session>()
  /** Commands that have not ended, and those whose end is not committed yet. */
  readonly #commands = new Map<string, Command>()
  #endedBytes = 0
  #endedCommands = 0
  #shutdown: Promise<SessionSnapshot[]> | null = null
  #closed: Promise<void> | null = null
  #tellShutdown = () => {}
  /** Resolves when somebody asked the service to stop. */
  readonly shutdownRequested = new Promise<void>((done) => {
    this.#tellShutdown = done
  })

  /** What was in the folder when it was opened. */
  recovered: Recovered = { daemons: [], sessions: 0, commands: 0, processes: 0 }

  /** Takes the folder, and puts in order what a killed daemon left. Rejects with `StateFolderError`, or what is wrong. */
  static async open(options: ShellServiceOptions): Promise<ShellService> {
    const folder = new StateFolder(resolve(options.stateDir))
    const last = readPublished(folder.path)
    let service: ShellService
    try {
      service = new ShellService(options, folder)
    } catch (error) {
      folder.release()
      throw error
    }
    service.recovered = await recover(service.#store, service.daemonId, last?.daemon_id ?? null)
    const { daemons, ...counts } = service.recovered
    if (daemons.length > 0) service.#log('warn', 'recovered', { daemons, ...counts })
    service.#store.write('beginDaemon', [service.daemonId, process.pid, Date.now()])
    service.#store.forget(service.#limits.commands)
    service.#store.commit()
    return service
  }

  private constructor({ log = () => {}, limits }: ShellServiceOptions, folder: StateFolder) {
    this.#log = log
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.#folder = folder
    this.stateDir = folder.path
    this.#store = new Store(folder.path, {
      fault: (reason) => {
        if (reason !== null) log('error', 'storage_failed', { reason, state_dir: folder.path })
        else log('info', 'storage_works_again')
      },
      committed: () => this.#forgetEnded(),
    })
    if (this.#store.aside !== null) log('error', 'database_corrupt', { kept_as: this.#store.aside })
    this.#guardian = new Guardian(this.daemonId)
    const run = join(folder.path, 'run')
    this.#fifos = new Fifos(run)
    this.#parts = {
      ...{
        daemonId: this.daemonId,
        store: this.#store,
        guardian: this.#guardian,
        fifos: this.#fifos,
        folder: run,
      },
      onEnded: (command) => this.#ended(command),
    }
  }

  get folder(): StateFolder {
    return this.#folder
  }

  /** Whether it is stopping: nothing new is taken. */
  get stopping(): boolean {
    return this.#shutdown !== null
  }

  async createSession({ kind, cwd, metadata }: ShellParams<'session.create'>): Promise<SessionSnapshot> {
    this.#check()
    const why = missing(kind)
    if (why !== null) throw new ShellError('invalid_params', `kind: ${why}`)
    if (this.#sessions.size >= SHELL_LIMITS.sessions)
      throw new ShellError('conflict', `${SHELL_LIMITS.sessions} sessions are open, the most there may be`)
    const folder = resolve(cwd ?? process.cwd())
    if (!isFolder(folder))
      throw new ShellError('invalid_params', `cwd must be a folder that is there; got ${JSON.stringify(cwd)}`)
    const session = new Session(newSession(kind, folder, metadata), this.#parts)
    const { id } = session.record
    this.#sessions.set(id, session)
    try {
      this.#store.insist(() => this.#store.saveSession(session.record))
      await session.open()
    } catch (error) {
      await session.close('it could not be started')
      this.#sessions.delete(id)
      throw error
    }
    this.#store.commit()
    return session.snapshot()
  }

  listSessions(): SessionSnapshot[] {
    return this.#store.sessions().map((record) => this.#sessionSnapshot(record.id))
  }

  sessionSnapshot({ session_id }: ShellParams<'session.snapshot'>): SessionSnapshot {
    return this.#sessionSnapshot(session_id)
  }

  /** Ends the session's shell and everything it started; its commands become `canceled`. */
  async closeSession({ session_id, reason }: ShellParams<'session.close'>): Promise<SessionSnapshot> {
    const session = this.#sessions.get(session_id)
    if (session) {
      await session.close(reason ?? 'the session was closed')
      this.#store.commit()
      const snapshot = session.snapshot()
      this.#sessions.delete(session_id)
      return snapshot
    }
    return this.#sessionSnapshot(session_id)
  }

  sessionEvents({ session_id, since_seq = 0 }: ShellParams<'session.events'>): ShellEvent[] {
    this.#sessionSnapshot(session_id)
    return this.#store.events(session_id, since_seq, 10_000).map(shellEvent)
  }

  startCommand(params: ShellParams<'command.start'>): { command_id: string; command: CommandSnapshot } {
    this.#check()
    const { session_id, command: text, cwd, timeout_seconds = null, metadata, input = null } = params
    const session = this.#sessions.get(session_id)
    if (!session) {
      const { status } = this.#sessionSnapshot(session_id)
      throw new ShellError('conflict', `session ${session_id} is ${status}: create another one`)
    }
    session.check()
    if (cwd !== undefined && resolve(cwd) !== session.record.cwd)
      throw new ShellError(
        'invalid_params',
        `cwd must be the session’s (${session.record.cwd}), or left out; got ${JSON.stringify(cwd)}`,
      )
    const record = newCommand(session.record, text, timeout_seconds, metadata)
    const command = new Command(record, input, this.#store, this.#limits)
    this.#store.insist(() => this.#store.addCommand(record))
    this.#commands.set(record.id, command)
    const queued = this.#shown(command)
    session.add(command)
    return { command_id: record.id, command: queued }
  }

  /** The command as it is; with `wait_seconds`, once it has ended or the time is over. */
  async poll(
    { command_id, wait_seconds }: ShellParams<'command.poll'>,
    { signal }: Waiting = {},
  ): Promise<CommandSnapshot> {
    const command = this.#commands.get(command_id)
    if (command && wait_seconds) await command.waiters.until(() => command.ended, wait_seconds * 1000, signal)
    return this.#shown(command ?? this.#stored(command_id))
  }

  /** Waits, if asked to, until there are events after `since_seq` or the command has ended. */
  async waitForEvents(
    { command_id, since_seq = 0, wait_seconds }: ShellParams<'command.events'>,
    { signal }: Waiting = {},
  ): Promise<void> {
    const command = this.#commands.get(command_id)
    if (!command) this.#stored(command_id)
    else if (wait_seconds) {
      const told = () => command.ended || command.record.event_count > since_seq
      await command.waiters.until(told, wait_seconds * 1000, signal)
    }
    this.#store.commit()
  }

  /** A page of a command's events, in order. */
  eventsAfter(command_id: string, since_seq: number, limit: number): ShellEvent[] {
    return this.#store.events(command_id, since_seq, limit).map(shellEvent)
  }

  async events(params: ShellParams<'command.events'>, waiting: Waiting = {}): Promise<EventPage> {
    await this.waitForEvents(params, waiting)
    const { command_id, since_seq = 0, limit = 10_000 } = params
    const events = this.eventsAfter(command_id, since_seq, limit)
    return { ...this.epochOf(params), events, next_seq: events.at(-1)?.seq ?? since_seq }
  }

  epochOf({ epoch }: { readonly epoch?: string }): { epoch: string; restarted: boolean } {
    return { epoch: this.daemonId, restarted: epoch !== undefined && epoch !== this.daemonId }
  }

  /** Ends the command and all it started; resolves with its record once nothing of it runs. */
  async cancel({ command_id, reason }: ShellParams<'command.cancel'>): Promise<CommandSnapshot> {
    const command = this.#commands.get(command_id)
    if (command && !command.ended)
      await this.#sessions
        .get(command.record.session_id)
        ?.end(command, 'canceled', reason ?? 'it was canceled')
    return this.#shown(command ?? this.#stored(command_id))
  }

  status() {
    const sessions = [...this.#sessions.values()]
    const active = sessions.flatMap(({ active }) => (active ? [active.id] : []))
    const queued = sessions.map(({ record, queued }) => [record.id, queued.map(({ id }) => id)])
    return {
      daemon_id: this.daemonId,
      pid: process.pid,
      protocol_version: SHELL_PROTOCOL_VERSION,
      state_dir: this.stateDir,
      started_at: this.startedAt,
      shutdown_requested: this.stopping,
      schema_version: this.#store.schemaVersion,
      session_count: this.#store.count('sessionCount'),
      live_session_ids: sessions.map(({ record }) => record.id),
      active_command_ids: active,
      queued_by_session: Object.fromEntries(queued) as Record<string, string[]>,
      command_count: this.#store.count('commandCount'),
      storage_fault: this.#store.fault,
      corrupt_database: this.#store.aside,
    }
  }

  /** Closes every session; resolves with what they were. The service then only answers what is asked of the past. */
  shutdown(reason = 'the daemon was shut down'): Promise<SessionSnapshot[]> {
    this.#shutdown ??= Promise.all(
      [...this.#sessions.keys()].map((session_id) => this.closeSession({ session_id, reason })),
    ).finally(() => this.#tellShutdown())
    return this.#shutdown
  }

  /** Shuts down and lets go of the folder. Safe to call twice. */
  close(): Promise<void> {
    this.#closed ??= this.shutdown().then(() => {
      this.#guardian.dismiss()
      this.#store.write('endDaemon', [Date.now(), this.daemonId])
      this.#store.close()
      this.#fifos.close()
      this.#folder.release()
    })
    return this.#closed
  }

  #check(): void {
    if (this.stopping) throw new ShellError('conflict', 'the daemon is shutting down')
  }

  #sessionSnapshot(id: string): SessionSnapshot {
    const live = this.#sessions.get(id)
    this.#store.commit()
    if (live) return live.snapshot()
    const record = this.#store.session(id)
    if (!record) throw new ShellError('not_found', `there is no session ${JSON.stringify(id)}`)
    return sessionSnapshot(record, this.#store.count('commandsOfSession', id), 0)
  }

  #stored(id: string): CommandRecord {
    const record = this.#store.command(id)
    if (!record) throw new ShellError('not_found', `there is no command ${JSON.stringify(id)}`)
    return record
  }

  /** What is said of a command is safe by then; where that cannot be, it says so. */
  #shown(command: Command | CommandRecord): CommandSnapshot {
    if (!(command instanceof Command)) return commandSnapshot(command)
    this.#store.commit()
    const snapshot = command.snapshot()
    const { fault } = this.#store
    return fault === null ? snapshot : { ...snapshot, metadata: { ...snapshot.metadata, unsaved: fault } }
  }

  #ended(command: Command): void {
    this.#endedBytes += command.record.stored_bytes
    this.#endedCommands++
  }

  #forgetEnded(): void {
    for (const [id, command] of this.#commands) if (isTerminal(command.record)) this.#commands.delete(id)
    if (this.#endedBytes > LOOK_BYTES) {
      this.#endedBytes = 0
      setImmediate(() => this.#store.prune(this.#limits.storeBytes))
    }
    if (this.#endedCommands > LOOK_COMMANDS) {
      this.#endedCommands = 0
      setImmediate(() => this.#store.forget(this.#limits.commands))
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
