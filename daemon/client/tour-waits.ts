import type { TourWait } from '../../protocol/tour/schema.js'
import type { LetsClient } from './client.js'
import { LetsError } from './errors.js'

/** `ended`: the tour is over. `dismissed`: the person cleared the screen. */
export type Waited = 'on' | 'no_window' | 'dismissed' | 'ended'

/** How long the daemon is asked to wait for the key at a time, in ms: the most there is. */
const KEY_MS = 600_000

/** A no before this, of `KEY_MS`, is no time that was over, in ms. */
const EARLY_MS = KEY_MS - 5000

/** What the steps of a tour wait for. */
export class Waits {
  constructor(
    private readonly client: LetsClient,
    private readonly end: AbortSignal,
    private readonly next: ((signal: AbortSignal) => Promise<void>) | undefined,
  ) {}

  /** Rejects with `LetsError` where it cannot be waited for here. */
  async for({ ms, window, timeout_ms }: TourWait): Promise<Waited> {
    const over = new AbortController()
    const ended = this.#ended(over.signal)
    try {
      if (ms !== undefined) return await Promise.race([this.#time(ms, over.signal), ended])
      if (window !== undefined) return await Promise.race([this.#window(window, timeout_ms), ended])
      return await Promise.race([this.#person(over.signal), ended])
    } finally {
      over.abort()
    }
  }

  #ended(over: AbortSignal): Promise<'ended'> {
    return new Promise((resolve) => {
      if (this.end.aborted) return resolve('ended')
      this.end.addEventListener('abort', () => resolve('ended'), { signal: over })
    })
  }

  #time(ms: number, over: AbortSignal): Promise<'on'> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve('on'), ms)
      over.addEventListener('abort', () => clearTimeout(timer))
    })
  }

  async #window(app: string, timeout_ms: number | undefined): Promise<Waited> {
    const wait = this.client.request({
      type: 'await_window',
      app,
      ...(timeout_ms !== undefined && { timeout_ms }),
    })
    const { appeared } = await unlessEnded(wait, this.end)
    return appeared ? 'on' : 'no_window'
  }

  /** The key, or the other way, whichever comes first. Where there is no key the other way is enough. */
  async #person(over: AbortSignal): Promise<Waited> {
    const key = this.#key(over)
    if (!this.next) return key
    let pressed = false
    const byKey = key.then(
      (waited) => {
        pressed = true
        return waited
      },
      (error: unknown) => {
        pressed = true
        if (isNoKey(error)) return new Promise<never>(() => {})
        throw error
      },
    )
    const waited = await Promise.race([byKey, this.next(over).then((): Waited => 'on')])
    // The key goes back to the person's programs before anything else happens.
    if (!pressed && !this.end.aborted)
      await this.client.request({ type: 'await_next', timeout_ms: 0 }).catch(() => {})
    return waited
  }

  async #key(over: AbortSignal): Promise<Waited> {
    while (!over.aborted && !this.end.aborted) {
      const began = performance.now()
      const wait = this.client.request({ type: 'await_next', timeout_ms: KEY_MS })
      const { next } = await unlessEnded(wait, this.end)
      if (next) return 'on'
      if (performance.now() - began < EARLY_MS) return 'dismissed'
    }
    return 'ended'
  }
}

/** A connection that is closed because the tour is over fails nobody. */
function unlessEnded<T>(wait: Promise<T>, end: AbortSignal): Promise<T> {
  return wait.catch((error: unknown) => {
    if (end.aborted) return new Promise<never>(() => {})
    throw error
  })
}

/** Another program has the key, another client waits for it, or there is none. */
function isNoKey(error: unknown): boolean {
  return error instanceof LetsError && (error.code === 'unavailable' || error.code === 'limit')
}
