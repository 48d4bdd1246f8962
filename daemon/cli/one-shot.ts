/** Sessions of this person's one-shot commands: a later command can move or clear what an earlier one drew. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LetsClient } from '../client/client.js'
import { LetsError } from '../client/errors.js'
import { type CommonOptions, pathsOf, reach, reachRunning } from './connection.js'
import { cannotWrite } from './errors.js'

/** How long a mark of a one-shot command stays, in ms, when no `--ttl` says otherwise. */
export const ONE_SHOT_MS = 5000

/** Marks of one-shot commands carry their own time; the session only has to outlive the longest. */
export const MAX_ONE_SHOT_MS = 600_000

/** Commands that run at once have a session each; that many are remembered. */
const REMEMBERED = 64

/** Connects with the latest session, or a new one; starts a daemon when none runs. */
export async function reachOneShot(options: CommonOptions): Promise<LetsClient> {
  const [resume] = sessions(options)
  const client = await reach(options, { lingerMs: MAX_ONE_SHOT_MS, ...(resume !== undefined && { resume }) })
  if (client.sessionId !== resume) remember(client.sessionId, options)
  return client
}

/**
 * Calls `act` with each session there may be, latest first, until it returns something; null when it never does, or no
 * daemon runs. Nothing is started: without a daemon there are no marks.
 */
export async function inEachSession<T>(
  options: CommonOptions,
  act: (client: LetsClient) => Promise<T | null>,
): Promise<T | null> {
  const client = await reachRunning(options, { lingerMs: 0 })
  if (!client) return null
  try {
    for (const resume of sessions(options)) {
      const { resumed } = await client.request({
        type: 'session_start',
        client_name: 'lets-cli',
        linger_ms: MAX_ONE_SHOT_MS,
        resume,
      })
      const result = resumed ? await act(client) : null
      if (result !== null) return result
    }
    return null
  } finally {
    await client.close()
  }
}

/** null instead of the refusal of a mark that is another session's, or none. */
export function orNullIfNotOwner(error: unknown): null {
  if (error instanceof LetsError && error.code === 'not_owner') return null
  throw error
}

function sessions(options: CommonOptions): string[] {
  const { socket } = pathsOf(options)
  return entries(options)
    .filter(([, of]) => of === socket)
    .map(([id = '']) => id)
    .reverse()
}

function entries(options: CommonOptions): string[][] {
  try {
    const lines = readFileSync(file(options), 'utf8').split('\n').filter(Boolean)
    return lines.slice(-REMEMBERED).map((line) => line.split('\t'))
  } catch {
    return []
  }
}

function remember(id: string, options: CommonOptions): void {
  const { home, socket } = pathsOf(options)
  const path = file(options)
  const line = `${id}\t${socket}\n`
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const kept = entries(options)
    // Appended, since commands may run at once; begun anew now and then.
    if (kept.length < REMEMBERED) appendFileSync(path, line, { mode: 0o600 })
    else
      writeFileSync(
        path,
        `${kept
          .slice(-REMEMBERED / 2)
          .map((entry) => entry.join('\t'))
          .join('\n')}\n${line}`,
        { mode: 0o600 },
      )
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

function file(options: CommonOptions): string {
  return join(pathsOf(options).home, 'cli-sessions')
}
