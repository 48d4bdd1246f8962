/** Puts a shell daemon together: the service, a transport, and what tells it to stop. */
import { randomBytes } from 'node:crypto'
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { SHELL_PROTOCOL_VERSION } from '../../protocol/shell/version.js'
import { knowsPeers } from './admission.js'
import { Channel } from './channel.js'
import type { Reached } from './dispatch.js'
import type { ShellLog } from './limits.js'
import { ShellService, type ShellServiceOptions } from './service.js'
import { socketOutput } from './socket-output.js'
import { listenTcp, type TcpListener } from './tcp.js'

export interface TcpHostOptions extends ShellServiceOptions {
  readonly host: string
  readonly port: number
  /** Ask the first request of each client for the secret in daemon.token. Where peers cannot be told apart, always. */
  readonly requireToken: boolean
}

export interface ShellHost {
  readonly service: ShellService
  readonly reached: Reached
  /** Where the secret is, when one is asked for. */
  readonly tokenFile: string | null
  /** Resolves once it is to stop, for whatever reason. */
  readonly stopping: Promise<void>
  /** Ends sessions, answers what is under way, and lets go of the folder. Safe to call twice. */
  stop(reason?: string): Promise<void>
}

const GOODBYE_MS = 2000
const quiet: ShellLog = () => {}

/** Serves over TCP until it is told to stop. Rejects with what is wrong. */
export async function hostTcp(options: TcpHostOptions): Promise<ShellHost> {
  const service = await ShellService.open(options)
  const { log = quiet } = options
  let listener: TcpListener
  let token: string | undefined
  let tokenFile: string | null = null
  try {
    if (options.requireToken || !knowsPeers) {
      token = randomBytes(24).toString('base64url')
      tokenFile = service.folder.publishToken(token)
    }
    listener = await listenTcp(service, { host: options.host, port: options.port, token, log })
  } catch (error) {
    await service.close()
    throw error
  }
  const reached: Reached = { transport: 'tcp', socket_host: listener.host, socket_port: listener.port }
  publish(service, reached)
  return makeHost(service, reached, tokenFile, log, () => listener.close())
}

export interface StdioHostOptions extends ShellServiceOptions {
  readonly input: Readable
  readonly output: Writable
  /** Answer one request, then stop. */
  readonly once: boolean
}

/** Serves whoever holds the other ends of two streams, until the input ends. */
export async function hostStdio(options: StdioHostOptions): Promise<ShellHost> {
  const service = await ShellService.open(options)
  const { input, output, once, log = quiet } = options
  const reached: Reached = { transport: 'stdio', socket_host: null, socket_port: null }
  publish(service, reached)
  let left = () => {}
  const gone = new Promise<void>((resolve) => {
    left = resolve
  })
  const out = socketOutput(output, input)
  const channel: Channel = new Channel(
    service,
    // The process ends right after: what it wrote must be out.
    { ...out, end: () => void output.write('', left) },
    { reached, strict: false, once, log },
  )
  output.on('error', () => {
    channel.close()
    left()
  })
  input.on('error', () => channel.end())
  input.on('data', (chunk: Buffer) => channel.push(chunk))
  input.once('end', () => channel.end())
  return makeHost(service, reached, null, log, () => lastAnswers(channel, gone), gone)
}

/** What is under way is still answered, within reason. */
async function lastAnswers(channel: Channel, gone: Promise<void>): Promise<void> {
  channel.finish()
  const patience = new AbortController()
  await Promise.race([gone, delay(GOODBYE_MS, null, { signal: patience.signal }).catch(() => {})])
  patience.abort()
}

function publish(service: ShellService, reached: Reached): void {
  service.folder.publish({
    daemon_id: service.daemonId,
    pid: process.pid,
    protocol_version: SHELL_PROTOCOL_VERSION,
    state_dir: service.stateDir,
    started_at: service.startedAt,
    updated_at: new Date().toISOString(),
    shutdown_requested: false,
    ...reached,
  })
}

function makeHost(
  service: ShellService,
  reached: Reached,
  tokenFile: string | null,
  log: ShellLog,
  closeTransport: () => Promise<void>,
  gone: Promise<void> = new Promise(() => {}),
): ShellHost {
  const { marker } = service.folder
  const watcher = watchFor(marker, () => void service.shutdown('its state folder asked for it'))
  log('info', 'serving', { pid: process.pid, state_dir: service.stateDir, ...reached })
  let stopped: Promise<void> | null = null
  const stop = async (reason?: string) => {
    watcher?.close()
    await service.shutdown(reason)
    await closeTransport()
    await service.close()
    log('info', 'stopped')
  }
  return {
    service,
    reached,
    tokenFile,
    stopping: Promise.race([service.shutdownRequested, gone]),
    stop: (reason) => {
      stopped ??= stop(reason)
      return stopped
    },
  }
}

/** Calls `found` once a file of this name is there. */
function watchFor(file: string, found: () => void): FSWatcher | null {
  try {
    const watcher = watch(file.slice(0, -basename(file).length), (_, name) => {
      if ((name === null || name === basename(file)) && existsSync(file)) found()
    })
    watcher.on('error', () => {})
    return watcher
  } catch {
    // The channel is left, and signals are.
    return null
  }
}
