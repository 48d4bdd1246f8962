import type { Clock } from './engine/clock.js'

/** The longest delay a timer takes; longer ones are waited for in pieces. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** A mark with hours to live must not keep a daemon running that was told to stop: the socket does that. */
function later(task: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(task, Math.min(Math.max(0, Math.ceil(ms)), MAX_DELAY_MS)).unref()
}

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
      else timer = later(wait, left)
    }
    timer = later(wait, ms)
    return () => clearTimeout(timer)
  },
  soon: (task) => void setImmediate(task),
}

/** The time as a person's clock shows it. */
export const wallClock = {
  now: () => Date.now(),
  minuteOfDay: () => {
    const now = new Date()
    return now.getHours() * 60 + now.getMinutes() + now.getSeconds() / 60
  },
}
