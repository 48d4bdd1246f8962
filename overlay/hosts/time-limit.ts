import { HostUnavailable } from '../host.js'

/** How long a display server may take to answer, in ms. Longer, and it counts as gone: nothing may wait for ever. */
const ANSWER_MS = 10_000

/** What `promise` settles with, or `HostUnavailable` when it does not within `ms` milliseconds. */
export async function inTime<T>(promise: Promise<T>, ms = ANSWER_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HostUnavailable(`the display server did not answer within ${ms / 1000} s`)),
      ms,
    )
    timer.unref()
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
