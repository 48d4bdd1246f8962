import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Frame, Query } from '../resolver.js'
import { OcrProcess } from './process.js'
import { Ocr } from './resolver.js'
import { draw } from './testing.js'

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
/** In ms: the machine that runs tests may be busy with others. */
const PATIENT = 120_000
/** Many tests at a time are no daemon to give way to. */
const AWAKE = { engine: 'tesseract.js', env: {}, nice: 0 } as const

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 10))
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.serial('a button is found by its text, in logical points of the display', async (t) => {
  const ocr = new Ocr(settings, new OcrProcess(AWAKE, 60_000, PATIENT))
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

/** The priorities of a process's threads, in nice's numbers. */
function nices(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const told = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    return Number(told.slice(told.lastIndexOf(')') + 2).split(' ')[16])
  })
}

onLinux('all threads of what reads give way to everything else here, and nothing else does', async (t) => {
  const reading = new OcrProcess({ engine: 'tesseract.js', env: {} })
  t.teardown(() => reading.close())
  const [own] = nices(process.pid) as [number]
  // That it gives way is all that is asked: it need not come to an end on a busy machine.
  const found = reading.find(query('the Submit button'), screen('Submit'), never()).catch(() => {})
  const pid = reading.pid as number
  t.not(pid, process.pid)
  // What compiles and collects for it is among them.
  await until(() => nices(pid).length >= 6 && nices(pid).every((nice) => nice === 10))
  t.deepEqual([...new Set(nices(process.pid))], [own])
  await reading.close()
  await found
})

onLinux('what reads ends with whoever started it, however that ends', async (t) => {
  const script = `
    const { OcrProcess } = await import(${JSON.stringify(new URL('./process.js', import.meta.url).href)})
    const { draw } = await import(${JSON.stringify(new URL('./testing.js', import.meta.url).href)})
    const reading = new OcrProcess({ engine: 'tesseract.js', env: {}, nice: 0 })
    const picture = { ...draw(400, 200, 1, (pen) => pen.text('Submit', 40, 60, '#000000')), origin: [0, 0] }
    await reading.find(${JSON.stringify(query('Submit'))}, picture, new AbortController().signal)
    console.log(reading.pid)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => parent.kill('SIGKILL'))
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(String(line))
  t.notThrows(() => process.kill(pid, 0))
  parent.kill('SIGKILL')
  await until(() => !runs(pid))
  t.pass()
})

test.serial(
  'a process that dies while it reads is said to have, and the next question gets a new one',
  async (t) => {
    const reading = new OcrProcess(AWAKE, 60_000, PATIENT)
    t.teardown(() => reading.close())
    const found = reading.find(query('Submit'), screen('Submit'), never())
    process.kill(reading.pid as number, 'SIGKILL')
    await t.throwsAsync(found, { message: 'its process ended with SIGKILL' })
    t.is(reading.pid, undefined)
    t.is((await reading.find(query('Submit'), screen('Submit'), never())).candidates[0]?.name, 'Submit')
  },
)

test.serial('the pixels stay of use to others', async (t) => {
  const ocr = new Ocr(settings, new OcrProcess(AWAKE, 60_000, PATIENT))
  t.teardown(() => ocr.close())
  const frame = screen('Submit')
  await ocr.resolve(query('Submit'), frame, never())
  t.is(frame.data.length, 1200 * 600 * 4)
})

test.serial(
  'nobody waits any more: it rejects at once, and the next question is not behind a dead one',
  async (t) => {
    const ocr = new Ocr(settings, new OcrProcess(AWAKE, 60_000, PATIENT))
    t.teardown(() => ocr.close())
    await ocr.resolve(query('Submit'), screen('Submit'), never())
    const gone = new AbortController()
    const dead = ocr.resolve(query('Submit'), screen('Cancel'), gone.signal)
    gone.abort(new Error('never mind'))
    await t.throwsAsync(dead, { message: 'never mind' })
    t.is((await ocr.resolve(query('Retry'), screen('Retry'), never())).candidates[0]?.name, 'Retry')
  },
)

test.serial('its process ends when it was idle for a while, and comes again when it is needed', async (t) => {
  const reading = new OcrProcess(AWAKE, 50, PATIENT)
  t.teardown(() => reading.close())
  t.is(reading.pid, undefined)
  const found = reading.find(query('Submit'), screen('Submit'), never())
  const pid = reading.pid as number
  await found
  await until(() => reading.pid === undefined && !runs(pid))
  t.is((await reading.find(query('Submit'), screen('Submit'), never())).candidates[0]?.name, 'Submit')
})

test.serial('a process that is stuck is given up, and the next question gets a new one', async (t) => {
  const reading = new OcrProcess(AWAKE, 60_000, 1)
  t.teardown(() => reading.close())
  await t.throwsAsync(reading.find(query('Submit'), screen('Submit'), never()), {
    message: /longer than 1 ms/,
  })
  t.is(reading.pid, undefined)
})

test('an engine that there is not, or is not installed, is said with what fixes it', async (t) => {
  t.like(await new Ocr({ ...settings, env: { LETS_OCR: 'magic' } }).available(), { available: false })
  const none = new Ocr({ ...settings, env: { LETS_OCR: 'tesseract', PATH: '/nowhere' } })
  t.like(await none.available(), { available: false, fix: 'install tesseract-ocr, or unset LETS_OCR' })
  await t.throwsAsync(none.resolve(query('a'), screen('a'), never()), { name: 'ResolverError' })
})

const apart = ['--net', '--map-root-user'] as const
const canUnshare = spawnSync('unshare', [...apart, 'true']).status === 0
;(canUnshare ? test.serial : test.skip)('it reads where there is no network at all', (t) => {
  const script = `
    const { Ocr } = await import(${JSON.stringify(new URL('./resolver.js', import.meta.url).href)})
    const { draw } = await import(${JSON.stringify(new URL('./testing.js', import.meta.url).href)})
    const picture = draw(400, 200, 1, (pen) => pen.text('Submit', 40, 60, '#000000'))
    const display = { id: 1, name: 'd', scale: 1, logical_size: [400, 200], origin: [0, 0], primary: true }
    const { OcrProcess } = await import(${JSON.stringify(new URL('./process.js', import.meta.url).href)})
    const ocr = new Ocr({ env: {}, log() {} }, new OcrProcess({ engine: 'tesseract.js', env: {}, nice: 0 }))
    const signal = AbortSignal.timeout(60000)
    const { candidates } = await ocr.resolve({ text: 'Submit', windows: [], display }, { ...picture, origin: [0, 0] }, signal)
    console.log(candidates[0]?.name)
    await ocr.close()`
  const folder = fileURLToPath(new URL('../../..', import.meta.url))
  const args = [...apart, process.execPath, '--input-type=module', '-e', script]
  const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8', cwd: folder, timeout: 90_000 })
  t.is(stdout.trim(), 'Submit', stderr)
})
