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
  profile.clicked(124_000, 0)
  t.like(profile.take(125_000, true), { sessionMs: 125_000 })
  t.is(profile.take(125_000, true), null, 'nothing has been since')
})

test('it tells how fast, how often, how long and where on the whole', (t) => {
  const profile = new Profile(0)
  for (let step = 0; step <= 100; step++) profile.moved([step * 5, 0], 1000 + step * 10, 4)
  profile.clicked(2500, 4)
  profile.clicked(2600, 4)
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

test('whoever clicks is there, also where a program put the pointer and no move was heard of', (t) => {
  const profile = new Profile(0)
  // Each after the pointer was put somewhere: of that nothing is told.
  for (let click = 1; click <= 30; click++) profile.clicked(click * 2000, click % 9)
  const told = profile.take(60_000)!
  t.is(told.clickRate, 30)
  t.is(told.idleMs, 0, 'nobody was away who clicked every two seconds')
  t.is(told.pace, 0, 'and nothing moved that anybody saw')
  profile.clicked(70_000, 0)
  const later = profile.take(120_000)!
  t.is(later.clickRate, 1)
  t.is(later.idleMs, 5000 + 45_000, 'until the click, and again after it')
})

test('a pointer that a program puts elsewhere while a hand moves it makes the hand no faster', (t) => {
  const profile = new Profile(0)
  for (let step = 0; step <= 100; step++) {
    profile.moved([step * 5, 0], 1000 + step * 20, 4)
    // Back to the middle, as games do.
    if (step % 10 === 9) profile.moved([100_000 + step, 0], 1000 + step * 20 + 8, 4)
  }
  const { pace } = profile.take(60_000)!
  t.true((pace as number) > 200 && (pace as number) < 300, `${pace} points a second`)
})

test('who moves or clicks within five seconds again and again is never idle, whatever comes when', (t) => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          after: fc.integer({ min: 1, max: 4999 }),
          clicks: fc.boolean(),
          jumps: fc.boolean(),
          told: fc.boolean(),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      (acts) => {
        const profile = new Profile(0)
        let now = 0
        let [clicks, counted] = [0, 0]
        let last = 0
        const check = (told: Readonly<Record<string, unknown>> | null) => {
          if (!told) return
          counted += Math.round(((told.clickRate as number) / 60_000) * (now - last))
          last = now
          if (told.idleMs !== 0) throw new Error(`idle for ${told.idleMs} ms`)
          if ((told.pace as number) > 15_000) throw new Error(`${told.pace} points a second`)
          const shares = told.regions as number[]
          if (shares.some((share) => share < 0 || share > 1)) throw new Error(String(shares))
        }
        for (const { after, clicks: isClick, jumps, told } of acts) {
          now += after
          const at = [jumps ? 9000 : now % 100, 3] as const
          if (isClick) {
            profile.clicked(now, now % 9)
            clicks++
          } else profile.moved(at, now, now % 9)
          if (told) check(profile.take(now))
        }
        check(profile.take(now, true))
        return Math.abs(counted - clicks) <= acts.length
      },
    ),
  )
  t.pass()
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
