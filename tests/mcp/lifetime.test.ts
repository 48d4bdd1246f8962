import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import test from 'ava'
import { cleanEnv, exitOf, LETS, runCli, startDaemonProcess, tempHome } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { agent, refused, served } from './support.js'

/** A home whose daemon, if one was started, ends with the test. */
function home(t: ExecutionContext): NodeJS.ProcessEnv {
  const env = { LETS_HOME: tempHome() }
  t.teardown(async () => {
    await runCli(['stop'], env)
    rmSync(env.LETS_HOME, { recursive: true, force: true, maxRetries: 3 })
  })
  return env
}

/** How many marks, and agents that draw, there are. */
async function counts(
  env: NodeJS.ProcessEnv,
): Promise<{ mark_count: number; sessions: number; pid: number }> {
  return JSON.parse((await runCli(['status', '--json'], env)).stdout)
}

test.serial(
  'without a daemon and a display it starts and lists its tools; drawing says that there is no screen',
  async (t) => {
    const env = home(t)
    const on = await agent(t, env)
    t.is((await on.mcp.listTools()).tools.length, 21)
    const answer = await on.call('point_at', { at: 'top' })
    refused(
      t,
      answer,
      'not_running',
      /there is no screen here: DISPLAY is not set.*"env": \{"DISPLAY": ":0"\}/,
    )
    refused(t, await on.call('look'), 'not_running', /DISPLAY/)
    refused(t, await on.call('wait_for_window', { app: 'a' }), 'not_running', /DISPLAY/)
    t.is((await runCli(['status'], env)).code, 1, 'no daemon was left behind that draws on nothing')
    t.deepEqual(on.noise, [])
  },
)

test.serial('a display that does not answer is a clear error, and so is one of Wayland alone', async (t) => {
  const gone = await agent(t, { ...home(t), DISPLAY: ':987' })
  refused(t, await gone.call('point_at', { at: 'top' }), 'not_running', /did not start: .*:987.*lets doctor/)
  const wayland = await agent(t, { ...home(t), WAYLAND_DISPLAY: 'wayland-0' })
  refused(t, await wayland.call('point_at', { at: 'top' }), 'not_running', /Wayland.*lets doctor/)
})

test.serial('a home that cannot be written is a clear error', async (t) => {
  const on = await agent(t, { LETS_HOME: '/dev/null/lets' }, ['--headless'])
  refused(t, await on.call('list_displays'), 'not_running', /cannot be written.*LETS_HOME/)
})

test.serial('an installation without its daemon says so', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'lets-partial-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  const here = fileURLToPath(new URL('../../..', import.meta.url))
  for (const part of ['package.json', 'protocol/schema', 'dist/protocol', 'dist/daemon'])
    cpSync(join(here, part), join(root, part), { recursive: true })
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'))
  rmSync(join(root, 'dist/daemon/main.js'))
  const on = await agent(t, home(t), ['--headless'], join(root, 'dist/daemon/cli/main.js'))
  refused(
    t,
    await on.call('point_at', { at: 'top' }),
    'not_running',
    /did not start.*daemon\.log.*lets doctor/,
  )
})

test.serial('a daemon is started at the first need, once, for calls that come together', async (t) => {
  const env = home(t)
  const on = await agent(t, env, ['--headless'])
  const answers = await Promise.all([
    on.call('point_at', { at: 'top' }),
    on.call('look'),
    on.call('list_displays'),
    on.call('point_at', { at: 'left' }),
  ])
  for (const { isError, text } of answers) t.false(isError, text)
  t.is(on.stderr().match(/started the daemon/g)?.length, 1, on.stderr())
  t.like(await counts(env), { mark_count: 2, sessions: 2 }, 'one for marks, one for pictures')
})

test.serial('marks go with the client, whether it says goodbye or dies', async (t) => {
  for (const how of ['close', 'SIGKILL'] as const) {
    const on = await served(t)
    await on.call('point_at', { at: 'top' })
    await on.call('look')
    t.is((await counts(on.daemon.env)).mark_count, 1)
    if (how === 'close') await on.mcp.close()
    else process.kill(on.pid, how)
    await until('the marks are gone', async () => (await counts(on.daemon.env)).mark_count === 0)
    await until('the server is gone', () => !isAlive(on.pid))
  }
})

test.serial('stdin that closes ends the server, at once and also while calls wait', async (t) => {
  const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
  t.teardown(() => daemon.stop())
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  }
  const call = (id: number, name: string, args: object) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  for (const messages of [
    [],
    [initialize],
    [initialize, call(2, 'point_at', { at: 'top' }), call(3, 'look', {})],
  ]) {
    const child = spawn(process.execPath, [LETS, 'mcp'], { env: cleanEnv(daemon.env), stdio: 'pipe' })
    const began = performance.now()
    const [out, err] = [text(child.stdout), text(child.stderr)]
    for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`)
    child.stdin.end()
    t.deepEqual(await exitOf(child), { code: 0, signal: null }, await err)
    t.true(performance.now() - began < 15_000)
    t.is(await err, '')
    for (const line of (await out).split('\n').filter(Boolean)) t.is(JSON.parse(line).jsonrpc, '2.0')
  }
  t.is((await counts(daemon.env)).mark_count, 0)
})

test.serial(
  'what is no message is answered by nothing on stdout but the protocol, and the server goes on',
  async (t) => {
    const child = spawn(process.execPath, [LETS, 'mcp'], { env: cleanEnv(home(t)), stdio: 'pipe' })
    const [out, err] = [text(child.stdout), text(child.stderr)]
    child.stdin.write('not json\n[]\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    child.stdin.end()
    await exitOf(child)
    t.deepEqual(
      (await out)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).id),
      [1],
    )
    t.not(await err, '')
  },
)

test.serial('marks that went away are told with the next result, and at once as a log message', async (t) => {
  const on = await served(t)
  const other = (await on.call('point_at', { at: 'left' })).fields.annotation_id
  const { annotation_id } = (await on.call('point_at', { at: 'top', ttl_ms: 50 })).fields
  await until('a message came', () => on.logs.length === 1)
  t.like(on.logs[0], { level: 'info', logger: 'lets', data: { annotation_id, reason: 'ttl' } })
  await runCli(['clear', '--all-sessions'], on.daemon.env)
  await until('another came', () => on.logs.length === 2)
  const gone = [
    { annotation_id, reason: 'ttl' },
    { annotation_id: other, reason: 'cleared' },
  ]
  const next = await on.call('list_displays')
  t.deepEqual(next.fields.gone, gone as never)
  t.true(next.text.includes(`${annotation_id} (ttl), ${other} (cleared)`))
  t.is((await on.call('list_displays')).fields.gone, undefined, 'each is told once')
  await on.call('point_at', { at: 'top', ttl_ms: 100 })
  await until('a third came', () => on.logs.length === 3)
  const failed = await on.call('move_mark', { annotation_id: 'a', to: [1, 1] })
  t.is(failed.fields.gone?.length, 1, 'errors tell it, too')
})

test.serial('a client that wants no messages of that kind gets none', async (t) => {
  const on = await served(t)
  await on.mcp.setLoggingLevel('error')
  await on.call('point_at', { at: 'top', ttl_ms: 200 })
  await until('it is gone', async () => (await on.call('list_displays')).fields.gone !== undefined)
  t.deepEqual(on.logs, [])
})

test.serial(
  'a daemon that was killed is started anew by the next call, which says that earlier marks are gone',
  async (t) => {
    const env = home(t)
    const on = await agent(t, env, ['--headless'])
    const { annotation_id } = (await on.call('point_at', { at: 'top' })).fields
    const { frame_id } = (await on.call('look')).fields
    const { pid } = await counts(env)
    process.kill(pid, 'SIGKILL')
    await until('it is gone', () => !isAlive(pid))
    const next = await on.call('point_at', { at: 'left' })
    t.false(next.isError, next.text)
    t.deepEqual(next.fields.gone, [{ annotation_id: annotation_id as string, reason: 'connection_lost' }])
    t.true(next.text.includes(`${annotation_id} (connection_lost)`))
    t.not((await counts(env)).pid, pid)
    refused(t, await on.call('point_at', { frame: frame_id, x: 1, y: 1 }), 'stale_frame', /Call look again/)
    t.false((await on.call('look')).isError)
  },
)

test.serial('a daemon that is killed while many calls are under way: each is answered', async (t) => {
  const env = home(t)
  const on = await agent(t, env, ['--headless'])
  await on.call('point_at', { at: 'top' })
  const { pid } = await counts(env)
  const calls = Array.from({ length: 30 }, (_, index) => {
    if (index === 10) process.kill(pid, 'SIGKILL')
    return index === 10 ? on.call('look') : on.call('point_at', { at: 'left' })
  })
  for (const { isError, text, fields } of await Promise.all(calls))
    t.true(!isError || fields.error?.code === 'closed' || fields.error?.code === 'not_running', text)
  t.false((await on.call('point_at', { at: 'right' })).isError)
})

test.serial('many calls at once are answered, each with its own', async (t) => {
  const on = await served(t)
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 10 === 0 ? on.call('look') : on.call('point_at', { at: 'top', label: `${index}` }),
    ),
  )
  t.is(new Set(answers.map(({ fields }) => fields.annotation_id ?? fields.frame_id)).size, 60)
})

test.serial('a mark whose call was called off is not left on the screen', async (t) => {
  const on = await served(t)
  await on.call('list_displays')
  const off = new AbortController()
  const call = on.call('point_at', { at: 'top' }, { signal: off.signal })
  off.abort()
  await t.throwsAsync(call)
  await on.call('list_displays')
  await until('nothing is left', async () => (await counts(on.daemon.env)).mark_count === 0)
  t.pass()
})

test.serial('a daemon that is suspended is a clear error, and serves again when it goes on', async (t) => {
  const on = await served(t)
  await on.call('point_at', { at: 'top' })
  on.daemon.kill('SIGSTOP')
  t.teardown(() => on.daemon.kill('SIGCONT'))
  refused(t, await on.call('point_at', { at: 'left' }), 'timeout', /hangs or is suspended.*lets doctor/)
  on.daemon.kill('SIGCONT')
  t.false((await on.call('point_at', { at: 'right' })).isError)
  await until('what came too late is taken back', async () => (await counts(on.daemon.env)).mark_count === 2)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
