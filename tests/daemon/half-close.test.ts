import test from 'ava'
import { startDaemonProcess } from '../support/daemon.js'
import { RawClient } from '../support/raw-client.js'
import { until } from '../support/xserver.js'

/** Sends bytes, ends its own direction, and waits for the daemon to end the other. */
async function sendAndEnd(socket: string, bytes: string): Promise<RawClient> {
  const client = await RawClient.open(socket)
  client.socket.end(bytes)
  await until('the daemon hangs up', () => client.closed)
  return client
}

const line = (message: object) => `${JSON.stringify({ v: '0.2', ...message })}\n`

test('a script that pipes lines in and closes gets every reply, slow ones too, and then the end', async (t) => {
  const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
  t.teardown(() => daemon.stop())
  const client = await sendAndEnd(
    daemon.socket,
    line({ type: 'session_start', client_name: 'pipe', acks: 'painted' }) +
      line({ type: 'point', at: 'top', display_id: 1 }) +
      line({ type: 'capture', display_id: 1, marks: true, id: 'picture' }) +
      line({ type: 'capture', display_id: 1 }) +
      line({ type: 'status' }),
  )
  t.deepEqual(
    client.replies.map(({ type }) => type),
    ['ack', 'ack', 'ack', 'ack', 'ack'],
  )
  t.is(client.replies.at(-1)?.mark_count ?? client.replies.at(-2)?.mark_count, 1)
})

test('a last line without a newline is a message too', async (t) => {
  const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
  t.teardown(() => daemon.stop())
  const client = await sendAndEnd(daemon.socket, '{"v":"0.2","type":"displays"}')
  t.is(client.replies.length, 1)
  t.is(client.replies[0]?.type, 'ack')
  const cut = await sendAndEnd(daemon.socket, '{"v":"0.2","type":"disp')
  t.deepEqual(
    cut.replies.map(({ code }) => code),
    ['bad_schema'],
  )
})

test('a request under way when a line over the cap comes is still answered before the hang-up', async (t) => {
  const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
  t.teardown(() => daemon.stop())
  const client = await RawClient.open(daemon.socket)
  client.write(`${line({ type: 'capture', display_id: 1, id: 1 })}${'x'.repeat(1024 * 1024 + 1)}\n`)
  await until('the daemon hangs up', () => client.closed)
  t.deepEqual(client.replies.map(({ id, code }) => id ?? code).sort(), [1, 'payload_too_large'])
})

test('the marks of a client that half-closed linger and go like anyone’s', async (t) => {
  const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
  t.teardown(() => daemon.stop())
  await sendAndEnd(
    daemon.socket,
    line({ type: 'session_start', client_name: 'pipe', linger_ms: 50 }) +
      line({ type: 'point', at: 'top', display_id: 1 }),
  )
  const eye = await RawClient.open(daemon.socket)
  t.teardown(() => eye.end())
  await until('the mark goes', async () => {
    const seen = eye.replies.length
    eye.send({ type: 'status' })
    await until('the status', () => eye.replies.length > seen)
    return eye.replies.at(-1)?.mark_count === 0
  })
  t.pass()
})
