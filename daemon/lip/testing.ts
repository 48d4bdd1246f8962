/** For unit tests: time that passes when a test says so. */
import type { Clock } from '../engine/clock.js'

export class ManualClock implements Clock {
  #now = 0
  #due: { readonly at: number; readonly task: () => void }[] = []

  now = (): number => this.#now

  after(ms: number, task: () => void): () => void {
    const entry = { at: this.#now + ms, task }
    this.#due.push(entry)
    return () => {
      this.#due = this.#due.filter((one) => one !== entry)
    }
  }

  soon(task: () => void): void {
    queueMicrotask(task)
  }

  pass(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [next] = this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#due = this.#due.filter((one) => one !== next)
      this.#now = next.at
      next.task()
    }
    this.#now = end
  }
}
