/** A daemon with a unique to open, and parties that speak LIP to it: an operator, and pages. */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import { type DaemonProcess, type DaemonSetup, startDaemonProcess, tempHome } from '../support/daemon.js'

export const PROBE = fileURLToPath(new URL('../../../tests/lip/uniques/probe', import.meta.url))

export interface HostFile {
  readonly port: number
  readonly token: string
  readonly pid: number
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they came
  readonly json: any
}

export interface Asking {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  readonly port: number
}

/** One request, with its path as it stands: nothing is tidied up. */
export function ask(path: string, { method = 'GET', headers = {}, body, port }: Asking): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host: `127.0.0.1:${port}`, ...headers },
        agent: false,
      },
      async (answer) => {
        try {
          const said = await text(answer)
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: said, json: parsed(said) })
        } catch (error) {
          reject(error as Error)
        }
      },
    )
    asking.on('error', reject)
    asking.end(body)
  })
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said)
  } catch {
    return undefined
  }
}

export interface Served {
  readonly daemon: DaemonProcess
  readonly home: string
  readonly file: HostFile
  readonly port: number
  /** A request of the operator. */
  operator(path: string, body?: unknown): Promise<Answer>
  open(unique?: string, more?: object): Promise<OpenedWindow>
  /** The latest events of a cursor. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they came
  listen(query?: { readonly wait_ms?: number; readonly max?: number; readonly cursor?: string }): Promise<any>
}

export interface OpenedWindow {
  readonly window: string
  readonly token: string
  readonly url: string
  readonly guide: string
  readonly resumed?: string
}

export function hostFile(home: string): HostFile {
  return JSON.parse(readFileSync(join(home, 'host.json'), 'utf8'))
}

/** A home with the probe installed, and what else is named. */
export function homeWithProbe(t: ExecutionContext): string {
  const home = tempHome()
  t.teardown(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }))
  mkdirSync(join(home, 'uniques'), { recursive: true })
  cpSync(PROBE, join(home, 'uniques', 'probe'), { recursive: true })
  return home
}

export async function served(
  t: ExecutionContext,
  setup: DaemonSetup & { home?: string } = {},
): Promise<Served> {
  const home = setup.home ?? homeWithProbe(t)
  const daemon = await startDaemonProcess({
    args: ['--host', 'headless'],
    ...setup,
    env: { ...setup.env, LETS_HOME: home },
  })
  t.teardown(() => daemon.stop())
  return reachHost(daemon, home)
}

export function reachHost(daemon: DaemonProcess, home: string): Served {
  const file = hostFile(home)
  const { port, token } = file
  const operator = (path: string, body?: unknown) =>
    ask(path, {
      port,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
  return {
    daemon,
    home,
    file,
    port,
    operator,
    async open(unique = 'probe', more = {}) {
      const { status, json, text: said } = await operator('/lip/open', { unique, ...more })
      if (status !== 200) throw new Error(`open: ${status} ${said}`)
      return json
    },
    async listen(query = {}) {
      const given = Object.entries({ wait_ms: 5000, ...query }).map((entry) => entry.join('='))
      const { status, json, text: said } = await operator(`/lip/listen?${given.join('&')}`)
      if (status !== 200) throw new Error(`listen: ${status} ${said}`)
      return json
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into envelopes as they came
type Seen = any

/** A page's connection: keeps all that came, in order. */
export class Page {
  readonly all: Seen[] = []
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  #waiting: (() => void)[] = []

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.all.push(JSON.parse(String(data)))
      for (const wake of this.#waiting.splice(0)) wake()
    })
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) })
        for (const wake of this.#waiting.splice(0)) wake()
      })
    })
    socket.on('error', () => {})
  }

  /** Connects as a browser would: from our origin, with the token in the first message. */
  static async connect(
    port: number,
    token: string,
    { last, headers = {} }: { last?: string; headers?: Record<string, string> } = {},
  ): Promise<Page> {
    const page = await Page.raw(port, { origin: `http://127.0.0.1:${port}`, ...headers })
    page.send({
      lip: 1,
      type: 'lip.hello',
      data: { sdk: 'test/1', capabilities: [], token, ...(last && { last }) },
    })
    await page.next('lip.ready')
    return page
  }

  /** Connects and says nothing. */
  static async raw(port: number, headers: Record<string, string> = {}, path = '/lip/ws'): Promise<Page> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
    const page = new Page(socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve())
      socket.once('error', reject)
    })
    return page
  }

  send(value: unknown): void {
    this.socket.send(typeof value === 'string' ? value : JSON.stringify(value))
  }

  emit(type: string, data: object = {}, more: object = {}): void {
    this.send({ lip: 1, type, data, ...more })
  }

  /** The first message of this type, waited for if need be; `from` skips those before. */
  async next(type: string, from = 0): Promise<Seen> {
    const until = Date.now() + 30_000
    for (;;) {
      const found = this.all.slice(from).find((message) => message.type === type)
      if (found) return found
      if (Date.now() > until || this.socket.readyState === WebSocket.CLOSED)
        throw new Error(`no ${type} came; ${JSON.stringify(this.all).slice(0, 500)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 30_000)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.closed
  }
}

/** Waits for what becomes so without a message that says it. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`it did not become so: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
