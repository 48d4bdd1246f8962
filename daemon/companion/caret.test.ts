import test from 'ava'
import { FIGURE } from '../../overlay/companion/index.js'
import { intersects, type Rect } from '../../protocol/overlay/geometry.js'
import { SLEEP_MS } from './companion.js'
import { bodyAt } from './places.js'
import { agent, Bench, display, fakeWindow } from './testing.js'

/** A companion in the middle of the display. */
async function inTheMiddle(): Promise<Bench> {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.move', { x: 700, y: 450 })
  return bench
}

const CARET: Rect = [700, 450, 1, 18]

function covers(bench: Bench, rect: Rect): boolean {
  const at = bench.scene?.place.at
  return at !== undefined && intersects(bodyAt(at), rect)
}

test('where one types is watched only while it is shown and awake', async (t) => {
  const bench = await new Bench({}).start()
  t.is(bench.carets.watcher, null)
  await bench.companion.set({ on: true })
  await bench.rest()
  t.truthy(bench.carets.watcher)
  await bench.relist([fakeWindow(1, 'Film', [0, 0, 1440, 900], { fullScreen: true })])
  t.is(bench.carets.watcher, null, 'hidden')
  await bench.relist([])
  t.truthy(bench.carets.watcher)
  await bench.later(SLEEP_MS)
  t.true(bench.scene?.asleep)
  t.is(bench.carets.watcher, null, 'asleep')
  await bench.click()
  t.truthy(bench.carets.watcher)
  bench.companion.close()
  t.is(bench.carets.watcher, null, 'the daemon ends')
})

test('a caret that stays under it has it step aside, off the line and what is typed next', async (t) => {
  const bench = await inTheMiddle()
  await bench.caret(CARET)
  await bench.later(500)
  t.deepEqual(bench.scene?.place.at, [700, 450], 'not yet')
  await bench.later(200)
  t.false(covers(bench, CARET))
  const { at } = bench.scene?.place ?? {}
  const scenes = bench.surface.scenes.length
  // A line, and the next ones.
  for (let key = 0; key < 60; key++) {
    await bench.caret([700 + (key % 20) * 9, 450 + Math.floor(key / 20) * 20, 1, 18])
    await bench.later(150)
  }
  t.deepEqual(bench.scene?.place.at, at, 'it does not fidget')
  t.is(bench.surface.scenes.length, scenes)
  t.is(bench.kept.at(-1)?.place?.at[0], 700, 'it is kept where it was put')
})

test('somebody who types on while it is under their caret does not put that off', async (t) => {
  const bench = await inTheMiddle()
  for (let key = 0; key < 8; key++) {
    await bench.caret([680 + key * 2, 450, 1, 18])
    await bench.later(100)
  }
  t.false(covers(bench, [680, 450, 16, 18]))
})

test('who types fast has left it before it moves: what they typed is not covered for that', async (t) => {
  const bench = await inTheMiddle()
  for (let key = 0; key < 20; key++) {
    await bench.caret([640 + key * 12, 450, 1, 18])
    await bench.later(40)
  }
  t.false(covers(bench, [640, 450, 240, 18]))
})

test('a caret that only passes, one of another display and one that has lost the focus move nothing', async (t) => {
  const bench = await inTheMiddle()
  bench.displays = [display(1), display(2)]
  await bench.caret(CARET)
  await bench.later(400)
  await bench.caret([100, 100, 1, 18])
  await bench.later(5000)
  await bench.caret(CARET)
  await bench.later(400)
  await bench.caret(null)
  await bench.later(5000)
  await bench.caret(CARET, 2)
  await bench.later(5000)
  t.deepEqual(bench.scene?.place.at, [700, 450])
})

test('with no room it tries once, and stays', async (t) => {
  const bench = await inTheMiddle()
  bench.displays = [display(1, { logical_size: [FIGURE.width + 40, FIGURE.height + 40] })]
  bench.companion.worldChanged('displays')
  await bench.rest()
  const fired = bench.clock.fired
  const [x = 0, y = 0] = bench.scene?.place.at ?? []
  for (let key = 0; key < 20; key++) {
    await bench.caret([x + (key % 3), y, 1, 18])
    await bench.later(500)
  }
  t.true(bench.clock.fired - fired <= 2, `${bench.clock.fired - fired} timers`)
})

test('while its menu is open it stays, and steps aside when that is closed', async (t) => {
  const bench = await inTheMiddle()
  await bench.click()
  await bench.caret(CARET)
  await bench.later(5000)
  t.deepEqual(bench.scene?.place.at, [700, 450])
  await bench.key('escape')
  await bench.later(1000)
  t.false(covers(bench, CARET))
})

test('it goes off the pointer without going onto the caret, and the other way round', async (t) => {
  const bench = await inTheMiddle()
  const left = 700 - FIGURE.width / 2 - 6
  await bench.caret([700 + FIGURE.width, 450, 1, 18])
  await bench.pointer([left, 450])
  await bench.later(3000)
  t.notDeepEqual(bench.scene?.place.at, [700, 450])
  t.false(covers(bench, [700 + FIGURE.width, 450, 1, 18]))
  const places = new Set<string>()
  const now = bench.scene?.place.at ?? [0, 0]
  await bench.caret([now[0], now[1], 1, 18])
  for (let second = 0; second < 30; second++) {
    await bench.later(1000)
    places.add(String(bench.scene?.place.at))
  }
  t.true(places.size <= 2, [...places].join(' '))
  t.false(covers(bench, [now[0], now[1], 1, 18]))
})

test('one who types keeps it awake, without a timer or a frame for each key', async (t) => {
  const bench = await new Bench().start()
  const scenes = bench.surface.scenes.length
  for (let minute = 0; minute < 10; minute++) {
    await bench.caret([100 + minute, 100, 1, 18])
    await bench.later(60_000)
  }
  t.false(bench.scene?.asleep)
  t.is(bench.surface.scenes.length, scenes)
  t.true(bench.clock.fired <= 4, `${bench.clock.fired} timers`)
})

test('where one types is told to nobody', async (t) => {
  const bench = await inTheMiddle()
  const heard = bench.listen(null, true)
  await bench.caret(CARET)
  await bench.later(120_000)
  bench.companion.close()
  t.deepEqual(
    heard.filter(({ event }) => event !== 'entity.profile'),
    [],
  )
  t.notRegex(JSON.stringify([heard, bench.log]), /caret|450/)
})

test('windows that move have the caret looked at again, while it is watched', async (t) => {
  const bench = await new Bench().start()
  const before = bench.carets.looks
  await bench.relist([fakeWindow(1, 'Editor', [0, 0, 700, 500])])
  t.is(bench.carets.looks, before + 1)
  await bench.companion.set({ on: false })
  bench.companion.worldChanged('windows')
  t.is(bench.carets.looks, before + 1)
})
