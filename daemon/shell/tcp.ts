/** The TCP transport: loopback IPv4 only, and only for the user the daemon runs as. */
import { createServer, isIPv4, type Server, type Socket } from 'node:net'
import { SHELL_LIMITS } from '../../protocol/shell/limits.js'
import { knowsPeers, peerUid } from './admission.js'
import { Channel } from './channel.js'
import type { ShellLog } from './limits.js'
import type { ShellService } from './service.js'
import { socketOutput } from './socket-output.js'

export interface TcpOptions {
  readonly host: string
  /** 0: one that is free. */
  readonly port: number
  readonly token?: string | undefined
  readonly log: ShellLog
}

export interface TcpListener {
  readonly host: string
  readonly port: number
  /** Lets every client have its last answers, then hangs up. */
  close(): Promise<void>
}

/** What is wrong with a host, or null: nobody from outside may reach a shell. */
export function hostFault(host: string): string | null {
  if (isIPv4(host) && host.startsWith('127.')) return null
  return `host must be a loopback IPv4 address such as 127.0.0.1; got ${JSON.stringify(host)}`
}

const GOODBYE_MS = 2000
/** Between two log lines about clients that were turned away. */
const REFUSALS_MS = 10_000

export function listenTcp(
  service: ShellService,
  { host, port, token, log }: TcpOptions,
): Promise<TcpListener> {
  const fault = hostFault(host)
  if (fault !== null) return Promise.reject(new Error(fault))
  const channels = new Map<Socket, Channel>()
  const refused = refusals(log)
  // Paused, so that a stranger is turned away before a byte is read.
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    const reason = refusal(socket, channels.size)
    if (reason !== null) {
      refused(reason)
      socket.destroy()
      return
    }
    const { port: bound } = server.address() as { port: number }
    const reached = { transport: 'tcp', socket_host: host, socket_port: bound } as const
    const channel: Channel = new Channel(service, socketOutput(socket), { reached, strict: true, token, log })
    channels.set(socket, channel)
    socket.on('data', (chunk) => channel.push(chunk))
    socket.once('end', () => channel.end())
    socket.once('close', () => {
      channel.close()
      channels.delete(socket)
    })
    socket.resume()
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      const { port: bound } = server.address() as { port: number }
      resolve({ host, port: bound, close: () => close(server, channels) })
    })
  })
}

/** Tells of the first and then now and then, with a count: strangers are not to fill the log. */
function refusals(log: ShellLog): (reason: string) => void {
  let untold = 0
  let last = Number.NEGATIVE_INFINITY
  return (reason) => {
    untold++
    if (performance.now() - last < REFUSALS_MS) return
    log('warn', 'client_refused', { reason, ...(untold > 1 && { since_last: untold }) })
    untold = 0
    last = performance.now()
  }
}

function refusal(socket: Socket, open: number): string | null {
  if (open >= SHELL_LIMITS.connections) return `${open} clients are connected, the most there may be`
  if (!knowsPeers) return null
  const uid = peerUid(socket)
  return uid !== null && uid === process.geteuid?.() ? null : `another user (${uid ?? 'unknown'})`
}

async function close(server: Server, channels: ReadonlyMap<Socket, Channel>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const [socket, channel] of channels) {
    channel.finish()
    setTimeout(() => socket.destroy(), GOODBYE_MS).unref()
  }
  await closed
}
