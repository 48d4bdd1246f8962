/** The companion as a person has it: a real daemon, a window manager, windows, a mouse and keys. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import type { LetsClient } from '../../daemon/client/index.js'
import { MENU } from '../../overlay/companion/menu.js'
import { rgbOf } from '../../overlay/scene/color.js'
import type { AckMessage, CompanionEventMessage } from '../../protocol/overlay/schema.js'
import { pixel } from '../native/support.js'
import { until } from '../support/xserver.js'
import { mouse } from './companion.js'
import { nobodyWritesOverMenu, sheetOf } from './companion-menu.js'
import { type Desk, desk, inputLogger } from './support.js'

type State = NonNullable<AckMessage['companion']>

const GROUND = [0x33, 0x66, 0x99]
/** Of the chosen item of its menu. */
const CHOSEN = rgbOf(MENU.chosen)

/** A desk whose person has turned the companion on, and what an agent hears of it. */
async function withCompanion(t: Parameters<typeof desk>[0], options: Parameters<typeof desk>[1] = {}) {
  const on = await desk(t, { windowManager: true, ...options })
  const client = await on.client({ clientName: 'agent' })
  const token = readFileSync(`${on.daemon.socket}.consent`, 'utf8')
  const heard: CompanionEventMessage[] = []
  await client.companion({ listen: true })
  void (async () => {
    for await (const event of client.companionEvents()) heard.push(event)
  })()
  const person = (set: NonNullable<Parameters<LetsClient['companion']>[0]>['set']) =>
    client.companion({ set, token } as Parameters<LetsClient['companion']>[0])
  const state = async () => (await client.companion()).companion as State
  await person({ on: true })
  await seen(on, await state(), true)
  const hand = await mouse(on.x)
  return { ...on, agent: client, heard, person, state, token, hand }
}

/** Waits until the window manager knows a window, so that it can be asked for something. */
async function managed(x: Desk['x'], title: string): Promise<void> {
  await x.windowNamed(title)
  await until(`${title} is managed`, async () => (await x.run('wmctrl', '-l')).includes(title))
}

/** Waits until there is ink where it is, or none. */
async function seen(on: Desk, { at: [x, y] = [0, 0] }: State, wanted: boolean): Promise<void> {
  await until(wanted ? 'it is seen' : 'it is gone', async () => {
    const colour = await pixel(on.eye, Math.round(x), Math.round(y))
    return colour.some((channel, index) => Math.abs(channel - (GROUND[index] ?? 0)) > 12) === wanted
  })
}

test.serial(
  'off it is nowhere; on it is there; off again nothing of it is left, and its key is free',
  async (t) => {
    const { x, person, state, ...on } = await withCompanion(t)
    const before = await state()
    t.deepEqual(before.summon_key, ['Ctrl', 'Shift', '.'])
    await person({ on: false })
    await seen({ x, ...on }, before, false)
    t.like(await state(), { on: false, shown: false, hidden_because: 'off' })
    t.is((await state()).summon_key, undefined)
  },
)

test.serial(
  'it says, is clicked, and what the person picks with the keys is told to the agent that suggested it',
  async (t) => {
    const { agent, heard, hand, state, x, eye } = await withCompanion(t)
    const logger = await inputLogger({ x })
    const said = await agent.companion({
      command: 'entity.say',
      data: { text: 'Done: 14 tests pass', mood: 'proud' },
    })
    t.like(said, { painted: true, companion: { shown: true, says: 'Done: 14 tests pass', mood: 'proud' } })
    const items = [
      { id: 'again', label: 'Run them again' },
      { id: 'diff', label: 'Show me the diff' },
    ]
    await agent.companion({ command: 'entity.suggest', data: { items } })
    const { at: [px, py] = [0, 0] } = await state()
    await hand.move(px, py)
    await hand.click()
    await until('the click is told', () => heard.some(({ event }) => event === 'entity.click'))
    // Up from nothing is the last one. Enter before anything is chosen would close it. What it said is on the same paper as its
    // menu, so that only the chosen one tells that this is open.
    await until(
      'its keys are taken',
      async () => {
        await x.run('xdotool', 'key', 'Up')
        return until('one is chosen', async () => (await sheetOf(eye, CHOSEN)) !== null, 5000).catch(
          () => false,
        )
      },
      20_000,
    )
    await x.run('xdotool', 'key', 'Return')
    await until('it is picked', () => heard.some(({ event }) => event === 'entity.pick'))
    const pick = heard.find(({ event }) => event === 'entity.pick')
    t.deepEqual(pick?.data, { id: 'diff', label: 'Show me the diff' })
    t.deepEqual(logger.clicks(), [], 'the click was its own')
  },
)

test.serial(
  'called with its key it comes to the pointer, and says what is there; asked to go away it is gone',
  async (t) => {
    const { heard, hand, state, x, eye, daemon, client, agent, token } = await withCompanion(t)
    const on = { x, eye, daemon, client }
    x.spawn('xterm', ['-T', 'notes', '-geometry', '60x20+100+100', '-e', 'sleep', '99'])
    await until('it is on the screen', async () =>
      (await agent.request({ type: 'apps' })).apps?.some(({ title }) => title === 'notes'),
    )
    const before = await state()
    await hand.move(260, 240)
    await until('it is called', async () => {
      if (heard.some(({ event }) => event === 'entity.summon')) return true
      await x.run('xdotool', 'key', 'ctrl+shift+period')
      await delay(300)
      return heard.some(({ event }) => event === 'entity.summon')
    })
    const { data } = heard.find(({ event }) => event === 'entity.summon') ?? {}
    t.like(data, { x: 260, y: 240, context: { application: 'XTerm', title: 'notes' } })
    const here = await state()
    t.notDeepEqual(here.at, before.at)
    t.true(Math.hypot((here.at?.[0] ?? 0) - 260, (here.at?.[1] ?? 0) - 240) < 140, String(here.at))
    await seen(on, before, false)
    // Its menu is open; the third item sends it away.
    for (const key of ['Down', 'Down', 'Return']) await x.run('xdotool', 'key', key)
    await until('it is sent away', () => heard.some(({ event }) => event === 'entity.dismiss'))
    await until('it is away', async () => (await state()).hidden_because === 'sent_away')
    t.like((await agent.companion({ command: 'entity.show' })).companion, {
      shown: false,
      hidden_because: 'sent_away',
    })
    const back = await agent.companion({ command: 'entity.show', token } as Parameters<
      LetsClient['companion']
    >[0])
    t.true(back.companion?.shown)
  },
)

test.serial(
  'J2: it hides over a window that goes full screen and comes back; maximised does not trigger it',
  async (t) => {
    const { state, x, eye, daemon, client } = await withCompanion(t)
    const on = { x, eye, daemon, client }
    x.spawn('xterm', ['-T', 'film', '-geometry', '60x20+100+100', '-bg', '#336699', '-e', 'sleep', '99'])
    await managed(x, 'film')
    const before = await state()
    const ask = (how: string) => x.run('wmctrl', '-r', 'film', '-b', how)
    await ask('add,maximized_vert,maximized_horz')
    await delay(700)
    t.true((await state()).shown, 'maximised')
    await seen(on, before, true)
    await ask('add,fullscreen')
    const started = performance.now()
    await until('it knows', async () => (await state()).hidden_because === 'full_screen')
    await seen(on, before, false)
    t.log(`hidden ${Math.round(performance.now() - started)} ms after the window was told`)
    await ask('remove,fullscreen')
    await until('it is back', async () => (await state()).shown)
    await seen(on, before, true)
    t.deepEqual((await state()).at, before.at)
  },
)

test.serial('over a muted application it is not to be seen, and when that goes it is', async (t) => {
  const { person, state, x, eye, daemon, client } = await withCompanion(t)
  const on = { x, eye, daemon, client }
  const before = await state()
  await person({ mute: 'xterm' })
  t.true((await state()).shown)
  const xterm = x.spawn('xterm', [
    '-T',
    'chat',
    '-geometry',
    '120x60+500+100',
    '-bg',
    '#336699',
    '-e',
    'sleep',
    '99',
  ])
  await until('it is muted', async () => (await state()).hidden_because === 'muted_app')
  await seen(on, before, false)
  xterm.kill()
  await until('it is back', async () => (await state()).shown)
  await seen(on, before, true)
})

test.serial('a mark on it: it steps aside, and the mark stays', async (t) => {
  const { agent, state, x } = await withCompanion(t)
  const { at: [px, py] = [0, 0] } = await state()
  const { annotation_id } = await agent.highlight({ rect: [px - 45, py - 45, 90, 90] })
  await until('it is elsewhere', async () => {
    const { at: [nx, ny] = [0, 0] } = await state()
    return Math.abs(nx - px) > 60 || Math.abs(ny - py) > 60
  })
  const { marks } = await agent.status()
  t.like(marks, [{ annotation_id }])
  t.truthy(x)
})

test.serial(
  'a pointer that circles it finds a secret, told once; where it was is told to nobody',
  async (t) => {
    const { hand, heard, state } = await withCompanion(t)
    const { at: [px, py] = [0, 0] } = await state()
    const secrets = () => heard.filter(({ event }) => event === 'entity.secret')
    const circle = async () => {
      for (let step = 0; step <= 130; step++) {
        const angle = (step / 36) * 2 * Math.PI
        await hand.move(Math.round(px + Math.cos(angle) * 60), Math.round(py + Math.sin(angle) * 60))
        await delay(20)
      }
    }
    await until(
      'it is found',
      async () => {
        await circle()
        return secrets().length > 0
      },
      30_000,
    )
    await circle()
    const names = secrets().map(({ data }) => data.name)
    t.true(names.includes('three-circles'), String(names))
    t.is(new Set(names).size, names.length, 'each once')
    t.deepEqual(
      heard.filter(({ event }) => event !== 'entity.secret'),
      [],
    )
  },
)

test.serial(
  'an agent that is gone leaves it idle, and a daemon that ends leaves nothing of it',
  async (t) => {
    const { state, daemon, x, eye, client } = await withCompanion(t)
    const on = { x, eye, daemon, client }
    const other = await client({ clientName: 'other', lingerMs: 100 })
    await other.companion({ command: 'entity.mood', data: { mood: 'thinking' } })
    t.is((await state()).mood, 'thinking')
    await other.close()
    await until('it is idle', async () => (await state()).mood === 'idle')
    const before = await state()
    await daemon.stop()
    await seen(on, before, false)
  },
)

for (const compositor of [true, false]) {
  test.serial(
    `${compositor ? 'with' : 'without'} a compositor nobody writes over its open menu: marks are not drawn there until it is closed`,
    async (t) => {
      const on = await withCompanion(t, { compositor })
      await nobodyWritesOverMenu(t, on, on.agent)
    },
  )
}
