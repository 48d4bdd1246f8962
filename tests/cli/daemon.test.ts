import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { startDaemonProcess } from '../support/daemon.js'
import { emptyHome, json } from './home.js'

test('the first command starts the daemon and says so on stderr; its result alone is on stdout', async (t) => {
  const lets = emptyHome(t)
  const first = await lets('point', '1', '1', '--json')
  t.is(first.code, 0)
  t.like(json(t, first), { type: 'ack' })
  t.regex(
    first.stderr,
    /^started the daemon \(pid \d+, host headless\); `lets stop` ends it\nnote: there is no screen here: marks are in memory, and `lets snapshot FILE\.png` shows them\n$/,
  )
  const second = await lets('point', '1', '1')
  t.is(second.stderr, '')
  const log = readFileSync(join(lets.home, 'daemon.log'), 'utf8').trimEnd().split('\n')
  t.is(JSON.parse(log[0]!).event, 'serving')
  t.is(statSync(join(lets.home, 'daemon.log')).mode & 0o777, 0o600)
})

test('commands that start at once without a daemon end up with the same one, and all of them work', async (t) => {
  const lets = emptyHome(t)
  const results = await Promise.all(
    Array.from({ length: 5 }, (_, x) => lets('point', String(x), '1', '--ttl', '1m')),
  )
  t.deepEqual(
    results.map(({ code }) => code),
    Array(5).fill(0),
    results.map(({ stderr }) => stderr).join(''),
  )
  t.is(results.filter(({ stderr }) => stderr.startsWith('started')).length, 1)
  t.is(json(t, await lets('status', '--json')).mark_count, 5)
  for (const line of readFileSync(join(lets.home, 'daemon.log'), 'utf8').trimEnd().split('\n'))
    JSON.parse(line)
})

test('stop waits until the daemon’s process is gone, and is content when there is none', async (t) => {
  const lets = emptyHome(t)
  t.is((await lets('stop')).stdout, 'no daemon is running\n')
  t.deepEqual(json(t, await lets('stop', '--json')), { stopped: false })
  const drawn = await lets('point', '1', '1', '--ttl', '10m')
  t.is(drawn.code, 0, drawn.stderr)
  const { pid } = json(t, await lets('status', '--json')) as { pid: number }
  t.is((await lets('stop')).stdout, `stopped the daemon (pid ${pid})\n`)
  t.false(isRunning(pid))
  t.deepEqual(readdirSync(join(lets.home, 'run')), [])
  t.is((await lets('status')).code, 1)
})

function isRunning(pid: number): boolean {
  try {
    return !/ Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''))
  } catch {
    return false
  }
}

test('what keeps a daemon from starting reaches the person who typed another command, in one line', async (t) => {
  const lets = emptyHome(t, { LETS_LOG: 'loud' })
  const bad = await lets('point', '1', '1')
  t.is(bad.code, 1)
  t.regex(bad.stderr, /^lets: the daemon did not start: LETS_LOG must be one of [^\n]+\n$/)
  const open = emptyHome(t)
  mkdirSync(join(open.home, 'run'), { mode: 0o755 })
  t.regex(
    (await open('point', '1', '1')).stderr,
    /^lets: the daemon did not start: [^\n]+run `chmod 700 [^\n]+\n$/,
  )
  t.is(JSON.parse(readFileSync(join(open.home, 'daemon.log'), 'utf8')).event, 'not_started')
  const file = join(open.home, 'file')
  writeFileSync(file, '')
  const home = emptyHome(t, { LETS_HOME: join(file, 'home') })
  t.regex(
    (await home('point', '1', '1')).stderr,
    /^lets: the daemon did not start: [^\n]+ cannot be written: [^\n]+; set LETS_HOME to a folder of yours\n$/,
  )
})

test('daemon refuses options that are off with exit code 2, and says what it serves otherwise', async (t) => {
  const lets = emptyHome(t)
  for (const [args, says] of [
    [['--host', 'mir'], /--host must be one of auto, wayland, x11, electron, headless; got "mir"/],
    [['--capture-consent', 'maybe'], /--capture-consent must be one of ask, always, never; got "maybe"/],
    [['--display', '1440by900'], /--display must be WIDTHxHEIGHT.*got "1440by900"/],
    [['--host', 'x11', '--display', '800x600'], /--display describes virtual displays/],
  ] as const) {
    const { code, stdout, stderr } = await lets('daemon', ...args)
    t.deepEqual([code, stdout], [2, ''])
    t.regex(stderr, new RegExp(`^lets: ${says.source}[^\n]*\n$`))
  }
  const x11 = await lets('daemon', '--host', 'x11')
  t.is(x11.code, 1)
  t.regex(x11.stderr, /^lets: DISPLAY is not set: there is no X server to draw on; set it to .*\n$/)
  t.false(existsSync(join(lets.home, 'run')))
})

test('demo draws, writes its picture and leaves nothing running', async (t) => {
  const lets = emptyHome(t)
  const file = join(lets.home, 'd.png')
  const { code, stdout, stderr } = await lets('demo', '--file', file)
  t.is(code, 0, stderr)
  t.is(stderr, '')
  t.regex(stdout, /^started the daemon \(pid \d+, host headless\)\nnote: there is no screen here/)
  t.regex(stdout, new RegExp(`\nwrote ${file}\nstopped the daemon; nothing is left running\n\nTry next:\n`))
  t.true(statSync(file).size > 1000)
  t.false(isRunning(Number(/pid (\d+)/.exec(stdout)![1])))
  t.deepEqual(readdirSync(join(lets.home, 'run')), [])
  t.is((await lets('status')).code, 1)
})

test('demo --keep leaves its daemon, without marks; a daemon that ran before is left alone as well', async (t) => {
  const lets = emptyHome(t)
  const file = join(lets.home, 'd.png')
  t.like(json(t, await lets('demo', '--keep', '--json', '--file', file)), {
    host: 'headless',
    kept: true,
    path: file,
  })
  t.like(json(t, await lets('status', '--json')), { running: true, mark_count: 0, capture_consent: 'ask' })
  const again = await lets('demo', '--file', file)
  t.false(/started|stopped/.test(again.stdout))
  t.is((await lets('status')).code, 0)
})

test('demo whose picture cannot be written says so, and leaves nothing running', async (t) => {
  const lets = emptyHome(t)
  const { code, stderr } = await lets('demo', '--file', '/nowhere/d.png')
  t.is(code, 1)
  t.is(stderr, 'lets: /nowhere/d.png cannot be written: its folder does not exist\n')
  t.is((await lets('status')).code, 1)
})

test('a suspended daemon is not waited for without end, and none is started beside it', async (t) => {
  const daemon = await startDaemonProcess()
  t.teardown(() => daemon.stop())
  const lets = emptyHome(t, { LETS_HOME: daemon.home })
  daemon.kill('SIGSTOP')
  const { code, stderr } = await lets('point', '1', '1')
  daemon.kill('SIGCONT')
  t.is(code, 1)
  t.regex(
    stderr,
    /^lets: the daemon of \S+ takes connections but did not answer within 15 s: it hangs or is suspended; [^\n]+\n$/,
  )
})
