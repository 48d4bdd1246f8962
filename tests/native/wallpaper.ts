import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Atoms every server has. */
const PIXMAP = 20
/** Bits of value lists. */
const BACKGROUND_PIXMAP = 1
const FOREGROUND = 4

/**
 * Puts a wallpaper, striped in two colours, on the root the way desktops do, and says so in `_XROOTPMAP_ID`. In the bare protocol, since
 * no program that every machine has does this. The wallpaper goes with the returned socket.
 */
export async function setWallpaper(
  display: string,
  width: number,
  height: number,
  [first, second]: readonly [number, number] = [0xd0a070, 0x305020],
): Promise<Socket> {
  const socket = connect(`/tmp/.X11-unix/X${display.slice(1)}`)
  socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  const setup = await read(
    socket,
    (bytes) => bytes.length >= 8 && bytes.length >= 8 + bytes.readUInt16LE(6) * 4,
  )
  const id = setup.readUInt32LE(12)
  const root = setup.readUInt32LE(40 + pad(setup.readUInt16LE(24)) + setup.readUInt8(29) * 8)
  const name = Buffer.from('_XROOTPMAP_ID\0\0\0')
  socket.write(
    request(16, 0, [13, ...new Uint32Array(name.buffer.slice(name.byteOffset, name.byteOffset + 16))]),
  )
  const reply = await read(socket, (bytes) => bytes.length >= 32)
  const atom = reply.readUInt32LE(8)

  const [pixmap, light, dark] = [id + 1, id + 2, id + 3]
  socket.write(request(53, 24, [pixmap, root, width | (height << 16)]))
  for (const [gc, color] of [
    [light, first],
    [dark, second],
  ] as const)
    socket.write(request(55, 0, [gc, pixmap, FOREGROUND, color]))
  for (let y = 0, n = 0; y < height; y += 7, n++)
    socket.write(request(70, 0, [pixmap, n % 2 === 0 ? light : dark, y << 16, width | (7 << 16)]))
  socket.write(request(2, 0, [root, BACKGROUND_PIXMAP, pixmap]))
  socket.write(request(61, 0, [root, 0, 0]))
  socket.write(request(18, 0, [root, atom, PIXMAP, 32, 1, pixmap]))
  // An answer to anything means that all before it was done.
  socket.write(request(43, 0, []))
  await read(socket, (bytes) => bytes.length >= 32)
  return socket
}

function request(opcode: number, data: number, words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + words.length * 4)
  bytes.writeUInt8(opcode, 0)
  bytes.writeUInt8(data, 1)
  bytes.writeUInt16LE(1 + words.length, 2)
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word >>> 0, 4 + index * 4)
  return bytes
}

function pad(length: number): number {
  return (length + 3) & ~3
}

async function read(socket: Socket, enough: (bytes: Buffer) => boolean): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  while (!enough(bytes)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    bytes = Buffer.concat([bytes, chunk])
  }
  return bytes
}
