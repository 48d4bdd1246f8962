/** Signs of life of calls that wait: for a person, for a window, or for steps that are shown. Nothing is sent for a call that is over soon. */

export type Notify = (progress: {
  readonly progress: number
  readonly total: number
  readonly message: string
}) => void

/** Between two signs of life, in ms. */
const EVERY_MS = 1000

/** Between two signs of life of a step, in ms; clients give up after a minute without one. */
const STEP_MS = 10_000

export class Waits {
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly notify: Notify | null) {}

  /** Seconds passed of the seconds it may take, again and again, from `afterMs` on. */
  begin(what: string, totalMs: number, afterMs = 0): void {
    const { notify } = this
    if (!notify) return
    const began = performance.now()
    const total = totalMs / 1000
    const tell = () => {
      const passed = Math.round((performance.now() - began) / 100) / 10
      notify({ progress: Math.min(passed, total), total, message: what })
      if (passed < total) this.#timer = setTimeout(tell, EVERY_MS)
    }
    this.#timer = setTimeout(tell, afterMs)
  }

  /** Step `step` of `total` is reached. While it lasts there are signs of life between it and the next. */
  reach(step: number, total: number, what: string): void {
    const { notify } = this
    if (!notify) return
    this.end()
    let signs = 0
    const tell = () => {
      notify({ progress: step - 1 / (signs + 2), total, message: what })
      signs++
      this.#timer = setTimeout(tell, STEP_MS)
    }
    tell()
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
