import type { ExecutionContext } from 'ava'
import test from 'ava'
import type { LetsClient, LetsError } from '../../daemon/client/index.js'
import { connect } from '../native/support.js'
import { runCli, startCli } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { until } from '../support/xserver.js'
import {
  colourAt,
  type Desk,
  type DeskOptions,
  desk,
  inked,
  inputLogger,
  overlayWindows,
  seesInk,
} from './support.js'

const GROUND = [0x33, 0x66, 0x99]

/** In the prompt, on a screen of 1280x800: the camera's band. */
const PROMPT = [395, 650] as const

/** A desk whose daemon asks, and which has the prompt's place free. */
function askingDesk(t: ExecutionContext, options: DeskOptions = {}): Promise<Desk> {
  return desk(t, { ...options, consent: 'ask' })
}

/** Asks for a picture; what comes of it, as a code or a path. */
function asks(client: LetsClient): Promise<{ readonly path?: string; readonly code?: string }> {
  return client.capture().then(
    ({ path }) => ({ path }),
    (error: LetsError) => ({ code: error.code, message: error.message }),
  )
}

async function prompted({ daemon }: Desk, count: number): Promise<void> {
  await until(
    `${count} prompts were shown`,
    () => daemon.log().filter(({ event }) => event === 'consent_prompt').length === count,
  )
}

const answers = ({ daemon }: Desk) =>
  daemon
    .log()
    .filter(({ event }) => event === 'consent_answer')
    .map(({ client, answer, why }) => [client, answer, why])

/** Presses a key as a person does, again and again until it is heard: a prompt takes no yes before it can be read. */
async function press(on: Desk, key: string, settled: Promise<unknown>): Promise<void> {
  let over = false
  settled.finally(() => {
    over = true
  })
  await until(`${key} is heard`, async () => {
    await on.x.run('xdotool', 'key', `ctrl+shift+${key}`)
    return over
  })
}

test.serial(
  'the keys answer a prompt, and reach the program that has the focus before and after it',
  async (t) => {
    const on = await askingDesk(t, { windowManager: true })
    const input = await inputLogger(on, '300x200+100+80')
    await on.x.run('xdotool', 'windowfocus', '--sync', input.id)
    const keys = async (key: string) => {
      const before = input.keys()
      await on.x.run('xdotool', 'key', `ctrl+shift+${key}`)
      await until(`${key} reaches the program`, () => input.keys() >= before + 3)
    }
    await keys('y')
    const client = await on.client({ clientName: 'claude' })
    const picture = asks(client)
    await seesInk(t, on, ...PROMPT, GROUND)
    await press(on, 'y', picture)
    t.regex((await picture).path ?? '', /\.png$/)
    await seesInk(t, on, ...PROMPT, GROUND, false)
    await keys('y')
    await keys('n')
    t.regex((await asks(client)).path ?? '', /\.png$/, 'a yes is remembered')
    t.deepEqual(answers(on), [['claude', 'yes', 'key']])
  },
)

test.serial(
  'a press before the prompt can be read is no yes; a no by key is one, and is remembered',
  async (t) => {
    const on = await askingDesk(t)
    const claude = await on.client({ clientName: 'claude' })
    const picture = asks(claude)
    await seesInk(t, on, ...PROMPT, GROUND)
    await on.x.run('xdotool', 'key', 'ctrl+shift+y')
    await on.x.run('xdotool', 'key', 'ctrl+shift+n')
    t.like(await picture, { code: 'not_permitted' })
    t.like(await asks(claude), { code: 'not_permitted' })
    t.deepEqual(answers(on), [['claude', 'no', 'key']], 'asked once')
    const other = asks(await on.client({ clientName: 'another' }))
    await prompted(on, 2)
    await seesInk(t, on, ...PROMPT, GROUND)
    await press(on, 'k', other)
    t.like(await other, { code: 'not_permitted' })
    t.deepEqual(answers(on)[1], ['another', 'no', 'clear_key'])
  },
)

test.serial('the prompt takes no click, is in no picture, and nobody clears it', async (t) => {
  const on = await askingDesk(t, { windowManager: true, compositor: true })
  const grey = [0x80, 0x80, 0x80]
  const input = await inputLogger(on, '900x700+100+60')
  const below = await until('the window is painted', async () => {
    const { data } = await on.eye.capture({ x: PROMPT[0], y: PROMPT[1], width: 1, height: 1, overlay: true })
    const seen = [...data.subarray(0, 3)]
    return seen.join() !== grey.join() && seen
  })
  const client = await on.client({ clientName: 'claude' })
  const picture = client.capture({ marks: true })
  await seesInk(t, on, ...PROMPT, below)
  await on.x.run('xdotool', 'mousemove', String(PROMPT[0]), String(PROMPT[1]), 'click', '1')
  await until('the click goes through', () => input.clicks().length === 1)
  const alone = await client.capture({ marks: true, backdrop: 'none' })
  const other = await on.client({ clientName: 'other' })
  const { mark_count, marks } = await other.status()
  t.deepEqual([mark_count, marks], [0, []])
  await runCli(['clear', '--all-sessions'], on.daemon.env)
  t.true(await inked(on, ...PROMPT, below), 'still there')
  await press(on, 'y', picture)
  for (const { path, image_size } of [await picture, alone]) {
    const [u, v] = [PROMPT[0] / 1280, PROMPT[1] / 800]
    const amber = [0xff, 0xb0, 0x20]
    const [red = 0, , blue = 0] = await colourAt(path, u, v)
    t.false(Math.abs(red - (amber[0] as number)) < 16 && blue < 0x60, `${image_size} is without the prompt`)
  }
})

test.serial('a terminal answers: the person’s own command says yes, and who it was about', async (t) => {
  const on = await askingDesk(t)
  const picture = asks(await on.client({ clientName: 'the agent “x”' }))
  await seesInk(t, on, ...PROMPT, GROUND)
  const yes = await until('yes is taken', async () => {
    const result = await runCli(['consent', 'yes'], on.daemon.env)
    return result.code === 0 && result
  })
  t.is(yes.stdout, "“the agent 'x'” may picture display 1\n")
  t.regex((await picture).path ?? '', /\.png$/)
  const none = await runCli(['consent', 'no'], on.daemon.env)
  t.is(none.code, 1)
  t.regex(none.stderr, /no client waits for an answer now/)
})

test.serial(
  '`lets capture` without a terminal is asked about on the screen, and with --yes it is not',
  async (t) => {
    const on = await askingDesk(t)
    const file = `${on.daemon.home}/p.png`
    t.like(await runCli(['capture', file, '--yes'], on.daemon.env), { code: 0, stderr: '' })
    t.deepEqual(answers(on), [])
    const asked = runCli(['capture', file], on.daemon.env)
    await seesInk(t, on, ...PROMPT, GROUND)
    await press(on, 'n', asked)
    const { code, stderr } = await asked
    t.is(code, 1)
    t.regex(stderr, /the person is asked on the screen/)
    t.regex(stderr, /the person said no/)
  },
)

test.serial(
  'keys that another program has answer nothing, and the prompt is there all the same',
  async (t) => {
    const on = await askingDesk(t)
    const thief = await connect(on.x.display)
    t.teardown(() => thief.close())
    t.deepEqual(await thief.takeAnswerKeys(), { yes: 'ready', no: 'ready' })
    const picture = asks(await on.client({ clientName: 'claude' }))
    await seesInk(t, on, ...PROMPT, GROUND)
    await on.x.run('xdotool', 'key', 'ctrl+shift+n')
    await until('yes is taken', async () => (await runCli(['consent', 'yes'], on.daemon.env)).code === 0)
    t.regex((await picture).path ?? '', /\.png$/)
  },
)

test.serial('below a screen locker nobody is asked', async (t) => {
  const on = await askingDesk(t)
  const client = await on.client({ clientName: 'claude' })
  const look = ['-geometry', '20x5+0+0', '-bg', '#400000', '-fg', '#400000', '-cr', '#400000']
  on.x.spawn('xterm', [...look, '-xrm', '*overrideRedirect: true', '-e', 'sleep', '99'])
  // Such a window has no name to be found by.
  const id = await until('the locker is there', async () => {
    const [fresh] = (await on.x.run('xwininfo', '-root', '-children')).match(/^ +0x\w+(?=.* 1\d\dx)/gm) ?? []
    return fresh?.trim()
  })
  await on.x.run('xdotool', 'windowsize', id, '1280', '800')
  await seesInk(t, on, 1270, 790, GROUND)
  const refused = await asks(client)
  t.like(refused, { code: 'not_permitted' })
  t.deepEqual(answers(on), [['claude', 'no', 'not_visible']])
  const { yes } = await on.eye.takeAnswerKeys()
  t.is(yes, 'ready', 'no key was left taken')
})

test.serial('a client that hangs up, or is killed, takes its prompt with it', async (t) => {
  const on = await askingDesk(t)
  const client = await on.client({ clientName: 'claude' })
  const picture = asks(client)
  await seesInk(t, on, ...PROMPT, GROUND)
  await client.close()
  await picture
  await seesInk(t, on, ...PROMPT, GROUND, false)
  const command = startCli(['capture', `${on.daemon.home}/p.png`], on.daemon.env)
  await seesInk(t, on, ...PROMPT, GROUND)
  command.kill('SIGKILL')
  await seesInk(t, on, ...PROMPT, GROUND, false)
  await until('both are told of', () => answers(on).length === 2)
  t.true(answers(on).every(([, answer, why]) => answer === 'no' && why === 'client_gone'))
  t.deepEqual(await on.eye.takeAnswerKeys(), { yes: 'ready', no: 'ready' })
})

test.serial('a daemon that is told to end takes its prompt off, and says so', async (t) => {
  const on = await askingDesk(t)
  const picture = asks(await on.client({ clientName: 'claude' }))
  await seesInk(t, on, ...PROMPT, GROUND)
  await on.daemon.stop()
  t.is((await picture).path, undefined)
  t.deepEqual(answers(on), [['claude', 'no', 'daemon_ends']])
  t.deepEqual(
    on.daemon.log().filter(({ level }) => level !== 'info'),
    [],
  )
  await seesInk(t, on, ...PROMPT, GROUND, false)
  t.deepEqual(await on.eye.takeAnswerKeys(), { yes: 'ready', no: 'ready' })
})

test.serial('a daemon that is killed leaves no prompt and no grab', async (t) => {
  const on = await askingDesk(t)
  const picture = asks(await on.client({ clientName: 'claude' }))
  await seesInk(t, on, ...PROMPT, GROUND)
  on.daemon.kill('SIGKILL')
  await on.daemon.exited
  t.is((await picture).path, undefined)
  await seesInk(t, on, ...PROMPT, GROUND, false)
  t.deepEqual(await overlayWindows(on), [])
  t.deepEqual(await on.eye.takeAnswerKeys(), { yes: 'ready', no: 'ready' })
})

test.serial('without an answer it is a no after 30 s, and nothing runs while the prompt waits', async (t) => {
  const on = await askingDesk(t)
  const began = performance.now()
  const picture = asks(await on.client({ clientName: 'claude' }))
  await seesInk(t, on, ...PROMPT, GROUND)
  const before = busyMs(on.daemon.pid)
  t.like(await picture, { code: 'not_permitted' })
  const took = performance.now() - began
  t.true(took >= 30_000 && took < 33_000, `${took} ms`)
  t.true(busyMs(on.daemon.pid) - before <= 300, `${busyMs(on.daemon.pid) - before} ms of processor time`)
  await seesInk(t, on, ...PROMPT, GROUND, false)
  t.deepEqual(answers(on), [['claude', 'no', 'no_answer']])
})
