import test from 'ava'
import { FIGURE } from '../../overlay/companion/index.js'
import { MOST_SAID } from './bubble.js'
import { readSettings } from './settings.js'
import { agent, Bench, display, fakeWindow, PERSON } from './testing.js'

const isInside = ([x, y]: readonly [number, number], [width, height]: readonly [number, number]) =>
  x - FIGURE.width / 2 >= 0 &&
  y - FIGURE.height / 2 >= 0 &&
  x + FIGURE.width / 2 <= width &&
  y + FIGURE.height / 2 <= height

test('moves off every display end where all of it can be reached', async (t) => {
  const bench = await new Bench().start()
  for (const [x, y] of [
    [-1e6, 5],
    [1e6, 1e6],
    [720, -3],
    [0, 0],
    [1440, 900],
  ] as const) {
    await bench.do(agent('a'), 'entity.move', { x, y })
    t.true(isInside(bench.scene?.place.at ?? [0, 0], [1440, 900]), `${x},${y}`)
    t.deepEqual(bench.state().at, [...(bench.scene?.place.at ?? [])] as [number, number])
  }
})

test('a display smaller than it is has it in the middle', async (t) => {
  const bench = new Bench()
  bench.displays = [display(1, { logical_size: [50, 40] })]
  await bench.start()
  t.deepEqual(bench.scene?.place, { display: 1, at: [25, 20] })
})

test('a place that there is none is refused, naming those there are; a display that is none likewise', async (t) => {
  const bench = await new Bench().start()
  const before = bench.scene?.place
  await t.throwsAsync(bench.do(agent('a'), 'entity.move', { to: '#save-button' }), {
    message: /data\.to must be cursor, one of top-left.*got "#save-button"/,
  })
  await t.throwsAsync(bench.do(agent('a'), 'entity.move', { x: 1, y: 1 }, 7), { message: /display_id 7/ })
  t.deepEqual(bench.scene?.place, before)
})

test('to the pointer: beside it, or said where that cannot be told', async (t) => {
  const bench = await new Bench().start()
  t.like(await bench.do(agent('a'), 'entity.move', { to: 'cursor' }), {
    0: 'to "cursor": where the pointer is cannot be told here',
  })
  bench.surface.at = { display: 1, at: [1400, 450] }
  t.deepEqual(await bench.do(agent('a'), 'entity.move', { to: 'cursor' }), [])
  const [x = 0, y] = bench.scene?.place.at ?? []
  t.true(x < 1400 - FIGURE.width / 2 && y === 450)
})

test('named positions and pairs are places', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.move', { to: 'center' })
  t.deepEqual(bench.scene?.place.at, [720, 450])
  await bench.do(agent('a'), 'entity.move', { to: '25%,50%' })
  t.deepEqual(bench.scene?.place.at, [360, 450])
})

test('a text of 4,000 characters is said whole, one of more is cut between two characters and said so', async (t) => {
  const bench = await new Bench().start()
  const long = '👋🏽 שלום '.repeat(2000)
  const exact = [...long].slice(0, MOST_SAID).join('')
  t.deepEqual(await bench.do(agent('a'), 'entity.say', { text: exact }), [])
  t.is(bench.scene?.bubble?.text, exact)
  const ignored = await bench.do(agent('a'), 'entity.say', { text: `${exact}!` })
  t.deepEqual(ignored, ['what comes after 4000 characters of text'])
  t.is(bench.scene?.bubble?.text, exact)
  t.notRegex(bench.scene?.bubble?.text ?? '', /\p{Surrogate}/u)
})

test('text from right to left is passed on as it is', async (t) => {
  const bench = await new Bench().start()
  const text = 'مرحبا — שלום, world 42'
  await bench.do(agent('a'), 'entity.say', { text })
  t.is(bench.scene?.bubble?.text, text)
})

test('100 suggestions: the menu holds 32 of a session, and the ack says how many it does not', async (t) => {
  const bench = await new Bench().start()
  const items = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${from + index}`, label: `S${from + index}` }))
  t.deepEqual(await bench.do(agent('a'), 'entity.suggest', { items: items(0, 32) }), [])
  t.deepEqual(await bench.do(agent('a'), 'entity.suggest', { items: items(32, 32), replace: false }), [
    'the last 32 suggestions: the menu holds 32 of a session',
  ])
  await bench.click()
  t.is(bench.scene?.menu?.items.length, 35)
  t.is(bench.scene?.menu?.items.at(-1)?.label, 'S31')
})

test('suggestions of one id are refused with the field; one that is said again takes the place of the one before', async (t) => {
  const bench = await new Bench().start()
  const items = (...ids: string[]) => ids.map((id, at) => ({ id, label: `${id}${at}` }))
  await bench.do(agent('a'), 'entity.suggest', { items: items('x', 'y') })
  await t.throwsAsync(bench.do(agent('a'), 'entity.suggest', { items: items('p', 'q', 'p') }), {
    message: 'companion: data.items[2].id must be another than that of items[0], got "p"',
  })
  t.deepEqual(
    bench.state().suggestions?.map(({ id }) => id),
    ['x', 'y'],
    'nothing is lost',
  )
  await bench.do(agent('a'), 'entity.suggest', { items: items('y', 'z'), replace: false })
  t.deepEqual(
    bench.state().suggestions?.map(({ label }) => label),
    ['x0', 'y0', 'z1'],
  )
})

test('a flood of texts: the latest is seen, the surface is not flooded, and none is missing from the log', async (t) => {
  const bench = await new Bench().start()
  const shown = bench.surface.scenes.length
  let release = () => {}
  bench.surface.gate = new Promise((resolve) => {
    release = resolve
  })
  const all = Array.from({ length: 150 }, (_, index) =>
    bench.companion.command(
      { command: 'entity.say', data: { text: `text ${index}` } },
      agent(index % 2 ? 'a' : 'b'),
    ),
  )
  await bench.rest()
  release()
  bench.surface.gate = null
  const outcomes = await Promise.all(all)
  await bench.rest()
  t.true(bench.surface.scenes.length - shown <= 3, `${bench.surface.scenes.length - shown} scenes`)
  t.is(bench.scene?.bubble?.text, 'text 149')
  for (const { painted } of outcomes) t.true(await painted())
  const texts = bench.companion.state(PERSON, true).log?.map(({ text }) => text)
  t.deepEqual(
    texts,
    all.map((_, index) => `text ${index}`),
  )
  t.is(bench.companion.state(agent('a'), true).log?.length, 75, 'to a session its own')
})

test('the log is bounded in entries and in characters', async (t) => {
  const bench = await new Bench().start()
  for (let index = 0; index < 300; index++) await bench.do(agent('a'), 'entity.say', { text: `${index}` })
  const log = bench.companion.state(PERSON, true).log ?? []
  t.is(log.length, 200)
  t.is(log.at(-1)?.text, '299')
  for (let index = 0; index < 100; index++)
    await bench.do(agent('a'), 'entity.say', { text: 'x'.repeat(4000) })
  t.true(
    (bench.companion.state(PERSON, true).log ?? []).reduce((sum, { text = '' }) => sum + text.length, 0) <=
      200_000,
  )
})

test('an unknown mood or expression is left out, said and logged; what came with it counts', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.mood', { mood: 'happy' })
  const ignored = await bench.do(agent('a'), 'entity.say', { text: 'Hm', mood: 'wistful' })
  t.regex(ignored[0] ?? '', /^mood "wistful": the moods are idle, happy/)
  t.like(bench.scene, { mood: 'happy' })
  t.is(bench.scene?.bubble?.text, 'Hm')
  t.regex((await bench.do(agent('a'), 'entity.mood', { mood: '__proto__' }))[0] ?? '', /^mood/)
  t.regex((await bench.do(agent('a'), 'entity.react', { name: 'moonwalk' }))[0] ?? '', /^name "moonwalk"/)
  t.is(bench.scene?.reaction, null)
  t.is(bench.log.filter(({ event, note }) => event === 'companion_command' && note).length, 3)
  t.regex(bench.companion.state(PERSON, true).log?.at(-1)?.note ?? '', /moonwalk/)
})

test('a saved position of NaN, or of a display that is gone, is the corner it starts in', async (t) => {
  const corner = (await new Bench().start()).scene?.place
  for (const at of [[Number.NaN, 5], [null, null], ['4', 5], [1e300, 5], [1], [1, 2, 3]]) {
    const file = JSON.parse(JSON.stringify({ on: true, place: { display: 1, at } }))
    const { settings, faults } = readSettings(file)
    t.deepEqual(faults, ['place is not right'], JSON.stringify(at))
    t.deepEqual((await new Bench(settings).start()).scene?.place, corner)
  }
  const bench = new Bench({ on: true, place: { display: 1, at: [Number.NaN, 1] } })
  t.deepEqual((await bench.start()).scene?.place, corner)
  t.deepEqual((await new Bench({ on: true, place: { display: 9, at: [5, 5] } }).start()).scene?.place, corner)
})

test('whatever the file holds, what is right in it is taken and the rest is named', (t) => {
  for (const value of [null, 5, 'x', [], [1]]) t.is(readSettings(value).faults.length, 1)
  const { settings, faults } = readSettings({
    on: 'yes',
    away: 1,
    persona: { name: '', traits: 5 },
    muted_apps: ['ok', 5],
    hours: '99:00-01:00',
    quiet_until: 'soon',
    __proto__: { on: true },
    more: { of: 'a newer version' },
  })
  t.is(faults.length, 6)
  t.is(settings.on, null)
  t.deepEqual(settings.muted_apps, [])
  const fine = { on: true, away: false, muted_apps: ['A'], hours: '22:00-07:00', quiet_until: null }
  t.like(readSettings(fine).settings, fine)
  t.deepEqual(readSettings(fine).faults, [])
})

test('a menu that is open when it is hidden is closed, and stays so', async (t) => {
  const bench = await new Bench().start()
  await bench.click()
  t.truthy(bench.scene?.menu)
  const film = fakeWindow(1, 'Film', [0, 0, 1440, 900], { fullScreen: true })
  await bench.relist([film])
  t.is(bench.scene, null)
  const heard = bench.listen(null)
  bench.companion.happened({ kind: 'picked', item: 2 })
  await bench.key('enter')
  t.deepEqual(heard, [], 'what was under way picks nothing')
  await bench.relist([])
  t.like(bench.scene, { menu: null })
})

test('a display that goes while it flies there: it is at home on one that is left', async (t) => {
  const bench = new Bench()
  bench.displays = [display(1), display(2)]
  await bench.start()
  const home = bench.scene?.place
  await bench.do(agent('a'), 'entity.move', { x: 700, y: 400 }, 2)
  t.deepEqual(bench.scene?.place, { display: 2, at: [700, 400] })
  await bench.relay([display(1)])
  t.deepEqual(bench.scene?.place, home)
  await bench.relay([])
  t.like(bench.state(), { shown: false, hidden_because: 'no_surface' })
  await bench.relay([display(1, { logical_size: [400, 300] })])
  t.true(isInside(bench.scene?.place.at ?? [0, 0], [400, 300]))
})

test('events of places and items that there are none change nothing and break nothing', async (t) => {
  const bench = await new Bench().start()
  const before = bench.scene
  bench.companion.happened({ kind: 'pointer', display: 99, at: [Number.NaN, 5] })
  bench.companion.happened({ kind: 'picked', item: 99 })
  bench.companion.happened({ kind: 'hovered', item: -1 })
  bench.companion.happened({ kind: 'summoned', display: 99, at: [5, 5] })
  await bench.rest()
  t.deepEqual(bench.scene?.place, before?.place)
  await bench.key('escape')
  await bench.click()
  bench.companion.happened({ kind: 'hovered', item: 99 })
  bench.companion.happened({ kind: 'picked', item: 99 })
  await bench.rest()
  t.is(bench.scene?.menu?.chosen, null)
})

test('sessions without end leave nothing behind', async (t) => {
  const bench = await new Bench().start()
  for (let index = 0; index < 2000; index++) {
    await bench.companion.command(
      { command: 'entity.suggest', data: { items: [{ id: 'x', label: `${index}` }] } },
      agent(`s${index}`),
    )
    bench.companion.sessionEnded(`s${index}`, 600_000)
  }
  t.is(bench.state().suggestions?.[0]?.label, '1999')
  await bench.later(600_000)
  t.deepEqual(bench.state().suggestions, [])
})

test('a name in the file is shown in one line, as one that is given it', (t) => {
  const { settings } = readSettings({ persona: { name: 'a\u0000\u202e\nb\u001b[31m', traits: {} } })
  t.is(settings.persona.name, 'a b[31m')
  t.is(readSettings({ persona: { name: '\u202e' } }).settings.persona.name, 'Companion')
})
