/** Reads a named pipe as it fills, and on demand what is in it right now. */
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { Socket } from 'node:net'

export class PipeReader {
  readonly #fd: number
  readonly #socket: Socket
  #take: (bytes: Buffer) => void
  #atEnd = false
  readonly ended: Promise<void>

  /** Opens the pipe; a writer may open it from now on. */
  constructor(path: string, take: (bytes: Buffer) => void) {
    this.#fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    this.#take = take
    try {
      this.#socket = new Socket({ fd: this.#fd, readable: true, writable: false })
    } catch (error) {
      closeSync(this.#fd)
      throw error
    }
    this.#socket.on('data', (bytes) => this.#take(bytes))
    this.ended = new Promise((resolve) => {
      const done = () => {
        this.#atEnd = true
        resolve()
      }
      this.#socket.once('end', done)
      this.#socket.once('close', done)
      this.#socket.on('error', done)
    })
  }

  /** Reads what is there at this moment; true when nobody holds the other end any more. */
  drain(): boolean {
    const room = Buffer.allocUnsafe(64 * 1024)
    while (!this.#atEnd) {
      let count: number
      try {
        count = readSync(this.#fd, room)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false
        throw error
      }
      if (count === 0) this.#atEnd = true
      else this.#take(Buffer.from(room.subarray(0, count)))
    }
    return true
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Goes on reading, so that whoever writes is neither held up nor ended; `late` is told how much. */
  leaveOpen(late: (bytes: number) => void): void {
    this.#take = ({ length }) => late(length)
    this.#socket.unref()
    void this.ended.then(() => this.close())
  }
}
