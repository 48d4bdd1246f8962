/**
 * Newline-delimited JSON, bytes in and lines out. Pure: no IO, no Node. The cap holds while reading, so that an
 * oversized line is refused without ever being held whole.
 */

export type LineEvent =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'invalid_utf8' }
  /** The stream has no safe point to resume from: the reader hangs up, and `push` returns nothing more. */
  | { readonly kind: 'too_large' }

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
/** Nothing but JSON's white space: any other character is something said, and wants an answer. */
const BLANK = /^[ \t\r]*$/

export class LineReader {
  readonly #maxBytes: number
  // ignoreBOM keeps a U+FEFF inside later lines as the text it is; only the stream's first one is dropped.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  /** The unfinished line: grown by doubling, so that a line sent byte by byte costs no more than one sent whole. */
  #partial = new Uint8Array(0)
  #partialBytes = 0
  #atStart = true
  #dead = false

  /** @param maxBytes the longest line, in bytes, without its line end */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Takes the next bytes of the stream and returns the lines they complete; blank lines are passed over. */
  push(chunk: Uint8Array): LineEvent[] {
    const events: LineEvent[] = []
    let start = 0
    while (!this.#dead && start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start)
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end)
      if (this.#isTooLong(piece)) {
        this.#dead = true
        this.#partial = new Uint8Array(0)
        events.push({ kind: 'too_large' })
        return events
      }
      if (end === -1) {
        this.#keep(piece)
        return events
      }
      const event = this.#finish(piece)
      if (event) events.push(event)
      start = end + 1
    }
    return events
  }

  /** The stream has ended: returns its last line, when that came without a newline. */
  end(): LineEvent[] {
    const event = this.#dead || this.#partialBytes === 0 ? null : this.#finish(new Uint8Array(0))
    this.#dead = true
    return event ? [event] : []
  }

  /** Whether what is held is over the cap with `piece`; the \r of a \r\n is not part of the line. */
  #isTooLong(piece: Uint8Array): boolean {
    const excess = this.#partialBytes + piece.length - this.#maxBytes
    if (excess !== 1) return excess > 1
    return (
      (piece.length > 0 ? piece[piece.length - 1] : this.#partial[this.#partialBytes - 1]) !== CARRIAGE_RETURN
    )
  }

  /** Copies, since the caller may reuse its buffer. */
  #keep(piece: Uint8Array): void {
    const needed = this.#partialBytes + piece.length
    if (needed > this.#partial.length) {
      const grown = new Uint8Array(Math.max(needed, this.#partial.length * 2, 256))
      grown.set(this.#partial.subarray(0, this.#partialBytes))
      this.#partial = grown
    }
    this.#partial.set(piece, this.#partialBytes)
    this.#partialBytes = needed
  }

  #finish(piece: Uint8Array): LineEvent | null {
    let line = piece
    if (this.#partialBytes > 0) {
      this.#keep(piece)
      line = this.#partial.subarray(0, this.#partialBytes)
      this.#partialBytes = 0
      // A rare long line must not hold its memory for the rest of the connection.
      if (this.#partial.length > 64 * 1024) this.#partial = new Uint8Array(0)
    }
    if (line[line.length - 1] === CARRIAGE_RETURN) line = line.subarray(0, line.length - 1)
    let text: string
    try {
      text = this.#decoder.decode(line)
    } catch {
      this.#atStart = false
      return { kind: 'invalid_utf8' }
    }
    if (this.#atStart && text.charCodeAt(0) === 0xfeff) text = text.slice(1)
    this.#atStart = false
    return BLANK.test(text) ? null : { kind: 'line', text }
  }
}

/** Whether JSON text nests arrays and objects deeper than `max`; reads it once, allocates nothing. */
export function nestsDeeperThan(text: string, max: number): boolean {
  if (text.length <= max) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > max) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}
