/** `lets shell stdio` and `serve`: becomes the shell daemon. */
import { closeSync, writeSync } from 'node:fs'
import { createLog, type Log, logLevel } from '../../log.js'
import { hostStdio, hostTcp, type ShellHost } from '../../shell/host.js'
import { hostFault } from '../../shell/tcp.js'
import { CliError, UsageError } from '../errors.js'
import { sayJson } from '../output.js'
import { parseInteger } from '../parse.js'
import { type StateOptions, stateFolder } from '../shell/client-commands.js'

interface ServeOptions extends StateOptions {
  readonly host: string
  readonly port?: string
  readonly requireToken?: boolean
  readonly readyFd?: string
}

export async function stdio({ once = false, ...options }: StateOptions & { readonly once?: boolean }) {
  process.title = 'lets shell stdio'
  const signal = stopSignal()
  const host = await started(() =>
    hostStdio({
      stateDir: stateFolder(options),
      input: process.stdin,
      output: process.stdout,
      once,
      log: logToStderr(),
    }),
  )
  await end(host, signal)
}

export async function serve(options: ServeOptions): Promise<void> {
  process.title = 'lets shell serve'
  const { host: address, requireToken = false } = options
  const fault = hostFault(address)
  const port = options.port === undefined ? 0 : parseInteger(options.port, '--port')
  const tell = options.readyFd === undefined ? sayJson : telling(Number(options.readyFd))
  const signal = stopSignal()
  let host: ShellHost
  try {
    if (fault !== null) throw new UsageError(`--${fault}`)
    if (port < 0 || port > 65_535) throw new UsageError(`--port must be 0..65535; got ${port}`)
    host = await started(() =>
      hostTcp({ stateDir: stateFolder(options), host: address, port, requireToken, log: logToStderr() }),
    )
  } catch (error) {
    if (options.readyFd !== undefined) tell({ serving: false, reason: (error as Error).message })
    throw error
  }
  tell({
    serving: true,
    pid: process.pid,
    daemon_id: host.service.daemonId,
    state_dir: host.service.stateDir,
    ...host.reached,
    token_file: host.tokenFile,
    recovered: host.service.recovered,
    corrupt_database: host.service.status().corrupt_database,
  })
  await end(host, signal)
}

/** A start that fails says what is wrong, not where in the code. */
async function started(start: () => Promise<ShellHost>): Promise<ShellHost> {
  try {
    return await start()
  } catch (error) {
    throw new CliError((error as Error).message, (error as { code?: string }).code ?? 'failed')
  }
}

async function end(host: ShellHost, signal: Promise<NodeJS.Signals>): Promise<void> {
  const why = await Promise.race([host.stopping, signal])
  await host.stop(why === undefined ? undefined : `the daemon got ${why}`)
  // Standard input may still be open, and nobody listens to it any more.
  process.exit()
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => resolve(name))
  })
}

function logToStderr(): Log {
  try {
    return createLog(logLevel(), (line) => process.stderr.write(line))
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function telling(fd: number): (value: unknown) => void {
  return (value) => {
    try {
      writeSync(fd, JSON.stringify(value))
      closeSync(fd)
    } catch {
      // Whoever waited is gone; the daemon serves all the same.
    }
  }
}
