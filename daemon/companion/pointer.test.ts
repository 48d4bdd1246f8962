import test from 'ava'
import { FIGURE } from '../../overlay/companion/index.js'
import type { Point } from '../../protocol/overlay/geometry.js'
import { agent, Bench, fakeWindow } from './testing.js'

/** Shakes the pointer over it. */
async function shake(bench: Bench, [x, y]: Point): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    await bench.pointer([x + (turn % 2 ? 60 : -60), y - 10])
    bench.clock.advance(40)
  }
}

test('the pointer is told of only while it is shown and awake', async (t) => {
  const bench = await new Bench().start()
  t.true(bench.surface.watching)
  await bench.relist([fakeWindow(1, 'Film', [0, 0, 1440, 900], { fullScreen: true })])
  t.false(bench.surface.watching)
  const heard = bench.listen(null, true)
  await bench.pointer([5, 5])
  await bench.later(120_000)
  await bench.pointer([50, 5])
  t.deepEqual(heard, [])
})

test('shaken it is dizzy, of itself, and nobody is told how the pointer moved', async (t) => {
  const bench = await new Bench().start()
  const heard = bench.listen(null, true)
  await shake(bench, bench.scene?.place.at ?? [0, 0])
  t.true(
    bench.surface.scenes.some((scene) => scene?.reaction?.name === 'dizzy'),
    JSON.stringify(bench.surface.scenes.map((scene) => scene?.reaction?.name)),
  )
  t.deepEqual(
    heard.filter(({ event }) => event !== 'entity.secret'),
    [],
  )
})

test('a secret move is told once', async (t) => {
  const bench = await new Bench().start()
  const heard = bench.listen(null)
  const [x, y] = bench.scene?.place.at ?? [0, 0]
  for (let round = 0; round < 2; round++) {
    for (let step = 0; step <= 130; step++) {
      const angle = (step / 36) * 2 * Math.PI
      await bench.pointer([x + Math.cos(angle) * 70, y + Math.sin(angle) * 70])
      bench.clock.advance(25)
    }
    await bench.later(20_000)
  }
  const secrets = heard.filter(({ event }) => event === 'entity.secret')
  t.is(secrets.filter(({ data }) => data.name === 'three-circles').length, 1, JSON.stringify(secrets))
})

test('a profile is told a minute after the last at the soonest, and at the end, and holds no place', async (t) => {
  const bench = await new Bench().start()
  const heard = bench.listen(null)
  const profiles = () => heard.filter(({ event }) => event === 'entity.profile')
  for (let second = 0; second < 150; second++) {
    await bench.pointer([123.456 + second, 321.654])
    await bench.later(1000)
  }
  t.is(profiles().length, 2)
  bench.companion.close()
  t.is(profiles().length, 3)
  t.notRegex(JSON.stringify(profiles()), /123\.4|321\.6/)
  t.like(profiles()[0]?.data, { clickRate: 0 })
  t.is(bench.clock.waiting, 0)
})

test('it moves aside only when the pointer stays beside it, not from one that comes to click it', async (t) => {
  const bench = await new Bench().start()
  const at = bench.scene?.place.at ?? [0, 0]
  const beside: Point = [at[0] - FIGURE.width / 2 - 6, at[1]]
  await bench.pointer(beside)
  await bench.later(300)
  await bench.pointer(at)
  await bench.later(5000)
  t.deepEqual(bench.scene?.place.at, at, 'the person is on it')
  await bench.pointer(beside)
  await bench.later(1000)
  t.deepEqual(bench.scene?.place.at, at, 'not yet')
  await bench.later(1000)
  const now = bench.scene?.place.at ?? [0, 0]
  t.notDeepEqual(now, at)
  t.true(Math.abs(now[0] - beside[0]) > FIGURE.width / 2 || Math.abs(now[1] - beside[1]) > FIGURE.height / 2)
  const scenes = bench.surface.scenes.length
  await bench.later(60_000)
  t.is(bench.surface.scenes.length, scenes, 'and once')
})

test('while its menu is open it stays', async (t) => {
  const bench = await new Bench().start()
  const at = bench.scene?.place.at ?? [0, 0]
  await bench.click()
  await bench.pointer([at[0] - FIGURE.width / 2 - 6, at[1]])
  await bench.later(10_000)
  t.deepEqual(bench.scene?.place.at, at)
})

test('it keeps off marks and questions, and looks at the latest', async (t) => {
  const bench = await new Bench().start()
  await bench.do(agent('a'), 'entity.move', { x: 700, y: 450 })
  bench.occupied = [[650, 400, 120, 100]]
  bench.companion.worldChanged('marks')
  await bench.rest()
  const [x = 0, y = 0] = bench.scene?.place.at ?? []
  const isClear =
    x + FIGURE.width / 2 <= 650 ||
    x - FIGURE.width / 2 >= 770 ||
    y + FIGURE.height / 2 <= 400 ||
    y - FIGURE.height / 2 >= 500
  t.true(isClear, `${x},${y}`)
  t.notDeepEqual(bench.scene?.gaze, [0, 0])
  bench.occupied = [[0, 0, 1440, 900]]
  bench.companion.worldChanged('marks')
  await bench.rest()
  t.deepEqual(bench.scene?.place.at, [x, y], 'what is all over the display is no place to flee from')
})

test('it keeps off marks that were there before it: moved there by an agent, or called there by the person', async (t) => {
  const bench = await new Bench().start()
  const mark = [600, 300, 200, 120] as const
  bench.occupied = [mark]
  const covers = () => {
    const [x, y] = bench.scene?.place.at ?? [0, 0]
    return x + 34 > 600 && x - 34 < 800 && y + 40 > 300 && y - 40 < 420
  }
  await bench.do(agent('a'), 'entity.move', { x: 700, y: 360 })
  t.false(covers(), String(bench.scene?.place.at))
  t.deepEqual(bench.state().at, [...(bench.scene?.place.at ?? [])] as [number, number])
  bench.companion.happened({ kind: 'summoned', display: 1, at: [580, 360] })
  await bench.rest()
  t.truthy(bench.scene?.menu)
  t.false(covers(), String(bench.scene?.place.at))
})
