import test from 'ava'
import { Bench, fakeWindow as win } from './testing.js'

const TERM = win(7, 'XTerm', [100, 100, 400, 300])

async function onTerm(more: Record<string, unknown> = {}, seesContent = true) {
  const bench = new Bench(undefined, seesContent)
  bench.host.desk = [TERM]
  const client = bench.client().start()
  const id = client.point({ x: 200, y: 200, ...more })
  await bench.rest()
  return { bench, client, id }
}

const reasons = (pushes: readonly { reason: string }[]) => pushes.map(({ reason }) => reason)

test('a mark moves by exactly what its window moved, at once, and its owner is told nothing', async (t) => {
  const { bench, client, id } = await onTerm()
  bench.host.changes.length = 0
  await bench.moveWindow(7, [130, 85, 400, 300])
  t.like(bench.host.shown.get(id), { at: [230, 185] })
  t.deepEqual(bench.host.changes.at(-1)?.jump, [id])
  t.deepEqual(client.send({ type: 'status' }).marks?.[0]?.rect, [230, 185, 0, 0])
  t.deepEqual(client.pushes, [])
})

test('moves add up, and a mark beside the window stays', async (t) => {
  const { bench, client, id } = await onTerm()
  const beside = client.point({ x: 900, y: 500 })
  await bench.rest()
  for (const x of [110, 150, 90]) await bench.moveWindow(7, [x, 100, 400, 300])
  t.like(bench.host.shown.get(id), { at: [190, 200] })
  t.like(bench.host.shown.get(beside), { at: [900, 500] })
})

test('closed, minimised, on another workspace: the mark is invalidated once, as scroll', async (t) => {
  for (const desk of [[], [{ ...TERM, visible: false }]]) {
    const { bench, client } = await onTerm()
    await bench.relist(desk)
    await bench.relist([])
    t.deepEqual(reasons(client.pushes), ['scroll'])
    t.is(bench.host.shown.size, 0)
  }
})

test('covered at its place it is invalidated; covered elsewhere, or by a menu, it stays', async (t) => {
  const { bench, client } = await onTerm()
  await bench.relist([TERM, win(8, 'Editor', [300, 300, 300, 300])])
  await bench.relist([TERM, win(9, 'menu', [150, 150, 200, 200], { transient: true })])
  t.deepEqual(client.pushes, [])
  await bench.relist([TERM, win(8, 'Editor', [150, 150, 300, 300])])
  t.deepEqual(reasons(client.pushes), ['scroll'])
})

test('a window that is moved over a mark covers it', async (t) => {
  const bench = new Bench()
  bench.host.desk = [TERM, win(8, 'Editor', [600, 100, 300, 300])]
  const client = bench.client().start()
  client.point({ x: 200, y: 200 })
  await bench.rest()
  await bench.moveWindow(8, [150, 150, 300, 300])
  t.deepEqual(reasons(client.pushes), ['scroll'])
})

test('raised above another window, its own keeps the mark', async (t) => {
  const bench = new Bench()
  const editor = win(8, 'Editor', [150, 150, 300, 300])
  bench.host.desk = [editor, TERM]
  const client = bench.client().start()
  client.point({ x: 200, y: 200 })
  await bench.rest()
  await bench.relist([win(3, 'Panel', [0, 0, 1440, 30]), editor, TERM])
  t.deepEqual(client.pushes, [])
})

test('where content is not seen, a window of another size has laid it out anew: invalidated', async (t) => {
  const { bench, client } = await onTerm({}, false)
  await bench.moveWindow(7, [100, 100, 500, 300])
  t.deepEqual(reasons(client.pushes), ['scroll'])
})

test('a mark that its window took off the display is invalidated', async (t) => {
  const { bench, client } = await onTerm()
  await bench.moveWindow(7, [-500, 100, 400, 300])
  t.deepEqual(reasons(client.pushes), ['scroll'])
})

test('a guide is about the screen: no window takes it along or away', async (t) => {
  const bench = new Bench()
  bench.host.desk = [TERM]
  const client = bench.client().start()
  client.send({ type: 'textbox', style: 'guide', text: 'go', rect: [150, 150, 100, 40], display_id: 1 })
  await bench.rest()
  await bench.relist([])
  t.deepEqual(client.pushes, [])
})

test('a note that says it is about the screen: no window takes it along or away either', async (t) => {
  const bench = new Bench()
  bench.host.desk = [TERM]
  const client = bench.client().start()
  const rect = [150, 150, 100, 40]
  client.send({ type: 'textbox', about: 'screen', text: 'building', rect, display_id: 1 })
  await bench.rest()
  await bench.moveWindow(7, [300, 300, 400, 300])
  await bench.relist([])
  t.deepEqual(client.pushes, [])
  t.like(client.send({ type: 'status' }).marks, [{ rect }])
})

test('a mark on the bare desktop goes when a window opens over it', async (t) => {
  const { bench, client } = await onTerm({ x: 1000, y: 700 })
  await bench.relist([TERM, win(8, 'Editor', [900, 600, 300, 200])])
  t.deepEqual(reasons(client.pushes), ['scroll'])
})

test('windows are watched while there are marks, and only then', async (t) => {
  const { bench, client } = await onTerm()
  t.true(bench.host.watching)
  client.send({ type: 'clear', all: true })
  await bench.rest()
  t.false(bench.host.watching)
  const { readings } = bench.host
  await bench.relist([])
  t.is(bench.host.readings, readings, 'nothing is read for nobody')
})

test('a mark that its owner moved belongs to the window at its new place', async (t) => {
  const { bench, client, id } = await onTerm()
  client.send({ type: 'move', annotation_id: id, to: [900, 500] })
  await bench.rest()
  await bench.moveWindow(7, [0, 0, 400, 300])
  t.like(bench.host.shown.get(id), { at: [900, 500] })
  t.deepEqual(client.pushes, [])
})

test('window: coordinates and named positions are relative to it, and the mark belongs to it', async (t) => {
  const bench = new Bench()
  bench.host.desk = [TERM]
  const client = bench.client().start()
  const ack = await client.sendAsync({ type: 'point', x: 10, y: 20, window: 'xterm' })
  t.is(ack.display?.id, 1)
  await bench.rest()
  t.like(bench.host.shown.get(ack.annotation_id as string), { at: [110, 120] })
  const centre = await client.sendAsync({ type: 'point', at: 'center', window: 'XTerm 7' })
  await bench.rest()
  t.like(bench.host.shown.get(centre.annotation_id as string), { at: [300, 250] })
  await t.throwsAsync(client.sendAsync({ type: 'point', x: 500, y: 20, window: 'XTerm' }), {
    message: /is off the window of XTerm, which is 400x300 logical points/,
  })
})

test('a name that fits no window, several, or a hidden one is refused, and nothing is drawn', async (t) => {
  const bench = new Bench()
  bench.host.desk = [
    TERM,
    win(8, 'XTerm', [0, 0, 50, 50]),
    win(9, 'Mail', [0, 0, 50, 50], { visible: false }),
  ]
  const client = bench.client().start()
  const point = (window: string) => client.sendAsync({ type: 'point', x: 1, y: 1, window })
  t.like(await t.throwsAsync(point('Nope')), { code: 'not_found' })
  const ambiguous = await t.throwsAsync(point('XTerm'))
  t.like(ambiguous, { code: 'ambiguous' })
  t.like(await t.throwsAsync(point('Mail')), { code: 'unavailable' })
  t.is(bench.host.shown.size, 0)
})

test('apps lists what is seen, bottom to top, and no titles without consent', async (t) => {
  const bench = new Bench()
  bench.host.desk = [TERM, win(8, 'menu', [0, 0, 5, 5], { transient: true }), win(9, 'Mail', [0, 0, 50, 50])]
  const { apps } = await bench.client().sendAsync({ type: 'apps' })
  t.deepEqual(apps, [
    { id: 7, app: 'XTerm', display_id: 1, rect: [100, 100, 400, 300], stacking: 0 },
    { id: 9, app: 'Mail', display_id: 1, rect: [0, 0, 50, 50], stacking: 1 },
  ])
})

test('focus brings forward the one window that fits', async (t) => {
  const bench = new Bench()
  bench.host.desk = [TERM]
  const ack = await bench.client().sendAsync({ type: 'focus', app: 'xterm' })
  t.deepEqual(ack.activated, { app: 'XTerm' })
  t.is(bench.host.activated, 7)
})

test('await_window answers when the window appears, when its time is over, and when it is there already', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  const waiting = client.sendAsync({ type: 'await_window', app: 'Mail', timeout_ms: 1000 })
  await bench.rest()
  t.true(bench.host.watching)
  await bench.relist([win(9, 'Mail', [0, 0, 50, 50])])
  t.is((await waiting).appeared, true)
  t.is((await client.sendAsync({ type: 'await_window', app: 'Mail' })).appeared, true)
  const vain = client.sendAsync({ type: 'await_window', app: 'Nope', timeout_ms: 1000 })
  await bench.rest()
  bench.clock.advance(1000)
  t.is((await vain).appeared, false)
  await bench.rest()
  t.false(bench.host.watching)
  t.is(bench.clock.waiting, 0)
})

test('a client that hangs up while it waits for a window leaves nothing running', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  const waiting = client.sendAsync({ type: 'await_window', app: 'Nope', timeout_ms: 1000 })
  await bench.rest()
  client.connection.close()
  t.is((await waiting).appeared, false)
  await bench.rest()
  t.false(bench.host.watching)
})

test('a mark that its window leads out of the range of coordinates is invalidated, and nothing breaks', async (t) => {
  const bench = new Bench()
  bench.host.desk = [win(7, 'XTerm', [0, 0, 400, 300])]
  const client = bench.client().start()
  client.send({ type: 'arrow', display_id: 1, from: [-999_999, 10], to: [0.5, 10], bow: 0 })
  await bench.rest()
  await bench.moveWindow(7, [-20, 0, 400, 300])
  t.deepEqual(reasons(client.pushes), ['scroll'])
})

test('drawn relative to a window that is covered there, it is refused; where it is seen, it is that window’s', async (t) => {
  const bench = new Bench()
  bench.host.desk = [TERM, win(8, 'Editor', [100, 100, 50, 50])]
  const client = bench.client().start()
  const point = (x: number) => client.sendAsync({ type: 'point', x, y: 10, window: 'XTerm' })
  t.like(await t.throwsAsync(point(10)), { code: 'unavailable' })
  const { annotation_id } = await point(200)
  await bench.rest()
  await bench.moveWindow(7, [110, 100, 400, 300])
  t.like(bench.host.shown.get(annotation_id as string), { at: [310, 110] })
})

test('of windows that fit a name, the one a person sees is meant', async (t) => {
  const bench = new Bench()
  bench.host.desk = [win(6, 'XTerm', [0, 0, 50, 50], { visible: false }), TERM]
  const ack = await bench.client().start().sendAsync({ type: 'point', x: 5, y: 5, window: 'XTerm' })
  t.is(ack.display?.id, 1)
})

test('a display that goes away while a window is waited for is an error, not a no', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  const waiting = client.sendAsync({ type: 'await_window', app: 'Mail', timeout_ms: 1000 })
  await bench.rest()
  bench.engine.hostExited('gone')
  t.like(await t.throwsAsync(waiting), { code: 'unavailable' })
  await bench.rest()
  t.is(bench.clock.waiting, 0)
})

test('a list that is older than a move does not undo it', async (t) => {
  const bench = new Bench()
  bench.host.desk = [TERM]
  const client = bench.client().start()
  const id = client.point({ x: 200, y: 200 })
  await bench.rest()
  let answer = () => {}
  const stale = [...bench.host.desk]
  const { windows } = bench.host
  const list = windows.list
  windows.list = () =>
    new Promise((resolve) => {
      answer = () => {
        windows.list = list
        resolve(stale)
      }
    })
  bench.engine.windowsChanged({ moved: [], relisted: true })
  await bench.moveWindow(7, [150, 100, 400, 300])
  answer()
  await bench.rest()
  t.like(bench.host.shown.get(id), { at: [250, 200] })
})
