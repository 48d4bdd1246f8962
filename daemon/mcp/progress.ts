/** Signs of life of calls that wait: for a person, or for a window. Nothing is sent for a call that is over soon. */

export type Notify = (progress: {
  readonly progress: number
  readonly total: number
  readonly message: string
}) => void

/** Between two signs of life, in ms. */
const EVERY_MS = 1000

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

  end(): void {
    clearTimeout(this.#timer)
  }
}
