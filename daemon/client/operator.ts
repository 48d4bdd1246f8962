/** The operator's side of the LIP host: windows are opened, listened to and sent to over HTTP, with the host's token. */
import { readFileSync } from 'node:fs'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
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
  /** Where it went: of a component that was sent to a screen it may be a window. */
  readonly window: string
  /** false: it waits for the page to come (back), or was `ignored`. */
  readonly delivered: boolean
  /** Why nothing came of it. */
  readonly ignored?: string
  /** Opens, once, a window that was made for it. */
  readonly url?: string
  /** The mark that it is, or is drawn as. */
  readonly annotation_id?: string
  /** How the companion is, where it was asked something. */
  readonly companion?: { readonly shown: boolean; readonly hidden_because?: string }
  readonly [field: string]: unknown
}

export interface ScreenLine {
  /** What it is sent to as, such as `screen#d1`. */
  readonly window: string
  readonly title: string
}

/** Who sends: what is put on screens belongs to the key, and the name is shown to the person. */
export interface OperatorName {
  /** Up to 64 letters, digits, `_`, `.` and `-`. */
  readonly key: string
  readonly name: string
}

/** Beside what a call itself may wait, in ms. */
const ANSWER_MS = 15_000

interface HostError {
  readonly code: string
  readonly message: string
  readonly candidates?: readonly unknown[]
}

export class LipOperator {
  private constructor(
    private readonly port: number,
    private readonly token: string,
    private readonly sender: OperatorName | undefined,
  ) {}

  /**
   * The host that `file` (`host.json`) tells of; null when it tells of none that runs. Without a `sender` it is one with all
   * commands of the command line.
   */
  static find(file: string, sender?: OperatorName): LipOperator | null {
    try {
      const { port, token, pid } = JSON.parse(readFileSync(file, 'utf8'))
      // Left by a daemon that was killed: whoever has its port now is a stranger.
      process.kill(pid, 0)
      return new LipOperator(port, token, sender)
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

  /** The windows that are open, and the screens that can be sent to. */
  windows(): Promise<{ readonly windows: readonly WindowLine[]; readonly screens: readonly ScreenLine[] }> {
    return this.#get('/lip/windows')
  }

  /**
   * Says that this sender is there, until `signal`: what it put on screens stays meanwhile, and goes then, also when this
   * process is killed. Resolves when the daemon knows; `ended` when it does not any more.
   */
  async present(signal: AbortSignal): Promise<{ readonly ended: Promise<void> }> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const asking = request({ ...this.#address('GET', '/lip/present'), signal, agent: false }, resolve)
      asking.on('error', reject)
      asking.end()
    })
    if (answer.statusCode !== 200)
      throw new LetsError('unavailable', `the host answered ${answer.statusCode}`)
    answer.socket.unref()
    const ended = new Promise<void>((resolve) => answer.on('error', () => {}).once('close', resolve))
    answer.resume()
    return { ended }
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
    const { error } = answer as { readonly error?: HostError }
    if (status >= 400)
      throw new LetsError(
        error?.code ?? 'internal',
        error?.message ?? `the host answered ${status}`,
        error?.candidates,
      )
    return answer as T
  }

  #address(method: string, path: string, body?: string): RequestOptions {
    const { port, token, sender } = this
    const headers = {
      authorization: `Bearer ${token}`,
      ...(sender && { 'x-lets-sender': sender.key, 'x-lets-sender-name': encodeURIComponent(sender.name) }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    }
    return { host: '127.0.0.1', port, method, path, headers }
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
        { ...this.#address(method, path, body), timeout, ...(signal && { signal }) },
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
