import test from 'ava'
import type { PanelState } from '../../overlay/host.js'
import { Bench } from './testing.js'

function setup() {
  const bench = new Bench()
  const panels: PanelState[] = []
  bench.host.panel = { show: (state) => void panels.push(state) }
  bench.engine.hostStarted(bench.host.layout)
  const labels = () => {
    bench.clock.advance(1000)
    return panels.at(-1)?.items.flatMap((item) => (item.kind === 'separator' ? [] : [item.label])) ?? []
  }
  return { bench, panels, labels }
}

test('the panel says how many marks there are and whose, and a burst is one change', (t) => {
  const { bench, panels, labels } = setup()
  t.is(labels()[0], 'Lets: 0 marks, 0 clients')
  const before = panels.length
  const client = bench.client().start({ client_name: 'agent “one”\u202e' })
  for (let x = 0; x < 20; x++) client.point({ x: 100 + x })
  t.deepEqual(labels().slice(0, 2), ['Lets: 20 marks, 1 client', "agent 'one': 20 marks"])
  t.is(panels.length, before + 1)
})

test('nothing changed, nothing is shown anew', (t) => {
  const { bench, panels, labels } = setup()
  labels()
  const before = panels.length
  const client = bench.client().start({ linger_ms: 0 })
  client.connection.close()
  labels()
  t.is(panels.length, before)
  t.is(bench.clock.waiting, 0)
})

test('a mark that goes by itself, and a client that goes, are seen', (t) => {
  const { bench, labels } = setup()
  const client = bench.client().start({ linger_ms: 0 })
  client.point({ ttl_ms: 5000 })
  t.is(labels()[0], 'Lets: 1 mark, 1 client')
  bench.clock.advance(5000)
  t.is(labels()[0], 'Lets: 0 marks, 1 client')
  client.connection.close()
  t.is(labels()[0], 'Lets: 0 marks, 0 clients')
})

test('the person clears, pauses, resumes and ends the daemon from it', (t) => {
  const { bench, panels, labels } = setup()
  const client = bench.client().start()
  const first = client.point()
  bench.engine.chosen('clear')
  t.like(client.pushes, [{ annotation_id: first, reason: 'cleared' }])
  const second = client.point()
  bench.engine.chosen('pause')
  t.like(client.pushes[1], { annotation_id: second, reason: 'cleared' })
  t.is(labels()[0], 'Lets: drawing is paused')
  t.like(
    panels.at(-1)?.items.find((item) => item.kind === 'action' && item.id === 'pause'),
    { checked: true },
  )
  const refused = t.throws(() => client.point())
  t.like(refused, { code: 'not_permitted' })
  t.throws(() => client.send({ type: 'pause', paused: false }), { message: /lets resume/ })
  bench.engine.chosen('pause')
  t.notThrows(() => client.point())
  t.is(bench.quits, 0)
  bench.engine.chosen('quit')
  t.is(bench.quits, 1)
  t.notThrows(() => bench.engine.chosen('no such thing'))
})

test('the person decides about pictures and about finding things, which is there only where something finds', (t) => {
  const { bench, panels, labels } = setup()
  t.false(labels().some((label) => label.includes('Finding')))
  bench.grounding.order = [{ name: 'ocr', remote: false, needsFrame: true }]
  const checked = () => {
    bench.clock.advance(1000)
    return panels.at(-1)?.items.flatMap((item) => (item.kind === 'action' && item.checked ? [item.id] : []))
  }
  bench.client().start()
  t.deepEqual(checked(), ['pictures_ask', 'queries_allow'], 'as this bench begins')
  t.true(labels().includes('Finding things by name (ocr): never'))
  bench.engine.chosen('queries_never')
  t.deepEqual(checked(), ['pictures_ask', 'queries_never'])
  bench.engine.chosen('queries_ask')
  t.deepEqual(checked(), ['pictures_ask', 'queries_ask'])
  bench.engine.chosen('pictures_never')
  t.deepEqual(checked()?.slice(-1), ['queries_ask'])
})

test('a host that started again is shown everything once more', (t) => {
  const { bench, panels, labels } = setup()
  labels()
  const before = panels.length
  bench.engine.hostExited('gone')
  bench.engine.hostStarted(bench.host.layout)
  labels()
  t.is(panels.length, before + 1)
})

test('while the host is away a paused daemon still refuses, before anything is asked of the host', (t) => {
  const { bench } = setup()
  const client = bench.client().start()
  bench.engine.chosen('pause')
  bench.engine.hostExited('gone')
  t.throws(() => client.point(), { message: /paused/ })
  t.is(bench.revivals, 0)
})
