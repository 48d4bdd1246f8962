import { connect, type Socket } from 'node:net'

/** Atoms every server has. */
export const ATOM = { cardinal: 6, string: 31, wmName: 39, normalHints: 40, sizeHints: 41, atom: 4 } as const

/** What ends a request that has an answer. */
interface Waiting {
  resolve(reply: Buffer): void
  reject(error: Error): void
}

/** A connection to an X server in the bare protocol: for programs that do what no program does that every machine has. */
export class BareX {
  readonly #answers = new Map<number, Waiting>()
  #bytes = Buffer.alloc(0)
  #sequence = 0
  #next = 0
  root = 0
  rootVisual = 0
  rootDepth = 0
  /** A visual with alpha. */
  argbVisual = 0
  onEvent: (event: Buffer) => void = () => {}

  private constructor(private readonly socket: Socket) {}

  static async open(display: string): Promise<BareX> {
    const socket = connect(`/tmp/.X11-unix/X${display.slice(1)}`)
    const x = new BareX(socket)
    socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      const gather = (chunk: Buffer) => {
        x.#bytes = Buffer.concat([x.#bytes, chunk])
        if (x.#bytes.length < 8 || x.#bytes.length < 8 + x.#bytes.readUInt16LE(6) * 4) return
        socket.off('data', gather)
        x.#setup(x.#bytes.subarray(0, 8 + x.#bytes.readUInt16LE(6) * 4))
        x.#bytes = Buffer.alloc(0)
        socket.on('data', (more) => x.#take(more))
        resolve()
      }
      socket.on('data', gather)
    })
    return x
  }

  id(): number {
    return this.#next++
  }

  send(opcode: number, data: number, words: readonly number[], rest: Uint8Array = new Uint8Array()): void {
    const bytes = Buffer.alloc(4 + words.length * 4 + pad(rest.length))
    bytes.writeUInt8(opcode, 0)
    bytes.writeUInt8(data, 1)
    bytes.writeUInt16LE(bytes.length / 4, 2)
    for (const [index, word] of words.entries()) bytes.writeUInt32LE(word >>> 0, 4 + index * 4)
    bytes.set(rest, 4 + words.length * 4)
    this.#sequence++
    this.socket.write(bytes)
  }

  ask(opcode: number, data: number, words: readonly number[], rest?: Uint8Array): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.send(opcode, data, words, rest)
      this.#answers.set(this.#sequence & 0xffff, { resolve, reject })
    })
  }

  /** Resolves once the server has done all that was sent. */
  async done(): Promise<void> {
    await this.ask(43, 0, [])
  }

  async atom(name: string): Promise<number> {
    const reply = await this.ask(16, 0, [name.length], Buffer.from(name))
    return reply.readUInt32LE(8)
  }

  /** The opcode of an extension's requests. */
  async extension(name: string): Promise<number> {
    const reply = await this.ask(98, 0, [name.length], Buffer.from(name))
    if (reply.readUInt8(8) === 0) throw new Error(`the server has no ${name}`)
    return reply.readUInt8(9)
  }

  property(window: number, name: number, type: number, values: readonly number[]): void {
    this.send(18, 0, [window, name, type, 32, values.length, ...values])
  }

  #setup(setup: Buffer): void {
    this.#next = setup.readUInt32LE(12)
    let at = 40 + pad(setup.readUInt16LE(24)) + setup.readUInt8(29) * 8
    this.root = setup.readUInt32LE(at)
    this.rootVisual = setup.readUInt32LE(at + 32)
    this.rootDepth = setup.readUInt8(at + 38)
    const depths = setup.readUInt8(at + 39)
    at += 40
    for (let n = 0; n < depths; n++) {
      if (setup.readUInt8(at) === 32) this.argbVisual = setup.readUInt32LE(at + 8)
      at += 8 + setup.readUInt16LE(at + 2) * 24
    }
  }

  #take(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    while (this.#bytes.length >= 32) {
      const kind = this.#bytes.readUInt8(0)
      const length = kind === 1 ? 32 + this.#bytes.readUInt32LE(4) * 4 : 32
      if (this.#bytes.length < length) return
      const message = this.#bytes.subarray(0, length)
      this.#bytes = this.#bytes.subarray(length)
      if (kind > 1) {
        this.onEvent(message)
        continue
      }
      const sequence = message.readUInt16LE(2)
      const waiting = this.#answers.get(sequence)
      this.#answers.delete(sequence)
      if (kind === 1) waiting?.resolve(message)
      else {
        const error = new Error(`X error ${message.readUInt8(1)} to request ${message.readUInt8(10)}`)
        if (!waiting) throw error
        waiting.reject(error)
      }
    }
  }
}

function pad(length: number): number {
  return (length + 3) & ~3
}
