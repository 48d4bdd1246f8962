import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import test from 'ava'
import { SHELL_ERROR_CODES, SHELL_ERRORS } from './errors.js'
import { failure, parseShellRequest } from './requests.js'
import { SHELL_MESSAGES, SHELL_METHODS } from './schema.js'

interface Vector {
  readonly name: string
  readonly message?: Record<string, unknown>
  readonly line?: string
  readonly code?: string
  readonly message_includes?: string
  readonly id?: unknown
}
interface VectorFile {
  readonly method: string
  readonly good: readonly Vector[]
  readonly bad: readonly Vector[]
}

// Compiled, this file is dist/protocol/shell/vectors.test.js.
const root = new URL('../../../protocol/', import.meta.url)
const folder = new URL('vectors/shell/', root)
const files = readdirSync(folder).sort()
const vectors = files.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as VectorFile)
const lineOf = ({ line, message }: Vector): string => line ?? JSON.stringify(message)

test('every method has a file, with at least one good and two bad requests', (t) => {
  const wanted = [...Object.keys(SHELL_METHODS), 'envelope'].map((name) => `${name}.json`)
  t.deepEqual(files, wanted.sort())
  for (const { method, good, bad } of vectors) t.true(good.length >= 1 && bad.length >= 2, method)
})

for (const { method, good, bad } of vectors) {
  for (const vector of good)
    test(`${method}: ${vector.name} is a request`, (t) => {
      const parsed = parseShellRequest(lineOf(vector))
      t.true(parsed.ok, parsed.ok ? '' : parsed.error.message)
      t.deepEqual(parsed.id, vector.message?.id ?? null)
      if (parsed.ok) t.false(Object.values(parsed.request.params).includes(null as never))
    })
  for (const vector of bad)
    test(`${method}: ${vector.name} is refused, and why`, (t) => {
      const parsed = parseShellRequest(lineOf(vector))
      t.false(parsed.ok)
      if (parsed.ok) return
      t.is(parsed.error.code, vector.code as never)
      t.true(parsed.error.message.includes(vector.message_includes!), parsed.error.message)
      t.deepEqual(parsed.id, vector.id ?? vector.message?.id ?? null)
    })
}

test('an id is echoed as it stands in the line, also a number that no double holds', (t) => {
  for (const id of [
    ...['12345678901234567890', '0.1e-7', '1e400', '-0', '[9007199254740993,{"a":1.50}]', '{"id":1.50}'],
    ...['"x"', 'null', 'true', '7', '{"n":[-12345678901234567890]}'],
  ])
    for (const line of [
      `{"id":${id},"method":"nope"}`,
      `{"params":{"id":1,"a":[{"id":2}],"s":"\\"id\\":3,"},"method":"nope", "id" : ${id} }`,
      `{"id":5,"method":"nope","\\u0069d":${id},"z":[1.0]}`,
    ])
      t.is(parseShellRequest(line).idText, id, line)
  t.is(parseShellRequest('{"id":1.5').idText, 'null')
})

test('the schema file says what the validators say', (t) => {
  const schema = JSON.parse(readFileSync(new URL('schema/shell.schema.json', root), 'utf8'))
  t.deepEqual(
    Object.keys(schema.definitions).filter((name) => name.endsWith(' params')),
    Object.keys(SHELL_METHODS).map((name) => `${name} params`),
  )
  const ajv = new Ajv({ strict: false })
  for (const { method, good, bad } of vectors) {
    if (method === 'envelope') continue
    const validate = ajv.compile({ ...schema.definitions[`${method} params`] })
    for (const { message, name } of good) {
      const given = Object.entries((message?.params ?? {}) as object).filter(([, value]) => value !== null)
      t.true(validate(Object.fromEntries(given)), `${method} ${name}`)
    }
    const byHand = /NUL|half of/
    for (const { message, name, message_includes } of bad)
      if (message && !byHand.test(message_includes ?? '') && !/null/.test(name))
        t.false(validate(message.params ?? {}), `${method} ${name}`)
  }
})

test('every error of the table can be sent, and is what the schema says', (t) => {
  const ajv = new Ajv({ strict: false })
  const validate = ajv.compile(JSON.parse(JSON.stringify(SHELL_MESSAGES.failure)))
  for (const code of SHELL_ERROR_CODES) {
    const sent = JSON.parse(failure('{"any":1}', { code, message: 'x' } as never))
    t.true(validate(sent))
    t.deepEqual(sent, {
      id: { any: 1 },
      ok: false,
      error: { type: SHELL_ERRORS[code].type, code, message: 'x' },
    })
  }
})
