import { spawn } from 'node:child_process'
import { chmodSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { cleanEnv, exitOf, LETS, startDaemonProcess, tempHome } from '../support/daemon.js'
import { RawClient } from '../support/raw-client.js'
import { until } from '../support/xserver.js'

test('E4 through 20 starts the socket is never wider than 0600 and its folder is 0700, with an open umask', async (t) => {
  const home = tempHome()
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const socket = join(home, 'run', 'lets.sock')
  const seen = new Map<string, number>()
  let looking = true
  const look = () => {
    for (const [name, path] of [
      ['socket', socket],
      ['folder', dirname(socket)],
    ] as const) {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats)
        seen.set(`${name} ${(stats.mode & 0o777).toString(8)}`, (seen.get(`${name} ${stats.mode}`) ?? 0) + 1)
    }
    if (looking) setImmediate(look)
  }
  t.teardown(() => {
    looking = false
  })
  look()
  for (let start = 0; start < 20; start++) {
    const child = spawn(
      'sh',
      ['-c', 'umask 0; exec "$0" "$@"', process.execPath, LETS, 'daemon', '--ready-fd', '3'],
      {
        env: cleanEnv({ LETS_HOME: home }),
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      },
    )
    const exited = exitOf(child)
    const log = text(child.stderr as Readable)
    const ready = await text(child.stdio[3] as Readable)
    if (!ready.startsWith('{"serving":true')) t.fail(`start ${start}: ${ready} ${await log}`)
    // Every second one leaves a stale socket for the next to replace.
    child.kill(start % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
    await exited
  }
  looking = false
  t.deepEqual([...seen.keys()].sort(), ['folder 700', 'socket 600'])
})

/** Connects, sends a request at once, and says what came of it. */
const STRANGER = `
const socket = require('node:net').connect(process.argv[1])
setTimeout(() => socket.destroy(), 5000).unref()
let got = 0
socket.on('connect', () => socket.write('{"v":"0.2","type":"status"}\\n', () => console.log('sent')))
socket.on('data', (chunk) => { got += chunk.length })
socket.on('error', (error) => console.log(error.code))
socket.on('close', () => console.log('closed after ' + got + ' bytes'))
`

// Only root can become another user: elsewhere this is skipped, and counted as that.
const asAnotherUser = process.getuid?.() === 0 ? test : test.skip

asAnotherUser(
  'E4 another user is refused before a byte is read, even where the modes are forced open',
  async (t) => {
    const daemon = await startDaemonProcess()
    t.teardown(() => daemon.stop())
    for (const path of [daemon.home, dirname(daemon.socket), daemon.socket]) chmodSync(path, 0o777)
    // Suspended, so that the request surely waits in the socket when the daemon gets to see it.
    daemon.kill('SIGSTOP')
    const child = spawn(
      'setpriv',
      ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '-e', STRANGER, daemon.socket],
      {
        cwd: '/',
        env: cleanEnv(),
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    const exited = exitOf(child)
    await until('the request is sent', () => said.includes('sent'))
    daemon.kill('SIGCONT')
    await exited
    // The kernel resets a connection that is closed with bytes nobody read; a read one ends quietly.
    t.is(said, 'sent\nECONNRESET\nclosed after 0 bytes\n')
    await until('the refusal is logged', () =>
      daemon.log().some(({ event, uid }) => event === 'peer_refused' && uid === 65534),
    )
    const own = await RawClient.open(daemon.socket)
    t.is((await own.ask({ type: 'status' })).peer_check, 'credentials')
    await own.end()
  },
)

test('without the addon the folder is the guard, and status says so', async (t) => {
  const daemon = await startDaemonProcess({ env: { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/lets.node' } })
  t.teardown(() => daemon.stop())
  const client = await RawClient.open(daemon.socket)
  t.is((await client.ask({ type: 'status' })).peer_check, 'folder')
  await client.end()
})
