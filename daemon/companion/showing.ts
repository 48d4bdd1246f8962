/** Keeps the companion's surface, where there is one, as the companion wants it: what it shows, and what it watches. */
import type { CompanionAccess } from '../../overlay/host.js'
import type { CompanionScene } from '../../protocol/overlay/companion.js'
import type { Clock } from '../engine/clock.js'

type Log = (level: 'debug' | 'info' | 'warn', event: string, fields?: Record<string, unknown>) => void

/** Told whether a person sees it. */
type Told = (visible: boolean) => void

export class Showing {
  #wanted: CompanionScene | null = null
  /** What the surface was last told, as text; of a surface that starts anew nothing is known. */
  #told = 'null'
  #telling = false
  /** Whether a person sees what it was told. */
  #visible = false
  #waiting: Told[] = []
  #watching = false
  #key: 'free' | 'asked' | 'taken' | 'refused' = 'free'
  /** Whoever took the key last: what others hear of it does not count any more. */
  #keyTaker = {}
  #keyKnown: Promise<void> = Promise.resolve()
  /** Why the surface could not show it, until it is asked again. */
  #fault: string | null = null

  constructor(
    private readonly access: () => CompanionAccess | undefined,
    private readonly clock: Clock,
    private readonly log: Log,
    /** It turned out that it cannot be shown. */
    private readonly failed: () => void,
  ) {}

  get fault(): string | null {
    return this.#fault
  }

  /** The caps of the summoning key, once the server said that we have it. */
  get key(): readonly string[] | undefined {
    return this.#key === 'taken' ? this.access()?.summonKey?.names : undefined
  }

  /** The host starts anew, or is gone: it shows and watches nothing. */
  reset(): void {
    this.#told = 'null'
    this.#visible = false
    this.#watching = false
    this.#key = 'free'
    this.#keyTaker = {}
    this.#fault = null
  }

  /** What failed is tried again. */
  retry(): void {
    this.#fault = null
  }

  /** Shows it so from now on. What is wanted in one moment is told once: the latest. */
  show(scene: CompanionScene | null): void {
    this.#wanted = scene
    if (this.#telling || JSON.stringify(scene) === this.#told) return
    this.#telling = true
    this.clock.soon(() => void this.#tell())
  }

  /** Resolves once what is wanted now was drawn: whether a person sees it. */
  painted(): Promise<boolean> {
    if (!this.#telling) return Promise.resolve(this.#visible)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  watch(on: boolean): void {
    const access = this.access()
    if (!access || on === this.#watching) return
    this.#watching = on
    access.watchPointer(on).catch((error: unknown) => {
      this.log('warn', 'companion_pointer', { reason: String(error) })
    })
  }

  holdKey(on: boolean): void {
    const key = this.access()?.summonKey
    if (!key || on === (this.#key !== 'free')) return
    this.#key = on ? 'asked' : 'free'
    const taker = {}
    this.#keyTaker = taker
    if (!on) return void key.release().catch(() => {})
    const answered = (reason: string | null) => {
      if (this.#keyTaker !== taker) return
      this.#key = reason === null ? 'taken' : 'refused'
      if (reason !== null) this.log('info', 'companion_key', { reason })
    }
    const answer = key.take().then(
      (had) => answered(had ? null : `another program has ${key.names.join('+')}`),
      (error: unknown) => answered(String(error)),
    )
    this.#keyKnown = answer
  }

  /** Resolves once the server has said whether we have the key, if it was asked for. */
  get keyKnown(): Promise<void> {
    return this.#keyKnown
  }

  async #tell(): Promise<void> {
    let waiting: Told[] = []
    try {
      for (;;) {
        const access = this.access()
        const text = JSON.stringify(this.#wanted)
        if (!access || text === this.#told) break
        waiting = this.#waiting
        this.#waiting = []
        this.#told = text
        const { visible } = await access.show(this.#wanted)
        this.#visible = visible && text !== 'null'
        for (const resolve of waiting) resolve(this.#visible)
        waiting = []
      }
    } catch (error) {
      this.#fault = String(error)
      this.#told = 'null'
      this.#visible = false
      this.log('warn', 'companion_not_shown', { reason: String(error) })
    }
    this.#telling = false
    for (const resolve of [...waiting, ...this.#waiting.splice(0)]) resolve(this.#visible)
    if (this.#fault !== null) this.failed()
  }
}
