/** Starts a daemon in the background and waits until it really serves. */
import { fstatSync, ftruncateSync, mkdirSync, openSync } from 'node:fs'
import type { Paths } from '../paths.js'
import { inBackground } from './background.js'
import { CliError, cannotWrite } from './errors.js'

/** A log that grew past this is begun anew. */
const MAX_LOG_BYTES = 4 * 1024 * 1024

/** What a daemon says on its readiness pipe, one JSON object. */
export type Readiness =
  | { readonly serving: true; readonly pid: number; readonly host: string; readonly notes: readonly string[] }
  | { readonly serving: false; readonly reason: string }

export type Serving = Extract<Readiness, { serving: true }>

/**
 * Starts `lets daemon` detached from this process, with `args` of its own. Resolves once it serves (or another daemon
 * that was started at the same moment does); rejects with what kept it from it.
 */
export async function startInBackground(paths: Paths, args: readonly string[] = []): Promise<Serving> {
  const log = openLog(paths)
  const answer = await inBackground(['daemon', ...args], log, {
    LETS_HOME: paths.home,
    LETS_SOCKET: paths.socket,
  })
  const readiness = parse(answer)
  if (readiness?.serving) return readiness
  throw new CliError(
    `the daemon did not start: ${readiness?.reason ?? `it ended without a word; its log is ${paths.log}`}`,
  )
}

function openLog(paths: Paths): number {
  try {
    mkdirSync(paths.home, { recursive: true, mode: 0o700 })
    const log = openSync(paths.log, 'a', 0o600)
    if (fstatSync(log).size > MAX_LOG_BYTES) ftruncateSync(log)
    return log
  } catch (error) {
    const { message } = cannotWrite(paths.log, error)
    throw new CliError(`the daemon did not start: ${message}; set LETS_HOME to a folder of yours`)
  }
}

function parse(answer: string): Readiness | null {
  try {
    return JSON.parse(answer)
  } catch {
    return null
  }
}
