/** A channel's output on a stream. */
import type { Readable, Writable } from 'node:stream'
import type { ChannelOutput } from './channel.js'

/** How long a client has to read the last answer, in ms. */
const HANG_UP_MS = 2000

/** @param input where its requests come from, when that is another stream */
export function socketOutput(
  stream: Writable,
  input: Readable = stream as unknown as Readable,
): ChannelOutput {
  return {
    write: (text) => stream.destroyed || !stream.writable || stream.write(text),
    drained: () =>
      new Promise((resolve) => {
        if (stream.destroyed || !stream.writableNeedDrain) return resolve()
        const done = () => {
          for (const name of ['drain', 'close', 'error']) stream.off(name, done)
          resolve()
        }
        for (const name of ['drain', 'close', 'error']) stream.once(name, done)
      }),
    end: () => {
      input.resume()
      stream.end()
      setTimeout(() => stream.destroy(), HANG_UP_MS).unref()
    },
    setReading: (reading) => void (reading ? input.resume() : input.pause()),
  }
}
