/** What windows send is worked off in short turns: between two, whoever draws on the screen is served. */
import type { Clock } from '../engine/clock.js'

/** How long a turn may take, in ms. */
const TURN_MS = 2

export class Turns {
  readonly #waiting: (() => void)[] = []
  #next = 0
  #spent = 0
  #scheduled = false

  constructor(private readonly clock: Clock) {}

  /** Runs `task` now if this turn has time left and nothing waits, else in one of the next turns; always in order. */
  run(task: () => void): void {
    if (this.#next === this.#waiting.length && this.#spent < TURN_MS) this.#timed(task)
    else this.#waiting.push(task)
    if (this.#scheduled) return
    this.#scheduled = true
    this.clock.soon(() => this.#turn())
  }

  #turn(): void {
    this.#spent = 0
    this.#scheduled = false
    while (this.#next < this.#waiting.length && this.#spent < TURN_MS)
      this.#timed(this.#waiting[this.#next++] as () => void)
    if (this.#next === this.#waiting.length) {
      this.#waiting.length = 0
      this.#next = 0
      this.#spent = 0
    } else {
      this.#scheduled = true
      this.clock.soon(() => this.#turn())
    }
  }

  #timed(task: () => void): void {
    const began = this.clock.now()
    task()
    this.#spent += this.clock.now() - began
  }
}
