import type { Clock } from './engine/clock.js'

/** The longest delay a timer takes; longer ones are waited for in pieces. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Real time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, task) => {
    const due = performance.now() + ms
    let timer: NodeJS.Timeout
    const wait = () => {
      const left = due - performance.now()
      // A timer may fire a fraction early; what lives `ms` lives that long.
      if (left <= 0) task()
      else timer = setTimeout(wait, Math.min(Math.ceil(left), MAX_DELAY_MS))
    }
    timer = setTimeout(wait, Math.min(Math.max(0, Math.ceil(ms)), MAX_DELAY_MS))
    return () => clearTimeout(timer)
  },
  soon: (task) => void setImmediate(task),
}
