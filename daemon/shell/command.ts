/** A command from its acknowledgement to its end: its record, its output as events, and who waits for them. */
import { SHELL_LIMITS } from '../../protocol/shell/limits.js'
import type { CommandSnapshot, CommandStatus, ShellEventType } from '../../protocol/shell/schema.js'
import { Stream } from './output.js'
import { type CommandRecord, commandSnapshot, isTerminal, type Metadata } from './records.js'
import type { Store } from './store.js'
import { Waiters } from './waiters.js'

/** How long output is gathered into one event, in ms. */
const GATHER_MS = 5
const GATHER_BYTES = SHELL_LIMITS.eventBytes

export type OutputName = 'stdout' | 'stderr'
export type Ending = Extract<CommandStatus, 'canceled' | 'timed_out'>

export interface CommandLimits {
  /** Silence after which a heartbeat is told, in ms. */
  readonly heartbeatMs: number
  /** Bytes of output that are kept of one command. */
  readonly outputBytes: number
}

export class Command {
  readonly record: CommandRecord
  readonly waiters = new Waiters()
  /** What its standard input reads; null: it is at its end. */
  readonly input: string | null
  /** In clock ticks: processes that began before are not its own. */
  startedTicks = 0
  /** Why it is being ended, once it is. */
  ending: { readonly status: Ending; readonly reason: string } | null = null
  readonly #store: Store
  readonly #limits: CommandLimits
  readonly #streams = { stdout: new Stream(true), stderr: new Stream(false) }
  readonly #dropped = { stdout: 0, stderr: 0 }
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #gathering: OutputName = 'stdout'
  #flushTimer: NodeJS.Timeout | null = null
  #heartbeat: NodeJS.Timeout | null = null
  #changed = false

  constructor(record: CommandRecord, input: string | null, store: Store, limits: CommandLimits) {
    this.record = record
    this.input = input
    this.#store = store
    this.#limits = limits
  }

  get id(): string {
    return this.record.id
  }

  get ended(): boolean {
    return isTerminal(this.record)
  }

  snapshot(): CommandSnapshot {
    if (!this.ended) {
      this.record.stdout_tail = this.#streams.stdout.tail()
      this.record.stderr_tail = this.#streams.stderr.tail()
    }
    return commandSnapshot(this.record)
  }

  /** The shell is about to get it. */
  starting(): void {
    this.record.status = 'starting'
    this.#update()
  }

  started(ticks: number): void {
    this.startedTicks = ticks
    this.record.status = 'running'
    this.record.started_at = Date.now()
    this.#event('command_started', null, null)
    this.#heartbeat = setInterval(() => this.#beat(), this.#limits.heartbeatMs)
    this.#update()
  }

  /** Takes what it wrote; the buffer is kept. */
  output(name: OutputName, bytes: Buffer): void {
    if (this.ended || bytes.length === 0) return
    this.#heartbeat?.refresh()
    const whole = this.#streams[name].take(bytes)
    if (whole.length === 0) return
    // In order of arrival: what the other stream said before is an event before.
    if (this.#gathering !== name) this.#flush()
    this.#gathering = name
    this.#gathered.push(whole)
    this.#gatheredBytes += whole.length
    if (this.#gatheredBytes >= GATHER_BYTES) this.#flush()
    else this.#flushTimer ??= setTimeout(() => this.#flush(), GATHER_MS)
  }

  /** Its end: the status, the event and the rest of its output are one transaction. */
  end(status: CommandStatus, exitCode: number | null, metadata: Metadata = {}): void {
    if (this.ended) return
    if (this.#heartbeat) clearInterval(this.#heartbeat)
    this.#flush()
    for (const name of ['stdout', 'stderr'] as const) {
      this.#gathering = name
      const rest = this.#streams[name].rest()
      if (rest.length > 0) this.#emit(rest)
      this.#endGap(name)
    }
    const { record } = this
    Object.assign(record.metadata, metadata)
    record.exit_code = exitCode
    record.stdout_tail = this.#streams.stdout.tail()
    record.stderr_tail = this.#streams.stderr.tail()
    record.output_hash = this.#streams.stdout.hash()
    record.status = status
    const reason = Object.keys(metadata).length > 0 ? metadata : null
    this.#event(`command_${status}` as ShellEventType, null, { exit_code: exitCode, ...reason })
    record.ended_at = record.updated_at
    this.#update()
    this.waiters.wake()
  }

  #flush(): void {
    if (this.#flushTimer) clearTimeout(this.#flushTimer)
    this.#flushTimer = null
    if (this.#gatheredBytes === 0) return
    const [first = Buffer.alloc(0)] = this.#gathered
    const bytes = this.#gathered.length === 1 ? first : Buffer.concat(this.#gathered)
    this.#gathered = []
    this.#gatheredBytes = 0
    this.#emit(bytes)
    this.#update()
    this.waiters.wake()
  }

  #emit(bytes: Buffer): void {
    const { record } = this
    const name = this.#gathering
    if (record.stored_bytes >= this.#limits.outputBytes || !this.#store.takesOutput) {
      if (this.#dropped[name] === 0)
        this.#event('gap', null, { stream: name, reason: this.#whyDropped(), begins: true })
      this.#dropped[name] += bytes.length
      return
    }
    this.#endGap(name)
    for (let from = 0; from < bytes.length; ) {
      let to = Math.min(bytes.length, from + GATHER_BYTES)
      // Between two characters; what is no text may be cut anywhere.
      if (to < bytes.length)
        for (let back = 0; back < 3 && ((bytes[to] as number) & 0xc0) === 0x80; back++) to--
      this.#event(name, bytes.subarray(from, to), null)
      record[`${name}_event_count`]++
      from = to
    }
    record.stored_bytes += bytes.length
  }

  /** Says how much of the stream is missing here. */
  #endGap(name: OutputName): void {
    if (this.#dropped[name] === 0) return
    this.#event('gap', null, { stream: name, reason: this.#whyDropped(), dropped_bytes: this.#dropped[name] })
    this.#dropped[name] = 0
  }

  #whyDropped(): string {
    const { outputBytes } = this.#limits
    if (this.record.stored_bytes >= outputBytes)
      return `the output of a command is kept up to ${outputBytes} bytes`
    return `the state folder could not be written`
  }

  #beat(): void {
    this.#event('heartbeat', null, null)
    this.#update()
    this.waiters.wake()
  }

  #event(event_type: ShellEventType, bytes: Buffer | null, metadata: Metadata | null): void {
    const now = Date.now()
    const { record } = this
    record.updated_at = now
    record.event_count++
    this.#store.saveEvent({
      owner: record.id,
      seq: record.event_count,
      event_type,
      bytes,
      created_at: now,
      metadata,
    })
  }

  /** The record is written once for all that happens to it in one go. */
  #update(): void {
    this.record.updated_at = Date.now()
    if (this.ended) this.#store.updateCommand(this.record)
    if (this.ended || this.#changed) return
    this.#changed = true
    this.#store.beforeCommit(() => {
      this.#changed = false
      if (!this.ended) this.#store.updateCommand(this.record)
    })
  }
}
