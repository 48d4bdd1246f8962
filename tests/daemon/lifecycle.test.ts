import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import test from 'ava'
import { runCli, startDaemonProcess, tempHome } from '../support/daemon.js'
import { RawClient } from '../support/raw-client.js'
import { until } from '../support/xserver.js'

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal}: the daemon hangs up, removes its socket and exits 0, whatever marks had time to live`, async (t) => {
    const daemon = await startDaemonProcess()
    t.teardown(() => daemon.stop())
    const [lingering, client] = [await RawClient.open(daemon.socket), await RawClient.open(daemon.socket)]
    await lingering.begin({ linger_ms: 600_000 })
    await lingering.point({ ttl_ms: 600_000 })
    await lingering.end()
    await client.begin({ linger_ms: 600_000 })
    await client.point({ ttl_ms: 3_600_000 })
    await client.ask({ type: 'capture', display_id: 1, rect: [0, 0, 99, 99] })
    await client.ask({
      type: 'consent',
      capture: 'always',
      for_ms: 600_000,
      token: readFileSync(`${daemon.socket}.consent`, 'utf8'),
    })
    const started = performance.now()
    daemon.kill(signal)
    t.deepEqual(await daemon.exited, { code: 0, signal: null })
    t.true(performance.now() - started < 30_000)
    await client.untilClosed()
    t.deepEqual(readdirSync(dirname(daemon.socket)), [])
    t.like(
      daemon.log().find(({ event }) => event === 'stopping'),
      { why: signal },
    )
  })
}

test('a signal that comes again while it ends changes nothing', async (t) => {
  const daemon = await startDaemonProcess()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) daemon.kill(signal)
  t.deepEqual(await daemon.exited, { code: 0, signal: null })
  t.deepEqual(readdirSync(dirname(daemon.socket)), [])
  await daemon.stop()
})

test('the log is one JSON object a line, with a time, a level and an event', async (t) => {
  const daemon = await startDaemonProcess()
  const client = await (await RawClient.open(daemon.socket)).begin({ client_name: 'a\nb "c" \u2028 🙂' })
  await client.end()
  await until('the session is over', () => daemon.log().some(({ event }) => event === 'session_end'))
  await daemon.stop()
  // Its windows are served beside the socket, a moment sooner or later.
  const log = daemon.log().filter(({ event }) => event !== 'lip_serving')
  for (const { ts, level, event } of log) {
    t.false(Number.isNaN(Date.parse(ts)))
    t.regex(level, /^(debug|info|warn|error)$/)
    t.regex(event, /^[a-z_]+$/)
  }
  t.deepEqual(
    log.map(({ event }) => event),
    ['serving', 'session_start', 'session_end', 'stopping', 'stopped'],
  )
  t.like(log[0], { socket: daemon.socket, host: 'headless', pid: daemon.pid })
  t.is(log[1]!.client, 'a\nb "c" \u2028 🙂')
})

for (const [level, says] of [
  ['debug', true],
  ['INFO', true],
  ['', true],
  ['warn', false],
  ['error', false],
  ['off', false],
] as const) {
  test(`LETS_LOG=${level} ${says ? 'logs' : 'keeps quiet about'} what goes as it should`, async (t) => {
    const daemon = await startDaemonProcess({ env: { LETS_LOG: level } })
    await daemon.stop()
    t.is(daemon.logText().includes('"event":"serving"'), says)
  })
}

test('a LETS_LOG that is no level is refused with those there are', async (t) => {
  const home = tempHome()
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const env = { LETS_LOG: 'loud', LETS_HOME: home }
  const { code, stderr } = await runCli(['daemon'], env)
  t.is(code, 2)
  t.is(stderr, 'lets: LETS_LOG must be one of debug, info, warn, error, off; got "loud"\n')
  await t.throwsAsync(startDaemonProcess({ env }), { message: /does not serve: LETS_LOG must be one of/ })
})
