/** A session: one shell, and its commands one after another. When its shell ends it gets a new one, and that is told. */
import { ShellError } from '../../protocol/shell/errors.js'
import { SHELL_LIMITS } from '../../protocol/shell/limits.js'
import type { SessionSnapshot, ShellEventType } from '../../protocol/shell/schema.js'
import type { RunEnd, Shell, ShellEnd } from './backends/backend.js'
import { BACKENDS } from './backends/index.js'
import type { Command, Ending } from './command.js'
import { endProcesses } from './ending.js'
import type { Fifos } from './fifos.js'
import type { Guardian } from './guardian.js'
import { ticksNow } from './processes.js'
import { shellEnvironment } from './quiet.js'
import { type Metadata, type SessionRecord, sessionSnapshot } from './records.js'
import type { Store } from './store.js'

export interface SessionParts {
  readonly daemonId: string
  readonly store: Store
  readonly guardian: Guardian
  readonly fifos: Fifos
  /** A private folder for what shells read. */
  readonly folder: string
  /** Told when a command has ended. */
  readonly onEnded: (command: Command) => void
}

/** A shell that ends this often in a row without having run anything is not worth another try. */
const MAX_FAILED_STARTS = 3

export class Session {
  readonly record: SessionRecord
  readonly #parts: SessionParts
  readonly #queue: Command[] = []
  #current: Command | null = null
  #shell: Shell | null = null
  #working: Promise<void> = Promise.resolve()
  #busy = false
  #closing: Promise<void> | null = null
  /** What the next command is told about the shell it gets. */
  #reset: Metadata | null = null
  #lateBytes = 0

  constructor(record: SessionRecord, parts: SessionParts) {
    this.record = record
    this.#parts = parts
  }

  get active(): Command | null {
    return this.#current
  }

  get queued(): readonly Command[] {
    return this.#queue
  }

  snapshot(): SessionSnapshot {
    const { record } = this
    const parts = this.#parts
    if (this.#lateBytes > 0) record.metadata.late_output_bytes = this.#lateBytes
    const active = this.#queue.length + (this.#current ? 1 : 0)
    return sessionSnapshot(record, parts.store.count('commandsOfSession', record.id), active)
  }

  /** Starts its shell. Rejects with `ShellError` when that does not work. */
  async open(): Promise<void> {
    const started = this.#start()
    this.#working = started.catch(() => {})
    await started
    if (this.#closing) throw new ShellError('conflict', 'the session was closed while it was being started')
    this.record.status = 'running'
    this.#tell('session_started', { pid: this.record.pid })
  }

  /** Throws `ShellError` when it takes no more commands. */
  check(): void {
    const { id, status } = this.record
    if (this.#closing || status === 'closed' || status === 'crashed')
      throw new ShellError(
        'conflict',
        `session ${id} is ${this.#closing ? 'closed' : status}: create another one`,
      )
    if (this.#queue.length >= SHELL_LIMITS.queued)
      throw new ShellError(
        'conflict',
        `session ${id} has ${SHELL_LIMITS.queued} commands that wait, the most there may be`,
      )
  }

  add(command: Command): void {
    this.#queue.push(command)
    if (!this.#busy) this.#work()
  }

  /** Ends a command of this session; resolves once nothing of it runs any more. */
  async end(command: Command, status: Ending, reason: string): Promise<void> {
    const waiting = this.#queue.indexOf(command)
    if (waiting !== -1) {
      this.#queue.splice(waiting, 1)
      this.#finish(command, status, null, { reason })
      return
    }
    if (command !== this.#current || command.ended) return
    if (!command.ending) {
      command.ending = { status, reason }
      void this.#endCurrent(command)
    }
    await command.waiters.until(() => command.ended, 60_000)
  }

  /** Ends everything of the session. Safe to call twice. */
  close(reason: string): Promise<void> {
    this.#closing ??= this.#close(reason)
    return this.#closing
  }

  async #close(reason: string): Promise<void> {
    for (const command of this.#queue.splice(0)) this.#finish(command, 'canceled', null, { reason })
    const current = this.#current
    if (current && !current.ending) current.ending = { status: 'canceled', reason }
    const { record } = this
    let left = await this.#endAll()
    await this.#working
    // One that was just being started.
    if (this.#shell) left = await this.#endAll()
    record.status = 'closed'
    record.closed_at = Date.now()
    record.pid = null
    this.#tell('session_closed', { reason, ...(left.length > 0 && { left_running: left }) })
  }

  /** Ends the shell and whatever the session still has in the background. */
  async #endAll(): Promise<number[]> {
    const shell = this.#shell
    const left = await endProcesses({ session: this.record.id, shell: shell?.pid ?? null })
    if (shell && left.length === 0) this.#forget(shell)
    return left
  }

  #forget(shell: Shell): void {
    if (this.#shell !== shell) return
    this.#shell = null
    this.record.pid = null
    this.#parts.guardian.drop(shell.pid)
  }

  #work(): void {
    this.#busy = true
    this.#working = this.#runAll().finally(() => {
      this.#busy = false
      if (this.#queue.length > 0) this.#work()
    })
  }

  async #runAll(): Promise<void> {
    for (;;) {
      const command = this.#queue.shift()
      if (!command) return
      this.#current = command
      try {
        await this.#runOne(command)
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        this.#finish(command, 'failed', null, { error: message })
      } finally {
        this.#current = null
      }
    }
  }

  async #runOne(command: Command): Promise<void> {
    command.starting()
    if (!this.#shell) await this.#startAgain()
    const shell = this.#shell as unknown as Shell
    if (command.ending)
      return this.#finish(command, command.ending.status, null, { reason: command.ending.reason })
    const reset = this.#reset
    this.#reset = null
    const running = shell.run({
      id: command.id,
      text: command.record.command,
      input: command.input,
      output: (name, bytes) => command.output(name, bytes),
    })
    command.started(ticksNow())
    const timeout = this.#limitTime(command)
    let end: RunEnd
    try {
      end = await running
    } finally {
      timeout?.()
    }
    await this.#conclude(command, shell, end, reset)
  }

  async #conclude(command: Command, shell: Shell, end: RunEnd, reset: Metadata | null): Promise<void> {
    const told: Metadata = { ...(reset && { session_reset_before: reset }) }
    const { ending } = command
    const left = ending ? await this.#settled : []
    if (ending) this.#forget(shell)
    if (left.length > 0) told.left_running = left
    if (end.hungUp && end.hungUp.length > 0) told.no_terminal_for = end.hungUp
    const lost = end.shell !== null || ending !== null
    if (lost) {
      const reason = ending ? ending.status : 'ended_by_command'
      const { code = null, signal = null } = end.shell ?? {}
      this.#reset = { reason, command_id: command.id, exit_code: code, signal }
      told.session_reset = {
        ...this.#reset,
        message:
          'the session’s shell ended with this command: variables, functions and the directory are as at its start',
      }
    }
    // It may have ended by itself at the last moment.
    if (ending && end.shell) this.#finish(command, ending.status, null, { ...told, reason: ending.reason })
    else this.#finish(command, end.exitCode === 0 ? 'completed' : 'failed', end.exitCode, told)
    if (!lost || this.#closing) return
    this.record.metadata.resets = Number(this.record.metadata.resets ?? 0) + 1
    this.#tell('session_reset', this.#reset)
  }

  /** What `#endCurrent` found, once it is through. */
  #settled: Promise<number[]> = Promise.resolve([])

  async #endCurrent(command: Command): Promise<void> {
    const shell = this.#shell
    if (!shell) return
    this.#settled = endProcesses({
      session: this.record.id,
      shell: shell.pid,
      command: { id: command.id, since: command.startedTicks },
    })
    await this.#settled
  }

  #finish(
    command: Command,
    status: Parameters<Command['end']>[0],
    code: number | null,
    metadata: Metadata,
  ): void {
    command.end(status, code, metadata)
    this.#parts.onEnded(command)
  }

  /** Ends the command when its time is up; returns how to take that back. */
  #limitTime(command: Command): (() => void) | null {
    const { timeout_seconds: seconds } = command.record
    if (seconds === null) return null
    const due = performance.now() + seconds * 1000
    let timer: NodeJS.Timeout
    const wait = () => {
      const left = due - performance.now()
      // A timer takes up to 24 days.
      if (left > 0) timer = setTimeout(wait, Math.min(left, 2 ** 31 - 1))
      else void this.end(command, 'timed_out', `it ran longer than ${seconds} s`)
    }
    wait()
    return () => clearTimeout(timer)
  }

  async #startAgain(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#start()
      } catch (error) {
        if (tries < MAX_FAILED_STARTS) continue
        this.record.status = 'crashed'
        this.record.closed_at = Date.now()
        this.#tell('session_crashed', { error: (error as Error).message })
        for (const command of this.#queue.splice(0))
          this.#finish(command, 'failed', null, { error: 'the session’s shell could not be started' })
        throw error
      }
    }
  }

  async #start(): Promise<void> {
    const { record } = this
    const parts = this.#parts
    const backend = BACKENDS[record.kind]
    const program = backend.find()
    if (program === null) throw new ShellError('invalid_params', `kind: ${record.kind} is not installed here`)
    try {
      const shell: Shell = await backend.start({
        program,
        cwd: record.cwd,
        env: shellEnvironment(parts.daemonId, record.id),
        fifos: parts.fifos,
        folder: parts.folder,
        onExit: (end) => this.#exited(shell, end),
        onLate: (bytes) => {
          this.#lateBytes += bytes
        },
      })
      this.#shell = shell
      record.pid = shell.pid
      parts.guardian.add(shell.pid)
    } catch (error) {
      throw new ShellError(
        'internal_error',
        `${record.kind} cannot be started in ${record.cwd}: ${(error as Error).message}`,
      )
    }
  }

  #exited(shell: Shell, end: ShellEnd): void {
    if (this.#shell !== shell) return
    this.#forget(shell)
    if (this.#current || this.#closing) return
    // Nothing ran: somebody else ended it.
    this.#reset = { reason: 'ended_while_idle', exit_code: end.code, signal: end.signal }
    this.record.metadata.resets = Number(this.record.metadata.resets ?? 0) + 1
    this.#tell('session_reset', this.#reset)
  }

  #tell(event_type: ShellEventType, metadata: Metadata | null): void {
    const { record } = this
    const parts = this.#parts
    const now = Date.now()
    record.updated_at = now
    record.event_count++
    const { id: owner, event_count: seq } = record
    parts.store.saveEvent({ owner, seq, event_type, bytes: null, created_at: now, metadata })
    parts.store.saveSession(record)
  }
}
