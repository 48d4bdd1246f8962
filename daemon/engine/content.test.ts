import test from 'ava'
import { Bench, fakeWindow } from './testing.js'

/** A mark at 100,100 on a window at 40,50, and what the host was asked to follow. */
async function onWindow() {
  const bench = new Bench()
  bench.host.desk = [fakeWindow(7, 'Editor', [40, 50, 600, 400])]
  const client = bench.client().start()
  const id = client.point()
  await bench.rest()
  return { bench, client, id, host: bench.host }
}

test('what a mark is on is followed from its window, and no more once it is gone', async (t) => {
  const { host, client, id } = await onWindow()
  t.deepEqual(host.followed.get(id), { window: 7, display: 1, rect: [60, 50, 0, 0] })
  client.send({ type: 'clear', annotation_id: id })
  t.is(host.followed.size, 0)
})

test('a highlight is about what it encloses, an arrow about what its head is at', async (t) => {
  const { host, client, bench } = await onWindow()
  const highlight = client.send({ type: 'highlight', rect: [60, 70, 80, 20], display_id: 1 }).annotation_id
  const arrow = client.send({ type: 'arrow', from: [50, 60], to: [140, 150], display_id: 1 }).annotation_id
  await bench.rest()
  t.deepEqual(host.followed.get(highlight as string)?.rect, [20, 20, 80, 20])
  t.deepEqual(host.followed.get(arrow as string)?.rect, [100, 100, 0, 0])
})

test('a mark moves by exactly what its content moved, at once and without a message', async (t) => {
  const { bench, client, id, host } = await onWindow()
  bench.engine.contentChanged({ moved: [{ id, by: [0, -30.5] }], lost: [] })
  await bench.rest()
  t.like(host.shown.get(id), { at: [100, 69.5] })
  t.deepEqual(host.changes.at(-1)?.jump, [id])
  t.deepEqual(client.pushes, [])
  t.deepEqual(client.send({ type: 'status' }).marks?.[0]?.rect, [100, 69.5, 0, 0])
})

test('what is lost is invalidated once, also when it is told twice', async (t) => {
  const { bench, client, id, host } = await onWindow()
  bench.engine.contentChanged({ moved: [], lost: [id] })
  bench.engine.contentChanged({ moved: [{ id, by: [0, 5] }], lost: [id] })
  await bench.rest()
  t.deepEqual(
    client.pushes.map(({ annotation_id, reason }) => [annotation_id, reason]),
    [[id, 'scroll']],
  )
  t.false(host.shown.has(id))
})

test('nothing is told of a mark that was cleared while it was measured', async (t) => {
  const { bench, client, id, host } = await onWindow()
  client.send({ type: 'clear', annotation_id: id })
  bench.engine.contentChanged({ moved: [{ id, by: [0, 5] }], lost: [id] })
  await bench.rest()
  t.deepEqual(client.pushes, [])
  t.false(host.shown.has(id))
})

test('content that leaves its window or the display, or goes below another window, takes its mark along', async (t) => {
  for (const by of [
    [0, -80],
    [0, -120],
    [1000, 0],
    [150, 200],
  ] as const) {
    const { bench, client, id, host } = await onWindow()
    await bench.relist([...host.desk, fakeWindow(8, 'Other', [200, 250, 300, 300])])
    bench.engine.contentChanged({ moved: [{ id, by }], lost: [] })
    await bench.rest()
    t.deepEqual(
      client.pushes.map(({ reason }) => reason),
      ['scroll'],
      String(by),
    )
  }
})

test('a window that moves while content moves: both are followed', async (t) => {
  const { bench, id, host } = await onWindow()
  bench.engine.contentChanged({ moved: [{ id, by: [0, -10] }], lost: [] })
  await bench.moveWindow(7, [140, 150, 600, 400])
  bench.engine.contentChanged({ moved: [{ id, by: [0, -10] }], lost: [] })
  await bench.rest()
  t.like(host.shown.get(id), { at: [200, 180] })
})

test('a window of another size is looked at; its marks stay unless what they are on does not', async (t) => {
  const { bench, client, id, host } = await onWindow()
  await bench.moveWindow(7, [40, 50, 700, 450])
  t.deepEqual(host.rechecked, [7])
  t.true(host.shown.has(id))
  t.deepEqual(client.pushes, [])
})

test('a mark that its client moves is on what is there from then on', async (t) => {
  const { bench, client, id, host } = await onWindow()
  client.send({ type: 'move', annotation_id: id, to: [300, 300] })
  await bench.rest()
  t.deepEqual(host.followed.get(id)?.rect, [260, 250, 0, 0])
  client.send({ type: 'move', annotation_id: id, to: [1000, 600] })
  await bench.rest()
  t.false(host.followed.has(id), 'on the desktop there is nothing to follow')
})

test('an instruction to the person is about the screen, and nothing is followed for it', async (t) => {
  const { bench, client, host } = await onWindow()
  client.send({ type: 'textbox', rect: [60, 70, 80, 20], text: 'go on', style: 'guide', display_id: 1 })
  await bench.rest()
  t.is(host.followed.size, 1)
})

test('a display of another scale takes the marks on its windows away: where they are now is not known', async (t) => {
  const { bench, client, id } = await onWindow()
  const [display] = bench.host.layout
  bench.engine.displaysChanged([{ ...display!, scale: 1 }])
  await bench.rest()
  t.deepEqual(
    client.pushes.map(({ annotation_id, reason }) => [annotation_id, reason]),
    [[id, 'display_change']],
  )
})
