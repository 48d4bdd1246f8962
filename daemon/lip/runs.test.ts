import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { Manifest } from '../../protocol/lip/manifest-schema.js'
import { Allowed } from '../uniques/allowed.js'
import type { Unique } from '../uniques/folder.js'
import { DeclaredSchemas } from '../uniques/schemas.js'
import type { Runner, RunRequest, RunResult } from './runner.js'
import { type Question, Runs } from './runs.js'
import type { Said } from './stamp.js'
import { ManualClock } from './testing.js'
import { digestOf } from './tokens.js'
import { LipWindow } from './window.js'

interface Setup {
  readonly answer?: 'allow' | 'deny' | null
  readonly exec?: readonly string[]
}

function setup(t: ExecutionContext, { answer, exec = ['python'] }: Setup = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lets-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'allow.json')
  const manifest = {
    lip: 1,
    name: 'probe',
    version: '0.1.0',
    title: 'Probe',
    entry: 'x',
    domains: ['probe'],
    permissions: { exec },
  } as Manifest
  const unique: Unique = {
    name: 'probe',
    folder,
    manifest,
    warnings: [],
    schemas: { up: new Map(), down: new Map() },
  }
  const window = new LipWindow(
    { id: 'w1', unique, schemas: new DeclaredSchemas(unique), digest: digestOf('x'), openedAt: 0 },
    new ManualClock(),
  )
  const asked: Question[] = []
  const said: Said[] = []
  const ran: (RunRequest & { end: (result: RunResult) => void; fail: (error: Error) => void })[] = []
  const runner: Runner = {
    run: (request) => new Promise((end, fail) => ran.push({ ...request, end, fail })),
  }
  const runs = new Runs({
    allowed: new Allowed(file),
    log: () => {},
    runner,
    ask:
      answer === undefined
        ? null
        : async (question) => {
            asked.push(question)
            return answer
          },
    tell: (_, one) => said.push(one),
  })
  return { runs, window, asked, said, ran, file }
}

const code = { language: 'python', code: 'print(1)' }
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('nobody is there to ask: refused, with what the person can do', async (t) => {
  const { runs, window, ran } = setup(t)
  await t.throwsAsync(runs.start(window, code), {
    code: 'not_permitted',
    message: /`lets allow probe python`/,
  } as never)
  t.is(ran.length, 0)
})

test('the person is asked once for each unique and language, and the answer is remembered', async (t) => {
  const { runs, window, asked, ran, file } = setup(t, { answer: 'allow', exec: ['python', 'javascript'] })
  const run = await runs.start(window, code)
  await runs.start(window, code)
  t.regex(run, /^run_/)
  t.deepEqual(asked, [{ unique: 'probe', title: 'Probe', language: 'python' }])
  t.is(ran.length, 2)
  await runs.start(window, { ...code, language: 'javascript' })
  t.is(asked.length, 2)
  t.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { probe: { python: 'allow', javascript: 'allow' } })
})

test('a no is remembered; no answer is a no for now, and nobody is asked again for a while', async (t) => {
  const no = setup(t, { answer: 'deny' })
  await t.throwsAsync(no.runs.start(no.window, code), {
    code: 'not_permitted',
    message: /does not want/,
  } as never)
  await t.throwsAsync(no.runs.start(no.window, code), { code: 'not_permitted' } as never)
  t.is(no.asked.length, 1)
  const silent = setup(t, { answer: null })
  for (let n = 0; n < 2; n++)
    await t.throwsAsync(silent.runs.start(silent.window, code), { code: 'not_permitted' } as never)
  t.is(silent.asked.length, 1)
})

test('runs that want the same answer share one question', async (t) => {
  const { runs, window, asked, ran } = setup(t, { answer: 'allow' })
  await Promise.all([runs.start(window, code), runs.start(window, code)])
  t.is(asked.length, 1)
  t.is(ran.length, 2)
})

test('rule 8: a language that the manifest does not list is refused whatever the person allowed', async (t) => {
  const { runs, window, file, ran } = setup(t, { answer: 'allow' })
  for (const text of [
    '{"probe":{"ruby":"allow","__proto__":"allow"}}',
    'not json',
    '[]',
    '{"probe":{"python":true}}',
  ]) {
    writeFileSync(file, text)
    for (const language of ['ruby', '__proto__', 'constructor', ''])
      await t.throwsAsync(
        runs.start(window, { ...code, language }),
        { code: 'not_permitted' } as never,
        language,
      )
  }
  const none = setup(t, { answer: 'allow', exec: [] })
  await t.throwsAsync(none.runs.start(none.window, code), {
    code: 'not_permitted',
    message: /rule 8/,
  } as never)
  t.is(ran.length, 0)
})

test('output and the end are told in order; too much is cut, and said', async (t) => {
  const { runs, window, ran, said } = setup(t, { answer: 'allow' })
  const run = await runs.start(window, { ...code, timeout_ms: 500 })
  const [one] = ran
  t.like(one, { language: 'python', code: 'print(1)', timeoutMs: 500 })
  one?.onOutput('stdout', 'a')
  one?.onOutput('stderr', 'b')
  one?.onOutput('stdout', 'x'.repeat(2 * 1024 * 1024))
  one?.onOutput('stdout', 'more')
  one?.end({ exitCode: 3, timedOut: false })
  await settle()
  t.deepEqual(
    said.map(({ type, data }) => [type, data.run, data.seq]),
    [
      ['host.run.output', run, 0],
      ['host.run.output', run, 1],
      ['host.run.output', run, 2],
      ['host.run.end', run, undefined],
    ],
  )
  t.deepEqual(said.at(-1)?.data, { run, exit_code: 3, cut: true })
  await runs.start(window, code)
  ran[1]?.fail(new Error('no such language here'))
  await settle()
  t.like(said.at(-1)?.data, { exit_code: null, error: 'no such language here' })
})

test('four runs at once; a window that goes ends what it has running', async (t) => {
  const { runs, window, ran, said } = setup(t, { answer: 'allow' })
  for (let n = 0; n < 4; n++) await runs.start(window, code)
  await t.throwsAsync(runs.start(window, code), { code: 'limit' } as never)
  runs.end(window)
  t.true(ran.every(({ signal }) => signal.aborted))
  ran[0]?.onOutput('stdout', 'late')
  ran[0]?.end({ exitCode: null, timedOut: false })
  await settle()
  t.deepEqual(said, [])
})

test('what is no run is refused with the field', async (t) => {
  const { runs, window } = setup(t, { answer: 'allow' })
  for (const [body, says] of [
    [{}, /language must be a word/],
    [{ language: 'python' }, /code must be a string/],
    [{ ...code, code: 'x'.repeat(300_000) }, /code must be a string of up to/],
    [{ ...code, timeout_ms: 0 }, /timeout_ms must be/],
    [{ ...code, timeout_ms: 1e9 }, /timeout_ms must be/],
  ] as const)
    await t.throwsAsync(runs.start(window, body), { code: 'bad_data', message: says } as never)
})
