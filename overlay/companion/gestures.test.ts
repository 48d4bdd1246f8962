import test from 'ava'
import fc from 'fast-check'
import type { Reaction } from '../../protocol/lip/domains.js'
import type { Point } from '../../protocol/overlay/geometry.js'
import { Gestures } from './index.js'

const HOME: Point = [1000, 600]
const FRAME = 1000 / 60

interface Felt {
  readonly reactions: readonly Reaction[]
  readonly secrets: readonly string[]
}

/** Moves along places, one each 60th of a second, around a companion. */
function felt(places: readonly Point[], gestures = new Gestures(), start = 10_000): Felt {
  const reactions: Reaction[] = []
  const secrets: string[] = []
  places.forEach((at, index) => {
    const reaction = gestures.moved(at, start + index * FRAME, HOME)
    if (reaction) reactions.push(reaction)
    const secret = gestures.secret()
    if (secret) secrets.push(secret)
  })
  return { reactions, secrets }
}

const around = (x: number, y: number): Point => [HOME[0] + x, HOME[1] + y]
const frames = (ms: number) => Math.round(ms / FRAME)
const every = (ms: number, at: (share: number) => Point) =>
  Array.from({ length: frames(ms) }, (_, index) => at(index / frames(ms)))
const circle = (turns: number, radius: number, ms: number) =>
  every(ms, (share) =>
    around(Math.cos(share * turns * 2 * Math.PI) * radius, Math.sin(share * turns * 2 * Math.PI) * radius),
  )

test('shaken over it or near it, it is dizzy', (t) => {
  for (const [x, y] of [
    [0, 0],
    [90, 30],
  ] as const) {
    const shaken = every(1200, (share) => around(x + Math.sin(share * 8 * Math.PI) * 60, y))
    t.deepEqual(felt(shaken).reactions, ['dizzy'])
  }
})

test('come upon fast and straight, it is startled; what goes by at that speed is no matter', (t) => {
  const eased = (share: number) => 1 - (1 - share) ** 3
  const upon = every(220, (share) => around(-500 * (1 - eased(share)), 0))
  t.deepEqual(felt([...upon, around(-3, 0), around(-2, 0), around(-2, 1)]).reactions, ['startled'])
  t.deepEqual(felt(every(220, (share) => around(-500 + 1100 * share, 12))).reactions, [])
})

test('hovered for long it looks who is there, once', (t) => {
  const stays = every(6000, (share) => around(10 + Math.sin(share * 9) * 6, 4 + share * 8))
  t.deepEqual(felt(stays).reactions, ['peek'])
})

test('clicked on the nose it feels that; elsewhere it does not', (t) => {
  t.is(new Gestures().clicked(1000, around(1, 10), HOME), 'boop')
  t.is(new Gestures().clicked(1000, around(15, 20), HOME), null)
})

test('its secret moves are found by those who make them', (t) => {
  t.deepEqual(felt(circle(3.05, 90, 2600)), { reactions: ['spin'], secrets: ['three-circles'] })
  t.deepEqual(felt(circle(-3.05, 60, 3600)), { reactions: ['spin'], secrets: ['three-circles'] })
  t.deepEqual(felt([...circle(1, 80, 1100), ...circle(-1.05, 80, 1100)]), {
    reactions: ['disco'],
    secrets: ['there-and-back'],
  })
  const tickle = every(1500, (share) => around(Math.sin(share * 14 * Math.PI) * 9, 5))
  t.deepEqual(felt(tickle), { reactions: ['blush'], secrets: ['tickle'] })
  const petting = every(3600, (share) => around(Math.cos(share * 5 * Math.PI) * 28, -20))
  t.deepEqual(felt(petting).secrets, ['petting'])
  const away = every(700, (share) => around(Math.sin(share * Math.PI) * -420, 0))
  t.deepEqual(felt([...away, ...away, ...away, around(0, 0)]).secrets, ['peekaboo'])
  const taps = new Gestures()
  t.deepEqual(
    [0, 200, 400].map((now) => taps.clicked(now, around(14, 14), HOME)),
    [null, null, 'dance'],
  )
  t.is(taps.secret(), 'triple-tap')
  t.is(taps.secret(), null, 'told once')
})

test('the same does not come again and again', (t) => {
  const shaken = every(6000, (share) => around(Math.sin(share * 40 * Math.PI) * 60, 0))
  t.is(felt(shaken).reactions.filter((name) => name === 'dizzy').length, 1)
  const gestures = new Gestures()
  t.deepEqual(felt(circle(3.05, 90, 2600), gestures).secrets, ['three-circles'])
  t.deepEqual(felt(circle(3.05, 90, 2600), gestures, 14_000).secrets, [])
  t.deepEqual(felt(circle(3.05, 90, 2600), gestures, 40_000).secrets, ['three-circles'])
})

/** What people do all day: none of it is about the companion, even where it is near. */
const ordinary: Readonly<Record<string, (x: number, y: number) => readonly Point[]>> = {
  'reading line by line': (x, y) =>
    every(20_000, (share) => around(x + ((share * 12) % 1) * 700, y + Math.floor(share * 12) * 22)),
  'scrolling with a resting hand': (x, y) =>
    every(15_000, (share) => around(x + Math.sin(share * 31) * 3, y + Math.sin(share * 17) * 4)),
  'dragging a window to and fro': (x, y) =>
    every(4000, (share) => around(x + Math.sin(share * 2 * Math.PI) * 350, y + share * 60)),
  'selecting text': (x, y) => every(2500, (share) => around(x + share * 380, y + Math.floor(share * 3) * 20)),
  'looking around in a game': (x, y) =>
    every(12_000, (share) =>
      around(x + Math.sin(share * 23) * 620 + Math.sin(share * 71) * 90, y + Math.cos(share * 19) * 380),
    ),
  'menus and buttons': (x, y) =>
    [
      [0, 0],
      [420, 30],
      [380, 240],
      [-300, 260],
      [-340, -200],
      [30, -260],
    ].flatMap(([dx = 0, dy = 0], index, all) => {
      const [px = 0, py = 0] = all[index - 1] ?? [0, 0]
      const eased = (share: number) => share * share * (3 - 2 * share)
      return [
        ...every(420, (share) =>
          around(x + px + (dx - px) * eased(share), y + py + (dy - py) * eased(share)),
        ),
        ...every(500, () => around(x + dx, y + dy)),
      ]
    }),
  'drawing small circles': (x, y) =>
    every(4000, (share) => around(x + Math.cos(share * 30) * 40, y + Math.sin(share * 30) * 40)),
}

for (const [name, moves] of Object.entries(ordinary)) {
  test(`ordinary work means nothing to it: ${name}`, (t) => {
    fc.assert(
      fc.property(fc.integer({ min: -700, max: 700 }), fc.integer({ min: -500, max: 500 }), (x, y) => {
        // It keeps off what is worked at: nobody works right on it.
        if (Math.hypot(x, y) < 110) return true
        // Lines that begin on it are come back to in a dash, and that is what startles it.
        if (name.startsWith('reading') && x > -180 && x < 70) return true
        const places = moves(x, y)
        // Who comes fast and stays right there has come to it.
        const comesToIt = places.some(
          ([px, py], index) =>
            px === places[index - 1]?.[0] &&
            py === places[index - 1]?.[1] &&
            Math.hypot(px - HOME[0], py - HOME[1]) < 70,
        )
        if (comesToIt) return true
        const { reactions, secrets } = felt(places)
        return secrets.length === 0 && reactions.every((one) => one === 'peek')
      }),
      { numRuns: 80 },
    )
    t.pass()
  })
}

test('places that are none mean nothing', (t) => {
  const gestures = new Gestures()
  t.is(gestures.moved([Number.NaN, 1], 0, HOME), null)
  t.is(gestures.moved([1, Number.POSITIVE_INFINITY], 0, HOME), null)
  t.is(gestures.moved([1, 1], 0, [Number.NaN, 0]), null)
})
