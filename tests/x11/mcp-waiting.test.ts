import type { ExecutionContext } from 'ava'
import test from 'ava'
import { prompt } from '../mcp/hook.js'
import { type Agent, agent, refused } from '../mcp/support.js'
import { runCli } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { type Desk, type DeskOptions, desk, seesInk } from './support.js'

const GROUND = [0x33, 0x66, 0x99]

/** In the question to the person, on a screen of 1280x800. */
const QUESTION = [395, 650] as const

async function desked(t: ExecutionContext, options: DeskOptions = {}): Promise<Desk & Agent> {
  const on = await desk(t, options)
  return { ...on, ...(await agent(t, on.daemon.env)) }
}

const asked = ({ daemon }: Desk) => daemon.log().filter(({ event }) => event === 'consent_prompt')
const answered = ({ daemon }: Desk) =>
  daemon
    .log()
    .filter(({ event }) => event === 'consent_answer')
    .map(({ client, answer, why }) => [client, answer, why])

/** Says yes or no in a terminal, as soon as the question can be answered. */
async function answer({ daemon }: Desk, word: 'yes' | 'no'): Promise<void> {
  await until('it is heard', async () => (await runCli(['consent', word], daemon.env)).code === 0)
}

test.serial(
  'the person is asked in the name of the client; a yes gives the picture, and is remembered',
  async (t) => {
    const on = await desked(t, { consent: 'ask' })
    const progress: string[] = []
    const looked = on.call('look', {}, { onprogress: ({ message = '' }) => progress.push(message) })
    await until('it is asked', () => asked(on).length === 1)
    t.false((await on.call('point_at', { at: 'left' })).isError, 'other calls go on meanwhile')
    await until('it is told that this takes time', () => progress.length >= 2)
    t.regex(progress[0] ?? '', /asked on the screen/)
    await answer(on, 'yes')
    t.is((await looked).image?.mimeType, 'image/png')
    t.false((await on.call('look')).isError)
    t.deepEqual(answered(on), [['test-agent', 'yes', 'terminal']])
    const told = progress.length
    await on.call('list_displays')
    t.is(progress.length, told, 'nothing is told after it is over')
  },
)

test.serial('a no tells the model what the person can do, and nobody is asked again at once', async (t) => {
  const on = await desked(t, { consent: 'ask' })
  const looked = on.call('look')
  await until('it is asked', () => asked(on).length === 1)
  await answer(on, 'no')
  refused(t, await looked, 'not_permitted', /Ctrl\+Shift\+Y.*lets consent always --for 10m/)
  refused(t, await on.call('look'), 'not_permitted', /tell the person why/)
  t.is(asked(on).length, 1)
  const marks = await on.call('look', { backdrop: 'none', marks: true })
  t.false(marks.isError, 'the marks alone need no consent')
})

test.serial(
  'a look that waits for the person and is called off takes its question with it, and no mark',
  async (t) => {
    const on = await desked(t, { consent: 'ask' })
    const { annotation_id } = (await on.call('point_at', { display_id: 1, x: 100, y: 100 })).fields
    const off = new AbortController()
    const looked = on.call('look', {}, { signal: off.signal })
    await seesInk(t, on, ...QUESTION, GROUND)
    const began = performance.now()
    off.abort()
    await t.throwsAsync(looked)
    await seesInk(t, on, ...QUESTION, GROUND, false)
    t.true(performance.now() - began < 15_000)
    t.is((await on.call('move_mark', { annotation_id, by: [1, 1] })).fields.gone, undefined)
    const again = on.call('look')
    await until('it is asked again', () => asked(on).length === 2)
    await answer(on, 'yes')
    t.false((await again).isError)
  },
)

test.serial('of two looks that wait, calling one off leaves the question for the other', async (t) => {
  const on = await desked(t, { consent: 'ask' })
  const off = new AbortController()
  const [first, second] = [on.call('look', {}, { signal: off.signal }), on.call('look')]
  await seesInk(t, on, ...QUESTION, GROUND)
  off.abort()
  await t.throwsAsync(first)
  await answer(on, 'yes')
  t.false((await second).isError)
  t.is(asked(on).length, 1)
})

const WORDS = { query: 'the Save button' }
/** The question about words is not as wide. */
const MIDDLE = [640, 650] as const
/** Words are looked for by reading the screen; the person is asked first. */
const READS = { env: { LETS_RESOLVER: 'ocr' } }

test.serial(
  'point_at with words that waits for the person and is called off takes its question with it, and no mark',
  async (t) => {
    const on = await desked(t, READS)
    const { annotation_id } = (await on.call('point_at', { display_id: 1, x: 100, y: 100 })).fields
    const off = new AbortController()
    const pointed = on.call('point_at', WORDS, { signal: off.signal })
    await seesInk(t, on, ...MIDDLE, GROUND)
    const began = performance.now()
    off.abort()
    await t.throwsAsync(pointed)
    await seesInk(t, on, ...MIDDLE, GROUND, false)
    t.true(performance.now() - began < 15_000)
    t.is((await on.call('move_mark', { annotation_id, by: [1, 1] })).fields.gone, undefined)
    const again = on.call('point_at', WORDS)
    await until('it is asked again', () => asked(on).length === 2)
    await answer(on, 'yes')
    refused(t, await again, 'resolve_failed', /./)
  },
)

test.serial('of two point_at that wait, calling one off leaves the question for the other', async (t) => {
  const on = await desked(t, READS)
  const off = new AbortController()
  const first = on.call('point_at', WORDS, { signal: off.signal })
  const second = on.call('point_at', { query: 'the Open button' })
  await seesInk(t, on, ...MIDDLE, GROUND)
  off.abort()
  await t.throwsAsync(first)
  await answer(on, 'yes')
  refused(t, await second, 'resolve_failed', /./)
  t.is(asked(on).length, 1)
})

test.serial(
  'a client of the library calls off what it looks for with its signal, and its session stays',
  async (t) => {
    const on = await desk(t, READS)
    const client = await on.client()
    const mark = await client.point({ x: 100, y: 100 })
    const off = new AbortController()
    const located = client.locate({ ...WORDS, display_id: 1 }, { signal: off.signal })
    await seesInk(t, on, ...MIDDLE, GROUND)
    off.abort()
    t.like(await t.throwsAsync(located), { code: 'resolve_failed', message: 'the client called it off' })
    await seesInk(t, on, ...MIDDLE, GROUND, false)
    t.is((await client.status()).marks?.[0]?.annotation_id, mark.annotation_id)
    await t.throwsAsync(client.locate({ ...WORDS, display_id: 1 }, { signal: off.signal }), {
      any: true,
    })
  },
)

test.serial('a client that goes away while the person is asked takes the question along', async (t) => {
  const on = await desked(t, { consent: 'ask' })
  const looked = on.call('look')
  await seesInk(t, on, ...QUESTION, GROUND)
  process.kill(on.pid, 'SIGKILL')
  await t.throwsAsync(looked)
  await seesInk(t, on, ...QUESTION, GROUND, false)
})

test.serial(
  'wait_for_window waits, tells so, ends when the window is there, and can be called off',
  async (t) => {
    const on = await desked(t, { windowManager: true })
    const progress: number[] = []
    const off = new AbortController()
    const cancelled = on.call(
      'wait_for_window',
      { app: 'never' },
      { signal: off.signal, onprogress: ({ progress: seconds }) => progress.push(seconds) },
    )
    const coming = on.call('wait_for_window', { app: 'awaited' })
    t.false((await on.call('point_at', { at: 'top' })).isError, 'other calls go on meanwhile')
    await until('progress is told', () => progress.length >= 3)
    t.deepEqual(
      progress,
      [...new Set(progress)].sort((a, b) => a - b),
      'it grows',
    )
    const sessions = async () =>
      JSON.parse((await runCli(['status', '--json'], on.daemon.env)).stdout).sessions
    t.is(await sessions(), 3)
    off.abort()
    await t.throwsAsync(cancelled)
    await until('the daemon waits no more', async () => (await sessions()) === 2)
    on.x.spawn('xterm', ['-title', 'awaited', '-e', 'sleep', '600'])
    t.deepEqual((await coming).fields.appeared, true)
    t.true((await on.call('wait_for_window', { app: 'awaited' })).fields.appeared, 'at once when it is there')
    const late = await on.call('wait_for_window', { app: 'never', timeout_ms: 50 })
    t.false(late.isError)
    t.is(late.fields.appeared, false)
    t.regex(late.text, /no window of "never" appeared within 0.05 s/)
    t.deepEqual(on.noise, [])
  },
)

test.serial('a mark relative to a window, and windows that cannot be told apart', async (t) => {
  const on = await desked(t, { windowManager: true })
  for (const title of ['one', 'two']) {
    on.x.spawn('xterm', ['-title', title, '-e', 'sleep', '600'])
    await on.call('wait_for_window', { app: title })
  }
  const place = { x: 20, y: 20 }
  t.false((await on.call('point_at', { window: 'one', ...place })).isError)
  refused(t, await on.call('point_at', { window: 'gimp', ...place }), 'not_found', /Check the name/)
  const ambiguous = await on.call('point_at', { window: 'xterm', ...place })
  refused(t, ambiguous, 'ambiguous', /which of the candidates/)
  t.is(ambiguous.fields.error?.candidates?.length, 2)
})

test.serial('an agent on another screen than the daemon draws on is told so', async (t) => {
  const on = await desk(t)
  const { display } = on.x
  const there = await agent(t, { ...on.daemon.env, DISPLAY: `${display}.0` })
  t.is((await there.call('point_at', { at: 'top' })).fields.notes, undefined)
  const elsewhere = await agent(t, { ...on.daemon.env, DISPLAY: ':986' })
  const { text } = await elsewhere.call('point_at', { at: 'top' })
  t.regex(text, new RegExp(`draws on ${display}.*started on :986`))
})

test.serial(
  'show_steps waits for the person’s key, and the key is free again when it is called off',
  async (t) => {
    const on = await desked(t)
    const taken = () => on.daemon.log().filter(({ event }) => event === 'next_key_taken').length
    const step = (at: string) => ({ point: { at }, wait: { next: true } })
    const messages: string[] = []
    const call = on.call(
      'show_steps',
      { steps: [step('left'), step('right')] },
      { onprogress: ({ message = '' }) => messages.push(message) },
    )
    await until('the key is taken', () => taken() === 1)
    await on.x.run('xdotool', 'key', 'ctrl+shift+space')
    await until('it is taken again', () => taken() === 2)
    await on.x.run('xdotool', 'key', 'ctrl+shift+space')
    const { fields, text } = await call
    t.true(fields.all_shown, text)
    t.regex(messages[0] ?? '', /step 1 of 2.*Ctrl\+Shift\+Space/)

    const off = new AbortController()
    const stopped = on.call('show_steps', { steps: [step('left')] }, { signal: off.signal })
    await until('the key is taken a third time', () => taken() === 3)
    off.abort()
    await t.throwsAsync(stopped)
    const isFree = async () => {
      const state = await on.eye.takeNextKey()
      await on.eye.releaseNextKey()
      return state === 'ready'
    }
    await until('it is the programs’ again', isFree)
    t.is((await on.call('clear')).fields.cleared, 0)
  },
)

test.serial('a window that closes is told with the next prompt', async (t) => {
  const on = await desked(t, { windowManager: true })
  const xterm = on.x.spawn('xterm', ['-title', 'short', '-e', 'sleep', '600'])
  await on.call('wait_for_window', { app: 'short' })
  const { annotation_id } = (await on.call('point_at', { window: 'short', x: 20, y: 20 })).fields
  xterm.kill()
  await until('the server heard of it', () => on.logs.length === 1)
  const { context = '' } = await prompt(on.daemon.env)
  t.true(context.includes(`${annotation_id} (scroll: what it was on closed`), context)
})
