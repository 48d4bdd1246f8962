/** `lets shell …`: commands that ask a shell daemon. What they print is JSON, errors too. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type {
  CommandSnapshot,
  SessionKind,
  ShellMethod,
  ShellParams,
} from '../../../protocol/shell/schema.js'
import { ConnectionError } from '../../client/errors.js'
import { type ShellClient, shell } from '../../client/shell/client.js'
import { paths } from '../../paths.js'
import { CliError, UsageError } from '../errors.js'
import { sayJson } from '../output.js'
import { parseInteger, parseNumber } from '../parse.js'

export interface StateOptions {
  readonly stateDir?: string
}

interface RunOptions extends StateOptions {
  readonly command: string
  readonly kind: string
  readonly cwd?: string
  readonly timeout?: string
  readonly input?: string
  readonly metadata?: string
}

interface AboutOptions extends StateOptions {
  readonly wait?: string
  readonly reason?: string
  readonly since?: string
  readonly follow?: boolean
}

export function stateFolder({ stateDir }: StateOptions): string {
  return resolve(stateDir ?? paths().shell)
}

/** Asks the daemon one thing, and prints what it answers. */
export async function ask<M extends ShellMethod>(method: M, params: ShellParams<M>, options: StateOptions) {
  await withClient(options, async (client) => sayJson(await client.request(method, params)))
}

export async function createSession({ kind, cwd = '.', metadata, ...options }: RunOptions): Promise<void> {
  const params = { kind: kind as SessionKind, cwd: resolve(cwd), ...object(metadata) }
  await ask('session.create', params, options)
}

export async function startCommand(session_id: string, options: RunOptions): Promise<void> {
  const { command, metadata } = options
  await ask('command.start', { session_id, command, ...limits(options), ...object(metadata) }, options)
}

export async function askAbout(
  method: 'command.poll' | 'command.cancel' | 'command.result',
  command_id: string,
  { wait, reason, ...options }: AboutOptions,
): Promise<void> {
  const more = {
    ...(wait !== undefined && { wait_seconds: parseNumber(wait, '--wait') }),
    ...(reason !== undefined && { reason }),
  }
  await ask(method, { command_id, ...more }, options)
}

export async function events(command_id: string, options: AboutOptions): Promise<void> {
  const since = options.since === undefined ? 0 : parseInteger(options.since, '--since')
  if (!options.follow) return ask('command.events', { command_id, since_seq: since }, options)
  await withClient(options, async (client) => {
    for await (const event of client.command(command_id).events({ since })) sayJson(event)
  })
}

/** In the daemon of the state folder when one serves there; else in one of its own, which goes with the command. */
export async function run(options: RunOptions): Promise<void> {
  const { client, remove } = await reach(options)
  try {
    const session = await client.createSession({
      kind: options.kind as SessionKind,
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    })
    const interrupted = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () =>
        interrupted.abort(new CliError(`${signal}: the command was canceled`, 'canceled')),
      )
    const { timeout_seconds: timeoutSeconds, input } = limits(options)
    const { command, stdout, stderr } = await session.run(options.command, {
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      ...(input !== undefined && { input }),
      signal: interrupted.signal,
    })
    await session.close()
    sayJson({ command, stdout, stderr })
    process.exitCode = exitCodeOf(command)
  } finally {
    await client.close()
    remove()
  }
}

async function reach(options: StateOptions): Promise<{ client: ShellClient; remove: () => void }> {
  const folder = stateFolder(options)
  try {
    return { client: await shell.connect(folder), remove: () => {} }
  } catch (error) {
    if (!(error instanceof ConnectionError) || error.code !== 'not_running') throw error
  }
  // Without a name it is nobody's afterwards: several may run at once.
  const own = options.stateDir === undefined ? mkdtempSync(join(tmpdir(), 'lets-shell-')) : null
  const remove = () => {
    if (own !== null && existsSync(own)) rmSync(own, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    return { client: await shell.stdio({ stateDir: own ?? folder }), remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function withClient(options: StateOptions, act: (client: ShellClient) => Promise<void>): Promise<void> {
  const client = await shell.connect(stateFolder(options))
  try {
    await act(client)
  } finally {
    await client.close()
  }
}

/** The command's own, so that scripts can go by it; as `timeout` says it where it was ended. */
function exitCodeOf({ status, exit_code }: CommandSnapshot): number {
  if (status === 'timed_out') return 124
  if (status === 'canceled') return 130
  return exit_code ?? 1
}

function limits({ timeout, input }: RunOptions): { timeout_seconds?: number; input?: string } {
  return {
    ...(timeout !== undefined && { timeout_seconds: parseNumber(timeout, '--timeout') }),
    ...(input !== undefined && { input }),
  }
}

function object(text: string | undefined): { metadata?: Record<string, unknown> } {
  if (text === undefined) return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { metadata: value as Record<string, unknown> }
  throw new UsageError(`--metadata must be a JSON object; got ${JSON.stringify(text)}`)
}
