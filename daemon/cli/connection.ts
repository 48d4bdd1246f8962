/** How commands reach the daemon: the running one, or one started for them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectOptions, connect, type LetsClient } from '../client/client.js'
import { ConnectionError } from '../client/errors.js'
import { type Paths, paths } from '../paths.js'
import { remark } from './output.js'

/** How long a mark of a one-shot command stays, in ms, when no `--ttl` says otherwise. */
export const ONE_SHOT_MS = 5000

/** Marks of one-shot commands carry their own time; the session only has to outlive the longest. */
export const MAX_ONE_SHOT_MS = 600_000

export interface CommonOptions {
  readonly json?: boolean
  readonly socket?: string
}

/** The paths, with `--socket` taken into account. */
export function pathsOf(options: CommonOptions): Paths {
  return options.socket === undefined ? paths() : paths({ ...process.env, LETS_SOCKET: options.socket })
}

/** Connects; when no daemon runs, starts one, and says so. */
export async function reach(options: CommonOptions, session: Partial<ConnectOptions> = {}): Promise<LetsClient> {
  const where = pathsOf(options)
  const connectOptions: ConnectOptions = { clientName: 'lets-cli', socket: where.socket, ...session }
  try {
    return await connect(connectOptions)
  } catch (error) {
    if (!(error instanceof ConnectionError) || error.code !== 'not_running') throw error
  }
  const { startInBackground } = await import('./start-daemon.js')
  const { pid, host, notes } = await startInBackground(where)
  remark(`started the daemon (pid ${pid}, host ${host}); \`lets stop\` ends it`)
  for (const note of notes) remark(`note: ${note}`)
  return connect(connectOptions)
}

/** The session of this person's one-shot commands, so that a later command can move or clear what an earlier one drew. */
export async function reachOneShot(options: CommonOptions): Promise<LetsClient> {
  const where = pathsOf(options)
  const file = join(where.home, 'cli-session')
  const resume = readSession(file)
  const client = await reach(options, { lingerMs: MAX_ONE_SHOT_MS, ...(resume !== undefined && { resume }) })
  if (client.sessionId !== resume) {
    mkdirSync(where.home, { recursive: true, mode: 0o700 })
    writeFileSync(file, client.sessionId, { mode: 0o600 })
  }
  return client
}

function readSession(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
