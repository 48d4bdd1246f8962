import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { Engine } from './engine.js'
import { languagesOf, makeEngine, programIn } from './engines.js'
import { Reader } from './reader.js'
import { TesseractProgram } from './tesseract-program.js'
import { Counting, draw } from './testing.js'

const picture = () =>
  draw(420, 200, 1, (pen) => {
    pen.box(0, 0, 420, 200, '#1d2129')
    pen.text('Shipping address', 20, 40, '#d9dee6')
    pen.box(20, 70, 130, 40, '#2fa36b')
    pen.text('Place order', 40, 95, '#ffffff')
    pen.text('Total 104.50', 20, 150, '#9fabba')
  })

async function reads(t: ExecutionContext, engine: Engine) {
  const reader = new Reader(engine)
  t.teardown(() => reader.close())
  const { items } = await reader.read(picture(), new AbortController().signal)
  t.deepEqual(items.map(({ name }) => name).sort(), ['Place order', 'Shipping address', 'Total 104.50'])
}

test('tesseract.js reads light on dark and white on green', async (t) => {
  await reads(t, await makeEngine('tesseract.js', {}))
})

const installed = programIn(process.env)
;(installed ? test : test.skip)('the tesseract program reads the same, all lines in one run', async (t) => {
  t.true((await languagesOf(installed!, process.env)).includes('eng'))
  await reads(t, await makeEngine('tesseract', process.env))
})

/** A program of this name that does as the script says. */
function program(t: ExecutionContext, script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lets-ocr-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'tesseract')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

/** A few crops to read. */
async function crops() {
  const engine = new Counting()
  await new Reader(engine).read(picture(), new AbortController().signal)
  return engine.given
}

test('a program that hangs is killed when its time is up', async (t) => {
  const engine = new TesseractProgram(program(t, 'exec sleep 60'), 'eng', process.env, 200)
  await t.throwsAsync(
    engine.read(await crops(), new AbortController().signal, () => {}),
    { message: /within 200 ms/ },
  )
})

test('a program is killed when nobody waits any more', async (t) => {
  const engine = new TesseractProgram(program(t, 'exec sleep 60'), 'eng')
  const gone = new AbortController()
  const reading = engine.read(await crops(), gone.signal, () => {})
  gone.abort(new Error('never mind'))
  await t.throwsAsync(reading, { message: 'never mind' })
})

test('a program that fails is told with what it said; one that talks without end is stopped', async (t) => {
  const failing = new TesseractProgram(program(t, 'echo no model here >&2; exit 3'), 'xyz')
  await t.throwsAsync(
    failing.read(await crops(), new AbortController().signal, () => {}),
    { message: /no model here/ },
  )
  const endless = new TesseractProgram(program(t, 'exec yes'), 'eng')
  await t.throwsAsync(
    endless.read(await crops(), new AbortController().signal, () => {}),
    { message: /ended with/ },
  )
})

test('it runs on one processor of its own', async (t) => {
  const path = program(
    t,
    'cat > /dev/null; printf "5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t90\\t$OMP_THREAD_LIMIT\\n"',
  )
  const words: string[] = []
  await new TesseractProgram(path, 'eng').read(await crops(), new AbortController().signal, (_, read) => {
    words.push(...read.map(({ text }) => text))
  })
  t.deepEqual(words, ['1'])
})
