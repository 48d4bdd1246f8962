/** The host's port: on loopback alone, of both families, so that nobody else can be who a `*.localhost` name leads to. */
import { createServer, type Server, type Socket } from 'node:net'
import type { Log } from '../log.js'
import { peerOf } from './peer.js'

export interface Loopback {
  readonly port: number
  /** Stops listening and hangs up on everyone. */
  close(): Promise<void>
}

/** Connections at once; a browser has a few for each window. */
export const CONNECTIONS = 512
const TRIES = 8

/**
 * Listens on `preferred`, so that pages of before find us again, or on any port. `serve` gets connections of this user,
 * still paused.
 */
export async function listenLoopback(
  preferred: number,
  serve: (socket: Socket) => Promise<void>,
  log: Log,
): Promise<Loopback> {
  const sockets = new Set<Socket>()
  const accept = (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    if (sockets.size >= CONNECTIONS) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.setNoDelay(true)
    void admit(socket, serve, log)
  }
  const { servers, port } = await bindBoth(preferred, accept)
  return {
    port,
    async close() {
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

async function admit(socket: Socket, serve: (socket: Socket) => Promise<void>, log: Log): Promise<void> {
  try {
    const uid = await peerOf(socket)
    if (uid !== null && uid !== process.geteuid?.()) {
      log('warn', 'lip_peer_refused', { uid })
      socket.destroy()
    } else if (!socket.destroyed) await serve(socket)
  } catch (error) {
    log('error', 'lip_not_served', { error: String(error) })
    socket.destroy()
  }
}

async function bindBoth(
  preferred: number,
  accept: (socket: Socket) => void,
): Promise<{ readonly servers: readonly Server[]; readonly port: number }> {
  for (let tried = 0; ; tried++) {
    const four = await bind('127.0.0.1', tried === 0 ? preferred : 0, accept).catch((error) => {
      if (tried === 0 && preferred !== 0) return null
      throw error
    })
    if (!four) continue
    const { port } = four.address() as { readonly port: number }
    try {
      return { servers: [four, await bind('::1', port, accept)], port }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // No IPv6 here: then nobody else has it either.
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return { servers: [four], port }
      four.close()
      if (tried >= TRIES) throw error
    }
  }
}

function bind(host: string, port: number, accept: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ pauseOnConnect: true }, accept)
    server.once('error', reject)
    server.listen({ host, port, ipv6Only: true }, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}
