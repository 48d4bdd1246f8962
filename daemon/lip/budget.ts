/** How much one window may send: a bucket of events and one of bytes, refilled by time alone. */

/** Events and bytes a second, and how many seconds of them may come at once. */
const EVENTS_PER_S = 2000
const BYTES_PER_S = 4 * 1024 * 1024
const BURST_S = 2

export class Budget {
  #events = EVENTS_PER_S * BURST_S
  #bytes = BYTES_PER_S * BURST_S
  #at: number

  constructor(private readonly now: () => number) {
    this.#at = now()
  }

  /** Takes what came; it may go into debt, which is paid back before anything else is read. */
  spend(events: number, bytes: number): void {
    this.#refill()
    this.#events -= events
    this.#bytes -= bytes
  }

  /** How long until there is room again, in ms; 0 when there is. */
  get debtMs(): number {
    this.#refill()
    const seconds = Math.max(-this.#events / EVENTS_PER_S, -this.#bytes / BYTES_PER_S)
    return seconds <= 0 ? 0 : Math.ceil(seconds * 1000)
  }

  #refill(): void {
    const now = this.now()
    const seconds = (now - this.#at) / 1000
    this.#at = now
    this.#events = Math.min(EVENTS_PER_S * BURST_S, this.#events + seconds * EVENTS_PER_S)
    this.#bytes = Math.min(BYTES_PER_S * BURST_S, this.#bytes + seconds * BYTES_PER_S)
  }
}
