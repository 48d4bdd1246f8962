/** Waiting for events, without anything that looks again and again. */
import type { Clock } from '../engine/clock.js'
import type { Queue } from './queue.js'

/** Resolves with whether something is pending for a cursor: at once, when it comes, or false when time is up or `signal` is. */
export async function pendingWithin(
  queue: Queue,
  clock: Clock,
  cursor: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const until = clock.now() + waitMs
  for (;;) {
    if (queue.isPending(cursor)) return true
    const left = until - clock.now()
    if (left <= 0 || signal.aborted) return false
    await nextPut(queue, clock, left, signal)
  }
}

function nextPut(queue: Queue, clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      forget()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    const forget = queue.onPut(end)
    signal.addEventListener('abort', end, { once: true })
  })
}
