import test from 'ava'
import type { HostWindow } from '../../overlay/host.js'
import { Bench, display, fakeWindow as win } from './testing.js'

const TERM = win(7, 'XTerm', [100, 100, 400, 300])

/** A display on which there is a window, a mark on that, one beside it, and an instruction to the person. */
async function desk() {
  const bench = new Bench()
  bench.host.desk = [TERM]
  const client = bench.client().start()
  const onWindow = client.point({ x: 200, y: 200 })
  const beside = client.point({ x: 900, y: 500 })
  const guide = client.send({
    type: 'textbox',
    style: 'guide',
    text: 'go',
    rect: [150, 150, 99, 40],
    display_id: 1,
  }).annotation_id as string
  await bench.rest()
  const gone = () => client.pushes.map(({ annotation_id, reason }) => [annotation_id, reason])
  /** The display is another one, and so windows are elsewhere on it, which no window told. */
  const change = async (overrides: Parameters<typeof display>[1], windows: HostWindow[]) => {
    bench.host.desk = windows
    bench.engine.displaysChanged([display(1, overrides)])
    bench.clock.flush()
    await bench.rest()
  }
  return { bench, client, onWindow, beside, guide, gone, change }
}

test('at another scale what is on the screen keeps its place, and what is on a window goes, once', async (t) => {
  const { bench, onWindow, beside, guide, gone, change } = await desk()
  await change({ scale: 1 }, [win(7, 'XTerm', [200, 200, 800, 250])])
  t.deepEqual(gone(), [[onWindow, 'display_change']])
  t.like(bench.host.shown.get(beside), { at: [900, 500] })
  t.true(bench.host.shown.has(guide))
})

test('at another scale a window may be where the bare desktop was: what it covers goes by that change', async (t) => {
  const { onWindow, beside, gone, change } = await desk()
  await change({ scale: 1 }, [win(7, 'XTerm', [200, 200, 800, 600])])
  t.deepEqual(gone(), [
    [onWindow, 'display_change'],
    [beside, 'display_change'],
  ])
})

test('at another scale a mark of which nobody knows yet what it is on goes', (t) => {
  const bench = new Bench()
  bench.host.desk = [TERM]
  const client = bench.client().start()
  const id = client.point({ x: 200, y: 200 })
  bench.engine.displaysChanged([display(1, { scale: 1 })])
  t.deepEqual(
    client.pushes.map(({ annotation_id, reason }) => [annotation_id, reason]),
    [[id, 'display_change']],
  )
})

test('after a change a new mark is on the window that is there now, not on the one of before', async (t) => {
  const { bench, client, gone, change } = await desk()
  await change({ scale: 1 }, [win(7, 'XTerm', [200, 100, 400, 300])])
  const id = client.point({ x: 550, y: 200 })
  await bench.rest()
  await bench.moveWindow(7, [210, 100, 400, 300])
  t.like(bench.host.shown.get(id), { at: [560, 200] })
  t.is(gone().length, 1)
})

test('on a display that is elsewhere, marks stay on their windows, and beside them at their place', async (t) => {
  const { bench, onWindow, beside, gone, change } = await desk()
  await change({ origin: [200, 0] }, [win(7, 'XTerm', [-50, 100, 400, 300])])
  t.like(bench.host.shown.get(onWindow), { at: [50, 200] })
  t.like(bench.host.shown.get(beside), { at: [900, 500] })
  t.deepEqual(gone(), [])
})

test('what its window is off with goes by the change of displays; what windows do later is scroll again', async (t) => {
  const { bench, onWindow, beside, gone, change } = await desk()
  await change({ origin: [500, 0] }, [win(7, 'XTerm', [-400, 100, 400, 300])])
  t.deepEqual(gone(), [[onWindow, 'display_change']])
  await bench.relist([win(8, 'Editor', [800, 400, 400, 300])])
  t.deepEqual(gone().slice(1), [[beside, 'scroll']])
})
