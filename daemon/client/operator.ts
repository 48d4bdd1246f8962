/** The operator's side of the LIP host: windows are opened, listened to and sent to over HTTP, with the host's token. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { ConnectionError, LetsError } from './errors.js'

export interface OpenedWindow {
  readonly window: string
  readonly unique: string
  readonly title: string
  /** Opens once; the browser that follows it is let in. */
  readonly url: string
  /** What the unique asks of a model for as long as its window is open. */
  readonly guide: string
  readonly events: Readonly<Record<string, string>>
  readonly commands: Readonly<Record<string, string>>
  /** The session that the window goes on with. */
  readonly resumed?: string
  readonly warnings?: readonly string[]
}

export interface LipEvent {
  readonly lip: 1
  readonly id: string
  /** Milliseconds since 1970. */
  readonly ts: number
  readonly dir: 'up'
  readonly from: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly re?: string
}

export interface Heard {
  readonly cursor: string
  readonly events: readonly LipEvent[]
  /** Events that made room before they were read. */
  readonly lost: number
  readonly more: boolean
}

export interface WindowLine {
  readonly window: string
  readonly unique: string
  readonly title: string
  readonly state: 'opening' | 'open' | 'away'
  readonly opened: number
  /** Commands that wait for the page. */
  readonly waiting: number
  readonly session?: string
  readonly events: { readonly taken: number; readonly refused: number; readonly ignored: number }
}

export interface SessionLine {
  readonly id: string
  readonly unique: string
  readonly summary: string
  readonly saved: number
  readonly file: string
  readonly bytes: number
}

export interface Command {
  readonly window: string
  readonly type: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly re?: string
  readonly ttl?: number
}

export interface SentCommand {
  readonly id: string
  readonly window: string
  /** false: it waits for the page to come (back). */
  readonly delivered: boolean
}

/** Beside what a call itself may wait, in ms. */
const ANSWER_MS = 15_000

export class LipOperator {
  private constructor(
    private readonly port: number,
    private readonly token: string,
  ) {}

  /** The host that `file` (`host.json`) tells of; null when it tells of none that runs. */
  static find(file: string): LipOperator | null {
    try {
      const { port, token, pid } = JSON.parse(readFileSync(file, 'utf8'))
      // Left by a daemon that was killed: whoever has its port now is a stranger.
      process.kill(pid, 0)
      return new LipOperator(port, token)
    } catch {
      return null
    }
  }

  open(
    unique: string,
    more: { readonly resume?: string; readonly plain?: boolean } = {},
  ): Promise<OpenedWindow> {
    return this.#post('/lip/open', { unique, ...more })
  }

  /** What came after the cursor, which moves on; waits up to `waitMs` while nothing is there. */
  listen(
    {
      cursor = 'claude',
      waitMs = 0,
      max,
    }: { readonly cursor?: string; readonly waitMs?: number; readonly max?: number },
    signal?: AbortSignal,
  ): Promise<Heard> {
    return this.#get('/lip/listen', { cursor, wait_ms: waitMs, max }, waitMs, signal)
  }

  send(command: Command): Promise<SentCommand> {
    return this.#post('/lip/send', command)
  }

  async windows(): Promise<readonly WindowLine[]> {
    return (await this.#get<{ readonly windows: readonly WindowLine[] }>('/lip/windows')).windows
  }

  close(window: string, reason?: string): Promise<{ readonly window: string; readonly closed: true }> {
    return this.#post('/lip/close', { window, reason })
  }

  /** What a window holds now, as its page says. */
  state(
    window: string,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<{
    readonly window: string
    readonly type: string
    readonly state: Readonly<Record<string, unknown>>
  }> {
    return this.#get('/lip/state', { window, wait_ms: waitMs }, waitMs, signal)
  }

  async sessions(unique?: string): Promise<readonly SessionLine[]> {
    const { sessions } = await this.#get<{ readonly sessions: readonly SessionLine[] }>('/lip/sessions', {
      unique,
    })
    return sessions
  }

  /** What the person has allowed uniques to run: by unique, then by language. */
  async allowed(): Promise<Readonly<Record<string, Readonly<Record<string, 'allow' | 'deny'>>>>> {
    return (
      await this.#get<{ readonly allowed: Record<string, Record<string, 'allow' | 'deny'>> }>('/lip/allow')
    ).allowed
  }

  allow(unique: string, language: string, answer: 'allow' | 'deny' | null): Promise<unknown> {
    return this.#post('/lip/allow', { unique, language, answer })
  }

  #get<T>(
    path: string,
    query: Readonly<Record<string, string | number | undefined>> = {},
    waitMs = 0,
    signal?: AbortSignal,
  ): Promise<T> {
    const given = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
    return this.#ask('GET', `${path}?${given}`, undefined, waitMs, signal)
  }

  #post<T>(path: string, body: unknown): Promise<T> {
    return this.#ask('POST', path, JSON.stringify(body), 0)
  }

  async #ask<T>(
    method: string,
    path: string,
    body: string | undefined,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<T> {
    const { status, said } = await this.#exchange(method, path, body, waitMs + ANSWER_MS, signal)
    let answer: unknown
    try {
      answer = JSON.parse(said)
    } catch {
      throw new ConnectionError('closed', `the host answered ${status} with what is no JSON`)
    }
    const { error } = answer as { readonly error?: { readonly code: string; readonly message: string } }
    if (status >= 400)
      throw new LetsError(error?.code ?? 'internal', error?.message ?? `the host answered ${status}`)
    return answer as T
  }

  #exchange(
    method: string,
    path: string,
    body: string | undefined,
    timeout: number,
    signal?: AbortSignal,
  ): Promise<{ readonly status: number; readonly said: string }> {
    return new Promise((resolve, reject) => {
      const asking = request(
        {
          host: '127.0.0.1',
          port: this.port,
          method,
          path,
          timeout,
          headers: {
            authorization: `Bearer ${this.token}`,
            ...(body !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
            }),
          },
          ...(signal && { signal }),
        },
        (answer) => {
          text(answer).then((said) => resolve({ status: answer.statusCode ?? 0, said }), reject)
        },
      )
      asking.on('timeout', () => asking.destroy(new ConnectionError('timeout', 'the host does not answer')))
      asking.on('error', (error: NodeJS.ErrnoException) => {
        if (error instanceof ConnectionError || error.name === 'AbortError') reject(error)
        else if (error.code === 'ECONNREFUSED')
          reject(new ConnectionError('not_running', 'no daemon serves uniques', { cause: error }))
        else
          reject(
            new ConnectionError('closed', `the host went away (${error.code ?? error.message})`, {
              cause: error,
            }),
          )
      })
      asking.end(body)
    })
  }
}
