/** Code that a page has run on the machine, once the person allows it: what it says, as it says it, and how it ended. */
import type { DownData, Envelope } from '../../protocol/lip/schema.js'
import { LipRefused } from './link.js'

export interface RunOutput {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

export interface RunEnd {
  /** null: it did not end by itself. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** There was more output than is passed on. */
  readonly cut: boolean
}

/** A run: `for await (const { stream, text } of run)`, then `await run.ended`. Each loop over it hears all from the beginning. */
export class Run implements AsyncIterable<RunOutput> {
  /** Rejects with `LipRefused` when it may not run, could not be started, or nobody can say any more how it ended. */
  readonly ended: Promise<RunEnd>
  readonly #said: RunOutput[] = []
  #over = false
  #wake: () => void = () => {}
  #more: Promise<void> = Promise.resolve()
  #settle: { readonly resolve: (end: RunEnd) => void; readonly reject: (error: Error) => void } | null = null

  /** Use `lip.run`. */
  constructor() {
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // A page may care for the output alone.
    this.ended.catch(() => {})
    this.#next()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunOutput, void> {
    for (let n = 0; ; n++) {
      while (n >= this.#said.length) {
        if (this.#over) return void (await this.ended)
        await this.#more
      }
      yield this.#said[n] as RunOutput
    }
  }

  /** For the SDK. */
  take(envelope: Envelope): void {
    if (envelope.type === 'host.run.output') {
      const { stream, text } = envelope.data as DownData['host.run.output']
      this.#said.push({ stream, text })
      this.#next()
      return
    }
    const { exit_code, timed_out, cut, error } = envelope.data as DownData['host.run.end']
    if (error !== undefined) this.fail(new LipRefused('unavailable', error))
    else this.#end(exit_code, timed_out, cut)
  }

  /** For the SDK. */
  fail(error: Error): void {
    this.#over = true
    this.#settle?.reject(error)
    this.#next()
  }

  #end(exitCode: number | null, timedOut = false, cut = false): void {
    this.#over = true
    this.#settle?.resolve({ exitCode, timedOut, cut })
    this.#next()
  }

  #next(): void {
    const wake = this.#wake
    this.#more = new Promise((resolve) => {
      this.#wake = resolve
    })
    wake()
  }
}

export class Runs {
  readonly #open = new Map<string, Run>()
  /** The answer that names a run may come after what it says: until then that is kept. */
  #starting = 0
  #early: Envelope[] = []

  /** @param ask asks the host for it, and says what it is called */
  start(ask: () => Promise<unknown>): Run {
    const run = new Run()
    this.#starting++
    ask()
      .then(
        (answer) => this.#begin((answer as { readonly run: string }).run, run),
        (error: Error) => run.fail(error),
      )
      .finally(() => {
        this.#starting--
        if (this.#starting === 0) this.#early = []
      })
    return run
  }

  /** Whether it is of a run of this page. */
  take(envelope: Envelope): boolean {
    const id = String(envelope.data.run)
    const run = this.#open.get(id)
    if (!run) {
      if (this.#starting > 0) this.#early.push(envelope)
      return this.#starting > 0
    }
    run.take(envelope)
    if (envelope.type === 'host.run.end') this.#open.delete(id)
    return true
  }

  /**
   * Connected again: `alive` are those that the host still has. `caughtUp` resolves when all was told that was missed; what
   * has not ended by then, and is not alive, went with the daemon.
   */
  async again(alive: readonly string[], caughtUp: () => Promise<unknown>): Promise<void> {
    const before = [...this.#open].filter(([id]) => !alive.includes(id))
    if (before.length === 0) return
    await caughtUp().catch(() => {})
    for (const [id, run] of before)
      if (this.#open.delete(id))
        run.fail(new LipRefused('unavailable', 'the daemon ended while it ran; it was ended, too'))
  }

  /** The window is over. */
  close(): void {
    for (const run of this.#open.values())
      run.fail(new LipRefused('window_closed', 'the window was closed while it ran; it was ended, too'))
    this.#open.clear()
  }

  #begin(id: string, run: Run): void {
    this.#open.set(id, run)
    const early = this.#early
    this.#early = early.filter(({ data }) => data.run !== id)
    for (const envelope of early) if (envelope.data.run === id) this.take(envelope)
  }
}
