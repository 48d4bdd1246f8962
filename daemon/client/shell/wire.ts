/** One connection to a shell daemon: requests matched to responses by id. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { LineReader } from '../../../protocol/ndjson.js'
import type { ShellMethod, ShellParams } from '../../../protocol/shell/schema.js'
import { ConnectionError, LetsError } from '../errors.js'

/** A response is larger than a request: a page of events that escapes every byte. */
const MAX_LINE_BYTES = 512 * 1024 * 1024 - 1024
/** How long a daemon has to end after its last client hung up, in ms. */
const GOODBYE_MS = 8000

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

interface Response {
  readonly id?: unknown
  readonly ok?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

export class ShellWire {
  readonly #input: Readable
  readonly #output: Writable
  readonly #hangUp: () => Promise<void>
  readonly #reader = new LineReader(MAX_LINE_BYTES)
  readonly #waiting = new Map<number, Waiting>()
  /** Sent with every request: the first one that arrives needs it. */
  readonly #token: string | undefined
  #nextId = 1
  #closed: ConnectionError | null = null
  #closing: Promise<void> | null = null

  constructor(input: Readable, output: Writable, hangUp: () => Promise<void>, token?: string) {
    this.#input = input
    this.#output = output
    this.#hangUp = hangUp
    this.#token = token
    input.on('data', (chunk: Buffer) => this.#read(chunk))
    const over = (why: string) => () => this.#fail(new ConnectionError('closed', why))
    for (const name of ['end', 'close']) input.once(name, over('the shell daemon closed the connection'))
    for (const stream of [input, output])
      stream.on('error', (error) =>
        this.#fail(new ConnectionError('closed', `the connection broke: ${error.message}`)),
      )
  }

  /** Sends a request; rejects with `LetsError` (the daemon refused) or `ConnectionError`. */
  request<M extends ShellMethod>(method: M, params: ShellParams<M>, signal?: AbortSignal): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed)
    if (signal?.aborted) return Promise.reject(signal.reason)
    const id = this.#nextId++
    const line = `${JSON.stringify({ id, method, params, token: this.#token })}\n`
    return new Promise((resolve, reject) => {
      // What is answered after that is of no interest any more.
      const abort = () => {
        this.#waiting.delete(id)
        reject(signal?.reason)
      }
      const settle =
        <T>(act: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', abort)
          act(value)
        }
      signal?.addEventListener('abort', abort)
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) })
      this.#output.write(line)
    })
  }

  /** Hangs up. Calls under way are rejected with `closed`. Safe to call twice. */
  close(): Promise<void> {
    this.#fail(new ConnectionError('closed', 'the client was closed'))
    this.#closing ??= this.#hangUp()
    return this.#closing
  }

  #read(chunk: Buffer): void {
    for (const event of this.#reader.push(chunk)) {
      if (event.kind !== 'line') {
        this.#fail(new ConnectionError('closed', 'the shell daemon sent something that is no response'))
        this.#input.destroy()
        return
      }
      const { id, ok, result, error } = JSON.parse(event.text) as Response
      const waiting = this.#waiting.get(id as number)
      if (!waiting) continue
      this.#waiting.delete(id as number)
      if (ok === true) waiting.resolve(result)
      else waiting.reject(new LetsError(String(error?.code), String(error?.message)))
    }
  }

  #fail(error: ConnectionError): void {
    this.#closed ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#closed)
    this.#waiting.clear()
  }
}

/** Connects to the daemon that daemon.json of `stateDir` names; rejects with `not_running` when none answers. */
export async function openTcp(stateDir: string, token?: string): Promise<ShellWire> {
  const start = `start one with \`lets shell start --state-dir ${stateDir}\``
  const { socket_host: host, socket_port: port, pid } = published(stateDir)
  if (typeof port !== 'number' || typeof host !== 'string')
    throw new ConnectionError('not_running', `no shell daemon serves ${stateDir} over TCP; ${start}`)
  const secret = join(stateDir, 'daemon.token')
  const given = token ?? (existsSync(secret) ? readFileSync(secret, 'utf8') : undefined)
  const socket = connect({ host, port, noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', (cause) =>
      reject(
        new ConnectionError(
          'not_running',
          `the shell daemon of ${stateDir} (pid ${pid}) does not answer at ${host}:${port}: ${cause.message}; ${start}`,
          { cause },
        ),
      ),
    )
  })
  socket.removeAllListeners('error')
  const hangUp = async () => {
    socket.destroy()
  }
  return new ShellWire(socket, socket, hangUp, given)
}

/** Starts a daemon that lives as long as this connection. */
export async function openStdio(stateDir: string, env: NodeJS.ProcessEnv = process.env): Promise<ShellWire> {
  const main = fileURLToPath(new URL('../../cli/main.js', import.meta.url))
  const child = spawn(process.execPath, [main, 'shell', 'stdio', '--state-dir', stateDir], {
    env: { ...env, LETS_LOG: env.LETS_LOG ?? 'off' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-4096)
  })
  const wire = new ShellWire(child.stdout, child.stdin, () => ended(child))
  try {
    // What keeps it from serving is told before anything else is asked.
    await wire.request('daemon.status', {})
    return wire
  } catch (cause) {
    await ended(child)
    const why = said.trim().replace(/^lets: /, '')
    throw new ConnectionError('not_running', why || (cause as Error).message, { cause })
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const timer = setTimeout(() => child.kill('SIGKILL'), GOODBYE_MS)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.stdin?.end()
    child.stdout?.resume()
  })
}

function published(stateDir: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(join(stateDir, 'daemon.json'), 'utf8')) as Record<string, unknown>
  } catch {
    return {}
  }
}
