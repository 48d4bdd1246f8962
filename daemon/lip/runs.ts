/** `/lip/run`: code of a unique, run by the shell service once the person has allowed it, its output streamed down. */
import { ulid } from 'ulid'
import { LipError } from '../../protocol/lip/errors.js'
import { show } from '../../protocol/overlay/explain.js'
import type { Log } from '../log.js'
import type { Allowed } from '../uniques/allowed.js'
import type { Runner, RunResult } from './runner.js'
import type { Said } from './stamp.js'
import type { LipWindow } from './window.js'

export interface Question {
  readonly unique: string
  readonly title: string
  readonly language: string
}

export interface RunParts {
  readonly allowed: Allowed
  readonly log: Log
  /** null: nothing here runs code. */
  readonly runner: Runner | null
  /** Asks the person, where that can be done; null when nobody answered. */
  readonly ask: ((question: Question, signal: AbortSignal) => Promise<'allow' | 'deny' | null>) | null
  /** Tells the window, in order. */
  tell(window: LipWindow, said: Said): void
}

const AT_ONCE = 4
const CODE = 256 * 1024
const TIMEOUT_MS = { default: 60_000, max: 600_000 }
/** Output of one run that is passed on, in characters. */
const OUTPUT = 1024 * 1024
/** After a question that nobody answered, in ms. */
const PEACE_MS = 60_000

export class Runs {
  /** By window: what ends each, and what it is called once it runs. */
  readonly #running = new Map<string, Map<AbortController, string | null>>()
  readonly #asking = new Map<string, Promise<'allow' | 'deny' | null>>()
  readonly #leftInPeace = new Map<string, number>()

  constructor(private readonly parts: RunParts) {}

  /** Starts what a window asks for; resolves with the run's id once it may run. Rejects with `LipError`. */
  async start(window: LipWindow, body: Readonly<Record<string, unknown>>): Promise<string> {
    const { language, code, timeout_ms = TIMEOUT_MS.default } = body
    if (typeof language !== 'string')
      throw new LipError('bad_data', `language must be a word, got ${show(language)}`)
    if (typeof code !== 'string' || code.length > CODE)
      throw new LipError('bad_data', `code must be a string of up to ${CODE} characters, got ${show(code)}`)
    if (!Number.isInteger(timeout_ms) || Number(timeout_ms) < 1 || Number(timeout_ms) > TIMEOUT_MS.max)
      throw new LipError(
        'bad_data',
        `timeout_ms must be whole milliseconds up to ${TIMEOUT_MS.max}, got ${show(timeout_ms)}`,
      )
    const running = this.#running.get(window.id) ?? new Map<AbortController, string | null>()
    if (running.size >= AT_ONCE)
      throw new LipError('limit', `${AT_ONCE} runs of ${window.id} are under way, the most at once`)
    const ending = new AbortController()
    this.#running.set(window.id, running.set(ending, null))
    try {
      await this.#permit(window, language, ending.signal)
    } catch (error) {
      running.delete(ending)
      throw error
    }
    const run = `run_${ulid()}`
    running.set(ending, run)
    void this.#run(window, run, { language, code, timeoutMs: Number(timeout_ms) }, ending).finally(() =>
      running.delete(ending),
    )
    return run
  }

  /** What of a window runs. */
  of(window: LipWindow): string[] {
    return [...(this.#running.get(window.id)?.values() ?? [])].filter((run) => run !== null)
  }

  /** Ends what a window still has running: nobody is there to see it. */
  end(window: LipWindow): void {
    for (const ending of this.#running.get(window.id)?.keys() ?? []) ending.abort()
    this.#running.delete(window.id)
  }

  async #permit(window: LipWindow, language: string, signal: AbortSignal): Promise<void> {
    const { name, manifest } = window.unique
    if (!manifest.permissions?.exec?.includes(language))
      throw new LipError(
        'not_permitted',
        `unique.json: permissions.exec: ${name} does not list ${show(language)} (rule 8)`,
      )
    if (!this.parts.runner) throw new LipError('unavailable', 'this daemon has no service that runs code')
    const { allowed } = this.parts
    const answer =
      allowed.answer(name, language) ??
      (await this.#ask({ unique: name, title: manifest.title, language }, signal))
    if (answer === 'allow' && !signal.aborted) return
    throw new LipError(
      'not_permitted',
      answer === 'deny'
        ? `the person does not want ${name} to run ${language} (\`lets allow ${name} ${language}\` changes that)`
        : `nobody has allowed ${name} to run ${language} here; the person can: \`lets allow ${name} ${language}\``,
    )
  }

  /** One question for all runs that wait for the same answer; who did not answer is left in peace for a minute. */
  async #ask(question: Question, signal: AbortSignal): Promise<'allow' | 'deny' | null> {
    const { ask, allowed, log } = this.parts
    const { unique, language } = question
    const key = `${unique} ${language}`
    const known = this.#asking.get(key)
    if (known) return known
    if (!ask || performance.now() < (this.#leftInPeace.get(key) ?? 0)) return null
    const asking = ask(question, signal).then((answer) => {
      if (answer !== null) allowed.set(unique, language, answer)
      else this.#leftInPeace.set(key, performance.now() + PEACE_MS)
      log('info', 'run_asked', { unique, language, answer })
      return answer
    })
    this.#asking.set(key, asking)
    return asking.finally(() => this.#asking.delete(key))
  }

  async #run(
    window: LipWindow,
    run: string,
    request: { readonly language: string; readonly code: string; readonly timeoutMs: number },
    ending: AbortController,
  ): Promise<void> {
    const { runner, tell, log } = this.parts
    let seq = 0
    let left = OUTPUT
    let cut = false
    const onOutput = (stream: 'stdout' | 'stderr', text: string) => {
      if (ending.signal.aborted) return
      const passed = text.slice(0, left)
      left -= passed.length
      if (passed.length < text.length) cut = true
      if (passed !== '')
        tell(window, { type: 'host.run.output', data: { run, stream, text: passed, seq: seq++ } })
    }
    log('info', 'run', { window: window.id, unique: window.unique.name, run, language: request.language })
    let result: RunResult
    try {
      result = await (runner as Runner).run({ ...request, onOutput, signal: ending.signal })
    } catch (error) {
      if (!ending.signal.aborted)
        tell(window, {
          type: 'host.run.end',
          data: { run, exit_code: null, error: (error as Error).message },
        })
      return
    }
    if (ending.signal.aborted) return
    const { exitCode, timedOut } = result
    tell(window, {
      type: 'host.run.end',
      data: {
        run,
        exit_code: exitCode,
        ...(timedOut ? { timed_out: true } : {}),
        ...(cut ? { cut: true } : {}),
      },
    })
  }
}
