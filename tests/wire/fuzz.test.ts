import { readFileSync, rmSync } from 'node:fs'
import { setImmediate as soon } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Ajv } from 'ajv'
import anyTest, { type TestFn } from 'ava'
import fc from 'fast-check'
import { type Daemon, startDaemon } from '../../daemon/main.js'
import { paths } from '../../daemon/paths.js'
import { tempHome } from '../support/daemon.js'
import { type Message, RawClient } from '../support/raw-client.js'
import { requestVectors } from './vectors.js'

const CAP = 1024 * 1024
const test = anyTest as TestFn<{ home: string; socket: string; daemon: Daemon; complaints: string[] }>
const schema = readFileSync(
  new URL('../../../protocol/schema/overlay-reply.schema.json', import.meta.url),
  'utf8',
)
const isReply = new Ajv().compile(JSON.parse(schema))
// A picture takes the better part of a second to paint; one pass over all vectors takes some, the rest does without.
const vectors = requestVectors()
const quick = vectors.filter(({ kind }) => kind !== 'capture').map(({ line }) => Buffer.from(line))

test.before(async (t) => {
  const home = tempHome()
  const where = paths({ LETS_HOME: home })
  const complaints: string[] = []
  const daemon = await startDaemon({
    paths: where,
    host: { kind: 'headless', displays: ['1440x900'] },
    captureConsent: 'never',
    groundingConsent: 'never',
    resolvers: [],
    onQuit: () => {},
    log: (level, event, fields) => {
      if (level === 'error') complaints.push(`${event} ${JSON.stringify(fields)}`)
    },
  })
  t.context = { home, socket: where.socket, daemon, complaints }
})

test.after.always(async (t) => {
  await t.context.daemon?.stop()
  rmSync(t.context.home, { recursive: true, force: true })
})

/** How many replies these bytes are owed: one for each line that is not blank. */
function owed(stream: Uint8Array): number {
  const bytes = Buffer.from(stream)
  let count = 0
  let start = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  for (let end = bytes.indexOf(10, start); end !== -1; end = bytes.indexOf(10, start)) {
    if (bytes.subarray(start, end).some((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d)) count++
    start = end + 1
  }
  return count
}

async function write(client: RawClient, stream: Uint8Array, cuts: readonly number[]): Promise<void> {
  const places = [0, ...cuts.filter((cut) => cut < stream.length).sort((a, b) => a - b), stream.length]
  for (const [index, end] of places.slice(1).entries()) {
    client.write(stream.subarray(places[index], end))
    if (index % 3 === 0) await soon()
  }
}

/** Sends the bytes, and checks that each line is answered once, that each answer is valid, and that nothing broke. */
async function answers(
  client: RawClient,
  stream: Uint8Array,
  cuts: readonly number[] = [],
): Promise<Message[]> {
  const before = client.replies.length
  const count = owed(stream)
  await write(client, stream, cuts)
  // Two more lines: a reply too few, and the second's would never be at its place; one too many, and it would be later.
  client.send({ type: 'first of the last' })
  await client.until(() => client.replies.length > before + count)
  client.send({ type: 'very last' })
  await client.until(() => client.replies.length > before + count + 1)
  const isFirst = ({ msg }: Message) => msg?.includes('first of the last') === true
  const replies = client.replies.slice(before, -1).filter((reply) => !isFirst(reply))
  if (replies.length !== count || !client.replies.at(-1)?.msg?.includes('very last')) {
    throw new Error(`${count} lines had ${replies.length} replies: ${stream.toString().slice(0, 400)}`)
  }
  for (const reply of replies) {
    if (!isReply(reply) || reply.code === 'internal')
      throw new Error(`a bad reply: ${JSON.stringify(reply).slice(0, 400)}`)
  }
  return replies
}

const cuts = fc.array(fc.nat(4000), { maxLength: 12 })
const hostile = fc.oneof(
  fc.uint8Array({ maxLength: 120 }),
  fc
    .array(fc.constantFrom(...Buffer.from('{}[]",:\\\n\r\t 0.2evtypE-\u00ef\u00bb\u00bf', 'latin1')), {
      maxLength: 200,
    })
    .map((all) => Uint8Array.from(all)),
)
/** A valid or invalid message with one thing done to it that people, networks and bugs do. */
const mutated = fc
  .tuple(
    fc.constantFrom(...quick),
    fc.nat(6),
    fc.nat(10_000),
    fc.nat(40),
    fc.constantFrom(
      '1e999',
      '-0',
      'null',
      '"',
      '\\',
      '\u2028',
      '[',
      '}',
      '\ufeff',
      '\u0000',
      '1e308',
      ',',
      '\ud83d',
    ),
  )
  .map(([line, what, place, length, token]) => {
    const at = line.length === 0 ? 0 : place % line.length
    const [head, tail] = [line.subarray(0, at), line.subarray(at)]
    if (what === 0) return Buffer.concat([head, tail.subarray(length)])
    if (what === 1) return Buffer.concat([head, tail.subarray(0, length), tail])
    if (what === 2) return Buffer.concat([head, Buffer.from(token), tail])
    if (what === 3) return head
    if (what === 4) return Buffer.concat([head, Buffer.from([place % 256]), tail.subarray(1)])
    if (what === 5) return Buffer.from(line.toString().replace(/-?\b\d+(\.\d+)?\b/, token))
    return line
  })
const streamOf = (lines: readonly Uint8Array[]) =>
  Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))

/** The same inputs every time, and then a few new ones; a failure prints the seed that repeats it. */
async function fuzz<T extends unknown[]>(
  property: fc.IAsyncProperty<T>,
  seed: number,
  numRuns: number,
): Promise<void> {
  await fc.assert(property, { seed, numRuns })
  await fc.assert(property, { numRuns: Math.ceil(numRuns / 10) })
}

test.serial('arbitrary bytes: one reply for each line, and the connection stays usable', async (t) => {
  t.timeout(30_000)
  const client = await (await RawClient.open(t.context.socket)).begin()
  await fuzz(
    fc.asyncProperty(
      fc.array(hostile, { maxLength: 8 }),
      cuts,
      async (lines, places) => void (await answers(client, streamOf(lines), places)),
    ),
    101,
    200,
  )
  t.is((await client.ask({ type: 'status' })).type, 'ack')
  await client.end()
})

test.serial('arbitrary bytes as the first thing said: one reply for each line', async (t) => {
  t.timeout(30_000)
  await fuzz(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 4 }), cuts, async (lines, places) => {
      const client = await RawClient.open(t.context.socket)
      await answers(client, streamOf(lines), places)
      await client.end()
    }),
    102,
    60,
  )
  t.deepEqual(t.context.complaints, [])
})

test.serial('messages bent, cut, doubled and mixed, in any pieces: one reply for each line', async (t) => {
  t.timeout(30_000)
  const client = await (await RawClient.open(t.context.socket)).begin()
  await fuzz(
    fc.asyncProperty(
      fc.array(mutated, { minLength: 1, maxLength: 12 }),
      cuts,
      async (lines, places) => void (await answers(client, streamOf(lines), places)),
    ),
    103,
    300,
  )
  t.is((await client.ask({ type: 'status' })).type, 'ack')
  t.deepEqual(t.context.complaints, [])
  await client.end()
})

test.serial(
  'every vector over the wire: the good ones are understood, the bad ones refused with their code',
  async (t) => {
    t.timeout(30_000)
    const client = await RawClient.open(t.context.socket)
    for (const { kind, name, line, code, msgIncludes } of vectors) {
      // A session of its own for each, with room for marks and nothing left behind.
      await client.ask({ type: 'session_start', client_name: 'vectors', linger_ms: 0 })
      const [reply, ...more] = await answers(client, Buffer.from(`${line}\n`))
      t.deepEqual(more, [])
      if (code === undefined) {
        t.false(
          ['unknown_type', 'version_unsupported'].includes(reply?.code ?? ''),
          `${kind}: ${name}: ${reply?.msg}`,
        )
        // Understood, though this host may have no resolver, no windows, or no such display.
        if (reply?.code === 'bad_schema') t.fail(`${kind}: ${name}: ${reply.msg}`)
      } else {
        t.is(reply?.code, code, `${kind}: ${name}`)
        t.true(reply?.msg?.includes(msgIncludes), `${kind}: ${name}: ${reply?.msg}`)
      }
    }
    await client.end()
  },
)

test.serial('refusals and answers keep the order of their requests, however they are cut', async (t) => {
  t.timeout(30_000)
  const client = await (await RawClient.open(t.context.socket)).begin({ acks: 'painted' })
  await fuzz(
    fc.asyncProperty(fc.array(fc.nat(3), { minLength: 1, maxLength: 30 }), cuts, async (kinds, places) => {
      const line = (kind: number, index: number) => {
        if (kind === 0) return `{"v":"0.2","type":"odd ${index}"}`
        if (kind === 1) return '{"v":"0.2","type":"displays"}'
        if (kind === 2) return '{"v":"0.2","type":"point","x":5,"y":5,"display_id":1,"ttl_ms":60000}'
        return '{"v":"0.2","type":"clear","all":true}'
      }
      const replies = await answers(
        client,
        streamOf(kinds.map((kind, index) => Buffer.from(line(kind, index)))),
        places,
      )
      for (const [index, kind] of kinds.entries()) {
        const reply = replies[index]
        if (kind === 0) t.true(reply?.msg?.includes(`"odd ${index}"`), reply?.msg)
        else t.true(['displays', 'annotation_id', 'cleared'][kind - 1]! in reply!, JSON.stringify(reply))
      }
    }),
    104,
    60,
  )
  await client.end()
})

test.serial(
  'F3: every number that is none, in every place for one, is answered, and none is kept',
  async (t) => {
    t.timeout(30_000)
    const client = await (await RawClient.open(t.context.socket)).begin()
    const shapes = [
      (n: string) => ['x', `{"v":"0.2","type":"point","x":${n},"y":10,"display_id":1}`],
      (n: string) => ['y', `{"v":"0.2","type":"point","x":10,"y":${n},"display_id":1}`],
      (n: string) => ['rect[2]', `{"v":"0.2","type":"highlight","rect":[1,2,${n},4],"display_id":1}`],
      (n: string) => [
        'style.width',
        `{"v":"0.2","type":"draw","path":[[1,2],[3,4]],"style":{"width":${n}},"display_id":1}`,
      ],
      (n: string) => ['ttl_ms', `{"v":"0.2","type":"point","x":1,"y":1,"display_id":1,"ttl_ms":${n}}`],
      (n: string) => [
        'bow',
        `{"v":"0.2","type":"arrow","from":[1,1],"to":[90,90],"bow":${n},"display_id":1}`,
      ],
      (n: string) => ['display_id', `{"v":"0.2","type":"point","x":1,"y":1,"display_id":${n}}`],
    ] as const
    for (const shape of shapes) {
      for (const n of ['1e999', '-1e999', '"5"', 'null', '1e308', '-1e308', '-0', '0']) {
        const [field, line] = shape(n)
        const [reply] = await answers(client, Buffer.from(`${line}\n`))
        if (reply?.type === 'error')
          t.true(reply.code === 'bad_schema' && reply.msg?.includes(field!), `${n}: ${reply.msg}`)
        else t.truthy(reply?.annotation_id)
      }
    }
    const { marks } = await client.ask({ type: 'status' })
    t.true((marks?.length ?? 0) > 5)
    for (const { rect } of marks ?? [])
      t.true(
        rect.every((n) => Number.isFinite(n) && Math.abs(n) <= 1e6),
        String(rect),
      )
    await client.end()
  },
)

test.serial(
  'F2: after a line over the cap nothing is carried out, the client is told and hung up on, and others are served',
  async (t) => {
    t.timeout(30_000)
    const other = await (await RawClient.open(t.context.socket)).begin()
    await other.point()
    for (const cut of [CAP, CAP + 1, 1]) {
      const client = await RawClient.open(t.context.socket)
      const stream = Buffer.concat([
        Buffer.alloc(CAP + 1, 'x'),
        Buffer.from('{"v":"0.2","type":"clear","all_sessions":true}\n'.repeat(2)),
      ])
      client.write('{"v":"0.2","type":"displays"}\n')
      client.write(stream.subarray(0, cut))
      await soon()
      client.write(stream.subarray(cut))
      await client.untilClosed()
      t.deepEqual(
        client.all.map(({ type, code }) => code ?? type),
        ['ack', 'payload_too_large'],
      )
    }
    t.is((await other.ask({ type: 'status' })).marks?.length, 1)
    t.is(other.pushes.length, 0)
    await other.end()
  },
)

test.serial('a line of exactly the cap is answered, and the connection goes on', async (t) => {
  t.timeout(30_000)
  const client = await RawClient.open(t.context.socket)
  const frame = '{"v":"0.2","type":"status","pad":""}'
  const line = frame.replace('""', `"${'x'.repeat(CAP - frame.length)}"`)
  t.is(Buffer.byteLength(line), CAP)
  for (const end of ['\n', '\r\n']) t.is((await answers(client, Buffer.from(line + end)))[0]?.type, 'ack')
  await client.end()
})

test.serial(
  'F1, F5, F6, F8: separators, many-byte text byte by byte, a byte order mark, and a line that is no text',
  async (t) => {
    t.timeout(30_000)
    const client = await RawClient.open(t.context.socket)
    const start = Buffer.from('\ufeff{"v":"0.2","type":"session_start","client_name":"é","linger_ms":0}\n')
    t.is((await answers(client, start, [1, 2, 3]))[0]?.type, 'ack')
    const lines = Array.from({ length: 50 }, (_, index) =>
      Buffer.from(`{"v":"0.2","type":"point","x":${index},"y":9,"display_id":1,"label":"設\u2028😀\u2029é"}`),
    )
    const stream = streamOf(lines)
    for (const places of [Array.from(stream.keys()), []]) {
      const replies = await answers(client, stream, places)
      t.is(replies.length, 50)
      t.true(replies.every((reply) => reply.annotation_id !== undefined))
      const { marks } = await client.ask({ type: 'status' })
      t.deepEqual(
        marks?.map(({ rect }) => rect[0]),
        [...Array(50).keys()],
      )
      t.is((await client.ask({ type: 'clear', all: true })).cleared, 50)
    }
    const bad = await answers(
      client,
      Buffer.concat([
        Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]),
        Buffer.from('{"v":"0.2","type":"status"}\n'),
      ]),
    )
    t.deepEqual(
      bad.map(({ type, code }) => code ?? type),
      ['bad_schema', 'ack'],
    )
    await client.end()
  },
)

test.serial('F4: a field nested 100,000 deep is refused, and the connection goes on', async (t) => {
  t.timeout(30_000)
  const client = await RawClient.open(t.context.socket)
  const line = `{"v":"0.2","type":"status","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`
  const replies = await answers(client, Buffer.from(`${line}{"v":"0.2","type":"status"}\n`))
  t.deepEqual(
    replies.map(({ type, code }) => code ?? type),
    ['bad_schema', 'ack'],
  )
  await client.end()
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** By how many bytes the heap grew from one round to the next, the least of several: what stays, not what comes and goes. */
async function growth(round: () => Promise<unknown>, rounds: number): Promise<number> {
  const sizes: number[] = []
  for (let index = 0; index <= rounds; index++) {
    await round()
    await soon()
    collect()
    sizes.push(process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers)
  }
  const steps = sizes.slice(2).map((size, index) => size - sizes[index + 1]!)
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)]!
}

test.serial('connections, sessions, marks and rubbish leave nothing behind', async (t) => {
  t.timeout(30_000)
  const streams = fc
    .sample(fc.array(mutated, { minLength: 30, maxLength: 30 }), { seed: 105, numRuns: 8 })
    .map(streamOf)
  const round = async () => {
    for (const stream of streams) {
      const client = await (await RawClient.open(t.context.socket)).begin()
      for (let index = 0; index < 20; index++)
        client.send({ type: 'textbox', rect: [1, 1, 90, 90], display_id: 1, text: 'x'.repeat(1000) })
      await client.until(() => client.replies.length >= 21)
      await answers(client, stream)
      client.write('{"v":"0.2","type":"unfinished')
      client.send({ type: 'clear', all_sessions: true })
      await client.end()
    }
  }
  const LEAK = 100 * 1024
  const grew = await growth(round, 7)
  t.true(grew < LEAK, `${grew} bytes a round stay`)
  // And the measure would see it: a fifth of what a round draws, kept.
  const kept: unknown[] = []
  const leaking = await growth(async () => {
    await round()
    for (let index = 0; index < 32; index++) kept.push(Buffer.alloc(8192, index).toString('latin1'))
  }, 5)
  t.true(leaking > LEAK, `${leaking} bytes a round were kept, and not seen`)
})

test.serial('after all of it the daemon has nothing to complain of, and nothing on its screen', async (t) => {
  t.timeout(30_000)
  const client = await RawClient.open(t.context.socket)
  await client.ask({ type: 'clear', all_sessions: true })
  const status = await client.ask({ type: 'status' })
  t.is(status.mark_count, 0)
  t.deepEqual(t.context.complaints, [])
  await client.end()
})
