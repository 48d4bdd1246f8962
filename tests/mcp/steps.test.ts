import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Progress } from '@modelcontextprotocol/sdk/types.js'
import test from 'ava'
import { cleanEnv, exitOf, LETS, runCli, tempHome } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { agent, refused, served } from './support.js'

/** How many marks there are, whoever's they are. */
async function marks({ daemon }: { readonly daemon: { readonly env: NodeJS.ProcessEnv } }): Promise<number> {
  return JSON.parse((await runCli(['status', '--json'], daemon.env)).stdout).mark_count
}

const outcomes = (steps: unknown) =>
  (steps as { step: number; outcome: string; reason?: string }[]).map(({ step, outcome, reason }) => [
    step,
    outcome,
    ...(reason === undefined ? [] : [reason]),
  ])

test.serial('steps come one after another, each is told, and what is kept is the session’s', async (t) => {
  const on = await served(t)
  const { annotation_id: before } = (await on.call('point_at', { at: 'left' })).fields
  const seen: Progress[] = []
  const { fields, text, isError } = await on.call(
    'show_steps',
    {
      title: 'a tour',
      steps: [
        { title: 'first', point: { at: 'top' }, wait: { ms: 50 } },
        { title: 'second', highlight: { rect: [10, 10, 100, 50] }, wait: { ms: 50 }, keep: true },
        { guide: { text: 'done', at: 'bottom' }, wait: { ms: 50 } },
      ],
    },
    { onprogress: (progress) => seen.push(progress) },
  )
  t.false(isError, text)
  t.regex(text, /all 3 steps were shown; kept: a_.*headless/)
  t.deepEqual(outcomes(fields.steps).sort(), [
    [1, 'shown'],
    [2, 'shown'],
    [3, 'shown'],
  ])
  t.true(fields.all_shown)
  t.deepEqual(
    seen.map(({ message }) => message),
    ['step 1 of 3: first', 'step 2 of 3: second', 'step 3 of 3: guide'],
  )
  const values = seen.map(({ progress }) => progress)
  t.deepEqual(values, [...new Set(values)].sort(), 'it only ever grows')
  t.is(await marks(on), 2, 'the kept one, and the one from before')
  const [kept] = fields.kept as string[]
  t.is((await on.call('clear', { annotation_id: kept })).fields.cleared, 1)
  t.is((await on.call('clear', { annotation_id: before })).fields.cleared, 1)
  t.deepEqual(on.noise, [])
})

test.serial('all at once: the marks are up together, and go together', async (t) => {
  const on = await served(t)
  const call = on.call('show_steps', {
    together: true,
    steps: [
      { point: { at: 'top' } },
      { point: { at: 'left' } },
      { point: { at: 'right' }, wait: { ms: 800 } },
    ],
  })
  await until('all are up', async () => (await marks(on)) === 3)
  t.true((await call).fields.all_shown)
  t.is(await marks(on), 0)
})

test.serial('called off, its marks go at once, also the kept ones, and no other', async (t) => {
  const on = await served(t)
  await on.call('point_at', { at: 'left' })
  const off = new AbortController()
  const steps = [
    { point: { at: 'top' }, wait: { ms: 10 }, keep: true },
    { point: { at: 'right' }, wait: { ms: 60_000 } },
    { point: { at: 'bottom' } },
  ]
  const call = on.call('show_steps', { steps }, { signal: off.signal })
  await until('two are up', async () => (await marks(on)) === 3)
  off.abort()
  await t.throwsAsync(call)
  await until('they are gone', async () => (await marks(on)) === 1)
  t.is((await on.call('clear')).fields.cleared, 1)
})

test.serial('a person who clears the screen ends it; what was not shown is told', async (t) => {
  const on = await served(t)
  const steps = [{ point: { at: 'top' }, wait: { ms: 60_000 } }, { point: { at: 'left' } }]
  const call = on.call('show_steps', { steps })
  await until('it is up', async () => (await marks(on)) === 1)
  await runCli(['clear', '--all-sessions'], on.daemon.env)
  const { fields, text } = await call
  t.deepEqual(outcomes(fields.steps), [
    [1, 'gone', 'cleared'],
    [2, 'skipped', 'cleared'],
  ])
  t.false(fields.all_shown as boolean)
  t.deepEqual(fields.kept, [])
  t.regex(text, /not all was shown: 1 gone \(cleared\); 2 skipped \(cleared\)/)
})

test.serial('what the daemon refuses is an outcome; a wait that cannot be ends it', async (t) => {
  const on = await served(t)
  const refusal = await on.call('show_steps', {
    steps: [
      { point: { at: 'top', display_id: 9 }, wait: { ms: 10 } },
      { point: { at: 'top' }, wait: { ms: 10 } },
    ],
  })
  t.deepEqual(outcomes(refusal.fields.steps).sort(), [
    [1, 'refused'],
    [2, 'shown'],
  ])
  t.regex(refusal.text, /1 refused \(unknown_display: /)
  const key = await on.call('show_steps', {
    steps: [{ point: { at: 'top' }, wait: { next: true }, keep: true }, { point: { at: 'left' } }],
  })
  t.deepEqual(outcomes(key.fields.steps), [
    [1, 'refused'],
    [2, 'skipped', 'wait_refused'],
  ])
  t.is(await marks(on), 0)
})

test.serial('a bad tour is refused with the path of the fault, and starts no daemon', async (t) => {
  const on = await agent(t, { LETS_HOME: tempHome() })
  const cases: [args: Record<string, unknown>, says: RegExp][] = [
    [{}, /show_steps: .*steps/],
    [{ steps: [] }, /steps/],
    [{ steps: [{ point: { at: 'top', colour: 'red' } }] }, /steps\[0\]\.point\.colour is not a field/],
    [{ steps: [{ point: { at: 'top' } }, { point: { x: 1 } }] }, /steps\[1\]\.point/],
    [{ steps: [{ point: { at: 'top' }, guide: { text: 'a', at: 'top' } }] }, /steps\[0\]: say exactly one/],
    [{ steps: [{ point: { at: 'nowhere' } }] }, /steps\[0\]\.point\.at/],
    [{ steps: [{ point: { x: 1, y: 2, frame: 'f_1' } }] }, /steps\[0\]\.point\.frame/],
    [{ steps: [{ point: { at: 'top' }, wait: { ms: 1, next: true } }] }, /steps\[0\]\.wait/],
    [{ together: true, steps: [{ point: { at: 'top' }, keep: true }] }, /steps\[0\]\.keep/],
    [{ steps: 'all' }, /steps/],
    [{ steps: [{ point: { at: 'top' } }], pace: 1 }, /no argument "pace"; it takes title, together, steps/],
  ]
  for (const [args, says] of cases) refused(t, await on.call('show_steps', args), 'bad_schema', says)
  t.is(on.stderr(), '')
})

test.serial('other calls go on meanwhile, and the agent may clear a step', async (t) => {
  const on = await served(t)
  const call = on.call('show_steps', { steps: [{ point: { at: 'top' }, wait: { ms: 600 } }] })
  await until('it is up', async () => (await marks(on)) === 1)
  t.false((await on.call('point_at', { at: 'left' })).isError)
  t.is((await on.call('clear')).fields.cleared, 2)
  t.false((await call).isError)
})

test.serial('a daemon that is killed meanwhile ends it, and that is told', async (t) => {
  const on = await served(t)
  const call = on.call('show_steps', { steps: [{ point: { at: 'top' }, wait: { ms: 60_000 } }] })
  await until('it is up', async () => (await marks(on)) === 1)
  on.daemon.kill('SIGKILL')
  t.deepEqual(outcomes((await call).fields.steps), [[1, 'gone', 'connection_lost']])
})

test.serial('a client that goes away ends the server and the steps', async (t) => {
  const on = await served(t)
  const child = spawn(process.execPath, [LETS, 'mcp'], { env: cleanEnv(on.daemon.env), stdio: 'pipe' })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const who = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }
  send({ id: 1, method: 'initialize', params: who })
  const steps = [{ point: { at: 'top' }, wait: { ms: 86_000_000 } }]
  send({ id: 2, method: 'tools/call', params: { name: 'show_steps', arguments: { steps } } })
  await until('it is up', async () => (await marks(on)) === 1)
  child.stdin.end()
  const began = performance.now()
  t.deepEqual(await exitOf(child), { code: 0, signal: null })
  t.true(performance.now() - began < 20_000)
  await delay(50)
  t.is(await marks(on), 0)
})

test.serial('a step that lasts has signs of life between it and the next', async (t) => {
  const on = await served(t)
  const seen: Progress[] = []
  const steps = [
    { point: { at: 'top' }, wait: { ms: 10_500 } },
    { point: { at: 'left' }, wait: { ms: 10 } },
  ]
  await on.call('show_steps', { steps }, { onprogress: (progress) => seen.push(progress) })
  const told = seen.map(({ progress, message }) => [Math.ceil(progress), message])
  t.deepEqual(told, [
    [1, 'step 1 of 2: point'],
    [1, 'step 1 of 2: point'],
    [2, 'step 2 of 2: point'],
  ])
  const [first, second, third] = seen.map(({ progress }) => progress) as [number, number, number]
  t.true(first < second && second < third)
})
