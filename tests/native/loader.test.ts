import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { loadNative } from '../../native/index.js'
import { native } from './support.js'

/** A copy of the package's native part, so that files can be missing. */
async function copy(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'lets-native-'))
  await mkdir(join(root, 'dist/native'), { recursive: true })
  await mkdir(join(root, 'native'))
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  await copyFile(
    fileURLToPath(new URL('../../native/index.js', import.meta.url)),
    join(root, 'dist/native/index.js'),
  )
  return root
}

async function loadIn(root: string): Promise<unknown> {
  const index = join(root, 'dist/native/index.js')
  const script = `console.log(JSON.stringify((await import(${JSON.stringify(index)})).loadNative()))`
  const { DISPLAY: _, ...env } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await once(child.stdout!, 'data')
  return JSON.parse(String(output))
}

const binding = fileURLToPath(new URL('../../../native/binding.cjs', import.meta.url))

test('the addon loads without a display, and once', (t) => {
  t.true(loadNative().ok)
  t.is(loadNative(), loadNative())
})

test('a missing loader, a missing addon and a broken addon are told apart', async (t) => {
  const root = await copy()
  t.teardown(() => rm(root, { recursive: true }))
  t.like(await loadIn(root), {
    ok: false,
    reason: 'native/binding.cjs, the loader of the native addon, is missing',
  })
  await copyFile(binding, join(root, 'native/binding.cjs'))
  const missing = (await loadIn(root)) as { reason: string; fix: string }
  t.regex(
    missing.reason,
    /^there is no native addon for linux-\w+: native\/lets-native\.linux-\w+\*\.node is missing$/,
  )
  t.regex(missing.fix, /npm run build/)
  for (const libc of ['gnu', 'musl'])
    await writeFile(join(root, `native/lets-native.linux-${process.arch}-${libc}.node`), 'not a library')
  const broken = (await loadIn(root)) as { reason: string }
  t.regex(broken.reason, /is there but does not load: .*(invalid ELF header|file too short)/)
})

test('the peer of a Unix socket is this process and this user', async (t) => {
  const path = join(tmpdir(), `lets-peer-${process.pid}.sock`)
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const client = spawn(process.execPath, [
    '-e',
    `require('net').connect(${JSON.stringify(path)}); setTimeout(() => {}, 9e3)`,
  ])
  const [socket] = (await once(server, 'connection')) as [Socket & { _handle: { fd: number } }]
  t.deepEqual(native.peerCredentials(socket._handle.fd), { uid: process.getuid!(), pid: client.pid! })
  client.kill()
  socket.destroy()
  server.close()
})

test('what is no connected Unix socket has no peer', async (t) => {
  t.throws(() => native.peerCredentials(-1), { message: /no peer credentials for file descriptor -1/ })
  t.throws(() => native.peerCredentials(9999), { message: /no peer credentials/ })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const handle = (server as unknown as { _handle: { fd: number } })._handle
  t.throws(() => native.peerCredentials(handle.fd), {
    message: /no peer credentials|not a connected Unix socket/,
  })
  server.close()
})

test('a connection lives on with a duplicate of its descriptor', async (t) => {
  const duplicate = native.duplicateDescriptor!
  const server = createServer({ pauseOnConnect: true })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket & { _handle: { fd: number } }]
  const fd = duplicate(socket._handle.fd)
  t.not(fd, socket._handle.fd)
  socket.destroy()
  await once(socket, 'close')
  const other = new Socket({ fd, readable: true, writable: true })
  client.write('there')
  t.is(String((await once(other, 'data'))[0]), 'there')
  other.end('and back')
  t.is(String((await once(client, 'data'))[0]), 'and back')
  client.destroy()
  server.close()
  t.throws(() => duplicate(-1), { message: '-1 is no file descriptor' })
  t.throws(() => duplicate(9999), { message: /^file descriptor 9999 cannot be duplicated/ })
})
