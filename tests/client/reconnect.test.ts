import { rmSync } from 'node:fs'
import { createServer, connect as netConnect, type Socket } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { ConnectionError, type ConnectOptions, connect, type LetsClient } from '../../daemon/client/index.js'
import { startDaemonProcess, tempHome } from '../support/daemon.js'

async function open(t: ExecutionContext, options: Partial<ConnectOptions>): Promise<LetsClient> {
  const client = await connect({ clientName: 'test', lingerMs: 10_000, ...options })
  t.teardown(() => client.close())
  return client
}

/** The marks that went away so far. */
async function goneOf(client: LetsClient, count: number) {
  const gone: { annotation_id: string; reason: string }[] = []
  for await (const one of client.invalidations()) if (gone.push(one) === count) break
  return gone
}

/** Between a client and a daemon: breaks connections without ending either. */
async function cutter(t: ExecutionContext, to: string): Promise<{ socket: string; cut(): Promise<void> }> {
  const home = tempHome()
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const socket = join(home, 'c.sock')
  const pairs = new Set<Socket>()
  const server = createServer((near) => {
    const far = netConnect(to)
    pairs.add(far)
    near.on('error', () => {})
    far.on('error', () => {})
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  t.teardown(() => server.close())
  // The far end hangs up first, so that the daemon has noticed when the client does.
  const cut = async () => {
    for (const far of pairs) await new Promise<void>((resolve) => far.once('close', () => resolve()).end())
    pairs.clear()
  }
  return { socket, cut }
}

test('a daemon that is killed and started again between two calls: the client works, and its marks are connection_lost', async (t) => {
  const home = tempHome()
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const first = await startDaemonProcess({ env: { LETS_HOME: home } })
  const client = await open(t, { socket: first.socket, reconnect: true })
  const [a, b] = [await client.point({ x: 1, y: 1 }), await client.point({ x: 2, y: 2 })]
  const cleared = await client.point({ x: 3, y: 3 })
  await client.clear(cleared.annotation_id)
  const session = client.sessionId
  first.kill('SIGKILL')
  await first.exited
  await client.lost()
  const down = await t.throwsAsync<ConnectionError>(client.status(), { instanceOf: ConnectionError })
  t.is(down.code, 'not_running')
  const second = await startDaemonProcess({ env: { LETS_HOME: home } })
  t.teardown(() => second.stop())
  const { annotation_id } = await client.point({ x: 4, y: 4 })
  t.not(client.sessionId, session)
  t.deepEqual(
    await goneOf(client, 2),
    [a, b].map((ack) => ({ annotation_id: ack.annotation_id, reason: 'connection_lost' })),
  )
  t.deepEqual(
    (await client.status()).marks!.map((mark) => mark.annotation_id),
    [annotation_id],
  )
})

test('when only the connection broke the marks stay the session’s; one whose time ran out meanwhile is reported', async (t) => {
  const daemon = await startDaemonProcess()
  t.teardown(() => daemon.stop())
  const between = await cutter(t, daemon.socket)
  const client = await open(t, { socket: between.socket, reconnect: true })
  const watcher = await open(t, { socket: daemon.socket })
  const kept = await client.point({ x: 1, y: 1 })
  const brief = await client.point({ x: 2, y: 2, ttl_ms: 300 })
  const session = client.sessionId
  await between.cut()
  await client.lost()
  while ((await watcher.status()).mark_count! > 1);
  await client.point({ x: 3, y: 3 })
  t.is(client.sessionId, session)
  t.deepEqual(await goneOf(client, 1), [{ annotation_id: brief.annotation_id, reason: 'connection_lost' }])
  await client.move({ annotation_id: kept.annotation_id, to: [9, 9] })
  t.is(await client.clear(), 2)
})

test('without reconnect a lost connection is final, and every mark of it is reported', async (t) => {
  const daemon = await startDaemonProcess()
  const client = await open(t, { socket: daemon.socket })
  const { annotation_id } = await client.point({ x: 1, y: 1 })
  const pending = t.throwsAsync<ConnectionError>(client.capture({ rect: [0, 0, 400, 300] }), {
    instanceOf: ConnectionError,
  })
  daemon.kill('SIGKILL')
  t.is((await pending)!.code, 'closed')
  t.deepEqual(await goneOf(client, 1), [{ annotation_id, reason: 'connection_lost' }])
  await t.throwsAsync(client.status(), { instanceOf: ConnectionError })
  await daemon.stop()
})

test('resume: another client takes up the marks that linger', async (t) => {
  const daemon = await startDaemonProcess()
  t.teardown(() => daemon.stop())
  const first = await open(t, { socket: daemon.socket })
  const { annotation_id } = await first.point({ x: 1, y: 1 })
  const resume = first.sessionId
  await first.close()
  const second = await open(t, { socket: daemon.socket, resume })
  t.is(second.sessionId, resume)
  t.is(await second.clear(annotation_id), 1)
  const third = await open(t, { socket: daemon.socket, resume: 's_none' })
  t.not(third.sessionId, 's_none')
})

test('a suspended daemon is a timeout that says so, never a hang; closing does not wait for it either', async (t) => {
  const daemon = await startDaemonProcess()
  t.teardown(() => daemon.stop())
  const client = await open(t, { socket: daemon.socket })
  daemon.kill('SIGSTOP')
  const error = await t.throwsAsync<ConnectionError>(open(t, { socket: daemon.socket, timeoutMs: 200 }), {
    instanceOf: ConnectionError,
  })
  t.is(error.code, 'timeout')
  t.regex(error.message, /takes connections but did not answer within 0\.2 s: it hangs or is suspended/)
  const pending = client.status().catch((reason: unknown) => reason)
  const started = performance.now()
  await client.close()
  t.true(performance.now() - started < 9000)
  t.is(((await pending) as ConnectionError).code, 'closed')
})
