import test from 'ava'
import { HOST_CAPABILITIES, lacking } from '../../protocol/overlay/capabilities.js'
import { Bench, FakeHost } from './testing.js'

const LOOKER = { name: 'looker', remote: false, needsFrame: false }

/** A host as on a Wayland desktop: it draws and pictures, and knows no windows and no keys. */
function poor(): Bench {
  const host = new FakeHost(undefined, false)
  Object.assign(host, { windows: undefined, answerKeys: undefined, nextKey: undefined })
  host.facts = () => ({
    screen: 'wayland-1',
    hotkey: 'this desktop has no global shortcuts',
    reduced_motion: false,
    notes: [],
  })
  return new Bench(undefined, false, undefined, host)
}

test('what can be done here is told when a session begins, and by status', (t) => {
  const bench = new Bench()
  const { capabilities } = bench.client().send({ type: 'session_start', client_name: 'test' })
  t.deepEqual(capabilities, [
    'capture',
    'windows',
    'following',
    'content',
    'hotkey',
    'answer_keys',
    'next_key',
  ])
  t.deepEqual(bench.client().send({ type: 'status' }).capabilities, capabilities)
  t.deepEqual(lacking(capabilities), ['companion'])
})

test('a part that the host has not, or says it cannot do, is not told', (t) => {
  const bench = poor()
  t.deepEqual(bench.client().send({ type: 'status' }).capabilities, ['capture'])
  bench.host.facts = () => ({
    hotkey: 'ready',
    capture: 'the compositor does not let this program see the screen',
    reduced_motion: false,
    notes: [],
  })
  t.deepEqual(bench.client().send({ type: 'status' }).capabilities, ['hotkey'])
  t.deepEqual(lacking(undefined), [], 'a daemon that is too old to say')
  t.is(lacking([]).length, Object.keys(HOST_CAPABILITIES).length)
})

test('without windows every request about them is refused as unavailable, and marks stay where they were put', async (t) => {
  const bench = poor()
  const client = bench.client().start()
  const id = client.point()
  for (const body of [
    { type: 'apps' },
    { type: 'focus', app: 'Editor' },
    { type: 'await_window', app: 'Editor' },
    { type: 'point', x: 1, y: 1, window: 'Editor' },
  ]) {
    const error = await t.throwsAsync(client.sendAsync(body))
    t.like(error, { code: 'unavailable', message: 'this host does not know the windows of other programs' })
  }
  await bench.rest()
  t.true(bench.host.shown.has(id))
  t.deepEqual(client.pushes, [])
  t.is(bench.clock.waiting, 0, 'nothing is polled in the place of events')
})

test('without keys await_next is refused at once', async (t) => {
  const bench = poor()
  const error = await t.throwsAsync(bench.client().start().sendAsync({ type: 'await_next' }))
  t.like(error, { code: 'unavailable' })
  t.regex(error?.message ?? '', /takes no keys/)
})

test('without answer keys the question on the screen names the commands, and silence is a no', async (t) => {
  const bench = poor()
  bench.grounding.order = [LOOKER]
  bench.grounding.policy = 'ask'
  const asked = bench.client().start().sendAsync({ type: 'locate', query: 'Save', display_id: 1 })
  await bench.rest()
  t.deepEqual(
    bench.host.prompts.get(1)?.answers.map(({ keys }) => keys),
    [['lets consent yes'], ['lets consent no']],
  )
  bench.clock.advance(30_000)
  const error = await t.throwsAsync(asked)
  t.like(error, { code: 'not_permitted' })
  t.regex(error?.message ?? '', /nobody answered/)
  t.is(bench.host.prompts.size, 0)
})

test('without windows a query is put to resolvers with none, and what they cannot know is said', async (t) => {
  const bench = poor()
  bench.grounding.order = [LOOKER]
  const client = bench.client().start()
  const unsure = await t.throwsAsync(client.sendAsync({ type: 'locate', query: 'Save', display_id: 1 }))
  t.regex(unsure?.message ?? '', /does not know the windows of other programs/)
  t.deepEqual(bench.grounding.asked[0]?.windows, [])
  const named = await t.throwsAsync(
    client.sendAsync({ type: 'locate', query: 'Save', app: 'Editor', display_id: 1 }),
  )
  t.like(named, { code: 'unavailable' })
  t.regex(named?.message ?? '', /app: this host does not know the windows/)
})
