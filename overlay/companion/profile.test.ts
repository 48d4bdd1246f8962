import test from 'ava'
import fc from 'fast-check'
import { Profile, regionOf } from './index.js'

test('it tells nothing before 60 s have passed, then at most every 60 s, and once more on close', (t) => {
  const profile = new Profile(0)
  profile.moved([1, 1], 100, 0)
  t.is(profile.take(59_999), null)
  t.truthy(profile.take(60_000))
  t.is(profile.take(60_001), null)
  t.is(profile.take(119_999), null)
  t.is(profile.take(120_000), null, 'nobody was seen since')
  profile.moved([1, 1], 120_100, 0)
  t.truthy(profile.take(120_200))
  profile.clicked(124_000)
  t.like(profile.take(125_000, true), { sessionMs: 125_000 })
  t.is(profile.take(125_000, true), null, 'nothing has been since')
})

test('it tells how fast, how often, how long and where on the whole', (t) => {
  const profile = new Profile(0)
  for (let step = 0; step <= 100; step++) profile.moved([step * 5, 0], 1000 + step * 10, 4)
  profile.clicked(2500)
  profile.clicked(2600)
  profile.moved([500, 0], 4000, 4)
  profile.moved([505, 0], 4010, 8)
  const told = profile.take(60_000)!
  t.is(told.pace, 500, 'points a second')
  t.is(told.clickRate, 2, 'a minute')
  t.is(told.dwell, 2000, 'ms')
  t.deepEqual(
    (told.regions as number[]).map((share) => Math.round(share * 10) / 10),
    [0, 0, 0, 0, 1, 0, 0, 0, 0],
  )
  t.is(told.idleMs, 60_000 - 4010 - 5000)
  t.is(told.sessionMs, 60_000)
})

test('idle time is no longer than the time there was, over any number of rounds', (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90_000 }), { maxLength: 40 }), (gaps) => {
      const profile = new Profile(0)
      let now = 0
      let idle = 0
      for (const gap of gaps) {
        now += gap
        profile.moved([gap, gap], now, gap % 9)
        idle += profile.take(now)?.idleMs ?? 0
      }
      idle += profile.take(now + 1, true)?.idleMs ?? 0
      return idle >= 0 && idle <= now + 1
    }),
  )
  t.pass()
})

test('no place is in what it tells, and none in what it keeps of more than the last', (t) => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.integer({ min: 100_003, max: 999_983 }), fc.integer({ min: 100_003, max: 999_983 })),
        { minLength: 2, maxLength: 60 },
      ),
      (places) => {
        const profile = new Profile(0)
        for (const [index, at] of places.entries()) profile.moved(at, 1000 + index * 500, index % 9)
        const text = JSON.stringify(profile.take(70_000))
        return places.every(([x, y]) => !text.includes(`${x}`) && !text.includes(`${y}`))
      },
    ),
  )
  const told = new Profile(0)
  told.moved([3, 4], 10, 0)
  t.deepEqual(Object.keys(told.take(60_000)!).sort(), [
    'clickRate',
    'dwell',
    'idleMs',
    'pace',
    'regions',
    'sessionMs',
  ])
})

test('a place is in one ninth of its display, also beyond its edge or where it is none', (t) => {
  t.is(regionOf([0, 0], [900, 600]), 0)
  t.is(regionOf([450, 300], [900, 600]), 4)
  t.is(regionOf([900, 600], [900, 600]), 8)
  t.is(regionOf([-50, 9000], [900, 600]), 6)
  t.is(regionOf([Number.NaN, 0], [900, 600]), 0)
})
