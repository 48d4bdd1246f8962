/** One stream of a command's output: its bytes, held to whole characters, and what is told of them at the end. */
import { createHash } from 'node:crypto'
import { SHELL_LIMITS } from '../../protocol/shell/limits.js'
import { unfinished } from './records.js'

const TAIL = SHELL_LIMITS.tailBytes
const NOTHING = Buffer.alloc(0)

export class Stream {
  readonly #hash: ReturnType<typeof createHash> | null
  /** The beginning of a character whose rest is still to come. */
  #carry: Buffer = NOTHING
  #tail: Buffer[] = []
  #tailBytes = 0
  /** Bytes it ever got. */
  bytes = 0

  /** @param hashed whether `hash` is asked for at the end */
  constructor(hashed: boolean) {
    this.#hash = hashed ? createHash('sha256') : null
  }

  /** Takes bytes and returns those that are whole characters. */
  take(bytes: Buffer): Buffer {
    this.bytes += bytes.length
    this.#hash?.update(bytes)
    this.#keepTail(bytes)
    const all = this.#carry.length > 0 ? Buffer.concat([this.#carry, bytes]) : bytes
    const open = unfinished(all)
    this.#carry = open > 0 ? Buffer.from(all.subarray(all.length - open)) : NOTHING
    return open > 0 ? all.subarray(0, all.length - open) : all
  }

  /** What was kept back: the stream ends in the middle of a character. */
  rest(): Buffer {
    const rest = this.#carry
    this.#carry = NOTHING
    return rest
  }

  /** Its last bytes. */
  tail(): Buffer {
    const all = Buffer.concat(this.#tail)
    return all.length > TAIL ? all.subarray(all.length - TAIL) : all
  }

  hash(): string | null {
    return this.#hash?.digest('hex') ?? null
  }

  #keepTail(bytes: Buffer): void {
    const kept = bytes.length > TAIL ? Buffer.from(bytes.subarray(bytes.length - TAIL)) : bytes
    this.#tail.push(kept)
    this.#tailBytes += kept.length
    // Many small pieces are put together now and then, large ones dropped from the front.
    if (this.#tailBytes > 2 * TAIL || this.#tail.length > 512) {
      this.#tail = [Buffer.from(this.tail())]
      this.#tailBytes = this.#tail[0]?.length ?? 0
    }
  }
}
