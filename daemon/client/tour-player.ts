/** One tour on its way: which marks are up, what is waited for, and what became of each step. */
import { kindOf } from '../../protocol/tour/forms.js'
import type { Tour, TourStep } from '../../protocol/tour/schema.js'
import type { LetsClient } from './client.js'
import { ConnectionError, LetsError } from './errors.js'
import type { GoneMark } from './gone.js'
import type { PlayOptions, StepOutcome, TourOutcome } from './play.js'
import { markOf } from './tour-marks.js'
import { type Waited, Waits } from './tour-waits.js'

/** Where a tour is played: a session that has other marks, too, and that others listen to. */
export interface Stage {
  readonly client: LetsClient
  /** Whom the daemon waits for a window or the key for: it stops when this one is closed. */
  readonly waitsOn: LetsClient
  /** Has each mark told that goes away. */
  listen(tell: (gone: GoneMark) => void): unknown
}

/** How long a step stays that says neither what it waits for nor that it is kept, in ms. */
const DEFAULT_MS = 3000

/** A mark that is up. */
interface Up {
  readonly index: number
  readonly id: string
  readonly missing: readonly string[] | undefined
}

/** Plays one tour, once. */
export class Player {
  readonly #outcomes: (StepOutcome | undefined)[]
  /** Marks that went away by themselves, and why. */
  readonly #gone = new Map<string, string>()
  readonly #up = new Set<Up>()
  /** What was put up and not taken off again, in order. */
  readonly #left = new Set<Up>()
  readonly #stop = new AbortController()
  readonly #waits: Waits

  constructor(
    private readonly stage: Stage,
    private readonly tour: Tour,
    private readonly options: PlayOptions,
  ) {
    this.#outcomes = tour.steps.map(() => undefined)
    this.#waits = new Waits(stage.waitsOn, this.#stop.signal, options.next)
  }

  async play(): Promise<TourOutcome> {
    const interrupt = () => this.#end('interrupted')
    const { signal } = this.options
    if (signal?.aborted) interrupt()
    signal?.addEventListener('abort', interrupt)
    this.stage.listen((gone) => this.#hear(gone))
    try {
      await (this.tour.together ? this.#together() : this.#inTurn())
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      this.#end('connection_lost')
    } finally {
      signal?.removeEventListener('abort', interrupt)
    }
    for (const up of this.#up) this.#settle(up)
    const reason = String(this.#stop.signal.reason ?? 'ended')
    for (const index of this.tour.steps.keys()) this.#tell(index, { outcome: 'skipped', reason })
    const steps = this.#outcomes.filter((outcome) => outcome !== undefined)
    return { steps, all_shown: steps.every((outcome) => this.#isFine(outcome)) }
  }

  /** Takes off what is not to stay. Resolves with the marks that do. */
  async leave(): Promise<readonly string[]> {
    const stays = ({ index, id }: Up) =>
      !this.#ended && this.tour.steps[index]?.keep === true && !this.#gone.has(id)
    try {
      for (const up of this.#left) if (!stays(up)) await this.#remove(up)
    } catch (error) {
      // They went with the connection.
      if (!(error instanceof ConnectionError)) throw error
      return []
    }
    return [...this.#left].map(({ id }) => id)
  }

  /** What goes away meanwhile. A person who clears the screen wants no more of the tour. */
  #hear({ annotation_id, reason }: GoneMark): void {
    this.#gone.set(annotation_id, reason)
    if (reason === 'cleared' || reason === 'connection_lost') this.#end(reason)
  }

  #end(reason: string): void {
    if (!this.#stop.signal.aborted) this.#stop.abort(reason)
  }

  get #ended(): boolean {
    return this.#stop.signal.aborted
  }

  async #inTurn(): Promise<void> {
    let before: Up | null = null
    for (const [index, step] of this.tour.steps.entries()) {
      if (this.#ended) return
      const up = await this.#show(index, step)
      // Once the next one is up: nothing blinks, and the pointer flies from one to the other.
      if (before) await this.#remove(before)
      before = null
      if (!up) continue
      const patience = step.wait ?? (step.keep ? null : { ms: DEFAULT_MS })
      if (patience && !(await this.#wait(up, patience))) return
      if (step.keep) continue
      this.#settle(up)
      before = up
    }
  }

  async #together(): Promise<void> {
    const shown: Up[] = []
    for (const [index, step] of this.tour.steps.entries()) {
      if (this.#ended) return
      const up = await this.#show(index, step)
      if (up) shown.push(up)
    }
    const waits = shown.filter(({ index }) => this.tour.steps[index]?.wait !== undefined)
    for (const up of waits) {
      const { wait } = this.tour.steps[up.index] as TourStep
      if (wait && !(await this.#wait(up, wait))) return
    }
    const [last] = shown.slice(-1)
    if (last && waits.length === 0) await this.#wait(last, { ms: DEFAULT_MS })
  }

  /** Puts a step's mark up; null when it is not. */
  async #show(index: number, step: TourStep): Promise<Up | null> {
    try {
      const { client } = this.stage
      const ack = await client.request(await markOf(client, step, index + 1))
      const id = ack.annotation_id as string
      const up: Up = { index, id, missing: ack.missing_glyphs }
      // Why it is not to be seen came with the ack, and is heard in a moment.
      if (ack.painted === false) await new Promise((resolve) => setImmediate(resolve))
      if (ack.painted === false && !this.#gone.has(id)) {
        this.#tell(index, { outcome: 'unseen', annotation_id: id })
        await this.#remove(up)
        return null
      }
      this.#up.add(up)
      this.#left.add(up)
      this.options.onShown?.(index + 1, step)
      return up
    } catch (error) {
      this.#tell(index, refusal(error))
      return null
    }
  }

  /** Whether the tour goes on. */
  async #wait({ index, id }: Up, patience: NonNullable<TourStep['wait']>): Promise<boolean> {
    let waited: Waited
    try {
      waited = await this.#waits.for(patience)
    } catch (error) {
      this.#tell(index, { ...refusal(error), annotation_id: id })
      this.#end('wait_refused')
      return false
    }
    if (waited === 'no_window') {
      this.#tell(index, { outcome: 'no_window', annotation_id: id })
      this.#end('no_window')
    } else if (waited === 'dismissed') this.#end('cleared')
    return !this.#ended
  }

  async #remove(up: Up): Promise<void> {
    const { id } = up
    this.#left.delete(up)
    if (this.#gone.has(id)) return
    await this.stage.client.clear(id).catch((error: unknown) => {
      // It went at the same moment.
      if (!(error instanceof LetsError) || error.code !== 'not_owner') throw error
    })
  }

  /** A mark's time is over: it was shown, unless it went before. */
  #settle(up: Up): void {
    this.#up.delete(up)
    const { index, id, missing } = up
    const reason = this.#gone.get(id)
    this.#tell(index, {
      ...(reason === undefined ? { outcome: 'shown' } : { outcome: 'gone', reason }),
      annotation_id: id,
      ...(missing && { missing_glyphs: missing }),
    })
  }

  /** The first thing that is said of a step counts. */
  #tell(index: number, what: Omit<StepOutcome, 'step' | 'kind' | 'title'>): void {
    if (this.#outcomes[index]) return
    const step = this.tour.steps[index] as TourStep
    const { title } = step
    const outcome = { step: index + 1, kind: kindOf(step), ...(title !== undefined && { title }), ...what }
    this.#outcomes[index] = outcome
    this.options.onOutcome?.(outcome)
  }

  #isFine({ step, outcome, reason }: StepOutcome): boolean {
    if (outcome === 'shown') return true
    const of = this.tour.steps[step - 1] as TourStep
    return outcome === 'gone' && reason === 'ttl' && of[kindOf(of)]?.ttl_ms !== undefined
  }
}

function refusal(error: unknown) {
  if (!(error instanceof LetsError)) throw error
  return { outcome: 'refused', code: error.code, msg: error.message } as const
}
