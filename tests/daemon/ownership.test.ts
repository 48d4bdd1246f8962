import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'
import { cleanEnv, exitOf, runCli, spawnDaemon, startDaemonProcess, tempHome } from '../support/daemon.js'
import { RawClient } from '../support/raw-client.js'

/** A home that outlives a daemon in it. */
function homeOf(t: ExecutionContext): {
  LETS_HOME: string
  home: string
  socket: string
  env: NodeJS.ProcessEnv
} {
  const home = tempHome()
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  return { LETS_HOME: home, home, socket: join(home, 'run', 'lets.sock'), env: { LETS_HOME: home } }
}

async function serves(t: ExecutionContext, socket: string): Promise<void> {
  const client = await RawClient.open(socket)
  t.is((await client.ask({ type: 'status' })).type, 'ack')
  await client.end()
}

test.serial(
  'E1 after kill -9 the next daemon serves within a second, and nothing is to be done by hand',
  async (t) => {
    const { env, socket } = homeOf(t)
    const first = await startDaemonProcess({ env })
    first.kill('SIGKILL')
    t.deepEqual(await first.exited, { code: null, signal: 'SIGKILL' })
    t.true(existsSync(socket), 'the dead daemon left its socket behind')
    // What a start costs here at all, on this machine and now: the second is for what a stale socket adds.
    const before = performance.now()
    const elsewhere = await startDaemonProcess()
    const fresh = performance.now() - before
    await elsewhere.stop()
    const started = performance.now()
    const second = await startDaemonProcess({ env })
    const took = performance.now() - started
    t.teardown(() => second.stop())
    t.log(`a fresh start took ${fresh.toFixed(0)} ms, the one after the kill ${took.toFixed(0)} ms`)
    t.true(took < Math.max(1000, 3 * fresh + 500), `${took} ms`)
    await serves(t, socket)
  },
)

test('E2 a suspended owner keeps the socket: the second start refuses, naming it, and the first serves on', async (t) => {
  const { env, socket } = homeOf(t)
  const owner = await startDaemonProcess({ env })
  t.teardown(() => owner.stop())
  const { ino } = statSync(socket)
  owner.kill('SIGSTOP')
  const second = await runCli(['daemon', '--host', 'headless'], env)
  t.is(second.code, 0)
  t.is(
    second.stdout,
    `a daemon already serves ${socket}, as it was started; \`lets status\` says more, \`lets stop\` ends it\n`,
  )
  t.is(second.stderr, '')
  t.is(statSync(socket).ino, ino)
  owner.kill('SIGCONT')
  await serves(t, socket)
})

for (const [after, dies] of [
  ['where none was', false],
  ['after one was killed', true],
] as const) {
  test(`E3 of 20 daemons started at once ${after}, one serves, and 19 exit 0 naming its socket`, async (t) => {
    const { env, socket } = homeOf(t)
    if (dies) {
      const dead = await startDaemonProcess({ env })
      dead.kill('SIGKILL')
      await dead.exited
    }
    await crowd(t, env, socket)
  })
}

/** Starts 20 daemons at once, and ends the one that serves. */
async function crowd(t: ExecutionContext, env: NodeJS.ProcessEnv, socket: string): Promise<void> {
  const children = Array.from({ length: 20 }, () => spawnDaemon(cleanEnv({ ...env, LETS_LOG: 'info' })))
  const owners: number[] = []
  const losers = children.map(async (child) => {
    const log = text(child.stderr as Readable)
    const ready = JSON.parse(await text(child.stdio[3] as Readable))
    t.true(ready.serving)
    if (ready.pid === child.pid) {
      owners.push(ready.pid)
      return null
    }
    const { code } = await exitOf(child)
    t.true((await log).includes(`"event":"already_served","socket":"${socket}"`))
    return code
  })
  const codes = await Promise.all(losers)
  t.is(owners.length, 1)
  t.deepEqual(
    codes.filter((code) => code !== null),
    Array(19).fill(0),
  )
  await serves(t, socket)
  const owner = children.find(({ pid }) => pid === owners[0])!
  const gone = once(owner, 'exit')
  owner.kill('SIGTERM')
  t.deepEqual(await gone, [0, null])
  t.deepEqual(readdirSync(dirname(socket)), [])
}

for (const [bytes, fits] of [
  [107, true],
  [108, false],
  [150, false],
] as const) {
  test(`E5 a socket path of ${bytes} bytes ${fits ? 'works' : 'is refused with the limit, and leaves no file'}`, async (t) => {
    const { env, home } = homeOf(t)
    const folder = join(home, 'run')
    const socket = join(folder, 's'.repeat(bytes - Buffer.byteLength(folder) - 1))
    t.is(Buffer.byteLength(socket), bytes)
    const own = { ...env, LETS_SOCKET: socket }
    if (fits) {
      const daemon = await startDaemonProcess({ env: own })
      await serves(t, socket)
      t.is((await runCli(['status'], own)).code, 0)
      await daemon.stop()
      return
    }
    // The name that Node would cut it to is served: nobody may be led there.
    const cut = await startDaemonProcess({ env: { ...env, LETS_SOCKET: socket.slice(0, 107) } })
    const { code, stderr } = await runCli(['daemon'], own)
    t.is(code, 1)
    t.regex(
      stderr,
      new RegExp(
        `^lets: the socket path is ${bytes} bytes, and the system takes 107: .*set LETS_SOCKET to a shorter one\\n$`,
      ),
    )
    t.is((await runCli(['status'], own)).code, 1)
    t.regex(
      (await runCli(['point', '1', '1'], own)).stderr,
      /^lets: the daemon did not start: the socket path is/,
    )
    await cut.stop()
    t.deepEqual(readdirSync(folder), [])
  })
}

test.serial('a lock that a dead starter left behind is broken at once', async (t) => {
  const { env, socket } = homeOf(t)
  mkdirSync(dirname(socket), { mode: 0o700 })
  const dead = await runCli(['--version'])
  t.is(dead.code, 0)
  // No process has this pid: the kernel's largest is 2^22.
  writeFileSync(`${socket}.lock`, String(2 ** 22 + 1))
  const started = performance.now()
  const daemon = await startDaemonProcess({ env })
  t.true(performance.now() - started < 15_000)
  t.deepEqual(readdirSync(dirname(socket)).sort(), ['lets.sock', 'lets.sock.consent'])
  await daemon.stop()
})

test.serial(
  'an old lock is broken even when some process has its pid by now; a fresh one is waited for',
  async (t) => {
    const { env, socket } = homeOf(t)
    mkdirSync(dirname(socket), { mode: 0o700 })
    const lock = `${socket}.lock`
    writeFileSync(lock, String(process.pid))
    const starting = startDaemonProcess({ env })
    t.is(
      await Promise.race([starting.then(() => 'started'), new Promise((r) => setTimeout(r, 700, 'waiting'))]),
      'waiting',
    )
    t.is(readFileSync(lock, 'utf8'), String(process.pid))
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(lock, longAgo, longAgo)
    await (await starting).stop()
  },
)

test('a socket path that is an ordinary file is refused, and the file stays', async (t) => {
  const { env, socket } = homeOf(t)
  mkdirSync(dirname(socket), { mode: 0o700 })
  writeFileSync(socket, 'a letter')
  const { code, stderr } = await runCli(['daemon'], env)
  t.is(code, 1)
  t.is(stderr, `lets: ${socket} exists and is not a socket; remove it, or set LETS_SOCKET to another path\n`)
  t.is(readFileSync(socket, 'utf8'), 'a letter')
})

test('LETS_SOCKET in a missing folder: the folder is made, for its owner alone', async (t) => {
  const { env, home } = homeOf(t)
  const folder = join(home, 'a', 'b')
  const daemon = await startDaemonProcess({ env: { ...env, LETS_SOCKET: join(folder, 's.sock') } })
  t.is(statSync(folder).mode & 0o777, 0o700)
  await serves(t, daemon.socket)
  await daemon.stop()
})

test('E4 a folder that is open to others is refused with the command that closes it', async (t) => {
  const { env, socket } = homeOf(t)
  const folder = dirname(socket)
  mkdirSync(folder)
  for (const mode of [0o755, 0o710, 0o701]) {
    chmodSync(folder, mode)
    const { code, stderr } = await runCli(['daemon'], env)
    t.is(code, 1)
    t.is(
      stderr,
      `lets: ${folder} is open to others (mode ${mode.toString(8)}): run \`chmod 700 ${folder}\`, or set LETS_SOCKET to a path in a folder of yours\n`,
    )
    t.deepEqual(readdirSync(folder), [])
  }
  chmodSync(folder, 0o1777)
  t.regex(
    (await runCli(['daemon'], env)).stderr,
    /is shared with others; set LETS_SOCKET to a path in a folder of yours\n$/,
  )
  chmodSync(folder, 0o700)
  await (await startDaemonProcess({ env })).stop()
})

test('a daemon whose socket file was removed does not take the next daemon’s socket with it when it ends', async (t) => {
  const { env, socket } = homeOf(t)
  const first = await startDaemonProcess({ env, args: ['--host', 'headless'] })
  rmSync(socket)
  const second = await startDaemonProcess({ env, args: ['--host', 'headless'] })
  t.teardown(() => second.stop())
  await first.stop()
  const client = await RawClient.open(socket)
  t.teardown(() => client.end())
  t.is((await client.ask({ type: 'status' })).pid, second.pid)
})

test('E4 a folder above the socket’s that others may write is refused with the command that closes it', async (t) => {
  const { env, home, socket } = homeOf(t)
  mkdirSync(dirname(socket), { mode: 0o700 })
  chmodSync(home, 0o777)
  const error = await t.throwsAsync(startDaemonProcess({ env, args: ['--host', 'headless'] }))
  t.true(error.message.includes(`chmod go-w ${home}`), error.message)
  chmodSync(home, 0o1777)
  const daemon = await startDaemonProcess({ env, args: ['--host', 'headless'] })
  await daemon.stop()
})
