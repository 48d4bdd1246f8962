/** Finds the end of a command in a stream that also carries its output: a marker with a random word in it. */

const NEWLINE = 0x0a

export class MarkerScanner {
  readonly #marker: Buffer
  readonly #take: (bytes: Buffer) => void
  /** Bytes that may be the beginning of the marker. */
  #kept: Buffer = Buffer.alloc(0)
  #ended = false

  constructor(marker: string, take: (bytes: Buffer) => void) {
    this.#marker = Buffer.from(marker)
    this.#take = take
  }

  /**
   * Takes bytes and hands on what is output. Returns what stood between marker and line end once both were there; what
   * comes after that is nobody's.
   */
  push(bytes: Buffer): string | null {
    if (this.#ended) return null
    const all = this.#kept.length > 0 ? Buffer.concat([this.#kept, bytes]) : bytes
    const at = all.indexOf(this.#marker)
    if (at === -1) {
      const keep = this.#overlap(all)
      if (all.length > keep) this.#take(all.subarray(0, all.length - keep))
      this.#kept = Buffer.from(all.subarray(all.length - keep))
      return null
    }
    const end = all.indexOf(NEWLINE, at)
    if (end === -1) {
      if (at > 0) this.#take(all.subarray(0, at))
      this.#kept = Buffer.from(all.subarray(at))
      return null
    }
    if (at > 0) this.#take(all.subarray(0, at))
    this.#ended = true
    return all.toString('latin1', at + this.#marker.length, end).trim()
  }

  /** The stream is over without a marker: what was kept back is output. */
  rest(): void {
    if (!this.#ended && this.#kept.length > 0) this.#take(this.#kept)
    this.#ended = true
  }

  /** How many bytes at the end are the marker's beginning. */
  #overlap(bytes: Buffer): number {
    for (let length = Math.min(this.#marker.length - 1, bytes.length); length > 0; length--) {
      if (bytes.subarray(bytes.length - length).equals(this.#marker.subarray(0, length))) return length
    }
    return 0
  }
}
