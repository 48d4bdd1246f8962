import { writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { play, type StepOutcome } from '../../daemon/client/index.js'
import { connect as connectEye } from '../native/support.js'
import { startCli } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { RawClient } from '../support/raw-client.js'
import { until } from '../support/xserver.js'
import { type Desk, desk, inputLogger, seesInk } from './support.js'

const GROUND = [0x33, 0x66, 0x99]
const KEY = 'ctrl+shift+space'

/** Whether any program could take the key now. */
async function isFree({ eye }: Desk): Promise<boolean> {
  const state = await eye.takeNextKey()
  await eye.releaseNextKey()
  return state === 'ready'
}

/** Waits until the daemon has the key for the `count`th time; trying it out would take it away at that very moment. */
async function taken({ daemon }: Desk, count: number): Promise<void> {
  await until(
    `the key is taken ${count} times`,
    () => daemon.log().filter(({ event }) => event === 'next_key_taken').length === count,
  )
}

test.serial(
  'the key is heard while it is waited for, and is the programs’ own before and after',
  async (t) => {
    const on = await desk(t, { windowManager: true })
    const input = await inputLogger(on, '300x200+100+80')
    await on.x.run('xdotool', 'windowfocus', '--sync', input.id)
    const reaches = async () => {
      const before = input.keys()
      await on.x.run('xdotool', 'key', KEY)
      await until('the key reaches the program', () => input.keys() >= before + 3)
    }
    await reaches()
    const client = await on.client()
    let next: boolean | undefined
    const wait = client.request({ type: 'await_next' }).then((ack) => {
      next = ack.next
    })
    await taken(on, 1)
    await on.x.run('xdotool', 'key', KEY)
    await wait
    t.true(next)
    t.true(await isFree(on))
    await reaches()
  },
)

test.serial('nothing runs while the key is awaited', async (t) => {
  const on = await desk(t)
  const client = await on.client()
  await client.highlight({ rect: [100, 100, 200, 100] })
  const wait = client.request({ type: 'await_next', timeout_ms: 3000 })
  await taken(on, 1)
  await delay(500)
  const before = busyMs(on.daemon.pid)
  await delay(2000)
  t.true(
    busyMs(on.daemon.pid) - before <= 20,
    `${busyMs(on.daemon.pid) - before} ms of processor time in 2 s`,
  )
  t.false((await wait).next)
  t.true(await isFree(on))
})

test.serial('a key that is held counts once: it has to be let go before it counts again', async (t) => {
  const on = await desk(t)
  const client = await on.client()
  const first = client.request({ type: 'await_next', timeout_ms: 10_000 })
  await taken(on, 1)
  await on.x.run('xdotool', 'keydown', 'ctrl', 'keydown', 'shift', 'keydown', 'space')
  t.true((await first).next)
  t.false((await client.request({ type: 'await_next', timeout_ms: 1500 })).next, 'its repeats are no answer')
  const again = client.request({ type: 'await_next', timeout_ms: 10_000 })
  await taken(on, 3)
  await on.x.run(
    'xdotool',
    'keyup',
    'space',
    'keydown',
    'space',
    'keyup',
    'space',
    'keyup',
    'shift',
    'keyup',
    'ctrl',
  )
  t.true((await again).next)
})

test.serial(
  'another program’s key is `unavailable`, one client waits at a time, and a clear ends the wait',
  async (t) => {
    const on = await desk(t)
    const thief = await connectEye(on.x.display)
    t.teardown(() => thief.close())
    t.is(await thief.takeNextKey(), 'ready')
    const client = await on.client()
    await t.throwsAsync(client.request({ type: 'await_next' }), {
      message: /another program has Ctrl\+Shift\+Space already/,
    })
    await thief.releaseNextKey()
    const wait = client.request({ type: 'await_next' })
    await taken(on, 1)
    const other = await on.client()
    await t.throwsAsync(other.request({ type: 'await_next' }), { message: /one client at a time/ })
    await on.x.run('xdotool', 'key', 'ctrl+shift+k')
    t.false((await wait).next)
    t.true(await isFree(on))
  },
)

test.serial('clients that hang up or are killed, and a daemon that is killed, leave no grab', async (t) => {
  const on = await desk(t)
  const raw = await (await RawClient.open(on.daemon.socket)).begin()
  raw.send({ type: 'await_next' })
  await taken(on, 1)
  await raw.end()
  await until('the key is free', () => isFree(on))
  const client = await on.client()
  const wait = t.throwsAsync(client.request({ type: 'await_next' }))
  await taken(on, 2)
  on.daemon.kill('SIGKILL')
  await wait
  await until('the key is free', () => isFree(on))
})

test.serial('a tour goes on by the key, waits for windows, and takes its marks with it', async (t) => {
  const on = await desk(t, { windowManager: true })
  const shown: number[] = []
  const tour = play(
    {
      steps: [
        { highlight: { rect: [100, 100, 200, 100] }, wait: { next: true }, keep: true },
        { point: { at: 'center' }, wait: { window: 'input', timeout_ms: 20_000 } },
        { guide: { text: 'Here it is', rect: [20, 20, 100, 30], window: 'input' }, wait: { next: true } },
      ],
    },
    { socket: on.daemon.socket, onShown: (step) => shown.push(step) },
  )
  await seesInk(t, on, 100, 150, GROUND)
  await taken(on, 1)
  await on.x.run('xdotool', 'key', KEY)
  await until('step 2 is up', () => shown.length === 2)
  t.true(await isFree(on), 'nobody waits for the key')
  await inputLogger(on, '300x200+700+400')
  await until('step 3 is up', () => shown.length === 3)
  await taken(on, 2)
  await on.x.run('xdotool', 'key', KEY)
  const { steps, all_shown } = await tour
  t.deepEqual(
    steps.map(({ outcome }) => outcome),
    ['shown', 'shown', 'shown'],
  )
  t.true(all_shown)
  await seesInk(t, on, 100, 150, GROUND, false)
})

test.serial(
  'a window that never appears ends the tour; marks that go with their window are said so',
  async (t) => {
    const on = await desk(t, { windowManager: true })
    const input = await inputLogger(on, '300x200+100+80')
    const told: StepOutcome[] = []
    const tour = play(
      {
        steps: [
          { point: { x: 50, y: 50, window: 'input' }, wait: { ms: 3000 } },
          { point: { at: 'top' }, wait: { window: 'No such window', timeout_ms: 300 } },
          { point: { at: 'left' } },
        ],
      },
      {
        socket: on.daemon.socket,
        onShown: (step) => step === 1 && void close(),
        onOutcome: (one) => told.push(one),
      },
    )
    const close = () => on.x.run('xdotool', 'windowkill', input.id)
    const { steps, all_shown } = await tour
    t.false(all_shown)
    t.deepEqual(
      steps.map(({ outcome, reason }) => [outcome, reason]),
      [
        ['gone', 'scroll'],
        ['no_window', undefined],
        ['skipped', 'no_window'],
      ],
    )
    t.deepEqual(told, [...steps])
  },
)

test.serial('`lets play` that is killed while it waits for the key leaves no mark and no grab', async (t) => {
  const on = await desk(t)
  const file = `${on.daemon.home}/tour.json`
  writeFileSync(
    file,
    '{"steps":[{"highlight":{"rect":[100,100,200,100]},"wait":{"next":true}},{"point":{"at":"top"}}]}',
  )
  const child = startCli(['play', file, '--json'], on.daemon.env)
  await seesInk(t, on, 100, 150, GROUND)
  await taken(on, 1)
  child.kill('SIGKILL')
  await seesInk(t, on, 100, 150, GROUND, false)
  await until('the key is free', () => isFree(on))
})
