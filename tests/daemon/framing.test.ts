import test, { type ExecutionContext } from 'ava'
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js'
import { RawClient } from '../support/raw-client.js'

let daemon: DaemonProcess
test.before(async () => {
  daemon = await startDaemonProcess({ env: { LETS_LOG: 'debug' } })
})
test.after.always(() => daemon?.stop())

async function client(t: ExecutionContext): Promise<RawClient> {
  const raw = await RawClient.open(daemon.socket)
  t.teardown(() => raw.end())
  return raw.begin()
}

const point = (more: object = {}) => ({ v: '0.2', type: 'point', x: 5, y: 5, display_id: 1, ...more })
const MIB = 1024 * 1024

/** One message padded with an unknown field to exactly this many bytes. */
function padded(bytes: number): string {
  const bare = JSON.stringify(point({ pad: '' }))
  return JSON.stringify(point({ pad: 'x'.repeat(bytes - bare.length) }))
}

test('F1 U+2028 and U+2029 inside a line do not end it: one message, one ack', async (t) => {
  const raw = await client(t)
  const text = 'a\u2028b\u2029c'
  raw.write(
    `${JSON.stringify({ v: '0.2', type: 'textbox', rect: [10, 10, 200, 80], text, display_id: 1, id: 1 })}\n`,
  )
  await raw.until(() => raw.replies.some(({ id }) => id === 1))
  const { mark_count, marks } = await raw.ask({ type: 'status' })
  t.is(marks?.length, 1, String(mark_count))
  t.is(raw.replies.length, 3)
})

test('F2 a line one byte over the cap in two chunks is refused, and its tail is never carried out', async (t) => {
  const raw = await client(t)
  const watcher = await client(t)
  const tail = JSON.stringify({ v: '0.2', type: 'clear', all_sessions: true })
  const mark = await watcher.point()
  const line = 'x'.repeat(MIB + 1 - tail.length) + tail
  raw.write(line.slice(0, -tail.length))
  await watcher.ask({ type: 'status' })
  raw.write(`${tail}\n`)
  await raw.untilClosed()
  const last = raw.replies.at(-1)!
  t.like(last, {
    type: 'error',
    code: 'payload_too_large',
    msg: 'a line is over 1048576 bytes; the connection is closed',
  })
  t.is(raw.replies.length, 2)
  t.deepEqual(
    (await watcher.ask({ type: 'status' })).marks?.map(({ annotation_id }) => annotation_id),
    [mark],
  )
})

test('F2 a line of exactly the cap is a message, and so is one with a carriage return after it', async (t) => {
  const raw = await client(t)
  raw.write(`${padded(MIB)}\n${padded(MIB)}\r\n`)
  await raw.until(() => raw.replies.length === 3)
  t.deepEqual(
    raw.replies.slice(1).map(({ type }) => type),
    ['ack', 'ack'],
  )
})

const NUMBERS = ['1e999', '-1e999', '"5"', 'null', '1e308', '-0', '0']
for (const field of ['x', 'y', 'width', 'ttl_ms'] as const) {
  test(`F3 ${field} of ${NUMBERS.join(', ')} is a mark with finite numbers or an error that names the field`, async (t) => {
    const raw = await client(t)
    for (const value of NUMBERS) {
      const parts =
        field === 'width'
          ? `"type":"highlight","rect":[5,5,${value},9],"display_id":1`
          : `"type":"point",${Object.entries({ x: '5', y: '5', [field]: value }).map(([key, text]) => `"${key}":${text}`)},"display_id":1`
      const before = raw.replies.length
      raw.write(`{"v":"0.2",${parts}}\n`)
      await raw.until(() => raw.replies.length > before)
      const reply = raw.replies[before]!
      if (reply.type === 'ack') {
        const { marks } = await raw.ask({ type: 'status' })
        // An infinity would be null in JSON, and -0 would not be 0.
        for (const { rect } of marks!)
          t.true(rect.every((number) => Number.isFinite(number) && !Object.is(number, -0)))
        t.regex(value, field === 'ttl_ms' ? /^null$/ : /^-?0$/)
      } else {
        t.is(reply.code, 'bad_schema', value)
        t.true(
          reply.msg!.includes(field === 'width' ? 'rect[2]' : field) ||
            /x.*y|send exactly one/.test(reply.msg!),
          reply.msg,
        )
      }
    }
  })
}

test('F4 an unknown field nested 100,000 deep is an error with debug logging on, and the connection stays usable', async (t) => {
  const raw = await client(t)
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const before = raw.replies.length
    const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`
    raw.write(`{"v":"0.2","type":"status","extra":${deep}}\n`)
    await raw.until(() => raw.replies.length > before)
    t.like(raw.replies[before], {
      type: 'error',
      code: 'bad_schema',
      msg: 'the message nests deeper than 64 levels',
    })
  }
  t.is((await raw.ask({ type: 'status' })).type, 'ack')
})

test('F5 50 messages with multi-byte text, a byte a write and then in one write: 50 acks in order each time', async (t) => {
  const raw = await client(t)
  const lines = Array.from(
    { length: 50 },
    (_, id) => `${JSON.stringify(point({ id, label: `é漢字🙂 ${id}` }))}\n`,
  ).join('')
  const expected = Array.from({ length: 50 }, (_, id) => id)
  const ids = () => raw.replies.filter(({ id }) => id !== undefined).map(({ id }) => id)
  raw.socket.setNoDelay(true)
  for (const byte of Buffer.from(lines)) {
    if (!raw.socket.write(Buffer.of(byte))) await new Promise((resolve) => raw.socket.once('drain', resolve))
  }
  await raw.until(() => ids().length === 50)
  t.deepEqual(
    [...ids()].sort((a, b) => Number(a) - Number(b)),
    expected,
  )
  await raw.ask({ type: 'clear', all: true })
  // Without ids, order is a promise; the marks tell which ack belongs to which.
  const plain = Array.from(
    { length: 50 },
    (_, x) => `${JSON.stringify(point({ x, label: `é漢字🙂 ${x}` }))}\n`,
  ).join('')
  for (const inOneWrite of [false, true]) {
    const before = raw.replies.length
    if (inOneWrite) raw.write(plain)
    else for (const byte of Buffer.from(plain)) raw.write(Buffer.of(byte))
    await raw.until(() => raw.replies.length === before + 50)
    const acked = raw.replies.slice(before).map(({ annotation_id }) => annotation_id)
    const { marks } = await raw.ask({ type: 'status' })
    const drawn = [...marks!]
      .sort((a, b) => a.rect[0]! - b.rect[0]!)
      .map(({ annotation_id }) => annotation_id)
    t.deepEqual(acked, drawn)
    await raw.ask({ type: 'clear', all: true })
  }
})

test('F6 a BOM before the first message is accepted, and only there', async (t) => {
  const raw = await RawClient.open(daemon.socket)
  t.teardown(() => raw.end())
  raw.write('\ufeff{"v":"0.2","type":"status"}\n')
  t.is((await raw.next()).type, 'ack')
  raw.write('\ufeff{"v":"0.2","type":"status"}\n')
  t.is((await raw.next()).code, 'bad_schema')
})

test('F8 a line of invalid UTF-8 is one error, and the next message is acked', async (t) => {
  const raw = await client(t)
  raw.write(
    Buffer.concat([
      Buffer.from('{"v":"0.2","type":"status","x":"'),
      Buffer.of(0xc3, 0x28, 0xff),
      Buffer.from('"}\n'),
    ]),
  )
  raw.send({ type: 'status' })
  await raw.until(() => raw.replies.length === 3)
  t.like(raw.replies[1], { type: 'error', code: 'bad_schema', msg: 'the line is not valid UTF-8' })
  t.is(raw.replies[2]!.type, 'ack')
})

test('empty lines are passed over, and a non-object or broken JSON is one error each', async (t) => {
  const raw = await client(t)
  raw.write('\n\r\n   \n[1]\n{"v"\n"text"\nnull\n{"v":"0.2","type":"status"}\n')
  await raw.until(() => raw.replies.length === 6)
  t.deepEqual(
    raw.replies.slice(1).map(({ type, code }) => code ?? type),
    [...Array(4).fill('bad_schema'), 'ack'],
  )
})

test('any 0.x is understood and answered with the daemon’s own version; another major is not', async (t) => {
  const raw = await client(t)
  for (const v of ['0.1', '0.9', '0.2'])
    t.like(await raw.ask({ v, type: 'status' }), { type: 'ack', v: '0.2' })
  t.is((await raw.ask({ v: '1.0', type: 'status' })).code, 'version_unsupported')
  t.is((await raw.ask({ type: 'dance' })).code, 'unknown_type')
  t.is((await raw.ask({ type: 'status' })).type, 'ack')
})
