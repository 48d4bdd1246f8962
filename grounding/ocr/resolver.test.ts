import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Frame, Query } from '../resolver.js'
import { Ocr } from './resolver.js'
import { draw } from './testing.js'
import { OcrThread } from './thread.js'

function screen(label: string): Frame {
  const picture = draw(600, 300, 2, (pen) => {
    pen.box(0, 0, 600, 300, '#f4f6f9')
    pen.box(40, 40, 120, 40, '#0b5cad')
    pen.text(label, 64, 65, '#ffffff')
    pen.text('Other words', 40, 150, '#222222')
  })
  return { ...picture, origin: [100, 50] }
}

const query = (text: string): Query => ({
  text,
  windows: [],
  display: { id: 1, name: 'd', scale: 2, logical_size: [1280, 800], origin: [0, 0], primary: true },
})
const never = () => new AbortController().signal
const settings = { env: {}, log: () => {} }

test('a button is found by its text, in logical points of the display', async (t) => {
  const ocr = new Ocr(settings)
  t.teardown(() => ocr.close())
  t.like(await ocr.available(), { available: true })
  const { candidates, notes } = await ocr.resolve(query('the Submit button'), screen('Submit'), never())
  t.deepEqual(notes, [])
  t.like(candidates[0], { name: 'Submit', role: 'button', ties: 1 })
  const [x, y, width, height] = candidates[0]!.rect
  t.deepEqual([x, y, width, height].map(Math.round), [140, 90, 120, 40])
  t.true(candidates[0]!.confidence >= 0.85)
  t.deepEqual(
    (await ocr.resolve(query('the Archive button'), screen('Submit'), never())).candidates,
    [],
    'D4',
  )
})

const onLinux = process.platform === 'linux' ? test.serial : test.skip

onLinux('what reads gives way to everything else here, and nothing else does', async (t) => {
  const ocr = new Ocr(settings)
  t.teardown(() => ocr.close())
  await ocr.resolve(query('the Submit button'), screen('Submit'), never())
  const niceOf = (thread: string) => {
    const told = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(told.slice(told.lastIndexOf(')') + 2).split(' ')[16])
  }
  const own = niceOf(String(process.pid))
  const others = readdirSync('/proc/self/task').map(niceOf)
  t.is(
    others.filter((nice) => nice === own + 5).length,
    2,
    'the thread that finds text, and the one that reads it',
  )
  t.true(others.every((nice) => nice === own || nice === own + 5))
})

test('the pixels stay of use to others', async (t) => {
  const ocr = new Ocr(settings)
  t.teardown(() => ocr.close())
  const frame = screen('Submit')
  await ocr.resolve(query('Submit'), frame, never())
  t.is(frame.data.length, 1200 * 600 * 4)
})

test('nobody waits any more: it rejects at once, and the next question is not behind a dead one', async (t) => {
  const ocr = new Ocr(settings)
  t.teardown(() => ocr.close())
  await ocr.resolve(query('Submit'), screen('Submit'), never())
  const gone = new AbortController()
  const dead = ocr.resolve(query('Submit'), screen('Cancel'), gone.signal)
  gone.abort(new Error('never mind'))
  await t.throwsAsync(dead, { message: 'never mind' })
  t.is((await ocr.resolve(query('Retry'), screen('Retry'), never())).candidates[0]?.name, 'Retry')
})

test('its thread ends when it was idle for a while, and comes again when it is needed', async (t) => {
  const thread = new OcrThread({ engine: 'tesseract.js', env: {} }, 50)
  t.teardown(() => thread.close())
  t.false(thread.runs)
  await thread.find(query('Submit'), screen('Submit'), never())
  await new Promise<void>((done) => {
    const look = () => (thread.runs ? setTimeout(look, 10) : done())
    look()
  })
  t.is((await thread.find(query('Submit'), screen('Submit'), never())).candidates[0]?.name, 'Submit')
})

test('a thread that is stuck is given up, and the next question gets a new one', async (t) => {
  const thread = new OcrThread({ engine: 'tesseract.js', env: {} }, 60_000, 1)
  t.teardown(() => thread.close())
  await t.throwsAsync(thread.find(query('Submit'), screen('Submit'), never()), {
    message: /longer than 1 ms/,
  })
  t.false(thread.runs)
})

test('an engine that there is not, or is not installed, is said with what fixes it', async (t) => {
  t.like(await new Ocr({ ...settings, env: { LETS_OCR: 'magic' } }).available(), { available: false })
  const none = new Ocr({ ...settings, env: { LETS_OCR: 'tesseract', PATH: '/nowhere' } })
  t.like(await none.available(), { available: false, fix: 'install tesseract-ocr, or unset LETS_OCR' })
  await t.throwsAsync(none.resolve(query('a'), screen('a'), never()), { name: 'ResolverError' })
})

const apart = ['--net', '--map-root-user'] as const
const canUnshare = spawnSync('unshare', [...apart, 'true']).status === 0
;(canUnshare ? test : test.skip)('it reads where there is no network at all', (t) => {
  const script = `
    const { Ocr } = await import(${JSON.stringify(new URL('./resolver.js', import.meta.url).href)})
    const { draw } = await import(${JSON.stringify(new URL('./testing.js', import.meta.url).href)})
    const picture = draw(400, 200, 1, (pen) => pen.text('Submit', 40, 60, '#000000'))
    const display = { id: 1, name: 'd', scale: 1, logical_size: [400, 200], origin: [0, 0], primary: true }
    const ocr = new Ocr({ env: {}, log() {} })
    const signal = AbortSignal.timeout(60000)
    const { candidates } = await ocr.resolve({ text: 'Submit', windows: [], display }, { ...picture, origin: [0, 0] }, signal)
    console.log(candidates[0]?.name)
    await ocr.close()`
  const folder = fileURLToPath(new URL('../../..', import.meta.url))
  const args = [...apart, process.execPath, '--input-type=module', '-e', script]
  const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8', cwd: folder, timeout: 90_000 })
  t.is(stdout.trim(), 'Submit', stderr)
})
