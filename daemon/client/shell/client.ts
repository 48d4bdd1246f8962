/** The shell client: sessions and commands as handles. Records keep the wire's own names. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type {
  SessionKind,
  SessionSnapshot,
  ShellEvent,
  ShellMethod,
  ShellParams,
} from '../../../protocol/shell/schema.js'
import { paths } from '../../paths.js'
import { ShellCommand, type ShellOutcome, type StartOptions } from './command.js'
import { openStdio, openTcp, type ShellWire } from './wire.js'

export interface ConnectShellOptions {
  /** The secret, where it is not to be read from the state folder. */
  readonly token?: string
}

export interface StdioShellOptions {
  /** Where sessions and commands are kept; default: a folder that goes with the client. */
  readonly stateDir?: string
}

export interface SessionOptions {
  /** Default `bash`. */
  readonly kind?: SessionKind
  /** Default: this process's directory. */
  readonly cwd?: string
  readonly metadata?: Record<string, unknown>
}

/** A connection to a shell daemon. Methods reject with `LetsError` when it refuses, `ConnectionError` when it is gone. */
export class ShellClient {
  readonly #wire: ShellWire
  readonly #closed: () => void

  /** Use `shell.stdio` or `shell.connect`. */
  constructor(wire: ShellWire, closed: () => void = () => {}) {
    this.#wire = wire
    this.#closed = closed
  }

  async createSession({ kind = 'bash', cwd, ...more }: SessionOptions = {}): Promise<ShellSession> {
    const made = await this.request('session.create', { kind, cwd: resolve(cwd ?? '.'), ...more })
    return new ShellSession(this, (made as SessionSnapshot).id)
  }

  async sessions(): Promise<SessionSnapshot[]> {
    return (await this.request('session.list', {})) as SessionSnapshot[]
  }

  /** A session that is there already. Nothing is asked. */
  session(id: string): ShellSession {
    return new ShellSession(this, id)
  }

  /** A command that is there already. Nothing is asked. */
  command(id: string): ShellCommand {
    return new ShellCommand(this, id)
  }

  async status(): Promise<Record<string, unknown>> {
    return (await this.request('daemon.status', {})) as Record<string, unknown>
  }

  async capabilities(): Promise<{ protocol_version: string; capabilities: unknown[] }> {
    return (await this.request('capability.discover', {})) as {
      protocol_version: string
      capabilities: unknown[]
    }
  }

  /** Ends the daemon, with all sessions. */
  async shutdown(reason?: string): Promise<Record<string, unknown>> {
    const params = reason === undefined ? {} : { reason }
    return (await this.request('daemon.shutdown', params)) as Record<string, unknown>
  }

  /** Sends any request of the protocol. Aborting gives up the answer, not what was asked for. */
  request<M extends ShellMethod>(
    method: M,
    params: ShellParams<M>,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<unknown> {
    return this.#wire.request(method, params, signal)
  }

  /** Hangs up; a daemon that was started for this client ends. Safe to call twice. */
  async close(): Promise<void> {
    await this.#wire.close()
    this.#closed()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** One shell: what a command changes (directory, variables, functions), the next one finds. */
export class ShellSession {
  constructor(
    readonly client: ShellClient,
    readonly id: string,
  ) {}

  /** Queues a command; resolves once it is safe in the daemon's store. */
  async start(command: string, options: StartOptions = {}): Promise<ShellCommand> {
    const { timeoutSeconds, metadata, input } = options
    const started = await this.client.request('command.start', {
      session_id: this.id,
      command,
      ...(timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }),
      ...(metadata !== undefined && { metadata }),
      ...(input !== undefined && { input }),
    })
    return new ShellCommand(this.client, (started as { command_id: string }).command_id)
  }

  /** Runs a command to its end. Aborting cancels it. */
  async run(command: string, options: StartOptions = {}): Promise<ShellOutcome> {
    options.signal?.throwIfAborted()
    const started = await this.start(command, options)
    return started.result(options)
  }

  async snapshot(): Promise<SessionSnapshot> {
    return (await this.client.request('session.snapshot', { session_id: this.id })) as SessionSnapshot
  }

  /** What became of the session itself, such as `session_reset`. */
  async events(since = 0): Promise<ShellEvent[]> {
    const params = { session_id: this.id, since_seq: since }
    return (await this.client.request('session.events', params)) as ShellEvent[]
  }

  /** Ends the shell and what it started. */
  async close(): Promise<SessionSnapshot> {
    return (await this.client.request('session.close', { session_id: this.id })) as SessionSnapshot
  }
}

export const shell = {
  /** Connects to the daemon that serves `stateDir` (default: the one `lets shell start` starts). */
  async connect(stateDir: string = paths().shell, { token }: ConnectShellOptions = {}): Promise<ShellClient> {
    return new ShellClient(await openTcp(resolve(stateDir), token))
  },

  /** Starts a daemon of one's own, which ends with the client. */
  async stdio({ stateDir }: StdioShellOptions = {}): Promise<ShellClient> {
    if (stateDir !== undefined) return new ShellClient(await openStdio(resolve(stateDir)))
    const folder = mkdtempSync(join(tmpdir(), 'lets-shell-'))
    const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    try {
      return new ShellClient(await openStdio(folder), remove)
    } catch (error) {
      remove()
      throw error
    }
  },
}
