/** What a Wayland compositor offers to this program: asked before anything is drawn, and without the addon. */
import { connect } from 'node:net'
import { endianness } from 'node:os'
import { join } from 'node:path'

/** What is known of the compositor that WAYLAND_DISPLAY names. */
export type Compositor =
  | { readonly answers: true; readonly globals: readonly string[] }
  | { readonly answers: false; readonly reason: string }

/** How long it may take, in ms: some hang. */
const PATIENCE_MS = 2000

/** The most that is read of its answer, in bytes. */
const MOST = 1 << 20

/** The ids of the objects of this connection: the first is given, the others are ours to choose. */
const DISPLAY = 1
const REGISTRY = 2
const CALLBACK = 3

const little = endianness() === 'LE'

/** Asks which interfaces it offers. Never rejects, and always ends; the connection is closed again. */
export function askCompositor(env: NodeJS.ProcessEnv, patienceMs = PATIENCE_MS): Promise<Compositor> {
  const path = socketOf(env)
  if (path === undefined)
    return Promise.resolve({
      answers: false,
      reason: 'XDG_RUNTIME_DIR is not set to what it is in a terminal on your screen',
    })
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (compositor: Compositor) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(compositor)
    }
    const fail = (reason: string) => end({ answers: false, reason })
    const timer = setTimeout(() => fail(`it did not answer within ${patienceMs / 1000} s`), patienceMs)
    let read = Buffer.alloc(0)
    socket.on('error', (error) => fail(error.message))
    socket.on('close', () => fail('it hung up'))
    socket.on('connect', () => {
      // get_registry, and sync: its answer comes when all globals have been told.
      socket.write(Buffer.concat([request(DISPLAY, 1, REGISTRY), request(DISPLAY, 0, CALLBACK)]))
    })
    socket.on('data', (chunk) => {
      read = Buffer.concat([read, chunk])
      if (read.length > MOST) return fail('it says too much')
      const globals = globalsIn(read)
      if (globals !== null) end(globals)
    })
  })
}

/** The socket as libwayland finds it; undefined where it has no folder. */
function socketOf({ WAYLAND_DISPLAY, XDG_RUNTIME_DIR }: NodeJS.ProcessEnv): string | undefined {
  const name = WAYLAND_DISPLAY || 'wayland-0'
  if (name.startsWith('/')) return name
  return XDG_RUNTIME_DIR ? join(XDG_RUNTIME_DIR, name) : undefined
}

/** Every request here has one argument, a new object's id. */
function request(object: number, opcode: number, id: number): Buffer {
  return words([object, (12 << 16) | opcode, id])
}

function words(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) {
    if (little) bytes.writeUInt32LE(number, index * 4)
    else bytes.writeUInt32BE(number, index * 4)
  }
  return bytes
}

/** The answer, once it is whole; null before. */
function globalsIn(read: Buffer): Compositor | null {
  const word = (at: number) => (little ? read.readUInt32LE(at) : read.readUInt32BE(at))
  const globals: string[] = []
  for (let at = 0; at + 8 <= read.length; ) {
    const [object, head] = [word(at), word(at + 4)]
    const size = head >>> 16
    const opcode = head & 0xffff
    // No other object is there to say anything.
    if (size < 8 || object < DISPLAY || object > CALLBACK)
      return { answers: false, reason: 'it does not speak Wayland' }
    if (at + size > read.length) return null
    if (object === CALLBACK) return { answers: true, globals }
    if (object === DISPLAY && opcode === 0) return { answers: false, reason: 'it refuses this program' }
    // global(name, interface, version): the interface is a length, with its NUL, and bytes.
    if (object === REGISTRY && opcode === 0 && size >= 16) {
      const length = Math.min(word(at + 12), size - 16)
      globals.push(read.toString('utf8', at + 16, at + 16 + Math.max(0, length - 1)))
    }
    at += size
  }
  return null
}

/** The desktop as a person calls it, where its session says which it is. */
export function desktopOf({ XDG_CURRENT_DESKTOP }: NodeJS.ProcessEnv): string | undefined {
  const names = (XDG_CURRENT_DESKTOP ?? '').split(':').filter(Boolean)
  if (names.includes('GNOME')) return 'GNOME'
  if (names.includes('KDE')) return 'KDE Plasma'
  return names[0]
}
