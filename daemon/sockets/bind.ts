/** Who may own the socket's name: exactly one live daemon, whatever starts or died at the same moment. */
import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { socketPathFault } from '../paths.js'
import { ensurePrivateFolder, socketFolder } from './private-folder.js'

/** A lock is held for the few milliseconds of a bind: one this old belongs to a process that died in between. */
const LOCK_STALE_MS = 5000
const LOCK_RETRY_MS = 15

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
  const unlock = await lock(`${path}.lock`)
  try {
    const state = await probe(path)
    if (state === 'alive') throw new AlreadyServed(`a daemon already serves ${path}`)
    if (state === 'stale') rmSync(path, { force: true })
    await listen(server, path)
  } finally {
    unlock()
  }
}

/**
 * Whether somebody holds the socket. Only a refused connection proves that nobody does: a stopped or busy daemon still
 * has its backlog, and a slow owner is not a dead one.
 */
export function probe(path: string): Promise<'alive' | 'stale' | 'absent'> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('alive')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('absent')
      else if (error.code === 'ECONNREFUSED') resolve('stale')
      else if (error.code === 'EAGAIN') resolve('alive')
      else if (error.code === 'ENOTSOCK') reject(new Error(`${path} exists and is not a socket; remove it, or set LETS_SOCKET`))
      else reject(new Error(`${path} cannot be probed (${error.code}); set LETS_SOCKET to another path`))
    })
  })
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

async function lock(file: string): Promise<() => void> {
  for (;;) {
    try {
      closeSync(openSync(file, 'wx', 0o600))
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    breakStale(file)
    await delay(LOCK_RETRY_MS)
  }
}

/** Takes a dead starter's lock away. The rename decides between two who try: the loser finds nothing to rename. */
function breakStale(file: string): void {
  try {
    const { mtimeMs, ino } = statSync(file)
    if (Date.now() - mtimeMs < LOCK_STALE_MS) return
    const aside = `${file}.${process.pid}`
    renameSync(file, aside)
    if (statSync(aside).ino === ino) rmSync(aside)
    else renameSync(aside, file)
  } catch {
    // Gone meanwhile: its holder finished.
  }
}
