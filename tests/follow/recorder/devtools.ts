import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

interface Answer {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly result?: unknown
  readonly error?: { message: string }
}

/** The DevTools protocol over the pipe of a Chromium that was started with `--remote-debugging-pipe`. */
export class DevTools {
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  readonly #out: Writable
  #next = 1
  #rest = ''

  constructor(child: ChildProcess) {
    this.#out = child.stdio[3] as Writable
    const input = child.stdio[4] as Readable
    input.setEncoding('utf8')
    input.on('data', (text: string) => {
      const messages = (this.#rest + text).split('\0')
      this.#rest = messages.pop()!
      for (const message of messages) this.#take(JSON.parse(message) as Answer)
    })
    input.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Chromium has ended'))
    })
  }

  send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = this.#next++
    this.#out.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`)
    return new Promise<T>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  /** The first page there is, or a new one. */
  async page(url?: string): Promise<Page> {
    const { targetInfos } = await this.send<{ targetInfos: { targetId: string; type: string }[] }>(
      'Target.getTargets',
    )
    const targetId =
      url === undefined
        ? targetInfos.find(({ type }) => type === 'page')!.targetId
        : (await this.send<{ targetId: string }>('Target.createTarget', { url })).targetId
    const { sessionId } = await this.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    return new Page(this, sessionId, targetId)
  }

  #take({ id, error, result }: Answer): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id!)
    if (error !== undefined) waiting.reject(new Error(error.message))
    else waiting.resolve(result as never)
  }
}

export class Page {
  constructor(
    private readonly devtools: DevTools,
    private readonly session: string,
    private readonly target: string,
  ) {}

  /** The value of an expression in the page; a promise is waited for. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.devtools.send<{
      result: { value: T }
      exceptionDetails?: { exception?: { description?: string } }
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, this.session)
    if (exceptionDetails !== undefined)
      throw new Error(`${expression.slice(0, 80)}: ${exceptionDetails.exception?.description}`)
    return result.value
  }

  async go(url: string): Promise<string> {
    await this.devtools.send('Page.navigate', { url }, this.session)
    await this.loaded(url)
    return url
  }

  async loaded(url: string): Promise<void> {
    for (;;) {
      const there = await this.value<boolean>(
        `location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`,
      ).catch(() => false)
      if (there) return
    }
  }

  async front(): Promise<void> {
    await this.devtools.send('Target.activateTarget', { targetId: this.target })
  }
}
