/**
 * The LIP host of a daemon: the port is there from the start, all behind it only from the first connection on. So a daemon
 * that nobody opens a window with pays for a port, and pages of before find the next daemon by connecting again.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Log } from '../log.js'
import type { Paths } from '../paths.js'
import { writeWholeSync } from '../whole-file.js'
import { listenLoopback } from './loopback.js'
import { newSecret } from './tokens.js'

export interface LipOptions {
  readonly paths: Paths
  readonly log: Log
  /** Opens the host behind the port; called with the first connection, and again with the next after it was gone. */
  readonly open: (address: LipAddress) => Promise<OpenHost>
}

export interface LipAddress {
  readonly port: number
  /** The operator's token. */
  readonly token: string
}

/** The host, ready for connections. */
export interface OpenHost {
  /** Takes over a connection of this user that nothing was read from yet. */
  serve(socket: Socket): void
  /** Writes what outlives the process, and hangs up on everyone. */
  stop(): Promise<void>
  /** Resolves when it is gone, also where nobody stopped it. */
  readonly ended: Promise<void>
}

export interface Lip {
  readonly port: number
  /** Writes what outlives the process, hangs up on everyone and takes `host.json` away. */
  stop(): Promise<void>
}

/** Rejects where the port is not to be had, or another daemon of this home serves already. */
export async function serveLip({ paths, log, open }: LipOptions): Promise<Lip> {
  if (await isServedByAnother(paths)) throw new Error(`another daemon serves the uniques of ${paths.home}`)
  const token = newSecret()
  let opening: Promise<OpenHost> | null = null
  // The next connection tries again.
  const forget = (gone: Promise<OpenHost>) => {
    if (opening === gone) opening = null
  }
  const opened = () => {
    const one = begin()
    opening = one
    one.then(
      ({ ended }) => ended.then(() => forget(one)),
      () => forget(one),
    )
    return one
  }
  const begin = async () => {
    const started = performance.now()
    mkdirSync(join(paths.home, 'lip'), { recursive: true, mode: 0o700 })
    writeFileSync(portFile(paths), String(listener.port), { mode: 0o600 })
    const host = await open({ port: listener.port, token })
    log('info', 'lip_loaded', { ms: Math.round(performance.now() - started) })
    return host
  }
  const serve = async (socket: Socket) => (await (opening ?? opened())).serve(socket)
  const listener = await listenLoopback(lastPort(paths), serve, log)
  const published = `${JSON.stringify({ port: listener.port, token, pid: process.pid })}\n`
  writeWholeSync(paths.lipHost, published)
  log('info', 'lip_serving', { port: listener.port })
  return {
    port: listener.port,
    async stop() {
      if (read(paths.lipHost) === published) rmSync(paths.lipHost, { force: true })
      const host = await opening?.catch(() => null)
      await host?.stop()
      await listener.close()
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
