/** Real shell daemons for tests, each in a folder of its own; only what was started here is ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ExecutionContext } from 'ava'
import { ShellService, type ShellServiceOptions } from '../../daemon/shell/service.js'
import type { CommandSnapshot, SessionKind, ShellEvent } from '../../protocol/shell/schema.js'
import { cleanEnv, type Exit, exitOf, LETS } from '../support/daemon.js'

export function tempState(t?: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lets-shell-test-'))
  t?.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** A service in this process. */
export async function service(
  t: ExecutionContext,
  options: Partial<ShellServiceOptions> = {},
): Promise<ShellService> {
  const made = await ShellService.open({ stateDir: tempState(t), ...options })
  t.teardown(() => made.close())
  return made
}

export interface Ran {
  readonly command: CommandSnapshot
  readonly events: readonly ShellEvent[]
  readonly stdout: string
  readonly stderr: string
}

export interface Bench {
  readonly service: ShellService
  readonly session: string
  /** Queues a command and returns its id. */
  start(command: string, more?: { timeout_seconds?: number; input?: string }): string
  run(command: string, more?: { timeout_seconds?: number; input?: string }): Promise<Ran>
  ended(id: string): Promise<Ran>
}

/** A session of a service of its own, with what tests ask of it. */
export async function bench(
  t: ExecutionContext,
  kind: SessionKind = 'bash',
  options: Partial<ShellServiceOptions> = {},
): Promise<Bench> {
  const made = await service(t, options)
  const { id: session } = await made.createSession({ kind, cwd: tempState(t) })
  const ended = async (id: string): Promise<Ran> => {
    const command = await made.poll({ command_id: id, wait_seconds: 60 })
    const events = made.eventsAfter(id, 0, 1_000_000)
    const textOf = (name: string) =>
      events
        .filter(({ event_type }) => event_type === name)
        .map(({ text }) => text)
        .join('')
    return { command, events, stdout: textOf('stdout'), stderr: textOf('stderr') }
  }
  const start: Bench['start'] = (command, more = {}) =>
    made.startCommand({ session_id: session, command, ...more }).command_id
  return { service: made, session, start, ended, run: (command, more) => ended(start(command, more)) }
}

export interface ShellDaemon {
  readonly pid: number
  readonly stateDir: string
  readonly port: number
  readonly ready: Record<string, unknown>
  readonly exited: Promise<Exit>
  log(): string
  kill(signal: NodeJS.Signals): void
  stop(): Promise<Exit>
}

/** `lets shell serve` as a process; rejects with its reason when it does not serve. */
export async function startShell(
  stateDir: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<ShellDaemon> {
  const child = spawnShell(['serve', '--state-dir', stateDir, '--ready-fd', '3', ...args], env)
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
  })
  const exited = exitOf(child)
  const ready = JSON.parse((await text(child.stdio[3] as Readable)) || '{}') as Record<string, unknown>
  if (ready.serving !== true) throw new Error(`the shell daemon does not serve: ${ready.reason} ${log}`)
  return {
    pid: child.pid as number,
    port: ready.socket_port as number,
    ...{ stateDir, ready, exited },
    log: () => log,
    kill: (signal) => void child.kill(signal),
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}

export function spawnShell(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [LETS, 'shell', ...args], {
    env: cleanEnv(env),
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
}

/** A daemon that ends with the test. */
export async function served(t: ExecutionContext, args: readonly string[] = []): Promise<ShellDaemon> {
  const daemon = await startShell(tempState(t), args)
  t.teardown(async () => {
    daemon.kill('SIGCONT')
    await daemon.stop()
  })
  return daemon
}

export interface Response {
  readonly id: unknown
  readonly ok: boolean
  // biome-ignore lint/suspicious/noExplicitAny: each method has its own
  readonly result: any
  readonly error: { readonly type: string; readonly code: string; readonly message: string }
}

/** Speaks the wire by hand. */
export class RawShell {
  readonly #lines: string[] = []
  readonly #takers: ((line: string) => void)[] = []
  #rest: string[] = []
  readonly closed: Promise<void>

  constructor(readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      this.#rest.push(chunk)
      if (!chunk.includes('\n')) return
      const lines = this.#rest.join('').split('\n')
      this.#rest = [lines.pop() ?? '']
      for (const line of lines) {
        const taker = this.#takers.shift()
        if (taker) taker(line)
        else this.#lines.push(line)
      }
    })
    socket.on('error', () => {})
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
  }

  static async open(port: number): Promise<RawShell> {
    const socket = connect(port, '127.0.0.1')
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new RawShell(socket)
  }

  write(line: string): void {
    this.socket.write(line)
  }

  async next(): Promise<Response> {
    const line = this.#lines.shift() ?? (await new Promise<string>((resolve) => this.#takers.push(resolve)))
    return JSON.parse(line) as Response
  }

  ask(method: string, params: unknown = {}, more: Record<string, unknown> = {}): Promise<Response> {
    this.write(`${JSON.stringify({ id: 1, method, params, ...more })}\n`)
    return this.next()
  }
}

/** Living processes whose command line has `words`, or whose environment has `mark`. */
export function living(words: string, mark?: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      if (/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))) return []
      const file = mark === undefined ? 'cmdline' : 'environ'
      const found = readFileSync(`/proc/${pid}/${file}`, 'latin1').replaceAll('\0', ' ')
      return found.includes(mark ?? words) ? [pid] : []
    } catch {
      return []
    }
  })
}

/** Dead processes that `pid` has not taken notice of. */
export function zombiesOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' && Number(parent) === pid ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

/** Sequence numbers start at 1, never repeat and never skip. */
export function sequential(t: ExecutionContext, events: readonly ShellEvent[]): void {
  t.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  )
}
