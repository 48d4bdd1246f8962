/** The vectors for other languages are what this host does, and what the published schemas say. */
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import test from 'ava'
import { DOWN_MESSAGES, RESERVED_DOMAINS, UP_MESSAGES } from './domains.js'
import { LipError } from './errors.js'
import { type ManifestError, parseManifest } from './manifest.js'
import { asEnvelope, asSent, checkCoreData } from './messages.js'

interface Vector {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: vectors are read as they are
  readonly message: any
  readonly code?: string
  readonly msg_includes?: string
  readonly rule?: number
  readonly key?: string
}

const ROOT = new URL('../../../protocol/', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'))
const vectors = (name: string): { readonly good: readonly Vector[]; readonly bad: readonly Vector[] } =>
  read(`vectors/lip/${name}.json`)

for (const [name, parse] of [
  ['envelope', asEnvelope],
  ['sent', asSent],
] as const) {
  const { good, bad } = vectors(name)
  const validate = new Ajv({ strict: false }).compile(read(`schema/lip-${name}.schema.json`))
  for (const { name: title, message } of good)
    test(`${name}: ${title}`, (t) => {
      t.notThrows(() => parse(message))
      t.true(validate(message))
    })
  for (const { name: title, message, code = '', msg_includes = '' } of bad)
    test(`no ${name}: ${title}`, (t) => {
      const error = t.throws(() => parse(message), { instanceOf: LipError })
      t.is(error?.code, code as never)
      t.true(error?.message.includes(msg_includes), error?.message)
      t.false(validate(message))
    })
}

for (const dir of ['up', 'down'] as const) {
  const { good, bad } = vectors(dir)
  const schema = read(`schema/lip-${dir}.schema.json`)
  const ajv = new Ajv({ strict: false }).addSchema(schema, 'lip')
  const validate = (type: string) => ajv.compile({ $ref: `lip#/definitions/${type}` })
  test(`${dir}: every core message has a vector and a schema`, (t) => {
    const types = Object.keys(dir === 'up' ? UP_MESSAGES : DOWN_MESSAGES)
    t.deepEqual([...new Set(good.map(({ message }) => message.type))].sort(), [...types].sort())
    t.deepEqual(Object.keys(schema.definitions).sort(), [...types].sort())
    for (const type of types)
      t.true((RESERVED_DOMAINS as readonly string[]).includes(type.split('.')[0] ?? ''), type)
  })
  test(`${dir}: data that fits`, (t) => {
    for (const { message } of good) {
      t.notThrows(() => checkCoreData(dir, message.type, message.data), message.type)
      t.true(validate(message.type)(message.data), message.type)
    }
  })
  test(`${dir}: data that does not fit is refused with the field`, (t) => {
    for (const { message, code = '', msg_includes = '' } of bad) {
      const error = t.throws(
        () => checkCoreData(dir, message.type, message.data),
        { instanceOf: LipError },
        message.type,
      )
      t.is(error?.code, code as never)
      t.true(
        error?.message.startsWith(`${message.type}: `) && error.message.includes(msg_includes),
        error?.message,
      )
      t.false(validate(message.type)(message.data), JSON.stringify(message))
    }
  })
}

const manifests = vectors('manifest')
for (const { name, message } of manifests.good)
  test(`a manifest: ${name}`, (t) =>
    t.deepEqual(parseManifest(JSON.stringify(message), '0.1.0').manifest as object, message))
for (const { name, message, rule, key } of manifests.bad)
  test(`no manifest, and the file, the key and the rule are named: ${name}`, (t) => {
    const error = t.throws<ManifestError>(() => parseManifest(JSON.stringify(message), '0.1.0'))
    t.deepEqual(
      error?.faults.map((fault) => [fault.file, fault.key, fault.rule]),
      [['unique.json', key ?? '', rule as never]],
    )
    t.regex(error?.message ?? '', new RegExp(`^unique\\.json: .*\\(rule ${rule}\\)$`))
  })

test('a manifest of 10 MB, with a key twice, or that is no JSON is refused; all that is wrong is told at once', (t) => {
  const faults = (text: string) => {
    const error = t.throws<ManifestError>(() => parseManifest(text, '0.1.0'))
    return error?.faults.map(({ key, rule }) => `${key} ${rule}`)
  }
  t.deepEqual(faults(`{"lip":1,"x":"${'x'.repeat(10 * 1024 * 1024)}"}`), [' 0'])
  t.deepEqual(faults('{"lip":1,"name":"graph","domains":["graph"],"name":"other"}'), ['name 0'])
  t.deepEqual(faults('{"lip":1,"session":{"export":"graph.a","ex\\u0070ort":"graph.b"}}'), ['export 0'])
  t.deepEqual(faults('{"lip":'), [' 0'])
  t.deepEqual(faults('[]'), [' 0'])
  t.deepEqual(
    faults(
      '{"lip":1,"name":"graph","version":"0.1.0","title":"x","entry":"../x","domains":["lip"],"events":{"a.b":{}}}',
    ),
    ['domains[0] 3', 'events["a.b"] 4', 'entry 2'],
  )
  t.deepEqual(faults('{"lip":1}'), ['name 1', 'version 0', 'title 0', 'entry 2', 'domains 0'])
})

test('the vectors are those that are read here', (t) => {
  t.deepEqual(readdirSync(new URL('vectors/lip/', ROOT)).sort(), [
    'down.json',
    'envelope.json',
    'manifest.json',
    'sent.json',
    'up.json',
  ])
})

// A schema cannot say so.
test('down: suggestions of one id are refused with the field', (t) => {
  const items = ['a', 'b', 'a'].map((id) => ({ id, label: id }))
  t.notThrows(() => checkCoreData('down', 'entity.suggest', { items: items.slice(0, 2) }))
  t.throws(() => checkCoreData('down', 'entity.suggest', { items }), {
    instanceOf: LipError,
    message: 'entity.suggest: items[2].id must be another than that of items[0], got "a"',
  })
})
