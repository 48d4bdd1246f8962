import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import anyTest, { type ExecutionContext } from 'ava'
import { type CliResult, LETS, runCli } from '../support/daemon.js'
import { bench, tempState } from './support.js'

const test = anyTest.serial

function lets(t: ExecutionContext) {
  const home = tempState(t)
  const run = (...words: string[]) => runCli(['shell', ...words], { LETS_HOME: home })
  t.teardown(async () => {
    await run('stop')
  })
  return Object.assign(run, { home })
}

function json(t: ExecutionContext, { stdout, stderr }: CliResult) {
  t.is(stdout.split('\n').length, 2, `one line: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

test('run prints the record and the output, and exits as the command did; nothing is left', async (t) => {
  const shell = lets(t)
  const ran = await shell('run', '--kind', 'bash', '--command', 'echo hi; echo no >&2; exit 3')
  t.is(ran.code, 3)
  t.like(json(t, ran), { stdout: 'hi\n', stderr: 'no\n', command: { status: 'failed', exit_code: 3 } })
  t.is((await shell('run', '--command', 'sleep 9', '--timeout', '0.1')).code, 124)
  t.is(json(t, await shell('run', '--command', 'cat', '--input', 'x')).stdout, 'x')
  t.false(existsSync(join(shell.home, 'shell', 'store')))
  t.is(json(t, await shell('run', '--command', 'pwd', '--cwd', '/usr')).stdout, '/usr\n')
})

test('start, sessions, commands, stop: the daemon is there until it is told to go', async (t) => {
  const shell = lets(t)
  const none = await shell('status')
  t.is(none.code, 1)
  t.is(json(t, none).error.code, 'not_running')
  const started = json(t, await shell('start'))
  t.like(started, { serving: true, transport: 'tcp', socket_host: '127.0.0.1' })
  t.like(json(t, await shell('start')), { already_running: true, pid: started.pid })
  t.like(json(t, await shell('status')), { pid: started.pid, session_count: 0 })
  t.is(json(t, await shell('capability', 'discover')).protocol_version, '1.0')
  const session = json(t, await shell('session', 'create', '--kind', 'sh', '--metadata', '{"a":1}'))
  t.like(session, { status: 'running', cwd: process.cwd(), metadata: { a: 1 } })
  const { command_id } = json(
    t,
    await shell('command', 'start', session.id, '--command', 'echo one; sleep 0.2; echo two'),
  )
  const events = (await shell('command', 'events', command_id, '--follow')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.deepEqual(
    events.map(({ seq }) => seq),
    [1, 2, 3, 4],
  )
  t.is(events.at(-1).event_type, 'command_completed')
  t.is(json(t, await shell('command', 'events', command_id, '--since', '3')).length, 1)
  t.is(json(t, await shell('command', 'poll', command_id)).status, 'completed')
  t.is(json(t, await shell('command', 'result', command_id)).stdout, 'one\ntwo\n')
  t.is(json(t, await shell('command', 'cancel', command_id, '--reason', 'late')).status, 'completed')
  // `run` uses the daemon that is there.
  const ran = json(t, await shell('run', '--command', 'true'))
  t.is(json(t, await shell('session', 'snapshot', ran.command.session_id)).status, 'closed')
  t.is(json(t, await shell('session', 'list')).length, 2)
  t.is(json(t, await shell('session', 'close', session.id)).status, 'closed')
  t.is(json(t, await shell('session', 'events', session.id)).at(-1).event_type, 'session_closed')
  t.like(json(t, await shell('stop')), { stopped: true, pid: started.pid })
  t.like(json(t, await shell('stop')), { stopped: false })
  t.is(JSON.parse(readFileSync(join(shell.home, 'shell', 'daemon.json'), 'utf8')).shutdown_requested, true)
})

test('a daemon that a command starts outlives the command’s session', async (t) => {
  const shell = lets(t)
  const start = `'${process.execPath}' '${LETS}' shell start --state-dir '${shell.home}/shell'`
  const ran = json(t, await shell('run', '--state-dir', join(shell.home, 'other'), '--command', start))
  const { pid } = JSON.parse(ran.stdout)
  t.is(json(t, await shell('status')).pid, pid)
})

test('words that are off exit 2 and say which; refusals exit 1', async (t) => {
  const shell = lets(t)
  for (const [words, says] of [
    [['session'], /shell session/],
    [['nothing'], /unknown command/],
    [['run'], /--command/],
    [['run', '--command', 'x', '--timeout', 'soon'], /--timeout must be a number; got "soon"/],
    [['session', 'create', '--metadata', '[1]'], /--metadata must be a JSON object; got "\[1\]"/],
    [['serve', '--host', '0.0.0.0'], /loopback/],
    [['serve', '--port', '99999'], /--port must be 0..65535/],
  ] as const) {
    const { code, stderr } = await shell(...words)
    t.is(code, 2, `${words.join(' ')}: ${stderr}`)
    t.regex(stderr, says)
  }
  const refused = await shell('run', '--command', 'x', '--kind', 'fish')
  t.is(refused.code, 1)
  t.is(json(t, refused).error.code, 'invalid_params')
  t.is((await shell('start', '--host', '10.0.0.1')).code, 1)
})

test('a daemon for marks that is started inside of a session outlives it: it carries none of its marks', async (t) => {
  const home = tempState(t)
  const { run, service, session } = await bench(t, 'sh')
  const start = new URL('../../daemon/cli/start-daemon.js', import.meta.url).href
  const paths = JSON.stringify({ home, socket: join(home, 's'), log: join(home, 'log') })
  const program = `const { startInBackground: start } = await import('${start}')
    console.log((await start(${paths}, ['--host', 'headless'])).pid)`
  const { command, stdout, stderr } = await run(
    `${process.execPath} --input-type=module -e "$(cat)"; env | grep -c LETS_SHELL_`,
    { timeout_seconds: 60, input: program },
  )
  t.is(command.exit_code, 0, stderr)
  const [pid, marks] = stdout.trim().split('\n').map(Number)
  t.is(marks, 3)
  t.teardown(() => process.kill(pid as number, 'SIGTERM'))
  await service.closeSession({ session_id: session })
  t.false(readFileSync(`/proc/${pid}/environ`, 'latin1').includes('LETS_SHELL_'))
})
