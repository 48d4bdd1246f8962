/**
 * The LIP host of a daemon: the port is there from the start, all behind it only from the first connection on. So a daemon
 * that nobody opens a window with pays for a port, and pages of before find the next daemon by connecting again.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Paths } from '../paths.js'
import { writeWholeSync } from '../whole-file.js'
import type { LipHostOptions } from './host.js'
import { listenLoopback } from './loopback.js'
import { newSecret } from './tokens.js'

export type LipOptions = Omit<LipHostOptions, 'home'> & {
  readonly paths: Paths
  /** The folder that holds `sdk.js`. */
  readonly sdk: string
}

export interface Lip {
  readonly port: number
  /** Writes what outlives the process, hangs up on everyone and takes `host.json` away. */
  stop(): Promise<void>
}

interface Loaded {
  serve(socket: Socket): void
  stop(): Promise<void>
}

/** Rejects where the port is not to be had, or another daemon of this home serves already. */
export async function serveLip(options: LipOptions): Promise<Lip> {
  const { paths, log } = options
  if (await isServedByAnother(paths)) throw new Error(`another daemon serves the uniques of ${paths.home}`)
  const token = newSecret()
  let loading: Promise<Loaded> | null = null
  const serve = async (socket: Socket) => {
    loading ??= load(options, token, listener.port).catch((error) => {
      // The next connection tries again.
      loading = null
      throw error
    })
    const loaded = await loading
    loaded.serve(socket)
  }
  const listener = await listenLoopback(lastPort(paths), serve, log)
  const published = `${JSON.stringify({ port: listener.port, token, pid: process.pid })}\n`
  writeWholeSync(paths.lipHost, published)
  log('info', 'lip_serving', { port: listener.port })
  return {
    port: listener.port,
    async stop() {
      if (read(paths.lipHost) === published) rmSync(paths.lipHost, { force: true })
      const loaded = await loading?.catch(() => null)
      await loaded?.stop()
      await listener.close()
    },
  }
}

async function load(options: LipOptions, token: string, port: number): Promise<Loaded> {
  const started = performance.now()
  const { paths, log, sdk } = options
  const [{ LipHost }, { createApp }] = await Promise.all([import('./host.js'), import('./app.js')])
  mkdirSync(join(paths.home, 'lip'), { recursive: true, mode: 0o700 })
  writeFileSync(portFile(paths), String(port), { mode: 0o600 })
  const host = new LipHost({ ...options, home: paths.home })
  const { app, server } = await createApp({ host, port, token, sdk })
  log('info', 'lip_loaded', { ms: Math.round(performance.now() - started) })
  return {
    serve(socket) {
      server.emit('connection', socket)
      socket.resume()
    },
    async stop() {
      // What is on the screens goes with the daemon, and that is told before the queue is written.
      await host.screens.stop()
      host.end()
      await app.close()
    },
  }
}

/** Two daemons with sockets of their own may share a home: what is kept there is the first one's to write. */
function isServedByAnother(paths: Paths): Promise<boolean> {
  let port: number
  try {
    const published = JSON.parse(read(paths.lipHost) ?? '')
    process.kill(published.pid, 0)
    port = published.port
  } catch {
    return Promise.resolve(false)
  }
  // Its pid may be another's by now; whoever serves has the port.
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Pages that are open know the port of the daemon before. */
function lastPort(paths: Paths): number {
  const port = Number(read(portFile(paths)))
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0
}

function portFile(paths: Paths): string {
  return join(paths.home, 'lip', 'port')
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
