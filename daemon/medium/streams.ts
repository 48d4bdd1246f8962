/** What is said piece by piece: put together in the order it was said, as far as it came. Pure. */

/** Streams that are remembered at once, and characters of one; the oldest go. */
const STREAMS = 16
const CHARACTERS = 100_000

interface Stream {
  text: string
  next: number
  last: number | null
  readonly early: Map<number, string>
}

export interface Piece {
  readonly text: string
  readonly seq?: number | undefined
  readonly done?: boolean | undefined
}

export class Streams {
  readonly #streams = new Map<string, Stream>()

  /** All that was said so far under `re`; null: nothing new, such as a piece that came too early. */
  take(re: string | undefined, { text, seq, done }: Piece): string | null {
    if (re === undefined || (seq === undefined && done === undefined)) return text
    const stream = this.#streams.get(re) ?? {
      text: '',
      next: seq === 1 ? 1 : 0,
      last: null,
      early: new Map(),
    }
    this.#streams.set(re, stream)
    for (const oldest of this.#streams.keys()) {
      if (this.#streams.size <= STREAMS) break
      this.#streams.delete(oldest)
    }
    const at = seq ?? stream.next
    if (at >= stream.next) stream.early.set(at, text)
    if (done) stream.last = at
    const before = stream.next
    for (let piece = stream.early.get(before); piece !== undefined; piece = stream.early.get(stream.next)) {
      stream.early.delete(stream.next++)
      stream.text = (stream.text + piece).slice(0, CHARACTERS)
    }
    if (stream.last !== null && stream.next > stream.last) this.#streams.delete(re)
    return stream.next === before ? null : stream.text
  }
}
