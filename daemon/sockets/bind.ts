/** Who may own the socket's name: exactly one live daemon, whatever starts or died at the same moment. */
import { rmSync, statSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { socketFolder, socketPathFault } from '../paths.js'
import { takeLock } from './lock.js'
import { ensurePrivateFolder } from './private-folder.js'

/** Another daemon owns the socket: starting a second one is not an error, but it must not serve. */
export class AlreadyServed extends Error {
  override readonly name = 'AlreadyServed'
}

/**
 * Binds `server` to `path` with mode 0600 in a private folder. A stale socket file is replaced; rejects with
 * `AlreadyServed` when a live (even a stopped) process holds it.
 */
export async function bindSocket(server: Server, path: string): Promise<void> {
  const fault = socketPathFault(path)
  if (fault) throw new Error(fault)
  if (process.platform === 'win32') return listen(server, path)
  ensurePrivateFolder(socketFolder(path))
  for (;;) {
    const lock = await takeLock(`${path}.lock`)
    try {
      const state = await probe(path)
      if (state === 'alive') throw new AlreadyServed(`a daemon already serves ${path}`)
      // What was found out holds only as long as nobody else may act on it too.
      if (!lock.held()) continue
      if (state === 'stale') rmSync(path, { force: true })
      return await listen(server, path)
    } finally {
      lock.release()
    }
  }
}

/**
 * Whether somebody holds the socket. Only a refused connection proves that nobody does: a stopped or busy daemon still
 * has its backlog, and a slow owner is not a dead one.
 */
export function probe(path: string): Promise<'alive' | 'stale' | 'absent'> {
  // Node would ask for a name cut short, and whoever serves that one would answer.
  const fault = socketPathFault(path)
  if (fault) return Promise.reject(new Error(fault))
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('alive')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('absent')
      else if (error.code === 'EAGAIN') resolve('alive')
      // Linux refuses a connection to any file; only a socket may be taken for a dead daemon's.
      else if (error.code === 'ENOTSOCK' || (error.code === 'ECONNREFUSED' && !isSocket(path)))
        reject(new Error(`${path} exists and is not a socket; remove it, or set LETS_SOCKET to another path`))
      else if (error.code === 'ECONNREFUSED') resolve('stale')
      else reject(new Error(`${path} cannot be probed (${error.code}); set LETS_SOCKET to another path`))
    })
  })
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket()
  } catch {
    // Gone meanwhile.
    return true
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The mode is right from the first moment on, not after a chmod that a fast stranger could beat.
    const before = process.umask(0o177)
    server.once('error', reject)
    try {
      server.listen(path, () => {
        server.off('error', reject)
        resolve()
      })
    } finally {
      process.umask(before)
    }
  })
}
