/** The overlay wire's listener: a Unix socket that only its owner reaches. */
import { renameSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { WireError } from '../../protocol/overlay/errors.js'
import { LIMITS } from '../../protocol/overlay/limits.js'
import { errorReply } from '../../protocol/overlay/replies.js'
import type { Engine } from '../engine/engine.js'
import type { Log } from '../log.js'
import { bindSocket } from './bind.js'
import { descriptorOf } from './descriptor.js'
import { Pipeline } from './pipeline.js'

/** How long a client has to read the reply before a hang-up, in ms. */
const HANG_UP_MS = 2000

/**
 * How long after a client's last byte its requests may still be under way, in ms. One that was killed looks the same as
 * one that only stopped sending, and its marks must not wait for a slow reply that nobody reads.
 */
const END_MS = 5000

/** Who is at the other end of a socket, as the system knows them. */
export interface Credentials {
  readonly uid: number
  readonly pid: number | null
}

/** Says who is at the other end of a connected socket's file descriptor; null where the system cannot say. */
export type Peer = ((fd: number) => Credentials) | null

export interface UnixListener {
  /** Hangs up on everyone, stops listening and removes the socket file. */
  close(): Promise<void>
}

export async function listenUnix(path: string, engine: Engine, peer: Peer, log: Log): Promise<UnixListener> {
  const sockets = new Set<Socket>()
  let serving = 0
  // Paused, so that a stranger is turned away before a byte is read. Half open, so that `printf … | nc -U` is answered.
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    const admitted = admit(socket, peer, log)
    if (!admitted) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (serving >= LIMITS.connections) {
      log('warn', 'connections_full')
      const error = new WireError(
        'limit',
        `${LIMITS.connections} connections are open, the most there may be`,
      )
      socket.write(`${JSON.stringify(errorReply(error))}\n`)
      return endGently(socket)
    }
    serving++
    socket.once('close', () => serving--)
    serve(socket, engine, log, admitted.pid)
  })
  await bindSocket(server, path)
  const inode = inodeOf(path)
  return { close: () => close(server, sockets, path, inode) }
}

/** The guard of the socket: the peer is the same user, whatever the file's mode says. */
function admit(socket: Socket, peer: Peer, log: Log): { readonly pid?: number } | null {
  // Without peer credentials the folder's 0700 is the guard; `status` says so.
  if (!peer) return {}
  try {
    const { uid, pid } = peer(descriptorOf(socket))
    if (uid === process.geteuid?.()) return pid === null ? {} : { pid }
    log('warn', 'peer_refused', { uid })
  } catch (error) {
    log('warn', 'peer_refused', { reason: String(error) })
  }
  return null
}

function serve(socket: Socket, engine: Engine, log: Log, pid: number | undefined): void {
  const pipeline: Pipeline = new Pipeline(
    engine,
    {
      write: (text) => {
        if (socket.destroyed) return
        socket.write(text)
        if (socket.writableLength <= LIMITS.unsentBytes) return
        // A client that does not read must not grow the daemon.
        log('warn', 'client_dropped', { unsent_bytes: socket.writableLength })
        pipeline.close()
        socket.destroy()
      },
      end: () => endGently(socket),
      setReading: (reading) => void (reading ? socket.resume() : socket.pause()),
    },
    log,
    pid,
  )
  socket.on('data', (chunk) => pipeline.push(chunk))
  socket.once('end', () => {
    pipeline.end()
    setTimeout(() => socket.destroy(), END_MS).unref()
  })
  socket.once('close', () => pipeline.close())
  socket.resume()
}

/** Lets the client read the last reply: what it still sends is read and dropped until it hangs up too, or time is up. */
function endGently(socket: Socket): void {
  socket.resume()
  socket.end()
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref()
}

async function close(
  server: Server,
  sockets: ReadonlySet<Socket>,
  path: string,
  inode: number | null,
): Promise<void> {
  // Node removes whatever has the socket's name; when that is another daemon's by now, it steps aside for a moment.
  const now = inodeOf(path)
  const others = now !== null && now !== inode ? `${path}.${process.pid}` : null
  if (others) renameSync(path, others)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  if (others) renameSync(others, path)
  for (const socket of sockets) socket.destroy()
  await closed
}

function inodeOf(path: string): number | null {
  try {
    return statSync(path).ino
  } catch {
    return null
  }
}
