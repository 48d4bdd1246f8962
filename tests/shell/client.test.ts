import { existsSync } from 'node:fs'
import anyTest from 'ava'
import { shell } from '../../daemon/client/index.js'
import { living, sequential, served, tempState } from './support.js'

const test = anyTest.serial
const OWN = `.${process.pid}`

test('shell.stdio: a session, a command, its output; the daemon and its folder go with the client', async (t) => {
  const client = await shell.stdio()
  const { pid, state_dir } = await client.status()
  const session = await client.createSession({ kind: 'sh', cwd: '/' })
  const { command, stdout, stderr } = await session.run('echo out; echo err >&2; (exit 3)', {
    metadata: { mine: 1 },
  })
  t.deepEqual([stdout, stderr], ['out\n', 'err\n'])
  t.like(command, { status: 'failed', exit_code: 3, metadata: { mine: 1 } })
  t.is((await session.run('cat', { input: 'given' })).stdout, 'given')
  t.is((await session.run('sleep 9', { timeoutSeconds: 0.1 })).command.status, 'timed_out')
  t.deepEqual(
    (await client.sessions()).map(({ id }) => id),
    [session.id],
  )
  t.true((await session.events()).some(({ event_type }) => event_type === 'session_reset'))
  t.is((await client.capabilities()).protocol_version, '1.0')
  await client.close()
  t.throws(() => process.kill(pid as number, 0), { code: 'ESRCH' })
  t.false(existsSync(state_dir as string))
  await t.throwsAsync(client.status(), { name: 'ConnectionError' })
})

test('events are iterated as they come, and can be taken up where one was', async (t) => {
  await using(t, async (client) => {
    const session = await client.createSession({ cwd: '/' })
    const command = await session.start('echo one; sleep 0.2; echo two; sleep 30')
    const seen = []
    for await (const event of command.events()) {
      seen.push(event)
      if (event.text === 'two\n') break
    }
    sequential(t, seen)
    t.is((await command.poll()).status, 'running')
    await command.cancel('seen enough')
    const rest = []
    for await (const event of client.command(command.id).events({ since: seen.length })) rest.push(event)
    t.deepEqual(
      rest.map(({ event_type }) => event_type),
      ['command_canceled'],
    )
    sequential(t, [...seen, ...rest])
  })
})

test('an AbortSignal cancels what runs, and ends an iteration', async (t) => {
  await using(t, async (client) => {
    const session = await client.createSession({ cwd: '/' })
    const running = session.run(`sleep 993${OWN}`, { signal: abortedAfter(300) })
    await t.throwsAsync(running, { message: 'given up' })
    const command = await session.start('echo next; sleep 0.5')
    t.deepEqual(living(`sleep 993${OWN}`), [])
    const events = command.events({ signal: abortedAfter(100) })
    await t.throwsAsync(
      (async () => {
        for await (const _ of events);
      })(),
      { message: 'given up' },
    )
    t.is((await command.result()).stdout, 'next\n')
    await t.throwsAsync(session.run('x', { signal: AbortSignal.abort(new Error('before')) }), {
      message: 'before',
    })
  })
})

test('10 MB of bytes that are no text come whole', async (t) => {
  await using(t, async (client) => {
    const session = await client.createSession({ cwd: '/' })
    const { stdoutBytes, command } = await session.run('head -c 10M /dev/zero | tr "\\0" "\\377"')
    t.true(stdoutBytes.equals(Buffer.alloc(10 * 1024 * 1024, 0xff)))
    const { createHash } = await import('node:crypto')
    t.is(command.output_hash, createHash('sha256').update(stdoutBytes).digest('hex'))
    const few = await session.run('printf "\\377\\0a"')
    t.deepEqual(few.stdoutBytes, Buffer.from([0xff, 0, 0x61]))
  })
})

test('shell.connect finds the daemon of a folder, with its token; without one it says how to start it', async (t) => {
  const daemon = await served(t, ['--require-token'])
  const client = await shell.connect(daemon.stateDir)
  t.is((await client.status()).pid, daemon.pid)
  await client.close()
  await t.throwsAsync(shell.connect(tempState(t)), { name: 'ConnectionError', message: /lets shell start/ })
  await t.throwsAsync(shell.stdio({ stateDir: daemon.stateDir }), {
    name: 'ConnectionError',
    message: /is owned by/,
  })
})

test('50 sessions side by side each have their own shell', async (t) => {
  await using(t, async (client) => {
    const sessions = await Promise.all(
      Array.from({ length: 50 }, () => client.createSession({ kind: 'sh', cwd: '/' })),
    )
    const outputs = await Promise.all(
      sessions.map(async (session, number) => {
        await session.run(`x=${number}`)
        return (await session.run('sleep 0.05; echo $x')).stdout
      }),
    )
    t.deepEqual(
      outputs,
      sessions.map((_, number) => `${number}\n`),
    )
  })
})

function abortedAfter(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error('given up')), ms)
  return controller.signal
}

async function using(
  t: { teardown(undo: () => Promise<void>): void },
  act: (client: Awaited<ReturnType<typeof shell.stdio>>) => Promise<void>,
): Promise<void> {
  const client = await shell.stdio()
  t.teardown(() => client.close())
  await act(client)
}
