/** Real daemons and real commands for tests, each in folders of its own; only what was started here is ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** The compiled `lets`. */
export const LETS = fileURLToPath(new URL('../../daemon/cli/main.js', import.meta.url))

/** How long a daemon, or a command, may take before a test calls it hung. */
const HUNG_MS = 120_000

/** A folder of its own, short enough for a socket in it. */
export function tempHome(): string {
  return mkdtempSync(join(tmpdir(), 'lets-'))
}

/** This process's environment without anything that leads to a person's screen or daemon, and `more`. */
export function cleanEnv(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const outside = [
    'DISPLAY',
    'WAYLAND_DISPLAY',
    'LETS_HOME',
    'LETS_SOCKET',
    'LETS_LOG',
    'FORCE_COLOR',
    'NO_COLOR',
  ]
  const kept = Object.entries(process.env).filter(([name]) => !outside.includes(name))
  return { ...Object.fromEntries(kept), ...more }
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface DaemonProcess {
  readonly pid: number
  readonly socket: string
  readonly home: string
  /** Its environment: what a command needs to find it. */
  readonly env: NodeJS.ProcessEnv
  /** What it said about itself when it began to serve. */
  readonly ready: Readiness
  readonly exited: Promise<Exit>
  /** Its log so far, parsed. */
  log(): LogLine[]
  /** Its log so far, as it was written. */
  logText(): string
  kill(signal: NodeJS.Signals): void
  /** Asks it to end, waits, and removes the folder it was given. Safe to call twice. */
  stop(): Promise<Exit>
}

export interface LogLine {
  readonly ts: string
  readonly level: string
  readonly event: string
  readonly [field: string]: unknown
}

export interface Readiness {
  readonly serving: boolean
  readonly pid?: number
  readonly host?: string
  readonly notes?: readonly string[]
  readonly reason?: string
}

export interface DaemonSetup {
  /** Replaces parts of the clean environment; LETS_HOME is a new folder unless it says otherwise. */
  env?: NodeJS.ProcessEnv
  /** Further arguments of `lets daemon`. */
  args?: readonly string[]
}

/** Starts a daemon and waits until it says that it serves; rejects with its reason when it does not. */
export async function startDaemonProcess({ env = {}, args = [] }: DaemonSetup = {}): Promise<DaemonProcess> {
  const home = env.LETS_HOME ?? tempHome()
  const childEnv = cleanEnv({ ...env, LETS_HOME: home })
  const child = spawnDaemon(childEnv, args)
  let logText = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    logText += chunk
  })
  const exited = exitOf(child)
  const removeHome = () => {
    if (env.LETS_HOME === undefined) rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
  const ready = parseReadiness(
    await within(text(child.stdio[3] as Readable), child, 'the daemon says nothing'),
  )
  if (!ready?.serving || ready.pid !== child.pid) {
    await exited
    removeHome()
    throw new Error(`the daemon does not serve: ${ready?.reason ?? JSON.stringify(ready)} ${logText}`)
  }
  return {
    pid: child.pid as number,
    socket: childEnv.LETS_SOCKET ?? join(home, 'run', 'lets.sock'),
    home,
    env: childEnv,
    ready,
    exited,
    log: () =>
      logText
        .split('\n')
        .filter(Boolean)
        .map((line): LogLine => JSON.parse(line)),
    logText: () => logText,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      const exit = await within(exited, child, 'the daemon does not end')
      removeHome()
      return exit
    },
  }
}

/** A daemon's process, with its readiness on descriptor 3; nothing is waited for. */
export function spawnDaemon(
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
  lets: string = LETS,
): ChildProcess {
  return spawn(process.execPath, [lets, 'daemon', '--ready-fd', '3', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
}

export function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
}

export interface CliResult extends Exit {
  readonly stdout: string
  readonly stderr: string
}

/** Runs `lets` to its end. `env` is what `cleanEnv` is to be given. */
export async function runCli(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CliResult> {
  const child = startCli(args, env)
  const streams = [text(child.stdout as Readable), text(child.stderr as Readable)] as const
  const result = Promise.all([exitOf(child), ...streams])
  const [exit, stdout, stderr] = await within(result, child, `lets ${args.join(' ')} does not end`)
  return { ...exit, stdout, stderr }
}

/** `lets`, still running. */
export function startCli(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [LETS, ...args], { env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'] })
}

async function within<T>(promise: Promise<T>, child: ChildProcess, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`${what} within ${HUNG_MS} ms`))
    }, HUNG_MS)
  })
  try {
    return await Promise.race([promise, hung])
  } finally {
    clearTimeout(timer)
  }
}

function parseReadiness(answer: string): Readiness | null {
  try {
    return JSON.parse(answer)
  } catch {
    return null
  }
}
