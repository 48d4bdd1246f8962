/** A command as a client holds it. */
import type { CommandResult, CommandSnapshot, EventPage, ShellEvent } from '../../../protocol/shell/schema.js'
import type { ShellClient } from './client.js'

export interface StartOptions {
  /** Ends the command after that many seconds. */
  readonly timeoutSeconds?: number
  readonly metadata?: Record<string, unknown>
  /** What it reads from stdin; default: nothing, it is at its end. */
  readonly input?: string
  readonly signal?: AbortSignal
}

export interface EventOptions {
  /** Events after this one; default 0, all. */
  readonly since?: number
  readonly signal?: AbortSignal
}

/** A command that has ended, with its whole output. */
export interface ShellOutcome {
  readonly command: CommandSnapshot
  readonly stdout: string
  readonly stderr: string
  /** The exact bytes, where text cannot say them. */
  readonly stdoutBytes: Buffer
  readonly stderrBytes: Buffer
}

/** Events asked for at once: two megabytes of output at most. */
const PAGE = 32
/** How long one question may wait, in seconds. */
const WAIT_SECONDS = 600
const OVER: ReadonlySet<string> = new Set([
  'command_completed',
  'command_failed',
  'command_timed_out',
  'command_canceled',
])

export class ShellCommand {
  constructor(
    readonly client: ShellClient,
    readonly id: string,
  ) {}

  /** How it stands. */
  async poll(): Promise<CommandSnapshot> {
    return (await this.client.request('command.poll', { command_id: this.id })) as CommandSnapshot
  }

  /** Waits for its end. */
  async ended(signal?: AbortSignal): Promise<CommandSnapshot> {
    for (;;) {
      const params = { command_id: this.id, wait_seconds: WAIT_SECONDS }
      const command = (await this.client.request('command.poll', params, { signal })) as CommandSnapshot
      if (command.ended_at !== null) return command
    }
  }

  /** Ends it, with everything it started; resolves once nothing of it runs. */
  async cancel(reason?: string): Promise<CommandSnapshot> {
    const params = { command_id: this.id, ...(reason !== undefined && { reason }) }
    return (await this.client.request('command.cancel', params)) as CommandSnapshot
  }

  /** What it says, as it says it, to its end. Aborting ends the iteration with the signal's reason. */
  async *events({ since = 0, signal }: EventOptions = {}): AsyncGenerator<ShellEvent, void> {
    for (let seq = since; ; ) {
      const params = {
        command_id: this.id,
        since_seq: seq,
        limit: PAGE,
        wait_seconds: WAIT_SECONDS,
        with_epoch: true,
      }
      const page = (await this.client.request('command.events', params, { signal })) as EventPage
      for (const event of page.events) {
        yield event
        if (OVER.has(event.event_type)) return
      }
      seq = page.next_seq
      if (page.events.length === 0 && (await this.poll()).ended_at !== null) return
    }
  }

  /** Waits for its end and brings all of its output. Aborting cancels the command. */
  async result({ signal }: { readonly signal?: AbortSignal } = {}): Promise<ShellOutcome> {
    const cancel = () => void this.cancel('its caller gave it up').catch(() => {})
    signal?.addEventListener('abort', cancel)
    try {
      if (signal?.aborted) cancel()
      signal?.throwIfAborted()
      const command = await this.ended(signal)
      const few = command.stdout_event_count + command.stderr_event_count <= PAGE
      return few ? await this.#whole() : await this.#gathered(command, signal)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  async #whole(): Promise<ShellOutcome> {
    const { command, stdout, stderr, stdout_base64, stderr_base64 } = (await this.client.request(
      'command.result',
      { command_id: this.id },
    )) as CommandResult
    const bytes = (text: string, exact: string | undefined) =>
      exact === undefined ? Buffer.from(text) : Buffer.from(exact, 'base64')
    return {
      ...{ command, stdout, stderr },
      stdoutBytes: bytes(stdout, stdout_base64),
      stderrBytes: bytes(stderr, stderr_base64),
    }
  }

  /** In pages: one answer would be as large as all of it. */
  async #gathered(command: CommandSnapshot, signal?: AbortSignal): Promise<ShellOutcome> {
    const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    for await (const { event_type, text, metadata } of this.events(signal ? { signal } : {})) {
      if (event_type !== 'stdout' && event_type !== 'stderr') continue
      const { base64 } = metadata
      parts[event_type].push(typeof base64 === 'string' ? Buffer.from(base64, 'base64') : Buffer.from(text))
    }
    const [stdoutBytes, stderrBytes] = [Buffer.concat(parts.stdout), Buffer.concat(parts.stderr)]
    return {
      command,
      stdout: stdoutBytes.toString(),
      stderr: stderrBytes.toString(),
      stdoutBytes,
      stderrBytes,
    }
  }
}
