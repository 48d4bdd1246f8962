import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'
import {
  ConnectionError,
  type ConnectOptions,
  connect,
  type LetsClient,
  LetsError,
} from '../../daemon/client/index.js'
import { cleanEnv, type DaemonProcess, exitOf, startDaemonProcess, tempHome } from '../support/daemon.js'

let daemon: DaemonProcess
test.before(async () => {
  daemon = await startDaemonProcess()
})
test.after.always(() => daemon?.stop())

async function open(t: ExecutionContext, options: Partial<ConnectOptions> = {}): Promise<LetsClient> {
  const client = await connect({ clientName: 'test', socket: daemon.socket, lingerMs: 0, ...options })
  t.teardown(() => client.close())
  return client
}

test('every drawing method answers with the mark’s id and the display it is on', async (t) => {
  const client = await open(t)
  const acks = [
    await client.point({ x: 10, y: 20, label: 'here' }),
    await client.point({ at: 'top-right' }),
    await client.highlight({ rect: [10, 10, 50, 50], shape: 'ellipse', spotlight: true }),
    await client.textbox({ rect: [10, 10, 200, 60], text: 'a note' }),
    await client.textbox({
      anchor: { screen_rect: [10, 10, 200, 60], display_id: 1 },
      text: 'go there',
      style: 'guide',
    }),
    await client.draw({
      path: [
        [1, 1],
        [9, 9],
      ],
      style: { color: '#00c853', width: 3 },
    }),
    await client.arrow({ from: [10, 10], to: 'center', bow: 0, step: 2 }),
  ]
  for (const { annotation_id, display } of acks) {
    t.regex(annotation_id, /^a_/)
    t.deepEqual(display, { id: 1, scale: 2, logical_size: [1440, 900] })
  }
  const { marks = [] } = await client.status()
  t.deepEqual(
    marks.map(({ kind }) => kind),
    ['point', 'point', 'highlight', 'textbox', 'textbox', 'draw', 'arrow'],
  )
  const moved = await client.move({ annotation_id: acks[2]!.annotation_id, by: [5, 6] })
  t.is(moved.annotation_id, acks[2]!.annotation_id)
  t.deepEqual((await client.status()).marks![2]!.rect, [15, 16, 50, 50])
  t.is(await client.clear(acks[0]!.annotation_id), 1)
  t.is(await client.clear(), 6)
  t.is(await client.clear(), 0)
})

test('displays, status, capture and requests without a method of their own', async (t) => {
  const client = await open(t)
  t.like((await client.displays())[0], { id: 1, scale: 2, primary: true, logical_size: [1440, 900] })
  t.like(await client.status(), { host: 'headless', pid: daemon.pid })
  const { path, image_size } = await client.capture({ rect: [0, 0, 100, 50], marks: true })
  t.teardown(() => rmSync(path))
  t.deepEqual(image_size, [200, 100])
  t.is(dirname(path), join(daemon.home, 'captures'))
  t.is((await client.request({ type: 'consent', capture: 'ask' })).capture_consent, 'ask')
})

test('what the daemon refuses is a LetsError with the wire’s code; the client stays usable', async (t) => {
  const client = await open(t)
  for (const [code, call] of [
    ['bad_schema', () => client.point({ x: 5000, y: 1 })],
    ['unknown_display', () => client.point({ x: 1, y: 1, display_id: 9 })],
    ['not_owner', () => client.clear('a_none')],
    ['no_resolver', () => client.point({ query: 'the Save button' })],
  ] as const) {
    const error = await t.throwsAsync<LetsError>(call(), { instanceOf: LetsError })
    t.is(error.code, code)
    t.false(error instanceof ConnectionError)
  }
  t.regex((await client.point({ x: 1, y: 1 })).annotation_id, /^a_/)
})

test('where nothing listens it is a ConnectionError that says how to start a daemon', async (t) => {
  const socket = join(daemon.home, 'none.sock')
  const error = await t.throwsAsync<ConnectionError>(open(t, { socket }), { instanceOf: ConnectionError })
  t.is(error.code, 'not_running')
  t.is(error.message, `no daemon serves ${socket}; start one with \`lets daemon\``)
  const long = `/tmp/${'x'.repeat(120)}`
  const cut = await t.throwsAsync<ConnectionError>(open(t, { socket: long }), { instanceOf: ConnectionError })
  t.regex(cut.message, /^the socket path is 125 bytes, and the system takes 10[37]: /)
})

test('a session that is refused is a LetsError and leaves no connection', async (t) => {
  const own = await startDaemonProcess()
  t.teardown(() => own.stop())
  const { socket } = own
  await t.throwsAsync(open(t, { socket, clientName: '' }), { instanceOf: LetsError, message: /client_name/ })
  await t.throwsAsync(open(t, { socket, lingerMs: 600_001 }), { instanceOf: LetsError, message: /linger_ms/ })
  t.is((await (await open(t, { socket })).status()).sessions, 1)
})

test('for await tells of marks that went away: by their time, and because a person cleared everything', async (t) => {
  const own = await startDaemonProcess()
  t.teardown(() => own.stop())
  const client = await open(t, { socket: own.socket })
  const other = await open(t, { socket: own.socket })
  const timed = await client.point({ x: 1, y: 1, ttl_ms: 20 })
  const kept = await client.point({ x: 1, y: 1 })
  const asked = await client.point({ x: 1, y: 1 })
  await client.clear(asked.annotation_id)
  const seen: unknown[] = []
  for await (const gone of client.invalidations()) {
    seen.push(gone)
    if (seen.length === 1) await other.request({ type: 'clear', all_sessions: true })
    else break
  }
  t.deepEqual(seen, [
    { annotation_id: timed.annotation_id, reason: 'ttl' },
    { annotation_id: kept.annotation_id, reason: 'cleared' },
  ])
})

test('what went away before anyone iterated is told too, and closing ends the iteration', async (t) => {
  const client = await open(t)
  const { annotation_id } = await client.point({ x: 1, y: 1, ttl_ms: 1 })
  while ((await client.status()).marks!.length > 0);
  const iterator = client.invalidations()
  t.deepEqual((await iterator.next()).value, { annotation_id, reason: 'ttl' })
  const end = iterator.next()
  await client.close()
  t.true((await end).done)
  t.true((await iterator.next()).done)
})

test('close settles what is under way, is safe to call twice, and what comes after it is refused', async (t) => {
  const client = await open(t)
  const pending = Array.from({ length: 5 }, () =>
    client.capture({ rect: [0, 0, 400, 300] }).catch((error: unknown) => error),
  )
  await client.status()
  await client.close()
  for (const outcome of await Promise.all(pending)) {
    t.true(outcome instanceof ConnectionError)
    t.is((outcome as ConnectionError).code, 'closed')
  }
  await client.close()
  await t.throwsAsync(client.status(), { instanceOf: ConnectionError, message: 'the client was closed' })
})

test('a push in the same chunk as its ack: the mark is known, and gone exactly once', async (t) => {
  const home = tempHome()
  t.teardown(() => rmSync(home, { recursive: true }))
  const socket = join(home, 's.sock')
  const display = { id: 1, scale: 1, logical_size: [100, 100] }
  const line = (message: object) => `${JSON.stringify({ v: '0.3', ...message })}\n`
  const server = createServer((peer) => {
    peer.setEncoding('utf8').on('data', (chunk: string) => {
      for (const { id, type } of chunk
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one))) {
        if (type === 'session_start') peer.write(line({ type: 'ack', id, session_id: 's_1' }))
        else if (type === 'point') {
          const early = line({ type: 'invalidated', annotation_id: 'a_0', reason: 'ttl' })
          const ack = (annotation_id: string) =>
            line({ type: 'ack', id, annotation_id, display, of_a_newer_daemon: 1 })
          const late = line({ type: 'invalidated', annotation_id: 'a_1', reason: 'ttl' })
          // First the push overtakes the ack, then it follows in the same chunk; a message nobody knows is between.
          peer.write(id === 2 ? early + ack('a_0') : ack('a_1') + line({ type: 'weather' }) + late)
        } else peer.end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  t.teardown(() => server.close())
  const client = await open(t, { socket })
  t.is((await client.point({ x: 1, y: 1 })).annotation_id, 'a_0')
  t.is((await client.point({ x: 1, y: 1 })).annotation_id, 'a_1')
  await t.throwsAsync(client.status(), {
    instanceOf: ConnectionError,
    message: 'the daemon closed the connection',
  })
  await client.close()
  const gone = []
  for await (const one of client.invalidations()) gone.push(one)
  t.deepEqual(gone, [
    { annotation_id: 'a_0', reason: 'ttl' },
    { annotation_id: 'a_1', reason: 'ttl' },
  ])
})

test('a process whose client does not keep it ends by itself, but not before its calls are answered', async (t) => {
  const module = new URL('../../daemon/client/index.js', import.meta.url).href
  const script = `
    import { connect } from ${JSON.stringify(module)}
    const client = await connect({ clientName: 'brief', keepProcess: false })
    console.log((await client.point({ x: 1, y: 1, label: '漢' })).annotation_id)
    await Promise.all([client.status(), client.capture({ rect: [0, 0, 99, 99] })])
    console.log('answered')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: cleanEnv({ LETS_HOME: daemon.home }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = text(child.stdout)
  t.deepEqual(await exitOf(child), { code: 0, signal: null })
  t.regex(await said, /^a_\w+\nanswered\n$/)
})

test('30 clients at once each own what they drew', async (t) => {
  const clients = await Promise.all(Array.from({ length: 30 }, () => open(t)))
  const ids = await Promise.all(
    clients.map((client) => Promise.all([1, 2, 3].map((x) => client.point({ x, y: 1 })))),
  )
  t.is(new Set(ids.flat().map(({ annotation_id }) => annotation_id)).size, 90)
  t.deepEqual(await Promise.all(clients.map((client) => client.clear())), Array(30).fill(3))
})
