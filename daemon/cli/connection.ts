/** How commands reach the daemon: the running one, or one started for them. */
import { readFileSync } from 'node:fs'
import { type ConnectOptions, connect, LetsClient } from '../client/client.js'
import { ConnectionError } from '../client/errors.js'
import { type Paths, paths } from '../paths.js'
import { remark } from './output.js'

export interface CommonOptions {
  readonly json?: boolean
  readonly socket?: string
}

/** The paths, with `--socket` taken into account. */
export function pathsOf(options: CommonOptions): Paths {
  return options.socket === undefined ? paths() : paths({ ...process.env, LETS_SOCKET: options.socket })
}

/** What shows the daemon that a decision about pictures is the person's own command's; none when it cannot be read. */
export function consentToken(options: CommonOptions): { readonly token?: string } {
  try {
    return { token: readFileSync(pathsOf(options).consentToken, 'utf8') }
  } catch {
    return {}
  }
}

/** A client that starts nothing: it asks whoever serves. Its marks go with it. */
export function asking(options: CommonOptions): LetsClient {
  return new LetsClient({ clientName: 'lets-cli', socket: pathsOf(options).socket, lingerMs: 0 })
}

/** Connects; when no daemon runs, starts one, and says so. */
export async function reach(
  options: CommonOptions,
  session: Partial<ConnectOptions> = {},
): Promise<LetsClient> {
  const running = await reachRunning(options, session)
  if (running) return running
  const where = pathsOf(options)
  const { startInBackground } = await import('./start-daemon.js')
  for (const line of startedLines(await startInBackground(where))) remark(line)
  return connect({ clientName: 'lets-cli', socket: where.socket, ...session })
}

/** Connects to the daemon that runs; null when none does. */
export async function reachRunning(
  options: CommonOptions,
  session: Partial<ConnectOptions> = {},
): Promise<LetsClient | null> {
  try {
    return await connect({ clientName: 'lets-cli', socket: pathsOf(options).socket, ...session })
  } catch (error) {
    if (error instanceof ConnectionError && error.code === 'not_running') return null
    throw error
  }
}

/** What to say about a daemon that was started: a person should know that it stays, and what it draws on. */
export function startedLines({
  pid,
  host,
  notes,
}: {
  readonly pid: number
  readonly host: string
  readonly notes: readonly string[]
}): string[] {
  // Another command started one at the same moment; that one says the rest.
  if (pid === 0) return []
  const headless = host === 'headless' && notes.length === 0
  return [
    `started the daemon (pid ${pid}, host ${host}); \`lets stop\` ends it`,
    ...notes.map((note) => `note: ${note}`),
    ...(headless
      ? ['note: there is no screen here: marks are in memory, and `lets snapshot FILE.png` shows them']
      : []),
  ]
}
