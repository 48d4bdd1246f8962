import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import anyTest, { type ExecutionContext } from 'ava'
import { hostFault } from '../../daemon/shell/tcp.js'
import { exitOf } from '../support/daemon.js'
import { RawShell, type Response, sequential, served, spawnShell, startShell, tempState } from './support.js'

const test = anyTest.serial

/** `lets shell stdio`, fed with lines; what it answered, when it has ended. */
async function spoken(t: ExecutionContext, args: readonly string[], input: string): Promise<Response[]> {
  const child = spawnShell(['stdio', '--state-dir', tempState(t), ...args], { LETS_LOG: 'off' })
  const [out, err] = [text(child.stdout as Readable), text(child.stderr as Readable)]
  child.stdin?.end(input)
  t.deepEqual(await exitOf(child), { code: 0, signal: null }, await err)
  return (await out)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

const line = (message: unknown) => `${JSON.stringify(message)}\n`

test('stdio: every request has one answer with its id, whatever it is; what is no request has a null id', async (t) => {
  const answers = await spoken(
    t,
    [],
    [
      line({ id: { a: [1] }, method: 'capability.discover', params: {} }),
      'no json\n',
      '\n',
      line({ id: 'x', method: 'session.snapshot', params: { session_id: 'sess_none' } }),
      line({ id: 2, method: 'session.nothing' }),
      line({ method: 'session.create', params: { kind: 'sh', cwd: '/not/there' } }),
      '{"id":3,"method":"daemon.status"}',
    ].join(''),
  )
  const by = (id: unknown) => answers.find((answer) => JSON.stringify(answer.id) === JSON.stringify(id))
  t.is(answers.length, 6)
  t.is(by({ a: [1] })?.result.protocol_version, '1.0')
  t.like(by('x')?.error, { code: 'not_found', type: 'KeyError', message: 'there is no session "sess_none"' })
  t.like(by(2)?.error, { code: 'unknown_method' })
  t.like(by(3)?.result, { transport: 'stdio', socket_port: null, session_count: 0, schema_version: 1 })
  const nulls = answers.filter(({ id }) => id === null).map(({ error }) => error.code)
  t.deepEqual(nulls.sort(), ['invalid_params', 'invalid_request'])
})

test('stdio --once answers one request and ends', async (t) => {
  const child = spawnShell(['stdio', '--once', '--state-dir', tempState(t)], { LETS_LOG: 'off' })
  const out = text(child.stdout as Readable)
  child.stdin?.write(line({ id: 1, method: 'daemon.status' }).repeat(2))
  t.deepEqual(await exitOf(child), { code: 0, signal: null })
  t.is((await out).split('\n').length, 2)
  child.stdin?.destroy()
})

test('stdio: daemon.shutdown answers with what was closed, then the channel closes and the folder is free', async (t) => {
  const stateDir = tempState(t)
  const child = spawnShell(['stdio', '--state-dir', stateDir], { LETS_LOG: 'off' })
  const out = text(child.stdout as Readable)
  child.stdin?.write(line({ id: 1, method: 'session.create', params: { kind: 'sh', cwd: '/' } }))
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  t.is(JSON.parse(readFileSync(join(stateDir, 'daemon.json'), 'utf8')).transport, 'stdio')
  child.stdin?.write(line({ id: 2, method: 'daemon.shutdown', params: { reason: 'over' } }))
  t.deepEqual(await exitOf(child), { code: 0, signal: null })
  const answers = (await out)
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one))
  const session = answers.find(({ id }) => id === 1).result
  t.like(answers.find(({ id }) => id === 2).result, {
    shutdown_requested: true,
    closed_sessions: [session.id],
  })
  t.like(JSON.parse(readFileSync(join(stateDir, 'daemon.json'), 'utf8')), {
    shutdown_requested: true,
    socket_port: null,
  })
  t.false(existsSync(join(stateDir, 'daemon.lock')))
  child.stdin?.destroy()
})

test('stdio: a session that is being made when the daemon is shut down is answered, and nothing of it stays', async (t) => {
  const answers = await spoken(
    t,
    [],
    line({ id: 1, method: 'session.create', params: { kind: 'sh', cwd: '/' } }) +
      line({ id: 2, method: 'daemon.shutdown' }),
  )
  t.deepEqual(answers.map(({ id }) => id).sort(), [1, 2])
  const made = answers.find(({ id }) => id === 1)
  t.true(made?.ok === true || made?.error.code === 'conflict')
})

test('daemon.json says where it serves, for its owner alone; a marker file asks it to stop', async (t) => {
  const daemon = await startShell(tempState(t))
  for (const name of ['daemon.json', 'daemon.lock']) {
    const file = join(daemon.stateDir, name)
    t.is(statSync(file).mode & 0o777, 0o600)
    t.like(JSON.parse(readFileSync(file, 'utf8')), {
      ...{ pid: daemon.pid, protocol_version: '1.0', transport: 'tcp', state_dir: daemon.stateDir },
      ...{ socket_host: '127.0.0.1', socket_port: daemon.port, shutdown_requested: false },
    })
  }
  writeFileSync(join(daemon.stateDir, 'daemon.shutdown.json'), '{}')
  t.deepEqual(await daemon.exited, { code: 0, signal: null })
})

test('TCP: a daemon and its commands go on without clients', async (t) => {
  const daemon = await served(t)
  const first = await RawShell.open(daemon.port)
  const session_id = (await first.ask('session.create', { kind: 'bash', cwd: '/' })).result.id
  const { command_id } = (await first.ask('command.start', { session_id, command: 'sleep 0.3; echo still' }))
    .result
  first.socket.destroy()
  const second = await RawShell.open(daemon.port)
  const { result } = await second.ask('command.poll', { command_id, wait_seconds: 10 })
  t.like(result, { status: 'completed', stdout_tail: 'still\n' })
})

test('H12: a web page’s POST, and whatever else is no request, closes the connection at its first line; nothing runs', async (t) => {
  const daemon = await served(t)
  const body = line({ id: 1, method: 'session.create', params: { kind: 'sh', cwd: '/' } })
  for (const first of [
    `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `GET / HTTP/1.1\r\n\r\n${body}`,
    `\u0016\u0003\u0001\n${body}`,
    `[]\n${body}`,
    `{"method":3}\n${body}`,
    `\xff\xfe\n${body}`,
  ]) {
    const socket = connect(daemon.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(Buffer.from(first, 'latin1'))
    t.is(await text(socket), '', first.slice(0, 20))
  }
  const page = await fetch(`http://127.0.0.1:${daemon.port}/`, { method: 'POST', body }).then(
    () => 'answered',
    () => 'hung up',
  )
  t.is(page, 'hung up')
  const client = await RawShell.open(daemon.port)
  t.is((await client.ask('daemon.status')).result.session_count, 0)
  // Later lines that are off are answered: by then it is a client.
  client.write('nonsense\n')
  t.like(await client.next(), { id: null, ok: false, error: { code: 'invalid_request' } })
})

test('only loopback IPv4 addresses are served', async (t) => {
  t.is(hostFault('127.0.0.1'), null)
  t.is(hostFault('127.8.9.1'), null)
  for (const host of [
    '0.0.0.0',
    '::1',
    'localhost',
    '192.168.0.1',
    '',
    '127.0.0.1.evil.example',
    '2130706433',
  ])
    t.regex(hostFault(host) ?? '', /loopback IPv4/)
  const error = await t.throwsAsync(startShell(tempState(t), ['--host', '0.0.0.0']))
  t.regex(error.message, /--host must be a loopback IPv4 address such as 127.0.0.1; got "0.0.0.0"/)
})

const root = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0 ? test : test.skip

root('another user is turned away before a byte is read, also when it hangs up at once', async (t) => {
  const daemon = await served(t)
  const stranger = (body: string) =>
    spawn(
      'setpriv',
      [
        '--reuid',
        '65534',
        '--regid',
        '65534',
        '--clear-groups',
        process.execPath,
        '-e',
        body,
        String(daemon.port),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
  const request = JSON.stringify(line({ id: 1, method: 'session.create', params: { kind: 'sh', cwd: '/' } }))
  const asks = stranger(`
    const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1')
    let got = 0
    socket.on('connect', () => socket.write(${request}))
    socket.on('data', (chunk) => { got += chunk.length })
    socket.on('error', () => {})
    socket.on('close', () => console.log('got ' + got))`)
  t.is(await text(asks.stdout as Readable), 'got 0\n')
  const leaves = stranger(`
    for (let n = 0; n < 50; n++) {
      const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1')
      socket.on('error', () => {})
      socket.on('connect', () => { socket.write(${request}); socket.destroy() })
    }`)
  await exitOf(leaves)
  const client = await RawShell.open(daemon.port)
  t.is((await client.ask('daemon.status')).result.session_count, 0)
  t.regex(daemon.log(), /client_refused.*another user \(65534\)/)
})

test('--require-token: the first request needs the secret, which only its owner can read', async (t) => {
  const daemon = await served(t, ['--require-token'])
  const file = join(daemon.stateDir, 'daemon.token')
  t.is(statSync(file).mode & 0o777, 0o600)
  for (const token of [undefined, '', 'wrong', 3]) {
    const client = await RawShell.open(daemon.port)
    client.write(line({ id: 1, method: 'daemon.status', token }))
    await client.closed
  }
  const client = await RawShell.open(daemon.port)
  const token = readFileSync(file, 'utf8')
  t.true((await client.ask('daemon.status', {}, { token })).ok)
  t.true((await client.ask('daemon.status')).ok)
})

test('H18: a client that stops reading during `seq 1e7` costs bounded memory, and catches up', async (t) => {
  const daemon = await served(t)
  const client = await RawShell.open(daemon.port)
  const session_id = (await client.ask('session.create', { kind: 'bash', cwd: '/' })).result.id
  const { command_id } = (await client.ask('command.start', { session_id, command: 'seq 1 10000000' })).result
  client.socket.pause()
  for (let n = 0; n < 20; n++)
    client.write(line({ id: 5, method: 'command.events', params: { command_id, wait_seconds: 5 } }))
  client.write(line({ id: 6, method: 'command.result', params: { command_id, wait_seconds: 30 } }))
  const other = await RawShell.open(daemon.port)
  const ended = (await other.ask('command.poll', { command_id, wait_seconds: 30 })).result
  t.is(ended.status, 'completed')
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'))?.[1]) / 1024
  t.true(peak < 250, `${peak} MB`)
  t.log(`peak ${peak.toFixed(0)} MB`)
  client.socket.destroy()
  let seq = 0
  let last = ''
  const seen = []
  for (;;) {
    const page = (await other.ask('command.events', { command_id, since_seq: seq, limit: 64 })).result
    if (page.length === 0) break
    for (const event of page) seen.push({ ...event, text: '' })
    last = page.findLast(({ event_type }: { event_type: string }) => event_type === 'stdout')?.text ?? last
    seq = page.at(-1).seq
  }
  sequential(t, seen)
  t.true(last.endsWith('\n9999999\n10000000\n'))
})

test('bad input has a clear error, and the connection goes on', async (t) => {
  const daemon = await served(t)
  const client = await RawShell.open(daemon.port)
  t.like((await client.ask('command.poll', { command_id: 'cmd_none' })).error, {
    code: 'not_found',
    message: 'there is no command "cmd_none"',
  })
  for (const method of ['command.cancel', 'command.events', 'command.result'])
    t.is((await client.ask(method, { command_id: 'cmd_none' })).error.code, 'not_found')
  for (const method of ['session.close', 'session.events', 'session.snapshot'])
    t.is((await client.ask(method, { session_id: 'sess_none' })).error.code, 'not_found')
  t.is((await client.ask('command.start', { session_id: 'sess_none', command: 'x' })).error.code, 'not_found')
  const made = (await client.ask('session.create', { kind: 'bash', cwd: '/usr', metadata: { mine: [1] } }))
    .result
  t.like(made, { status: 'running', cwd: '/usr', metadata: { mine: [1] }, command_count: 0, closed_at: null })
  const session_id = made.id
  t.regex(
    (await client.ask('command.start', { session_id, command: 'x', cwd: '/' })).error.message,
    /cwd must be the session’s \(\/usr\)/,
  )
  t.true((await client.ask('command.start', { session_id, command: ':', cwd: '/usr/' })).ok)
  t.regex(
    (await client.ask('session.create', { kind: 'cmd' })).error.message,
    /kind: cmd is there on Windows only/,
  )
  const closed = (await client.ask('session.close', { session_id })).result
  t.like(closed, { status: 'closed', pid: null, active_command_count: 0 })
  t.like((await client.ask('command.start', { session_id, command: 'x' })).error, { code: 'conflict' })
  t.deepEqual((await client.ask('session.close', { session_id })).result, closed)
  const list = (await client.ask('session.list')).result
  t.deepEqual(list, [closed])
  const big = await client.ask('command.start', { session_id, command: 'x'.repeat(17 * 1024 * 1024) })
  t.regex(big.error.message, /command may have at most 16777216 characters/)
  client.write(`{"id":1,"method":"${'x'.repeat(33 * 1024 * 1024)}"}\n`)
  t.regex((await client.next()).error.message, /a line is over 33554432 bytes; the connection is closed/)
  await client.closed
})

test('a session that is closed cancels what waits and what runs', async (t) => {
  const daemon = await served(t)
  const client = await RawShell.open(daemon.port)
  const session_id = (await client.ask('session.create', { kind: 'bash', cwd: '/' })).result.id
  const start = async (command: string) => (await client.ask('command.start', { session_id, command })).result
  const ids = [await start('sleep 50'), await start('sleep 51'), await start('sleep 52')]
  t.is(ids[2].command.status, 'queued')
  const canceled = (await client.ask('command.cancel', { command_id: ids[1].command_id, reason: 'no' }))
    .result
  t.like(canceled, { status: 'canceled', started_at: null, metadata: { reason: 'no' } })
  await client.ask('session.close', { session_id })
  for (const { command_id } of ids)
    t.is((await client.ask('command.poll', { command_id })).result.status, 'canceled')
  t.is(
    (await client.ask('command.result', { command_id: ids[0].command_id })).result.events.at(-1).event_type,
    'command_canceled',
  )
})

test('what cannot be a request is turned away at its first byte: TLS never sends a line end', async (t) => {
  const daemon = await served(t)
  for (const bytes of ['\x16\x03\x01', 'GET / HT', ' \r\n\tPRI *', 'P']) {
    const stranger = await RawShell.open(daemon.port)
    stranger.socket.write(bytes, 'latin1')
    await stranger.closed
  }
  const client = await RawShell.open(daemon.port)
  client.write(' \n')
  t.true((await client.ask('session.list')).ok)
  t.true((await client.ask('daemon.status')).result.session_count === 0)
})

test('clients that are turned away do not fill the log', async (t) => {
  const daemon = await served(t)
  // The most there may be, and then some.
  const clients = await Promise.all(Array.from({ length: 200 }, () => RawShell.open(daemon.port)))
  for (const client of clients.slice(128)) await client.closed
  t.is(daemon.log().split('client_refused').length - 1, 1)
  for (const client of clients) client.socket.destroy()
})
