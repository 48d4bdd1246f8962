/** The companion through the engine: what clients are answered, what they may not, and who is told what. */
import test from 'ava'
import { Companion } from '../../daemon/companion/companion.js'
import { DEFAULTS } from '../../daemon/companion/settings.js'
import { FakeSurface } from '../../daemon/companion/testing.js'
import type { CaptureGate } from '../../daemon/engine/captures.js'
import { Bench, type Client, fakeWindow } from '../../daemon/engine/testing.js'
import type { WireError } from '../../protocol/overlay/errors.js'
import { parseDaemonMessage } from '../../protocol/overlay/replies.js'

const TOKEN = 'the-person'

const gate: CaptureGate = {
  policy: () => 'ask',
  decide: ({ capture }) => capture,
  decideAsPerson: (policy) => policy,
  onChanged: () => {},
  isPerson: (token) => token === TOKEN,
  capture: async () => {
    throw new Error('no')
  },
}

function setup(settings = {}) {
  const kept: unknown[] = []
  const bench = new Bench(
    undefined,
    undefined,
    () => gate,
    undefined,
    (clock) =>
      new Companion({
        clock,
        wall: { now: () => 1_000_000 + clock.now(), minuteOfDay: () => 720 },
        settings: { ...DEFAULTS, ...settings },
        keep: (next) => void kept.push(next),
        log: () => {},
      }),
  )
  const surface = new FakeSurface()
  bench.host.companion = surface
  bench.engine.hostStarted(bench.host.layout)
  const ask = async (client: Client, fields: Record<string, unknown> = {}) => {
    const answer = client.raw({ type: 'companion', ...fields })
    await bench.rest()
    return await answer
  }
  return { bench, surface, ask, kept }
}

test('the person turns it on with their token; an agent can neither turn it on nor unmute', async (t) => {
  const { bench, surface, ask } = setup()
  const client = bench.client().start()
  t.like(await ask(client), { companion: { on: false, shown: false, hidden_because: 'off' } })
  for (const set of [{ on: true }, { unmute: 'Slack' }, { quiet_ms: 0 }, { hours: 'none' }]) {
    for (const token of [undefined, 'guessed']) {
      const error = await t.throwsAsync<WireError>(async () => await ask(client, { set, token }))
      t.like(error, { code: 'not_permitted' })
      t.regex(error?.message ?? '', /lets companion/)
    }
  }
  t.is(surface.scene, null)
  const { companion } = await ask(bench.client(), { set: { on: true }, token: TOKEN })
  t.like(companion, { on: true, shown: true, display_id: 1 })
  await bench.rest()
  t.truthy(surface.scene)
  await ask(bench.client(), { set: { on: false }, token: TOKEN })
  await ask(client, { command: 'entity.show' })
  await ask(client, { command: 'entity.say', data: { text: 'Here I am' } })
  t.is(surface.scene, null)
})

test('acks say whether it is shown, and with `painted` whether it was drawn', async (t) => {
  const { bench, surface, ask } = setup({ on: true })
  const client = bench.client().start({ acks: 'painted' })
  const said = { command: 'entity.say', data: { text: 'Done', mood: 'wistful' } }
  t.like(await ask(client, said), {
    painted: true,
    companion: { shown: true, says: 'Done', mood: 'idle' },
    display: { id: 1 },
  })
  t.regex((await ask(client, said)).ignored?.[0] ?? '', /wistful/)
  t.is(surface.scene?.bubble?.text, 'Done')
  bench.engine.chosen('pause')
  await bench.rest()
  t.is(surface.scene, null)
  t.like(await ask(client, said), { painted: false, companion: { shown: false, hidden_because: 'paused' } })
  const accepted = await ask(bench.client().start(), said)
  t.false('painted' in accepted)
})

test('a command takes a session, whose end takes what it wanted; asking takes none', async (t) => {
  const { bench, surface, ask } = setup({ on: true })
  await t.throwsAsync(async () => await ask(bench.client(), { command: 'entity.show' }), {
    message: /session_start/,
  })
  const client = bench.client().start({ linger_ms: 500 })
  await ask(client, { command: 'entity.mood', data: { mood: 'thinking' } })
  t.is(surface.scene?.mood, 'thinking')
  client.connection.close()
  bench.clock.advance(500)
  await bench.rest()
  t.is(surface.scene?.mood, 'idle')
})

test('listeners are told, until they stop or hang up', async (t) => {
  const { bench, surface, ask } = setup({ on: true })
  const [client, other] = [bench.client().start(), bench.client()]
  await ask(client, { listen: true })
  await ask(other, { listen: true })
  await bench.rest()
  const click = async () => {
    const place = surface.scene?.place
    if (place) bench.engine.companionEvent({ kind: 'clicked', button: 'primary', ...place })
    await bench.rest()
  }
  bench.host.desk = [fakeWindow(1, 'Editor', [0, 0, 1440, 900])]
  bench.engine.windowsChanged({ moved: [], relisted: true })
  await bench.rest()
  await click()
  t.like(client.companionEvents, [
    { v: '0.2', type: 'companion_event', event: 'entity.click', display_id: 1 },
  ])
  t.like(client.companionEvents[0]?.data, { context: { application: 'Editor' } })
  t.deepEqual(parseDaemonMessage(JSON.stringify(client.companionEvents[0])), client.companionEvents[0])
  await ask(client, { listen: false })
  await click()
  t.is(client.companionEvents.length, 1)
  t.is(other.companionEvents.length, 2)
  other.connection.close()
  await click()
  t.is(other.companionEvents.length, 2)
})

test('the log holds what a session asked itself, and for the person everything', async (t) => {
  const { bench, ask } = setup({ on: true })
  const [one, two] = [
    bench.client().start({ client_name: 'one' }),
    bench.client().start({ client_name: 'two' }),
  ]
  await ask(one, { command: 'entity.say', data: { text: 'for one' } })
  await ask(two, { command: 'entity.say', data: { text: 'for two' } })
  const texts = async (client: Client, more = {}) =>
    (await ask(client, { log: true, ...more })).companion?.log?.map(
      ({ client: name, text }) => `${name}: ${text}`,
    )
  t.deepEqual(await texts(one), ['one: for one'])
  t.deepEqual(await texts(bench.client(), { token: TOKEN }), ['one: for one', 'two: for two'])
  t.deepEqual(await texts(bench.client()), [])
  t.is((await ask(two)).companion?.says, 'for two')
  t.is((await ask(one)).companion?.says, undefined)
})

test('windows are watched while it may be shown, and not a moment longer', async (t) => {
  const { bench, ask } = setup()
  t.false(bench.host.watching)
  await ask(bench.client(), { set: { on: true }, token: TOKEN })
  t.true(bench.host.watching)
  const client = bench.client().start()
  const mark = client.point()
  client.send({ type: 'clear', annotation_id: mark })
  await bench.rest()
  t.true(bench.host.watching, 'a mark that came and went changes nothing')
  await ask(bench.client(), { set: { quiet_ms: 60_000 }, token: TOKEN })
  await bench.rest()
  t.false(bench.host.watching)
  bench.clock.advance(60_001)
  await bench.rest()
  t.true(bench.host.watching)
  await ask(bench.client(), { set: { on: false }, token: TOKEN })
  t.false(bench.host.watching)
})

test('a host that comes back is shown it again, and a command brings one back', async (t) => {
  const { bench, surface, ask } = setup({ on: true })
  await bench.rest()
  const client = bench.client().start()
  bench.engine.hostExited('the display went away')
  await bench.rest()
  t.like(await ask(client), { companion: { on: true, shown: false, hidden_because: 'no_surface' } })
  const before = surface.scenes.length
  bench.onRevive = () => bench.engine.hostStarted(bench.host.layout)
  t.like(await ask(client, { command: 'entity.mood', data: { mood: 'happy' } }), {
    companion: { shown: true },
  })
  t.is(bench.revivals, 1)
  t.true(surface.scenes.length > before)
  t.is(surface.scene?.mood, 'happy')
})

test('a mark that is put on it makes it step aside, and a clean screen closes what it says', async (t) => {
  const { bench, surface, ask } = setup({ on: true })
  await bench.rest()
  const client = bench.client().start()
  const [x, y] = surface.scene?.place.at ?? [0, 0]
  client.send({ type: 'highlight', rect: [x - 40, y - 40, 80, 80], display_id: 1 })
  await bench.rest()
  t.notDeepEqual(surface.scene?.place.at, [x, y])
  await ask(client, { command: 'entity.say', data: { text: 'Look here' } })
  bench.engine.clearForPerson()
  await bench.rest()
  t.is(surface.scene?.bubble, null)
})

test('status has a line for it, and the panel two', async (t) => {
  const { bench, surface } = setup()
  const panels: { items: readonly { label?: string; checked?: boolean }[] }[] = []
  bench.host.panel = { show: (state) => void panels.push(state as never) }
  bench.engine.hostStarted(bench.host.layout)
  const items = () => {
    bench.clock.advance(1000)
    return panels.at(-1)?.items.filter(({ label }) => label?.startsWith('Companion'))
  }
  t.like(items(), [{ label: 'Companion', checked: false }])
  bench.engine.chosen('companion')
  await bench.rest()
  t.truthy(surface.scene)
  t.like(items(), [
    { label: 'Companion', checked: true },
    { label: 'Companion: quiet for an hour', checked: false },
  ])
  bench.engine.chosen('companion_quiet')
  await bench.rest()
  t.like(items()?.[1], { checked: true })
  t.like(bench.client().send({ type: 'status' }).companion, {
    on: true,
    shown: false,
    hidden_because: 'quiet',
  })
  bench.engine.chosen('companion_quiet')
  await bench.rest()
  t.like(bench.client().send({ type: 'status' }).companion, { on: true, shown: true })
  bench.engine.chosen('companion')
  await bench.rest()
  t.is(surface.scene, null)
})

test('where there is no surface for it nothing is offered, and nothing is pretended', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  t.like(client.send({ type: 'status' }).companion, { on: false, shown: false, hidden_because: 'no_surface' })
  t.like(client.send({ type: 'companion' }).companion, { shown: false, hidden_because: 'no_surface' })
})
