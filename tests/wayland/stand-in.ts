/** Compositors that are not there to be drawn on: they offer what a test says, or behave badly. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { endianness, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'

/** Offers these interfaces, and nothing behind them. Its socket. */
export function offering(t: ExecutionContext, globals: readonly string[]): Promise<string> {
  return serve(t, (socket) => {
    let asked = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      asked = Buffer.concat([asked, chunk])
      // get_registry and sync are all that is ever sent to it, each with one new object.
      if (asked.length < 24) return
      const [registry, callback] = [word(asked, 8), word(asked, 20)]
      const told = globals.map((name, index) => message(registry, 0, [index + 1, name, 1]))
      // In pieces: nobody may count on whole messages.
      const answer = Buffer.concat([...told, message(callback, 0, [7])])
      socket.write(answer.subarray(0, 11))
      setImmediate(() => socket.write(answer.subarray(11)))
    })
  })
}

/** Does this with each client. Its socket. */
export async function serve(t: ExecutionContext, behave: (socket: Socket) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lets-way-'))
  const path = join(folder, 'wayland-9')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    behave(socket)
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return path
}

const little = endianness() === 'LE'

function word(bytes: Buffer, at: number): number {
  return little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
}

function message(object: number, opcode: number, args: readonly (number | string)[]): Buffer {
  const body = Buffer.concat(args.map((arg) => (typeof arg === 'number' ? word32(arg) : text(arg))))
  return Buffer.concat([word32(object), word32(((body.length + 8) << 16) | opcode), body])
}

function word32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  if (little) bytes.writeUInt32LE(value >>> 0)
  else bytes.writeUInt32BE(value >>> 0)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(`${value}\0`)
  return Buffer.concat([word32(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}
