import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import test from 'ava'
import { parseDaemonMessage } from './overlay/replies.js'
import { parseRequest } from './overlay/requests.js'
import { REPLIES, REQUESTS } from './overlay/schema.js'

interface Vector {
  readonly name: string
  readonly message?: Record<string, unknown>
  readonly line?: string
  readonly code?: string
  readonly msg_includes?: string
  readonly needs_display?: true
  readonly lenient?: true
}
interface VectorFile {
  readonly kind: string
  readonly good: readonly Vector[]
  readonly bad: readonly Vector[]
}

const REQUEST_KINDS = [
  ...[
    'session_start',
    'point',
    'highlight',
    'textbox',
    'draw',
    'arrow',
    'move',
    'clear',
    'session_end',
    'focus',
  ],
  ...['await_window', 'await_next', 'displays', 'status', 'apps', 'capture', 'frame', 'locate', 'consent'],
  'pause',
  'resolvers',
  'companion',
]
const REPLY_KINDS = ['ack', 'companion_event', 'error', 'invalidated']

// Compiled, this file is dist/protocol/vectors.test.js.
const read = (path: string) => readFileSync(new URL(`../../protocol/${path}`, import.meta.url), 'utf8')
const folder = new URL('../../protocol/vectors/', import.meta.url)
const files: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
const vectors: readonly VectorFile[] = files.map((name) => JSON.parse(read(`vectors/${name}`)))
const requests = vectors.filter(({ kind }) => !REPLY_KINDS.includes(kind))
const replies = vectors.filter(({ kind }) => REPLY_KINDS.includes(kind))

const lineOf = ({ line, message }: Vector): string => line ?? JSON.stringify(message ?? null)

test('every message kind has a vector file with at least one good and three bad messages', (t) => {
  t.deepEqual(Object.keys(REQUESTS).sort(), [...REQUEST_KINDS].sort())
  t.deepEqual(Object.keys(REPLIES).sort(), REPLY_KINDS)
  t.deepEqual(files, [...REQUEST_KINDS, ...REPLY_KINDS, 'envelope'].map((kind) => `${kind}.json`).sort())
  for (const [index, { kind, good, bad }] of vectors.entries()) {
    t.is(files[index], `${kind}.json`)
    t.true(good.length >= 1 && bad.length >= 3, `${kind} has ${good.length} good and ${bad.length} bad`)
    const names = [...good, ...bad].map(({ name }) => name)
    t.is(new Set(names).size, names.length, `${kind}: two vectors of one name`)
    if (kind === 'envelope') continue
    for (const { name, message } of good) t.is(message?.type, kind, name)
  }
})

for (const { kind, good, bad } of requests) {
  for (const vector of good) {
    test(`${kind}: understood, losing nothing: ${vector.name}`, (t) => {
      const parsed = parseRequest(lineOf(vector))
      if (!parsed.ok) return t.fail(parsed.error.message)
      const meant = vector.lenient ? withoutAbsent(vector.message) : vector.message
      // By way of JSON, for which -0 is 0.
      t.deepEqual(JSON.parse(JSON.stringify(parsed.request)), meant)
      t.is(parsed.id as unknown, vector.message?.id ?? undefined)
      const again = parseRequest(JSON.stringify(parsed.request))
      t.deepEqual(JSON.stringify(again), JSON.stringify(parsed))
    })
  }
  for (const vector of bad) {
    if (vector.needs_display) {
      test(`${kind}: a valid message, until a display is known: ${vector.name}`, (t) => {
        t.true(parseRequest(lineOf(vector)).ok)
      })
      continue
    }
    test(`${kind}: refused, saying why: ${vector.name}`, (t) => {
      const parsed = parseRequest(lineOf(vector))
      if (parsed.ok) return t.fail('it was understood')
      const { code, message } = parsed.error
      t.is<string, string>(code, vector.code ?? 'no code')
      t.truthy(vector.msg_includes)
      t.true(message.includes(vector.msg_includes ?? ''), message)
      t.true(message.length < 400, `${message.length} characters are too many to read`)
      t.notRegex(message, /\p{Surrogate}/u)
      if (kind !== 'envelope' && code === 'bad_schema' && !/^(v |not JSON)/.test(message)) {
        t.true(message.startsWith(`${kind}: `), message)
      }
    })
  }
}

for (const { kind, good, bad } of replies) {
  for (const vector of good) {
    test(`${kind}: a client understands it, losing nothing: ${vector.name}`, (t) => {
      t.deepEqual(parseDaemonMessage(lineOf(vector)) as unknown, vector.message)
    })
  }
  for (const vector of bad) {
    test(`${kind}: a client passes over it: ${vector.name}`, (t) => {
      t.is(parseDaemonMessage(lineOf(vector)), null)
    })
  }
}

test('the published example lines are good vectors, byte for byte', (t) => {
  const lines = requests.flatMap(({ good }) => good.map(lineOf))
  const published = [
    '{"v":"0.2","type":"session_start","client_name":"claude-code"}',
    '{"v":"0.2","type":"point","x":412,"y":88,"display_id":1,"label":"Save"}',
    '{"v":"0.2","type":"point","at":"top-right","display_id":1,"label":"close"}',
    '{"v":"0.2","type":"highlight","rect":[100,200,340,90],"display_id":1,"label":"the counterargument"}',
    '{"v":"0.2","type":"textbox","rect":[300,200,320,80],"display_id":1,"text":"the retry loop"}',
    '{"v":"0.2","type":"textbox","rect":[300,400,360,60],"display_id":1,"text":"Move the screen to Chrome","style":"guide"}',
    '{"v":"0.2","type":"draw","display_id":1,"path":[[100,200],[140,210]],"ttl_ms":5000}',
    '{"v":"0.2","type":"arrow","display_id":1,"from":[120,600],"to":"70%,30%","bow":0.3}',
    '{"v":"0.2","type":"clear","all":true}',
    '{"v":"0.2","type":"session_end"}',
  ]
  for (const line of published) t.true(lines.includes(line), line)
})

// As another language would: the published file and a stock validator, nothing of ours.
const compile = (group: string) => new Ajv().compile(JSON.parse(read(`schema/overlay-${group}.schema.json`)))
const schemas = { request: compile('request'), reply: compile('reply') }

for (const { kind, good, bad } of vectors) {
  test(`the published schema alone tells good from bad: ${kind}`, (t) => {
    const validate = REPLY_KINDS.includes(kind) ? schemas.reply : schemas.request
    for (const vector of good) {
      t.is(
        validate(JSON.parse(lineOf(vector))),
        vector.lenient !== true,
        `${vector.name}: ${lineOf(vector).slice(0, 200)}`,
      )
    }
    for (const vector of bad) {
      let value: unknown
      try {
        value = JSON.parse(lineOf(vector))
      } catch {
        continue
      }
      // What a schema cannot say: how deep a message nests.
      if (vector.msg_includes?.startsWith('nests deeper')) continue
      t.is(validate(value), vector.needs_display === true, `${vector.name}: ${lineOf(vector).slice(0, 200)}`)
    }
  })
}

test('the plain lines for client authors are the vectors, one a line', (t) => {
  const linesOf = (name: string) => read(`vectors/lines/${name}`).slice(0, -1).split('\n')
  const expected = (from: readonly VectorFile[], which: 'good' | 'bad') =>
    from.flatMap((file) => file[which].map(lineOf))
  t.deepEqual(linesOf('requests.ndjson').sort(), expected(requests, 'good').sort())
  t.deepEqual(linesOf('replies.ndjson').sort(), expected(replies, 'good').sort())
  t.deepEqual(linesOf('refused.txt').sort(), expected(requests, 'bad').sort())
})

/** Nulls gone, and for `clear` what is false: the good vectors say what was meant with them. */
function withoutAbsent(message: Record<string, unknown> | undefined): unknown {
  const dropped = message?.type === 'clear' ? [null, false] : [null]
  return JSON.parse(JSON.stringify(message), (_key, value) => (dropped.includes(value) ? undefined : value))
}
