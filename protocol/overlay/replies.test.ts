import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import test from 'ava'
import fc from 'fast-check'
import { WireError } from './errors.js'
import { ack, companionEvent, errorReply, invalidated, parseDaemonMessage } from './replies.js'

const schema = JSON.parse(
  readFileSync(new URL('../../../protocol/schema/overlay-reply.schema.json', import.meta.url), 'utf8'),
)
const isReply = new Ajv().compile(schema)

test('what the daemon builds is valid by the published schema, and a client reads it as it was', (t) => {
  for (const message of [
    ack({}),
    ack({ session_id: 's_1' }, 'x'),
    ack({ annotation_id: 'a_1', display: { id: 1, scale: 2, logical_size: [1440, 900] } }, 0),
    ack({ cleared: 0 }, -1.5),
    ack({ marks: [{ annotation_id: 'a_1', kind: 'draw', display_id: 1, rect: [0, 0, 0, 0] }] }, ''),
    errorReply(new WireError('bad_schema', 'x')),
    errorReply(new WireError('ambiguous', 'x', { candidates: [{ label: 'Save' }] }), 7),
    invalidated('a_1', 'scroll'),
    invalidated('a_1', 'ttl'),
    invalidated('a_1', 'cleared'),
    invalidated('a_1', 'display_change'),
    companionEvent('entity.click', { x: 1, y: 2 }, 1),
    companionEvent('entity.dismiss', {}),
    ack({ companion: { on: true, shown: false, hidden_because: 'quiet' }, ignored: ['mood "grumpy"'] }),
  ]) {
    const line = JSON.stringify(message)
    t.true(isReply(JSON.parse(line)), line)
    t.deepEqual(parseDaemonMessage(line), JSON.parse(line))
    t.is(message.v, '0.2')
  }
})

test('a reply carries an id when the request did, and then just that one; a push never does', (t) => {
  t.false('id' in ack({}))
  t.false('id' in errorReply(new WireError('limit', 'x')))
  t.is(ack({}, 0).id, 0)
  t.is(errorReply(new WireError('limit', 'x'), '').id, '')
  t.false('id' in invalidated('a_1', 'ttl'))
})

test('a newer daemon may say more: fields, codes, reasons and words this version does not know', (t) => {
  for (const message of [
    { v: '0.9', type: 'ack', glow: true, display: { id: 1, scale: 1, logical_size: [1, 1], hdr: {} } },
    {
      v: '0.9',
      type: 'ack',
      marks: [{ annotation_id: 'a', kind: 'halo', display_id: 1, rect: [0, 0, 0, 0], z: 1 }],
    },
    { v: '0.9', type: 'ack', peer_check: 'token', capture_consent: 'window' },
    { v: '0.9', type: 'error', code: 'too_sparkly', msg: 'x', hint: 1 },
    { v: '0.9', type: 'invalidated', annotation_id: 'a', reason: 'eclipse' },
  ]) {
    t.deepEqual(parseDaemonMessage(JSON.stringify(message)) as unknown, message)
  }
})

test('anything else is passed over and never throws', (t) => {
  for (const line of [
    '',
    'null',
    '5',
    '"ack"',
    '[]',
    '{}',
    '{"type":"ack"}',
    '{"v":"0.2","type":"point"}',
    '{"v":"0.2","type":"__proto__"}',
    '{"v":"0.2","type":["ack"]}',
    '{"v":"0.2","type":"ack"',
    '\u0000',
  ]) {
    t.is(parseDaemonMessage(line), null, line)
  }
  const type = fc.constantFrom(
    'ack',
    'error',
    'invalidated',
    'companion_event',
    'hello',
    '__proto__',
    5,
    null,
  )
  const plausible = fc.record(
    {
      v: fc.constantFrom('0.2', '0.9', 2, null),
      type,
      id: fc.jsonValue(),
      code: fc.jsonValue(),
      msg: fc.jsonValue(),
      marks: fc.jsonValue(),
      annotation_id: fc.jsonValue(),
      reason: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        plausible.map((one) => JSON.stringify(one)),
      ),
      (line) => {
        const message = parseDaemonMessage(line)
        if (!message) return
        t.true(['ack', 'error', 'invalidated', 'companion_event'].includes(message.type))
        t.true(isReply(message), line)
      },
    ),
    { seed: 81, numRuns: 2000 },
  )
})
