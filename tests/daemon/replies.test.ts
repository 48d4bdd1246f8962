import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test, { type ExecutionContext } from 'ava'
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js'
import { RawClient } from '../support/raw-client.js'
import { until } from '../support/xserver.js'

let daemon: DaemonProcess
test.before(async () => {
  daemon = await startDaemonProcess()
})
test.after.always(() => daemon?.stop())

async function open(t: ExecutionContext): Promise<RawClient> {
  const raw = await RawClient.open(daemon.socket)
  t.teardown(() => raw.end())
  return raw
}
const client = async (t: ExecutionContext, fields: object = {}) => (await open(t)).begin(fields)

/** Slow: a picture is painted and encoded. */
const SLOW = { type: 'capture', display_id: 1, marks: true, rect: [0, 0, 400, 300] }

test('without ids replies come in order, however slow the first request is', async (t) => {
  const raw = await client(t)
  raw.send(
    SLOW,
    { type: 'point', x: 1, y: 1, display_id: 1 },
    { type: 'status' },
    { type: 'clear', all: true },
  )
  await raw.until(() => raw.replies.length === 5)
  const [, picture, mark, status, cleared] = raw.replies
  t.is(typeof picture!.path, 'string')
  t.is(status!.marks![0]!.annotation_id, mark!.annotation_id!)
  t.is(cleared!.cleared, 1)
})

test('a reply to a request with an id overtakes a slower one', async (t) => {
  const raw = await client(t)
  raw.send({ ...SLOW, id: 'slow' }, { type: 'status', id: 'quick' })
  await raw.until(() => raw.replies.length === 3)
  t.deepEqual(
    raw.replies.map(({ id }) => id),
    [undefined, 'quick', 'slow'],
  )
})

test('a request is called off by its id; one that is not under way is said not to be', async (t) => {
  const raw = await client(t)
  raw.send({ ...SLOW, id: 'slow' }, { type: 'cancel', request: 'slow', id: 1 })
  raw.send({ type: 'cancel', request: 'never', id: 2 }, { type: 'cancel', request: 1, id: 3 })
  await raw.until(() => raw.replies.length === 5)
  const told = (id: number) => raw.replies.find((reply) => reply.id === id)?.cancelled
  t.deepEqual([told(1), told(2), told(3)], [true, false, false])
  t.is(typeof raw.replies.find(({ id }) => id === 'slow')?.path, 'string', 'nobody was asked: it was done')
  t.is((await raw.ask({ type: 'cancel', request: 'slow' })).cancelled, false)
})

test('a request with an id overtakes slow ones without, which stay in order among themselves', async (t) => {
  const raw = await client(t)
  raw.send(SLOW, { type: 'clear', all: true }, { type: 'status', id: 7 })
  await raw.until(() => raw.replies.length === 4)
  t.deepEqual(
    raw.replies.map(
      (reply) => reply.id ?? ('path' in reply ? 'picture' : 'cleared' in reply ? 'cleared' : ''),
    ),
    ['', 7, 'picture', 'cleared'],
  )
})

test('an id is echoed as it was sent: a string, a number, 0, the empty string; on acks and on errors', async (t) => {
  const raw = await client(t)
  for (const id of ['a', 'ü🙂', '', 0, -1, 1.5, 2 ** 53 - 1]) {
    t.is((await raw.ask({ type: 'status', id })).id, id)
    const error = await raw.ask({ type: 'clear', id })
    t.is(error.type, 'error')
    t.is(error.id, id)
  }
  t.false('id' in (await raw.ask({ type: 'status' })))
})

test('pushes carry no id, say why, and go to the owner alone', async (t) => {
  // A daemon of its own: it clears everyone's marks.
  const alone = await startDaemonProcess()
  t.teardown(() => alone.stop())
  const [owner, other] = [await RawClient.open(alone.socket), await RawClient.open(alone.socket)]
  await Promise.all([owner.begin(), other.begin()])
  const timed = await owner.point({ id: 'mine', ttl_ms: 30 })
  await owner.until(() => owner.pushes.length === 1)
  t.deepEqual(owner.pushes[0], { v: '0.2', type: 'invalidated', annotation_id: timed, reason: 'ttl' })
  const kept = await owner.point()
  const own = await other.point()
  t.true((await other.ask({ type: 'clear', all_sessions: true })).cleared! >= 2)
  await owner.until(() => owner.pushes.length === 2)
  t.deepEqual(owner.pushes[1], { v: '0.2', type: 'invalidated', annotation_id: kept, reason: 'cleared' })
  // Who asked for it is answered, not told.
  t.is((await other.ask({ type: 'clear', annotation_id: own })).code, 'not_owner')
  t.deepEqual(other.pushes, [])
})

test('a mark of another session and one that never was are refused in the same words', async (t) => {
  const [owner, other] = [await client(t), await client(t)]
  const theirs = await owner.point()
  const never = `${theirs.slice(0, -1)}${theirs.endsWith('Z') ? 'Y' : 'Z'}`
  for (const request of [{ type: 'clear' }, { type: 'move', to: [1, 1] }]) {
    const [a, b] = [
      await other.ask({ ...request, annotation_id: theirs }),
      await other.ask({ ...request, annotation_id: never }),
    ]
    t.is(a.code, 'not_owner')
    t.deepEqual({ ...a, msg: a.msg!.replace(theirs, 'ID') }, { ...b, msg: b.msg!.replace(never, 'ID') })
  }
  t.is((await owner.ask({ type: 'status' })).marks!.length, 1)
})

test('A4 a client that is killed leaves no mark behind once its time to linger is over', async (t) => {
  const lingerMs = 3000
  const script = `
    const socket = require('node:net').connect(process.argv[1])
    const send = (message) => socket.write(JSON.stringify({ v: '0.2', ...message }) + '\\n')
    send({ type: 'session_start', client_name: 'doomed', linger_ms: ${lingerMs} })
    send({ type: 'point', x: 700, y: 400, display_id: 1 })
    socket.on('data', (chunk) => process.stdout.write(chunk))`
  const child = spawn(process.execPath, ['-e', script, daemon.socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  await until('the mark is drawn', () => said.includes('annotation_id'))
  const session = JSON.parse(said.split('\n')[0]!).session_id
  child.kill('SIGKILL')
  await once(child, 'exit')
  const raw = await open(t)
  // Other tests draw too: whether this one's mark is there is asked for by name.
  const lingers = async () =>
    (await raw.ask({ type: 'session_start', client_name: 'look', resume: session, linger_ms: lingerMs }))
      .resumed
  t.true(await lingers(), 'it lingers first')
  await raw.end()
  const after = await open(t)
  const gone = await until('it is gone', async () => {
    await new Promise((resolve) => setTimeout(resolve, lingerMs + 100))
    return (
      (await after.ask({ type: 'session_start', client_name: 'look', resume: session })).resumed === false
    )
  })
  t.true(gone)
})

test('session_end is acked, and its marks linger out without a word', async (t) => {
  const raw = await client(t, { linger_ms: 50 })
  await raw.point()
  t.is((await raw.ask({ type: 'session_end' })).type, 'ack')
  t.like(await raw.ask({ type: 'point', x: 1, y: 1, display_id: 1 }), {
    code: 'bad_schema',
    msg: 'no session: send session_start first',
  })
  await raw.begin()
  t.deepEqual((await raw.ask({ type: 'status' })).marks, [])
  t.deepEqual(raw.pushes, [])
})

test('a second session_start replaces the first, whose marks are no longer its own and can be resumed', async (t) => {
  const raw = await open(t)
  const start = { type: 'session_start', client_name: 'twice', linger_ms: 5000 }
  const first = (await raw.ask(start)).session_id!
  const mark = await raw.point()
  const second = await raw.ask(start)
  t.not(second.session_id, first)
  t.false('resumed' in second)
  t.is((await raw.ask({ type: 'clear', annotation_id: mark })).code, 'not_owner')
  const other = await open(t)
  t.like(await other.ask({ ...start, resume: first, linger_ms: 0 }), { session_id: first, resumed: true })
  t.is((await other.ask({ type: 'clear', annotation_id: mark })).cleared, 1)
})

test('another connection resumes a lingering session and hears of its marks; a live one cannot be taken', async (t) => {
  // A daemon of its own: it clears everyone's marks.
  const alone = await startDaemonProcess()
  t.teardown(() => alone.stop())
  const join = async () => {
    const raw = await RawClient.open(alone.socket)
    t.teardown(() => raw.end())
    return raw
  }
  const raw = await join()
  const session = (await raw.ask({ type: 'session_start', client_name: 'a', linger_ms: 30_000 })).session_id!
  const mark = await raw.point()
  const thief = await join()
  const taken = await thief.ask({ type: 'session_start', client_name: 'b', resume: session, linger_ms: 0 })
  t.false(taken.resumed)
  t.not(taken.session_id, session)
  await raw.end()
  // The log has a part of the id: the whole of it is the owner's secret.
  await until('the daemon has noticed', () =>
    alone.log().some((line) => line.event === 'session_end' && session.startsWith(String(line.session))),
  )
  const heir = await join()
  t.true((await heir.ask({ type: 'session_start', client_name: 'c', resume: session, linger_ms: 0 })).resumed)
  t.is((await thief.ask({ type: 'clear', all_sessions: true })).cleared, 1)
  await heir.until(() => heir.pushes.length === 1)
  t.like(heir.pushes[0], { annotation_id: mark, reason: 'cleared' })
  t.deepEqual(thief.pushes, [])
})
