/** `lets shell start` and `stop`: the shell daemon in the background. */
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ConnectionError } from '../../client/errors.js'
import { shell } from '../../client/shell/client.js'
import { inBackground } from '../background.js'
import { CliError, cannotWrite } from '../errors.js'
import { sayJson } from '../output.js'
import { type StateOptions, stateFolder } from './client-commands.js'

interface StartOptions extends StateOptions {
  readonly host: string
  readonly port?: string
  readonly requireToken?: boolean
}

/** How long a daemon may take to end, in ms: what ignores SIGTERM gets two seconds. */
const PATIENCE_MS = 10_000

/** Starts a daemon that outlives this command; prints where it serves. One that runs already is as good. */
export async function start(options: StartOptions): Promise<void> {
  const folder = stateFolder(options)
  const running = await status(folder)
  if (running) return sayJson({ already_running: true, ...running })
  const log = openLog(folder)
  const port = options.port === undefined ? [] : ['--port', options.port]
  const words = ['shell', 'serve', '--state-dir', folder, '--host', options.host, ...port]
  if (options.requireToken) words.push('--require-token')
  const answer = await inBackground(words, log)
  const readiness = parse(answer)
  if (readiness?.serving === true) return sayJson(readiness)
  const why = readiness?.reason ?? `it ended without a word; its log is ${join(folder, 'daemon.log')}`
  throw new CliError(`the shell daemon did not start: ${why}`)
}

/** Ends the daemon over its channel; where it has none (stdio), by a file that it watches for. */
export async function stop({
  reason,
  ...options
}: StateOptions & { readonly reason?: string }): Promise<void> {
  const folder = stateFolder(options)
  const published = read(join(folder, 'daemon.json'))
  const pid = Number(published?.pid)
  if (!published || published.shutdown_requested === true || !isAlive(pid))
    return sayJson({ stopped: false, reason: `no shell daemon runs for ${folder}` })
  try {
    const client = await shell.connect(folder)
    const { closed_sessions } = await client.shutdown(reason)
    await client.close()
    await untilGone(pid)
    sayJson({ stopped: true, pid, closed_sessions })
  } catch (error) {
    if (!(error instanceof ConnectionError) || error.code !== 'not_running') throw error
    const marker = JSON.stringify({ requested_at: new Date().toISOString(), reason: reason ?? null })
    writeFileSync(join(folder, 'daemon.shutdown.json'), marker, { mode: 0o600 })
    await untilGone(pid)
    sayJson({ stopped: true, pid })
  }
}

async function status(folder: string): Promise<Record<string, unknown> | null> {
  try {
    const client = await shell.connect(folder)
    const found = await client.status()
    await client.close()
    return found
  } catch (error) {
    if (error instanceof ConnectionError && error.code === 'not_running') return null
    throw error
  }
}

async function untilGone(pid: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (isAlive(pid)) {
    if (performance.now() > deadline)
      throw new CliError(`the shell daemon (pid ${pid}) did not end within 10 s`)
    await delay(10)
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // Ended, but not yet noticed by its parent: in a container that may never happen.
    return !/ Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''))
  } catch {
    return process.platform !== 'linux'
  }
}

function openLog(folder: string): number {
  const file = join(folder, 'daemon.log')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return openSync(file, 'a', 0o600)
  } catch (error) {
    throw new CliError(
      `the shell daemon did not start: ${cannotWrite(file, error).message}; use another --state-dir`,
    )
  }
}

function read(file: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  } catch {
    return null
  }
}

function parse(answer: string): { serving?: boolean; reason?: string } | null {
  try {
    return JSON.parse(answer)
  } catch {
    return null
  }
}
