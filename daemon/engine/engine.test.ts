import test from 'ava'
import { Bench, display } from './testing.js'

test('a request before session_start is refused, and says what to send first', (t) => {
  const client = new Bench().client()
  const error = t.throws(() => client.point(), { name: 'WireError' })
  t.is(error.message, 'no session: send session_start first')
  t.is(client.send({ type: 'status' }).mark_count, 0, 'status needs no session')
})

test('a point is shown on its display, acked with that display, and carries the pointer', (t) => {
  const bench = new Bench()
  const ack = bench.client().start().send({ type: 'point', at: 'top-right', display_id: 1, label: 'Save' })
  t.deepEqual(ack.display, { id: 1, scale: 2, logical_size: [1440, 900] })
  const mark = bench.host.shown.get(ack.annotation_id as string)
  t.like(mark, { kind: 'point', at: [1296, 90], label: 'Save', display: 1 })
  t.deepEqual(bench.host.pointer, { display: 1, id: ack.annotation_id })
})

test('a second point moves the one pointer, also to another display; the first mark stays', (t) => {
  const bench = new Bench([display(1), display(2)])
  const client = bench.client().start()
  const first = client.point()
  const second = client.point({ display_id: 2 })
  t.deepEqual(bench.host.pointer, { display: 2, id: second })
  t.true(bench.host.shown.has(first))
  client.send({ type: 'clear', annotation_id: second })
  t.is(bench.host.pointer, null, 'the pointer goes with its mark')
})

test('what one moment changes reaches the host as one change a display', (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  bench.host.changes.length = 0
  for (let index = 0; index < 10; index++) client.raw({ type: 'point', x: index, y: 1, display_id: 1 })
  client.raw({ type: 'clear', all: true })
  client.raw({ type: 'point', x: 50, y: 1, display_id: 1 })
  bench.clock.flush()
  t.is(bench.host.changes.length, 1)
  t.is(bench.host.changes[0]?.put.length, 1)
})

test('a mark lives for its ttl, and its owner alone is told', (t) => {
  const bench = new Bench()
  const owner = bench.client().start()
  const other = bench.client().start()
  const id = owner.point({ ttl_ms: 100 })
  other.point()
  bench.clock.advance(99)
  t.true(bench.host.shown.has(id))
  bench.clock.advance(1)
  t.false(bench.host.shown.has(id))
  t.deepEqual(owner.pushes, [{ v: '0.2', type: 'invalidated', annotation_id: id, reason: 'ttl' }])
  t.deepEqual(other.pushes, [])
})

test('clearing is silent, cancels the ttl, and is only ever of own marks', (t) => {
  const bench = new Bench()
  const owner = bench.client().start()
  const other = bench.client().start()
  const id = owner.point({ ttl_ms: 100 })
  const foreign = t.throws(() => other.send({ type: 'clear', annotation_id: id }))
  const unknown = t.throws(() => other.send({ type: 'clear', annotation_id: 'a_0' }))
  t.is(foreign.message.replace(id, 'ID'), unknown.message.replace('a_0', 'ID'), 'nothing leaks')
  t.is(other.send({ type: 'clear', all: true }).cleared, 0)
  t.is(owner.send({ type: 'clear', annotation_id: id }).cleared, 1)
  bench.clock.advance(1000)
  t.deepEqual(owner.pushes, [])
  t.is(bench.clock.waiting, 0, 'no timer is left')
})

test('the person clears everything: every owner is told once, but not the one who asked', (t) => {
  const bench = new Bench()
  const [owner, asker] = [bench.client().start(), bench.client().start()]
  const id = owner.point()
  asker.point()
  t.is(asker.send({ type: 'clear', all_sessions: true }).cleared, 2)
  t.deepEqual(owner.pushes, [{ v: '0.2', type: 'invalidated', annotation_id: id, reason: 'cleared' }])
  t.deepEqual(asker.pushes, [])
  owner.point()
  t.is(bench.engine.clearForPerson(), 1)
  bench.clock.flush()
  t.is(owner.pushes.length, 2)
  t.is(bench.host.shown.size, 0)
})

test('A4 marks linger after a client is gone, for as long as its session asked, and then go', (t) => {
  const bench = new Bench()
  const client = bench.client().start({ linger_ms: 2000 })
  client.point()
  client.connection.close()
  bench.clock.advance(1999)
  t.is(bench.host.shown.size, 1)
  bench.clock.advance(1)
  t.is(bench.host.shown.size, 0)
  t.deepEqual(client.pushes, [], 'nobody is told: nobody is there')
  t.is(bench.clock.waiting, 0)
})

test('linger 0 takes marks away at once; the default is five seconds', (t) => {
  const bench = new Bench()
  const none = bench.client().start({ linger_ms: 0 })
  none.point()
  none.connection.close()
  bench.clock.advance(0)
  t.is(bench.host.shown.size, 0)
  const usual = bench.client().start()
  usual.point()
  usual.send({ type: 'session_end' })
  bench.clock.advance(4999)
  t.is(bench.host.shown.size, 1)
  bench.clock.advance(1)
  t.is(bench.host.shown.size, 0)
  t.throws(() => usual.point(), { message: /no session/ })
})

test('session_start says where marks are drawn', (t) => {
  const bench = new Bench()
  t.like(bench.client().send({ type: 'session_start', client_name: 'a' }), { host: 'x11', screen: ':7' })
})

test('a second session_start replaces the first, whose marks linger out', (t) => {
  const bench = new Bench()
  const client = bench.client().start({ linger_ms: 10 })
  const id = client.point()
  client.start()
  t.throws(() => client.send({ type: 'clear', annotation_id: id }), { message: /not a mark of this session/ })
  bench.clock.advance(10)
  t.is(bench.host.shown.size, 0)
  t.deepEqual(client.pushes, [])
})

test('a lingering session is resumed by its id, and its marks live on under its new connection', (t) => {
  const bench = new Bench()
  const first = bench.client()
  const { session_id } = first.send({ type: 'session_start', client_name: 'a', linger_ms: 100 })
  const id = first.point()
  first.connection.close()
  const second = bench.client()
  const ack = second.send({ type: 'session_start', client_name: 'a', linger_ms: 50, resume: session_id })
  t.deepEqual([ack.session_id, ack.resumed], [session_id, true])
  bench.clock.advance(1000)
  t.is(bench.host.shown.size, 1)
  t.is(second.send({ type: 'clear', annotation_id: id }).cleared, 1)
})

test('a session that is still in use, over, or unknown is not resumed', (t) => {
  const bench = new Bench()
  const inUse = bench.client()
  const { session_id } = inUse.send({ type: 'session_start', client_name: 'a' })
  inUse.point()
  const thief = bench.client().send({ type: 'session_start', client_name: 'b', resume: session_id })
  t.is(thief.resumed, false)
  t.not(thief.session_id, session_id)
  inUse.connection.close()
  bench.clock.advance(5000)
  t.is(bench.client().send({ type: 'session_start', client_name: 'b', resume: session_id }).resumed, false)
})

test('a lingering session without marks is forgotten at once', (t) => {
  const bench = new Bench()
  const client = bench.client()
  const { session_id } = client.send({ type: 'session_start', client_name: 'a', linger_ms: 600_000 })
  client.point({ ttl_ms: 10 })
  client.connection.close()
  bench.clock.advance(10)
  t.is(bench.clock.waiting, 0, 'not even the linger timer is left')
  t.is(bench.client().send({ type: 'session_start', client_name: 'a', resume: session_id }).resumed, false)
})

test('a removed display takes its marks with it, and their owners are told display_change', (t) => {
  const bench = new Bench([display(1), display(2)])
  const client = bench.client().start()
  const kept = client.point()
  const lost = client.point({ display_id: 2 })
  bench.engine.displaysChanged([display(1)])
  bench.clock.flush()
  t.deepEqual(
    client.pushes.map(({ annotation_id, reason }) => [annotation_id, reason]),
    [[lost, 'display_change']],
  )
  t.true(bench.host.shown.has(kept))
})

test('a display that shrank loses what no longer touches it, and shows the rest again', (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  const near = client.point({ x: 10, y: 10 })
  const far = client.point({ x: 1400, y: 800 })
  bench.host.changes.length = 0
  bench.engine.displaysChanged([display(1, { logical_size: [800, 600] })])
  bench.clock.flush()
  t.deepEqual(
    client.pushes.map(({ annotation_id }) => annotation_id),
    [far],
  )
  t.deepEqual(
    bench.host.changes.flatMap(({ put }) => put.map(({ id }) => id)),
    [near],
  )
})

test('a layout that leaves a display as it was shows nothing again', (t) => {
  const bench = new Bench()
  bench.client().start().point()
  bench.host.changes.length = 0
  bench.engine.displaysChanged([display(1), display(2)])
  bench.clock.flush()
  t.deepEqual(bench.host.changes, [])
})

test('display 1 means the primary when no display has that id any more', (t) => {
  const bench = new Bench([display(1), display(2)])
  const client = bench.client().start()
  bench.engine.displaysChanged([display(2, { primary: true })])
  t.is(client.send({ type: 'point', x: 1, y: 1, display_id: 1 }).display?.id, 2)
})

test('B15 an unknown display id is refused with the ids there are', (t) => {
  const client = new Bench([display(1), display(3)]).client().start()
  const error = t.throws(() => client.point({ display_id: 7 }))
  t.is(error.message, 'display_id 7 is not connected; the displays are 1, 3')
  t.like(error, { code: 'unknown_display' })
})

test('a host that could not show a mark makes it invalid: no ack without a mark, no mark without a word', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  bench.host.fault = 'the region is not empty'
  const id = client.point()
  await new Promise(setImmediate)
  t.deepEqual(
    client.pushes.map(({ annotation_id, reason }) => [annotation_id, reason]),
    [[id, 'display_change']],
  )
  t.is(client.send({ type: 'status' }).mark_count, 0)
})

test('a painted ack waits for the host, and is an error when the host could not', async (t) => {
  const bench = new Bench()
  const client = bench.client().start({ acks: 'painted' })
  let open = () => {}
  bench.host.gate = new Promise((resolve) => {
    open = resolve
  })
  let settled = false
  const first = client.sendAsync({ type: 'point', x: 1, y: 1, display_id: 1 }).finally(() => {
    settled = true
  })
  await new Promise(setImmediate)
  t.false(settled)
  open()
  t.is((await first).painted, true)
  bench.host.fault = 'gone'
  await t.throwsAsync(client.sendAsync({ type: 'point', x: 1, y: 1, display_id: 1 }), { message: 'gone' })
})

test('a mark that nobody sees, or that is gone again, is not called painted', async (t) => {
  const bench = new Bench()
  const client = bench.client().start({ acks: 'painted' })
  const point = { type: 'point', x: 1, y: 1, display_id: 1 }
  bench.host.visible = false
  t.is((await client.sendAsync(point)).painted, false, 'below a screen locker, say')
  bench.host.visible = true
  let open = () => {}
  bench.host.gate = new Promise((resolve) => {
    open = resolve
  })
  const brief = client.sendAsync({ ...point, ttl_ms: 1 })
  bench.clock.advance(1)
  open()
  t.is((await brief).painted, false)
  t.deepEqual(
    client.pushes.map(({ reason }) => reason),
    ['ttl'],
  )
})

test('a mark that is seen is called painted, whatever is hidden on another display in the same moment', async (t) => {
  const bench = new Bench([display(1), display(2)])
  bench.host.hidden = 2
  const client = bench.client().start({ acks: 'painted' })
  const point = (display_id: number) => client.raw({ type: 'point', x: 1, y: 1, display_id })
  const [seen, hidden] = [point(1), point(2)]
  bench.clock.flush()
  t.is((await seen).painted, true)
  t.is((await hidden).painted, false)
})

test('I1 an ack names the graphemes that no font shows; Latin text is never held up for it', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  bench.host.missing = ['漢']
  t.is(
    client.send({ type: 'point', x: 1, y: 1, display_id: 1, label: 'Sauvegarde été' }).missing_glyphs,
    undefined,
  )
  const ack = await client.sendAsync({ type: 'point', x: 1, y: 1, display_id: 1, label: '漢字' })
  t.deepEqual(ack.missing_glyphs, ['漢'])
})

test('a host that went away makes every mark invalid, and drawing an error that says why', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  const id = client.point()
  bench.engine.hostExited('the X server closed the connection')
  t.deepEqual(
    client.pushes.map(({ annotation_id }) => annotation_id),
    [id],
  )
  await t.throwsAsync(client.sendAsync({ type: 'point', x: 1, y: 1, display_id: 1 }), {
    message: 'no X server',
  })
  const { notes } = client.send({ type: 'status' }).host_facts ?? { notes: [] }
  t.deepEqual(notes, ['cannot draw: the X server closed the connection'])
})

test('a host that comes back is asked once, and the request that asked is carried out', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  bench.engine.hostExited('gone')
  bench.onRevive = () => bench.engine.hostStarted(bench.host.layout)
  const { annotation_id } = await client.sendAsync({ type: 'point', x: 1, y: 1, display_id: 1 })
  bench.clock.flush()
  t.true(bench.host.shown.has(annotation_id as string))
  t.is(bench.revivals, 1)
})

test('a mark asked for while the host came back is not drawn for a client that has left', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  bench.engine.hostExited('gone')
  bench.onRevive = () => {
    client.connection.close()
    bench.engine.hostStarted(bench.host.layout)
  }
  await t.throwsAsync(client.sendAsync({ type: 'point', x: 1, y: 1, display_id: 1 }))
  bench.clock.flush()
  t.is(bench.host.shown.size, 0)
})

test('a host that starts anew is told the whole scene once more', (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  const ids = [client.point(), client.point()]
  bench.host.shown.clear()
  bench.engine.hostStarted(bench.host.layout)
  bench.clock.flush()
  t.deepEqual([...bench.host.shown.keys()], ids)
  t.is(bench.host.pointer?.id, ids[1])
})

test('a session holds 256 marks; the next is refused, and room is made by clearing', (t) => {
  const client = new Bench().client().start()
  for (let index = 0; index < 256; index++) client.point()
  t.like(
    t.throws(() => client.point()),
    { code: 'limit' },
  )
  client.send({ type: 'clear', all: true })
  t.notThrows(() => client.point())
})

test('move keeps the id and the time of a mark, and refuses to lead off the display', (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  const id = client.point({ ttl_ms: 100 })
  t.is(client.send({ type: 'move', annotation_id: id, by: [10, -5] }).annotation_id, id)
  t.deepEqual(client.send({ type: 'status' }).marks?.[0]?.rect, [110, 95, 0, 0])
  t.throws(() => client.send({ type: 'move', annotation_id: id, to: [5000, 0] }), {
    message: /stays where it was/,
  })
  t.deepEqual(client.send({ type: 'status' }).marks?.[0]?.rect, [110, 95, 0, 0])
  bench.clock.advance(100)
  t.is(client.pushes.length, 1)
})

test('move places a path by the corner of its bounds, and a box by its origin', (t) => {
  const client = new Bench().client().start()
  const path = client.send({
    type: 'draw',
    display_id: 1,
    path: [
      [100, 200],
      [50, 300],
    ],
  }).annotation_id
  client.send({ type: 'move', annotation_id: path, to: [0, 0] })
  const box = client.send({ type: 'highlight', display_id: 1, rect: [10, 10, 30, 40] }).annotation_id
  client.send({ type: 'move', annotation_id: box, to: [70, 80] })
  t.deepEqual(
    client.send({ type: 'status' }).marks?.map(({ rect }) => rect),
    [
      [0, 0, 50, 100],
      [70, 80, 30, 40],
    ],
  )
})

test('what needs a resolver or a frame that is not there says so, and draws nothing', (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  const refusals: [Record<string, unknown>, string][] = [
    [{ type: 'point', query: 'Save', display_id: 1 }, 'no_resolver'],
    [{ type: 'highlight', query: 'Save', display_id: 1 }, 'no_resolver'],
    [{ type: 'locate', query: 'Save', display_id: 1 }, 'no_resolver'],
    [{ type: 'point', x: 1, y: 1, frame: 'f_1' }, 'stale_frame'],
  ]
  for (const [request, code] of refusals)
    t.like(
      t.throws(() => client.send(request)),
      { code },
      JSON.stringify(request),
    )
  t.is(bench.host.shown.size, 0)
})

test('B6 a mark at a display’s own origin is on that display, wherever the display lies', (t) => {
  const bench = new Bench([display(1), display(2, { origin: [-1920, -164], logical_size: [1920, 1080] })])
  const client = bench.client().start()
  for (const at of [
    [0, 0],
    [5, 5],
  ]) {
    const ack = client.send({ type: 'point', x: at[0], y: at[1], display_id: 2 })
    t.is(ack.display?.id, 2)
    t.like(bench.host.shown.get(ack.annotation_id as string), { display: 2, at })
  }
})

test('a coordinate outside is accepted while the mark still touches the display', (t) => {
  const client = new Bench().client().start()
  t.notThrows(() => client.send({ type: 'highlight', rect: [-50, -50, 60, 60], display_id: 1 }))
  t.notThrows(() =>
    client.send({
      type: 'draw',
      path: [
        [-9, 5],
        [3, 5],
      ],
      display_id: 1,
    }),
  )
  t.notThrows(() => client.point({ x: 1440, y: 900 }))
  const error = t.throws(() => client.send({ type: 'highlight', rect: [1500, 0, 10, 10], display_id: 1 }))
  t.regex(error.message, /1440x900 logical points/)
  t.like(error, { code: 'bad_schema' })
})

test('a path may be so long and no longer, and all paths together ten times that', (t) => {
  const client = new Bench().client().start()
  const zigzag = (count: number) =>
    Array.from({ length: count }, (_, index) => [index % 2 === 0 ? 0 : 1000, 10])
  const draw = (count: number) => client.send({ type: 'draw', display_id: 1, path: zigzag(count) })
  t.like(
    t.throws(() => draw(1002)),
    { code: 'limit' },
  )
  for (let index = 0; index < 10; index++) draw(1001)
  t.like(
    t.throws(() => draw(3)),
    { code: 'limit' },
  )
  client.send({ type: 'clear', all: true })
  t.notThrows(() => draw(1001))
})
