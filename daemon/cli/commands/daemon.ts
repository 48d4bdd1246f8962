/** `lets daemon`: serves in the foreground until it is told to stop. */
import { closeSync, writeSync } from 'node:fs'
import { parseOrder } from '../../grounding.js'
import { HOST_KINDS } from '../../host-plan.js'
import { HostOptionsError } from '../../hosts.js'
import { createLog, type Level, type Log, logLevel } from '../../log.js'
import { type Daemon, startDaemon } from '../../main.js'
import { AlreadyServed } from '../../sockets/bind.js'
import { type CommonOptions, pathsOf } from '../connection.js'
import { CliError, UsageError } from '../errors.js'
import { say, sayJson } from '../output.js'
import type { Readiness } from '../start-daemon.js'

export interface DaemonCommandOptions extends CommonOptions {
  readonly host?: string
  readonly display?: readonly string[]
  readonly captureConsent?: string
  readonly groundingConsent?: string
  /** Names of resolvers, in the order they are asked; default: LETS_RESOLVER, else none. */
  readonly resolver?: string
  /** Where the resolver `local` finds its model; default: LETS_LOCAL_ENDPOINT. */
  readonly localEndpoint?: string
  /** The Electron binary to use. */
  readonly electron?: string
  /** A file descriptor that is told once whether the daemon serves: how whoever started it knows. */
  readonly readyFd?: string
}

const CONSENTS = ['ask', 'always', 'never'] as const

export async function daemon(options: DaemonCommandOptions): Promise<void> {
  const tell = options.readyFd === undefined ? null : readiness(Number(options.readyFd))
  // For whoever looks for it in a list of processes.
  process.title = 'lets daemon'
  try {
    await serve(options, tell)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const usage = error instanceof UsageError || error instanceof HostOptionsError
    if (!tell) throw usage ? new UsageError(reason) : new CliError(reason)
    // Nobody reads along: whoever started it is told, and the log stays a log.
    tell({ serving: false, reason })
    logTo('info')('error', 'not_started', { reason })
    process.exitCode = usage ? 2 : 1
  }
}

/** The resolvers that a list names, in its order; an empty list names none. `where` says in an error where it was named. */
export function resolverOrder(list: string, where: string): readonly string[] {
  if (list.trim() === '') return []
  try {
    return parseOrder(list)
  } catch (error) {
    throw new UsageError(`${where}: ${(error as Error).message}`)
  }
}

async function serve(options: DaemonCommandOptions, tell: Tell | null): Promise<void> {
  const host = oneOf(HOST_KINDS, options.host ?? 'auto', '--host')
  const captureConsent = oneOf(CONSENTS, options.captureConsent ?? 'ask', '--capture-consent')
  const groundingConsent = oneOf(CONSENTS, options.groundingConsent ?? 'ask', '--grounding-consent')
  const resolvers =
    options.resolver === undefined
      ? resolverOrder(process.env.LETS_RESOLVER ?? '', 'LETS_RESOLVER')
      : resolverOrder(options.resolver, '--resolver')
  // Resolvers find their settings there, on their own thread too.
  if (options.localEndpoint !== undefined) process.env.LETS_LOCAL_ENDPOINT = options.localEndpoint
  const log = logTo(level())
  const paths = pathsOf(options)
  // Before anything is on the screen, so that there is no moment in which a signal would leave it there.
  let requestStop = (_why: string) => {}
  const stopRequested = new Promise<string>((resolve) => {
    requestStop = resolve
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
  })
  let serving: Daemon
  try {
    serving = await startDaemon({
      paths,
      host: {
        kind: host,
        displays: options.display ?? [],
        ...(options.electron !== undefined && { electron: options.electron }),
      },
      captureConsent,
      groundingConsent,
      resolvers,
      log,
      onQuit: () => requestStop('chosen by the person'),
    })
  } catch (error) {
    if (!(error instanceof AlreadyServed)) throw error
    // Whoever wanted a daemon has one: not a failure.
    tell?.({ serving: true, pid: 0, host: 'another daemon', notes: [] })
    if (tell) log('info', 'already_served', { socket: paths.socket })
    else if (options.json) sayJson({ serving: false, already_served: paths.socket })
    else say(`${error.message}, as it was started; \`lets status\` says more, \`lets stop\` ends it`)
    return
  }
  const facts = { serving: true, pid: process.pid, host: serving.host, notes: serving.notes } as const
  if (tell) tell(facts)
  else if (options.json) sayJson({ ...facts, socket: paths.socket })
  else announce(serving, paths.socket)
  log('info', 'stopping', { why: await stopRequested })
  await serving.stop()
  // A display server that hangs holds the addon's thread; there is nothing left to wait for.
  process.exit()
}

function announce(serving: Daemon, socket: string): void {
  say(`serving ${socket} with the ${serving.host} host (pid ${process.pid}); Ctrl-C or \`lets stop\` ends it`)
  for (const note of serving.notes) say(`note: ${note}`)
}

function level(): Level {
  try {
    return logLevel()
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function logTo(level: Level): Log {
  return createLog(level, (line) => process.stderr.write(line))
}

function oneOf<const T extends string>(allowed: readonly T[], value: string, name: string): T {
  const found = allowed.find((one) => one === value)
  if (found) return found
  throw new UsageError(`${name} must be one of ${allowed.join(', ')}; got ${JSON.stringify(value)}`)
}

type Tell = (readiness: Readiness) => void

function readiness(fd: number): Tell {
  return (value) => {
    try {
      writeSync(fd, JSON.stringify(value))
      closeSync(fd)
    } catch {
      // Whoever waited is gone; the daemon serves all the same.
    }
  }
}
