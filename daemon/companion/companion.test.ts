import test from 'ava'
import { readingMs } from './bubble.js'
import { SLEEP_MS } from './companion.js'
import { agent, Bench, display, fakeWindow, PERSON } from './testing.js'
import { SILENT_MS } from './voices.js'

test('it is off until the person turns it on, and nothing is watched meanwhile', async (t) => {
  const bench = await new Bench({}).start()
  t.like(bench.state(), { on: false, shown: false, hidden_because: 'off' })
  t.deepEqual(bench.surface.scenes, [])
  t.false(bench.surface.watching || bench.surface.keyTaken || bench.watchesWindows)
  t.is(bench.clock.waiting, 0)
  await bench.companion.set({ on: true })
  await bench.rest()
  t.like(bench.state(), { on: true, shown: true, display_id: 1, mood: 'idle', summon_key: ['Summon'] })
  t.like(bench.scene, { mood: 'idle', asleep: false, bubble: null, menu: null, beckons: false })
  t.true(bench.surface.watching && bench.surface.keyTaken && bench.watchesWindows)
  t.true(bench.kept.at(-1)?.on)
  await bench.companion.set({ on: false })
  await bench.rest()
  t.is(bench.scene, null)
  t.false(bench.surface.watching || bench.surface.keyTaken || bench.watchesWindows)
  t.is(bench.clock.waiting, 0)
})

test('it says a text for as long as it takes to read, or as long as it was told', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.say', { text: 'Hello there' })
  t.is(bench.scene?.bubble?.text, 'Hello there')
  await bench.later(readingMs('Hello there') - 1)
  t.truthy(bench.scene?.bubble)
  await bench.later(1)
  t.is(bench.scene?.bubble, null)
  await bench.do(agent('a'), 'entity.say', { text: 'Quick', ttl: 50 })
  await bench.later(50)
  t.is(bench.scene?.bubble, null)
  await bench.do(agent('a'), 'entity.say', { text: 'Never mind' })
  await bench.do(agent('a'), 'entity.say', { text: ' ' })
  t.is(bench.scene?.bubble, null)
})

test('the same text said twice is a bubble of its own', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.say', { text: 'Hi' })
  const first = bench.scene?.bubble?.id
  await bench.do(agent('a'), 'entity.say', { text: 'Hi' })
  t.not(bench.scene?.bubble?.id, first)
})

test('it never thinks for ever: a mood goes with its session, or once that is silent', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.mood', { mood: 'thinking' })
  await bench.do(agent('b'), 'entity.mood', { mood: 'busy' })
  t.is(bench.scene?.mood, 'busy')
  bench.companion.sessionEnded('b', 5000)
  await bench.later(4999)
  t.is(bench.scene?.mood, 'busy', 'its session lingers')
  await bench.later(1)
  t.is(bench.scene?.mood, 'thinking')
  await bench.later(SILENT_MS / 2)
  bench.companion.heard('a')
  await bench.later(SILENT_MS - 1)
  t.is(bench.scene?.mood, 'thinking', 'it asked for something else meanwhile')
  await bench.later(1)
  t.is(bench.scene?.mood, 'idle')
})

test('a session that was taken up again keeps what it wanted', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.mood', { mood: 'curious' })
  await bench.do(agent('a'), 'entity.say', { text: 'Back in a moment', ttl: 60_000 })
  bench.companion.sessionEnded('a', 5000)
  await bench.later(3000)
  bench.companion.sessionBack('a')
  await bench.later(5000)
  t.like(bench.scene, { mood: 'curious' })
  t.is(bench.scene?.bubble?.text, 'Back in a moment')
})

test('idle, it sleeps without a timer, and anything wakes it', async (t) => {
  const bench = await new Bench().start()
  await bench.later(SLEEP_MS - 1)
  t.false(bench.scene?.asleep)
  await bench.later(1)
  t.true(bench.scene?.asleep)
  t.true(bench.state().asleep)
  t.false(bench.surface.watching, 'the pointer is not watched while it sleeps')
  t.is(bench.clock.waiting, 0)
  const fired = bench.clock.fired
  await bench.later(10 * SLEEP_MS)
  t.is(bench.clock.fired, fired)
  await bench.do(agent('a'), 'entity.react', { name: 'wave' })
  t.like(bench.scene, { asleep: false, reaction: { name: 'wave' } })
  t.true(bench.surface.watching)
  await bench.later(SLEEP_MS)
  t.true(bench.scene?.asleep)
  await bench.click()
  t.false(bench.scene?.asleep)
})

test('the person who moves the pointer keeps it awake, without a timer for each move', async (t) => {
  const bench = await new Bench().start()
  const scenes = bench.surface.scenes.length
  for (let minute = 0; minute < 10; minute++) {
    await bench.pointer([100 + minute, 100])
    await bench.later(60_000)
  }
  t.false(bench.scene?.asleep)
  t.is(bench.surface.scenes.length, scenes, 'and nothing was drawn for that')
  t.true(bench.clock.fired <= 4, `${bench.clock.fired} timers`)
})

test('suggestions beckon until they were looked at, and go with their session', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.suggest', { items: [{ id: 'x', label: 'Run the tests' }] })
  t.true(bench.scene?.beckons)
  await bench.click()
  t.deepEqual(
    bench.scene?.menu?.items.map(({ label }) => label),
    ['What can you do here?', 'Be quiet for an hour', 'Go away', 'Run the tests'],
  )
  t.false(bench.scene?.beckons)
  await bench.key('escape')
  t.like(bench.scene, { menu: null, beckons: false })
  bench.companion.sessionEnded('a', 0)
  await bench.later(0)
  await bench.click()
  t.is(bench.scene?.menu?.items.length, 3)
})

test('suggestions that come while the menu is open go below, and those that are there stay where they are', async (t) => {
  const bench = await new Bench().start()
  await bench.click()
  t.is(bench.scene?.menu?.items.length, 3)
  await bench.do(agent('a'), 'entity.suggest', { items: [{ id: '1', label: 'One' }] })
  t.is(bench.scene?.menu?.items[3]?.label, 'One')
  await bench.do(agent('a'), 'entity.suggest', { items: [{ id: '2', label: 'Two' }] })
  t.is(bench.scene?.menu?.items[3]?.label, 'One', 'a click that is on its way gets what it was for')
  const heard = bench.listen('a')
  bench.companion.happened({ kind: 'picked', item: 3 })
  await bench.rest()
  t.like(heard, [{ event: 'entity.pick', display_id: 1, data: { id: '1', label: 'One' } }])
  t.like(bench.scene, { menu: null, reaction: { name: 'nod' } })
})

test('the menu is gone through with keys, round and round, and a click elsewhere closes it', async (t) => {
  const bench = await new Bench().start()
  const heard = bench.listen('a')
  await bench.click()
  t.is(bench.scene?.menu?.chosen, null)
  await bench.key('up')
  t.is(bench.scene?.menu?.chosen, 2)
  await bench.key('down')
  t.is(bench.scene?.menu?.chosen, 0)
  bench.companion.happened({ kind: 'hovered', item: 1 })
  await bench.rest()
  t.is(bench.scene?.menu?.chosen, 1)
  bench.companion.happened({ kind: 'hovered', item: null })
  await bench.rest()
  await bench.key('enter')
  t.is(bench.scene?.menu, null, 'Enter on nothing picks nothing')
  await bench.click()
  bench.companion.happened({ kind: 'elsewhere' })
  await bench.rest()
  t.is(bench.scene?.menu, null)
  t.deepEqual(
    heard.map(({ event }) => event),
    ['entity.click', 'entity.click'],
  )
})

test('an open menu that is left alone closes: the keys it takes are the person’s to type with', async (t) => {
  const bench = await new Bench().start()
  await bench.click()
  await bench.later(20_000)
  await bench.key('down')
  await bench.later(29_000)
  t.truthy(bench.scene?.menu, 'it is being used')
  bench.companion.happened({ kind: 'hovered', item: 1 })
  await bench.later(29_000)
  t.truthy(bench.scene?.menu, 'so it is')
  await bench.do(agent('s1'), 'entity.say', { text: 'Still at it', ttl: 600_000 })
  await bench.later(1001)
  t.is(bench.scene?.menu, null, 'what agents do does not keep it')
})

test('Enter where nothing is chosen closes the menu: it was meant for what the person types in', async (t) => {
  const bench = await new Bench().start()
  const heard = bench.listen(null)
  await bench.click()
  await bench.key('enter')
  t.is(bench.scene?.menu, null)
  t.deepEqual(
    heard.map(({ event }) => event),
    ['entity.click'],
  )
})

test('a click is told with what is there, and its title only with consent', async (t) => {
  const bench = await new Bench().start()
  await bench.relist([fakeWindow(1, 'Mail', [0, 0, 1440, 900])])
  const heard = bench.listen(null)
  await bench.click()
  const [x, y] = bench.scene?.place.at ?? []
  t.deepEqual(heard[0]?.data, { x, y, context: { application: 'Mail', rect: [0, 0, 1440, 900] } })
  bench.titles = true
  await bench.click()
  t.like(heard[1]?.data, { context: { title: 'Mail 1' } })
})

test('what a session suggested is told to it alone, and to the person', async (t) => {
  const bench = await new Bench().start()
  const [owner, other, person] = [bench.listen('a'), bench.listen('b'), bench.listen(null, true)]
  await bench.do(agent('a'), 'entity.suggest', { items: [{ id: 'x', label: 'Secret plan' }] })
  await bench.click()
  bench.companion.happened({ kind: 'picked', item: 3 })
  const events = (heard: typeof owner) => heard.map(({ event }) => event)
  t.deepEqual(events(owner), ['entity.click', 'entity.pick'])
  t.deepEqual(events(other), ['entity.click'])
  t.deepEqual(events(person), ['entity.click', 'entity.pick'])
  t.deepEqual(bench.state(agent('b')).suggestions, [])
  t.is(bench.state(agent('a')).suggestions?.length, 1)
  await bench.do(agent('a'), 'entity.say', { text: 'Between us' })
  t.is(bench.state(agent('b')).says, undefined)
  t.is(bench.state(agent('a')).says, 'Between us')
  t.is(bench.state(PERSON).says, 'Between us')
})

test('the summoning key brings it to the pointer with its menu, without covering either', async (t) => {
  const bench = await new Bench().start()
  await bench.relist([fakeWindow(1, 'Editor', [0, 0, 700, 900])])
  const heard = bench.listen(null)
  bench.companion.happened({ kind: 'summoned', display: 1, at: [300, 400] })
  await bench.rest()
  const at = bench.scene?.place.at ?? [0, 0]
  t.true(at[0] > 340 && at[0] < 420 && at[1] === 400, String(at))
  t.is(bench.scene?.menu?.chosen, 0)
  t.like(heard, [{ event: 'entity.summon', data: { x: 300, y: 400, context: { application: 'Editor' } } }])
  bench.companion.happened({ kind: 'summoned', display: 1, at: [300, 400] })
  await bench.rest()
  t.is(bench.scene?.menu, null, 'pressed again it closes')
  t.is(heard.length, 1)
  await bench.click('secondary')
  t.is(heard.at(-1)?.event, 'entity.summon')
})

test('sent away it stays away from agents, and comes when the person calls', async (t) => {
  const bench = await new Bench().start()
  const heard = bench.listen('a')
  await bench.click()
  bench.companion.happened({ kind: 'picked', item: 2 })
  await bench.rest()
  t.is(bench.scene, null)
  t.is(heard.at(-1)?.event, 'entity.dismiss')
  t.true(bench.kept.at(-1)?.away)
  await bench.do(agent('a'), 'entity.show', {})
  await bench.do(agent('a'), 'entity.say', { text: 'Hey!' })
  t.like(bench.state(), { shown: false, hidden_because: 'sent_away' })
  t.true(bench.surface.keyTaken)
  await bench.relist([fakeWindow(1, 'Editor', [0, 0, 1440, 900])])
  bench.companion.happened({ kind: 'summoned', display: 1, at: [300, 400] })
  await bench.rest()
  t.truthy(bench.scene?.menu)
  t.like(heard.at(-1), { event: 'entity.summon', data: { context: { application: 'Editor' } } })
  await bench.do(PERSON, 'entity.hide', {})
  t.is(bench.state().hidden_because, 'sent_away')
  await bench.do(PERSON, 'entity.show', {})
  t.true(bench.state().shown)
})

test('quiet for an hour is an hour, whatever agents ask, and survives the daemon', async (t) => {
  const bench = await new Bench().start()
  const heard = bench.listen('a')
  await bench.click()
  bench.companion.happened({ kind: 'picked', item: 1 })
  await bench.rest()
  t.like(heard.at(-1), { event: 'entity.pick', data: { id: 'own:quiet' } })
  t.like(bench.state(), { shown: false, hidden_because: 'quiet', quiet_ms: 3_600_000 })
  await bench.do(agent('a'), 'entity.show', {})
  t.false(bench.state().shown)
  const again = new Bench(bench.kept.at(-1))
  again.wallAt = bench.wallAt + 600_000
  await again.start()
  t.like(again.state(), { hidden_because: 'quiet', quiet_ms: 3_000_000 })
  await bench.later(3_600_000)
  t.true(bench.state().shown)
  t.is(bench.state().quiet_ms, undefined)
  t.is(bench.kept.at(-1)?.quiet_until, null)
})

test('do-not-disturb hours come and go by themselves, over midnight too', async (t) => {
  const bench = await new Bench().start()
  bench.minuteAt = 21 * 60 + 30
  await bench.companion.set({ hours: '22:00-07:00' })
  t.true(bench.state().shown)
  await bench.later(31 * 60_000)
  t.like(bench.state(), { shown: false, hidden_because: 'hours' })
  t.false(bench.watchesWindows)
  await bench.later(9 * 3_600_000)
  t.true(bench.state().shown)
  await bench.later(15 * 3_600_000)
  t.is(bench.state().hidden_because, 'hours')
  bench.companion.happened({ kind: 'summoned', display: 1, at: [300, 400] })
  await bench.rest()
  t.true(bench.state().shown, 'the person calls: it comes')
  await bench.key('escape')
  await bench.later(SLEEP_MS)
  t.is(bench.state().hidden_because, 'hours', 'and once nobody wants it any more it is gone again')
  await bench.companion.set({ hours: 'none' })
  await bench.rest()
  t.true(bench.state().shown)
})

test('J2: it hides over a full-screen window and comes back; a maximised one is no matter', async (t) => {
  const bench = await new Bench().start()
  const whole = [0, 0, 1440, 900] as const
  await bench.relist([fakeWindow(1, 'Editor', whole)])
  t.true(bench.state().shown, 'maximised')
  const film = fakeWindow(2, 'Film', whole, { fullScreen: true })
  await bench.relist([fakeWindow(1, 'Editor', whole), film])
  t.is(bench.scene, null)
  t.like(bench.state(), { on: true, shown: false, hidden_because: 'full_screen' })
  t.true(bench.watchesWindows, 'or nobody would know when it is over')
  await bench.relist([film, fakeWindow(1, 'Editor', whole)])
  t.true(bench.state().shown, 'another window is in front of it')
  await bench.relist([fakeWindow(1, 'Editor', whole), film])
  await bench.relist([fakeWindow(1, 'Editor', whole)])
  t.truthy(bench.scene)
  t.is(bench.clock.waiting, 1, 'only its sleep')
})

test('J2: a full-screen window of another display is no matter', async (t) => {
  const bench = new Bench()
  bench.displays = [display(1), display(2)]
  await bench.start()
  await bench.relist([
    fakeWindow(1, 'Film', [0, 0, 1440, 900], { rects: new Map([[2, [0, 0, 1440, 900]]]), fullScreen: true }),
  ])
  t.true(bench.state().shown)
})

test('turned on during a film it is not seen for a moment', async (t) => {
  const bench = await new Bench({}).start()
  bench.windows = [fakeWindow(1, 'Film', [0, 0, 1440, 900], { fullScreen: true })]
  await bench.companion.set({ on: true })
  await bench.rest()
  t.deepEqual(bench.surface.scenes, [])
  t.like(bench.state(), { on: true, shown: false, hidden_because: 'full_screen' })
})

test('over a muted application it is not shown, whatever the case of its name', async (t) => {
  const bench = await new Bench().start()
  await bench.relist([fakeWindow(1, 'Slack', [900, 300, 540, 600])])
  await bench.companion.set({ mute: 'slack' })
  t.like(bench.state(), { shown: false, hidden_because: 'muted_app', muted_apps: ['slack'] })
  await bench.relist([fakeWindow(1, 'Slack', [0, 0, 500, 300])])
  t.true(bench.state().shown)
  await bench.relist([fakeWindow(1, 'Slack', [900, 300, 540, 600])])
  await bench.companion.set({ unmute: 'SLACK' })
  t.like(bench.state(), { shown: true, muted_apps: [] })
})

test('its key is said to be its own once the server said so, and not before', async (t) => {
  const bench = new Bench()
  let answer = () => {}
  bench.surface.keyGate = new Promise((resolve) => {
    answer = resolve
  })
  await bench.start()
  t.true(bench.surface.keyTaken, 'it was asked for')
  t.is(bench.state().summon_key, undefined)
  answer()
  await bench.rest()
  t.deepEqual(bench.state().summon_key, ['Summon'])
  const refused = new Bench()
  refused.surface.keyFree = false
  await refused.start()
  t.is(refused.state().summon_key, undefined)
  const turned = await new Bench({}).start()
  turned.surface.keyGate = new Promise((resolve) => {
    answer = resolve
  })
  let isSet = false
  const set = turned.companion.set({ on: true }).then(() => {
    isSet = true
  })
  await turned.rest()
  t.false(isSet, 'who turns it on hears of its key')
  answer()
  await set
  t.deepEqual(turned.state().summon_key, ['Summon'])
})

test('a pause takes it off, and its key with it', async (t) => {
  const bench = await new Bench().start()
  bench.paused = true
  bench.companion.worldChanged('pause')
  await bench.rest()
  t.is(bench.scene, null)
  t.false(bench.surface.keyTaken)
  t.is(bench.state().hidden_because, 'paused')
  bench.companion.happened({ kind: 'summoned', display: 1, at: [3, 4] })
  t.false(bench.state().shown)
  bench.paused = false
  bench.companion.worldChanged('pause')
  await bench.rest()
  t.true(bench.state().shown)
})

test('what a client hid is back with any client, or when its session is over', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.hide', {})
  t.is(bench.state().hidden_because, 'hidden')
  await bench.do(agent('b'), 'entity.show', {})
  t.true(bench.state().shown)
  await bench.do(agent('a'), 'entity.hide', {})
  bench.companion.sessionEnded('a', 100)
  await bench.later(100)
  t.true(bench.state().shown)
})

test('a host that starts again is shown it again; while it is away nobody is told that it is shown', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.mood', { mood: 'happy' })
  await bench.click()
  bench.companion.hostExited()
  await bench.rest()
  t.like(bench.state(), { shown: false, hidden_because: 'no_surface' })
  const before = bench.surface.scenes.length
  bench.surface.watching = false
  bench.surface.keyTaken = false
  bench.companion.hostStarted()
  await bench.rest()
  t.is(bench.surface.scenes.length, before + 1)
  t.like(bench.scene, { mood: 'happy', menu: null })
  t.true(bench.surface.watching && bench.surface.keyTaken)
})

test('acks are honest about what a person sees', async (t) => {
  const bench = await new Bench().start()
  const painted = async () => {
    const outcome = bench.companion.command(
      { command: 'entity.say', data: { text: String(Math.random()) } },
      agent('a'),
    )
    await bench.rest()
    return (await outcome).painted()
  }
  t.true(await painted())
  bench.surface.visible = false
  t.false(await painted())
  bench.surface.visible = true
  bench.surface.fault = 'no room'
  t.false(await painted())
  t.like(bench.state(), { shown: false, hidden_because: 'no_surface' })
  bench.surface.fault = null
  t.true(await painted(), 'tried again with the next command')
  t.true(bench.state().shown)
})

test('what marks leave no place for nobody reads: the ack and the state say so, and of nothing else', async (t) => {
  const bench = await new Bench().start()
  const asked = async (command: Parameters<typeof bench.companion.command>[0]) => {
    const outcome = bench.companion.command(command, agent('a'))
    await bench.rest()
    return (await outcome).painted()
  }
  bench.surface.isCrowded = true
  t.false(await asked({ command: 'entity.say', data: { text: 'Here' } }))
  const mine = () => bench.companion.state(agent('a'))
  t.like(mine(), { shown: true, says: 'Here', crowded: true })
  t.is(bench.companion.state(agent('b')).crowded, undefined, 'what others say is not told to it, nor how')
  t.true(await asked({ command: 'entity.mood', data: { mood: 'happy' } }), 'its face is seen')
  bench.surface.isCrowded = false
  t.is(mine().crowded, undefined)
  t.true(await asked({ command: 'entity.say', data: { text: 'Here now' } }))
})

test('its persona is kept, and what of it is no trait is said', async (t) => {
  const bench = await new Bench().start()
  const ignored = await bench.do(agent('a'), 'entity.persona', {
    name: ' Pip\u202e\n',
    traits: { speed: 2, color: '#7c4dff', distance: 'far', hat: true },
  })
  t.is(ignored.length, 2)
  t.like(bench.scene, { look: { name: 'Pip', pace: 2, color: '#7c4dff' } })
  t.deepEqual(bench.kept.at(-1)?.persona, { name: 'Pip', traits: { pace: 2, color: '#7c4dff' } })
  await bench.do(agent('a'), 'entity.persona', { name: 'Pip', traits: { pace: 9, color: 'mauve' } })
  t.like(bench.scene, { look: { pace: 2, color: '#7c4dff' } }, 'what is not right changes nothing')
})

test('it asks nobody when there is nobody: its own answer says so', async (t) => {
  const bench = await new Bench().start()
  await bench.click()
  bench.companion.happened({ kind: 'picked', item: 0 })
  await bench.rest()
  t.regex(bench.scene?.bubble?.text ?? '', /No agent is listening/)
  const heard = bench.listen('a')
  await bench.click()
  bench.companion.happened({ kind: 'picked', item: 0 })
  await bench.rest()
  t.like(heard.at(-1), { event: 'entity.pick', data: { id: 'own:what', label: 'What can you do here?' } })
})

test('a clean screen closes its bubble and its menu', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.say', { text: 'Look' })
  bench.companion.cleared()
  await bench.rest()
  t.like(bench.scene, { bubble: null, menu: null })
})
