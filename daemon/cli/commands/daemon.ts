/** `lets daemon`: serves in the foreground until it is told to stop. */
import { closeSync, writeSync } from 'node:fs'
import { createLog, logLevel } from '../../log.js'
import { startDaemon } from '../../main.js'
import { AlreadyServed } from '../../sockets/bind.js'
import { type CommonOptions, pathsOf } from '../connection.js'
import { CliError, UsageError } from '../errors.js'
import { remark } from '../output.js'
import type { Readiness } from '../start-daemon.js'

export interface DaemonCommandOptions extends CommonOptions {
  readonly host?: string
  readonly display?: readonly string[]
  readonly captureConsent?: string
  /** A file descriptor that is told once whether the daemon serves: how whoever started it knows. */
  readonly readyFd?: string
}

const HOSTS = ['auto', 'x11', 'headless'] as const
const CONSENTS = ['ask', 'always', 'never'] as const

export async function daemon(options: DaemonCommandOptions): Promise<void> {
  const host = oneOf(HOSTS, options.host ?? 'auto', '--host')
  const captureConsent = oneOf(CONSENTS, options.captureConsent ?? 'ask', '--capture-consent')
  const log = createLog(logLevel(), (line) => process.stderr.write(line))
  const tell = readiness(options.readyFd)
  // Before anything is on the screen, so that there is no moment in which a signal would leave it there.
  const stopRequested = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
  })
  try {
    const serving = await startDaemon({
      paths: pathsOf(options),
      host: { kind: host, displays: options.display ?? [] },
      captureConsent,
      log,
    })
    tell({ serving: true, pid: process.pid, host: serving.host, notes: serving.notes })
    const signal = await stopRequested
    log('info', 'stopping', { signal })
    await serving.stop()
  } catch (error) {
    if (error instanceof AlreadyServed) {
      // Whoever wanted a daemon has one: not a failure.
      tell({ serving: true, pid: 0, host: 'another daemon', notes: [] })
      return remark(error.message)
    }
    const reason = error instanceof Error ? error.message : String(error)
    tell({ serving: false, reason })
    throw error instanceof UsageError ? error : new CliError(reason)
  }
}

function oneOf<const T extends string>(allowed: readonly T[], value: string, name: string): T {
  const found = allowed.find((one) => one === value)
  if (found) return found
  throw new UsageError(`${name} must be one of ${allowed.join(', ')}; got ${JSON.stringify(value)}`)
}

function readiness(fdText: string | undefined): (readiness: Readiness) => void {
  const fd = Number(fdText)
  if (fdText === undefined || !Number.isInteger(fd) || fd < 3) return () => {}
  return (value) => {
    try {
      writeSync(fd, JSON.stringify(value))
      closeSync(fd)
    } catch {
      // Whoever waited is gone; the daemon serves all the same.
    }
  }
}
