import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import fc from 'fast-check'
import type { Mood } from '../../protocol/lip/domains.js'
import { MOODS, REACTIONS } from '../../protocol/lip/domains.js'
import type { CompanionScene } from '../../protocol/overlay/companion.js'
import type { Point } from '../../protocol/overlay/geometry.js'
import { pixels, registerFonts, screen } from '../../tests/golden/canvas.js'
import { desktopOf, type Monitor, ONE, sceneAt, TWO } from '../../tests/support/companion.js'
import {
  type CompanionFrame,
  type CompanionHit,
  CompanionStage,
  type CompanionStageOptions,
  type Desktop,
  reachable,
} from './index.js'

const stageOn = (desktop: Desktop, reducedMotion = false) => {
  registerFonts()
  const options: CompanionStageOptions = {
    measure: createCanvas(1, 1).getContext('2d'),
    reducedMotion,
    desktop,
  }
  return new CompanionStage(options)
}
const on = (monitors: readonly Monitor[], reducedMotion = false) =>
  stageOn(desktopOf(monitors), reducedMotion)

/** All frames from `now` on until nothing moves any more, at 60 a second. */
function play(stage: CompanionStage, now: number, most = 12_000) {
  const frames: (CompanionFrame & { readonly now: number })[] = []
  for (let at = now; ; at += 1000 / 60) {
    const frame = stage.frame(at)
    if (!frame) throw new Error('nothing is shown')
    frames.push({ ...frame, now: at })
    if (!frame.animating) return frames
    if (at > now + most) throw new Error('it never comes to rest')
  }
}

const SIDE_BY_SIDE: readonly (readonly Monitor[])[] = [
  [ONE],
  TWO,
  [
    { id: 1, size: [1920, 1080], scale: 1, origin: [0, 0] },
    { id: 2, size: [1024, 768], scale: 1, origin: [1920, 600] },
    { id: 3, size: [1280, 720], scale: 1.5, origin: [0, 1080] },
  ],
  [
    { id: 4, size: [2560, 1440], scale: 1.25, origin: [0, 0] },
    { id: 7, size: [800, 1280], scale: 1, origin: [-800, 200] },
  ],
]

/** The most it may go in a millisecond, in pixels of the desktop: the longest ways on the largest of these at its fastest. */
const FASTEST = 22

const anyPlace = fc.tuple(
  fc.double({ min: -500, max: 4000, noNaN: true }),
  fc.double({ min: -500, max: 3000, noNaN: true }),
)

test('it never jumps, wherever it is sent and however often, stays on the displays, and ends at its very place', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SIDE_BY_SIDE),
      fc.array(fc.record({ at: anyPlace, display: fc.nat(3), after: fc.integer({ min: 0, max: 900 }) }), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.double({ min: 0.25, max: 4, noNaN: true }),
      (monitors, ways, pace) => {
        const desktop = desktopOf(monitors)
        const stage = stageOn(desktop)
        let now = 1000
        let last: { readonly point: Point; readonly now: number } | null = null
        const look = { name: 'x', pace }
        let place = sceneAt([100, 100]).place
        const step = () => {
          const frame = stage.frame(now)
          if (!frame) throw new Error('nothing is shown')
          const point = desktop.toDesktop({ display: frame.display, at: frame.at })
          if (!point) throw new Error('it is on no display')
          if (last) {
            const speed = Math.hypot(point[0] - last.point[0], point[1] - last.point[1]) / (now - last.now)
            if (speed > FASTEST) throw new Error(`${speed} pixels a ms`)
          }
          last = { point, now }
          return frame
        }
        for (const { at, display, after } of ways) {
          place = { display: monitors[display % monitors.length]!.id, at }
          stage.set(sceneAt(at, { look, place }), now)
          for (const end = now + after; now < end; now += 4) step()
          now += 1
        }
        let frame = step()
        for (let count = 0; frame.animating && count < 1000; count++) {
          now += 8
          frame = step()
        }
        const wanted = reachable(place, monitors)!
        return (
          !frame.animating &&
          frame.display === wanted.display &&
          frame.at[0] === wanted.at[0] &&
          frame.at[1] === wanted.at[1]
        )
      },
    ),
    { numRuns: 60 },
  )
  t.pass()
})

test('sent elsewhere in flight, it turns without a jerk', (t) => {
  const stage = on([ONE])
  stage.set(sceneAt([100, 600]), 0)
  stage.frame(1000)
  stage.set(sceneAt([1100, 600]), 1000)
  const at = (now: number) => stage.frame(now)!.at
  const speed = (now: number) => {
    const [a, b] = [at(now), at(now + 1)]
    return [b[0] - a[0], b[1] - a[1]] as const
  }
  const before = speed(1398)
  stage.set(sceneAt([300, 100]), 1400)
  const after = speed(1400)
  t.true(Math.hypot(...before) > 1, 'it was fast')
  t.true(Math.hypot(after[0] - before[0], after[1] - before[1]) < 0.1, `${before} and then ${after}`)
})

test('it crosses from one display to another, of another scale, in one movement', (t) => {
  const desktop = desktopOf(TWO)
  const stage = stageOn(desktop)
  stage.set(sceneAt([1000, 600]), 0)
  play(stage, 0)
  stage.set(sceneAt([300, 500], {}, 2), 5000)
  const frames = play(stage, 5000)
  const shown = frames.map(({ display }) => display)
  t.deepEqual([...new Set(shown)], [1, 2])
  t.is(shown.lastIndexOf(1), shown.indexOf(2) - 1, 'once it is over, it does not go back')
  t.is(frames.filter(({ arrived }) => arrived).length, 1)
  t.true(frames.at(-1)!.now - 5000 < 1800)
  for (const { at, display, rect } of frames) {
    const { size } = TWO.find(({ id }) => id === display)!
    t.true(at[0] >= 0 && at[1] >= 0 && at[0] <= size[0] && at[1] <= size[1])
    t.true(
      rect[0] >= 0 &&
        rect[1] >= 0 &&
        rect[0] + rect[2] <= size[0] + 1e-6 &&
        rect[1] + rect[3] <= size[1] + 1e-6,
    )
  }
})

test('at rest it is completely still, in any mood, awake or asleep', (t) => {
  for (const mood of MOODS) {
    for (const asleep of [false, true]) {
      const stage = on([ONE])
      stage.set(sceneAt([400, 300], { mood, asleep, beckons: true, bubble: { id: 'a', text: 'Here' } }), 0)
      const { now } = play(stage, 0).at(-1)!
      for (const later of [1, 5000, 3_600_000]) {
        const frame = stage.frame(now + later)!
        t.false(frame.animating || frame.repaint || frame.inputChanged || frame.arrived)
      }
    }
  }
})

test('a scene that says the same paints nothing anew', (t) => {
  const stage = on([ONE])
  const scene = sceneAt([400, 300], { mood: 'happy' })
  stage.set(scene, 0)
  play(stage, 0)
  stage.set({ ...scene, place: { display: 1, at: [400, 300] } }, 5000)
  const frame = stage.frame(5000)!
  t.false(frame.repaint)
  t.false(frame.animating)
})

test('moods go over into each other, and a reaction is played once for each id', (t) => {
  const stage = on([ONE])
  stage.set(sceneAt([400, 300]), 0)
  play(stage, 0)
  stage.set(sceneAt([400, 300], { mood: 'proud' }), 2000)
  const change = play(stage, 2000)
  t.true(change.length > 8 && change.at(-1)!.now < 2400)
  const reaction = { id: 3, name: 'cheer', ms: 900 } as const
  stage.set(sceneAt([400, 300], { mood: 'proud', reaction }), 4000)
  const cheer = play(stage, 4000)
  t.true(cheer.at(-1)!.now >= 4900 && cheer.at(-1)!.now < 4950)
  stage.set(sceneAt([400, 300], { mood: 'proud', reaction: { ...reaction } }), 6000)
  t.false(stage.frame(6000)!.animating)
  stage.set(null, 6500)
  stage.set(sceneAt([400, 300], { mood: 'proud', reaction: { ...reaction } }), 6600)
  t.true(play(stage, 6600).at(-1)!.now < 6900, 'it comes in, and that is all')
  stage.set(sceneAt([400, 300], { mood: 'proud', reaction: { ...reaction, id: 4 } }), 7000)
  t.true(stage.frame(7000)!.animating)
})

test('moods and reactions that are none are its usual one and nothing; colours that are none are its own', (t) => {
  const stage = on([ONE])
  const odd = {
    mood: 'grumpy' as Mood,
    reaction: { id: 1, name: 'toString' as 'nod', ms: 500 },
    look: { name: 'x', pace: Number.NaN, color: 'url(#x)' },
  }
  stage.set(sceneAt([400, 300], odd), 0)
  play(stage, 0)
  const canvas = screen(ONE.size, 1)
  stage.paint(canvas.context, 5000)
  const usual = on([ONE])
  usual.set(sceneAt([400, 300]), 0)
  const other = screen(ONE.size, 1)
  usual.paint(other.context, 5000)
  t.true(same(pixels(canvas), pixels(other)))
})

test('places that are none and places beyond all displays are never gone to', (t) => {
  for (const at of [
    [Number.NaN, 3],
    [1, Number.POSITIVE_INFINITY],
    [-1e9, 1e9],
    [1e308, 5],
  ] as Point[]) {
    const fresh = on([ONE])
    fresh.set(sceneAt(at), 0)
    const moved = on([ONE])
    moved.set(sceneAt([400, 300]), 0)
    moved.frame(1000)
    moved.set(sceneAt(at), 1000)
    for (const stage of [fresh, moved]) {
      for (const {
        at: [x, y],
      } of play(stage, 1000))
        t.true(x >= 30 && x <= 1250 && y >= 36 && y <= 684, `${x}, ${y}`)
    }
  }
  const lost = on([ONE])
  lost.set(sceneAt([10, 10], {}, 99), 0)
  t.is(lost.frame(0)!.display, 1)
})

test('a display that goes while it flies to it: it goes on to where there is one, and back when it comes again', (t) => {
  const stage = on(TWO)
  stage.set(sceneAt([200, 600]), 0)
  play(stage, 0)
  stage.set(sceneAt([900, 400], {}, 2), 2000)
  for (let now = 2000; stage.frame(now)!.display === 1; now += 8);
  const before = desktopOf(TWO).toDesktop({ display: 2, at: stage.frame(2600)!.at })!
  stage.relay(desktopOf([ONE]), 2600)
  const frames = play(stage, 2600)
  t.true(frames.every(({ display }) => display === 1))
  const first = frames[0]!.at
  t.true(
    Math.hypot(first[0] - Math.min(before[0], 1280), first[1] - before[1]) < 2,
    'from the nearest place there is',
  )
  t.true(frames.at(-1)!.at[0] <= 1280 - 30)
  t.true(frames.some(({ arrived }) => arrived))
  stage.relay(desktopOf([]), 9000)
  t.is(stage.frame(9000), null)
  stage.relay(desktopOf(TWO), 9500)
  t.like(stage.frame(9500), { display: 2, at: [900, 400] })
})

test('one that rests is left alone when another display goes, and comes along when its own does', (t) => {
  const stage = on(TWO)
  stage.set(sceneAt([200, 600]), 0)
  play(stage, 0)
  stage.relay(desktopOf([ONE]), 2000)
  t.false(stage.frame(2000)!.animating)
  t.deepEqual(stage.frame(2000)!.at, [200, 600])
  stage.relay(desktopOf([{ ...ONE, size: [640, 480] }]), 3000)
  const { at } = play(stage, 3000).at(-1)!
  t.true(at[0] === 200 && at[1] <= 480 - 36)
})

test('taken off it is nowhere at once, and says so', (t) => {
  const stage = on([ONE])
  stage.set(sceneAt([200, 300], { menu: { items: [{ id: 'a', label: 'A' }], chosen: null } }), 0)
  t.truthy(stage.frame(100))
  stage.set(null, 120)
  t.is(stage.frame(120), null)
  t.is(stage.hit({ display: 1, at: [200, 300] }, 120), null)
  const canvas = screen(ONE.size, 1)
  stage.paint(canvas.context, 120)
  stage.paintInput(canvas.context, 120)
  t.true(isEmpty(pixels(canvas)))
})

test('without motion nothing travels and no reaction moves: it fades, and its face alone says it', (t) => {
  const stage = on([ONE], true)
  stage.set(sceneAt([200, 300]), 0)
  play(stage, 0)
  stage.set(sceneAt([900, 500]), 2000)
  const places = new Set(play(stage, 2000).map(({ at }) => at.join()))
  t.deepEqual([...places], ['200,300', '900,500'])
  const rest = shapeOf(stage, 4000)
  for (const [index, name] of REACTIONS.entries()) {
    const now = 5000 + index * 3000
    stage.set(sceneAt([900, 500], { reaction: { id: index, name, ms: 1000 } }), now)
    const frames = play(stage, now)
    t.true(frames.filter(({ repaint }) => repaint).length <= 2, `${name}: it comes and goes`)
    t.true(same(shapeOf(stage, now + 500), rest), name)
  }
})

/** Where it is inked at all. */
function shapeOf(stage: CompanionStage, now: number): Uint8Array {
  const canvas = screen(ONE.size, 1)
  stage.paint(canvas.context, now)
  const data = pixels(canvas)
  return Uint8Array.from({ length: data.length / 4 }, (_, index) => data[index * 4 + 3] as number)
}

/** Comparing as AVA does would take minutes. */
const same = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Buffer.compare(Buffer.from(a as number[]), Buffer.from(b as number[])) === 0

const isEmpty = (data: Uint8ClampedArray) =>
  new Uint32Array(data.buffer, data.byteOffset, data.length / 4).every((pixel) => pixel === 0)

const anyScene = fc.record({
  at: fc.tuple(fc.integer({ min: -50, max: 500 }), fc.integer({ min: -50, max: 400 })),
  mood: fc.constantFrom(...MOODS),
  asleep: fc.boolean(),
  reaction: fc.constantFrom(null, ...REACTIONS),
  text: fc.constantFrom(
    null,
    'Hi',
    'A longer line that has to be broken, and more than once at that.',
    'word '.repeat(800),
  ),
  items: fc.constantFrom(0, 1, 5, 100),
  beckons: fc.boolean(),
})

const sceneOf = (
  {
    at,
    mood,
    asleep,
    reaction,
    text,
    items,
    beckons,
  }: typeof anyScene extends fc.Arbitrary<infer T> ? T : never,
  id: number,
): CompanionScene =>
  sceneAt(at, {
    mood,
    asleep,
    beckons,
    reaction: reaction && { id, name: reaction, ms: 600 },
    bubble: text === null ? null : { id: 'b', text },
    menu:
      items === 0
        ? null
        : {
            chosen: 2,
            items: Array.from({ length: items }, (_, n) => ({
              id: `${n}`,
              label: `Item ${n}`,
              hint: 'hint',
            })),
          },
  })

test('all that it draws is inside the rectangle it tells, on device pixels, and what takes clicks too', (t) => {
  const size = [440, 330] as const
  fc.assert(
    fc.property(
      fc.constantFrom(1, 1.25, 2),
      anyScene,
      anyScene,
      fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 3, maxLength: 3 }),
      (scale, first, second, moments) => {
        const stage = on([{ id: 1, size, scale, origin: [0, 0] }])
        stage.set(sceneOf(first, 1), 0)
        stage.frame(300)
        stage.set(sceneOf(second, 2), 300)
        for (const moment of moments.sort((a, b) => a - b)) {
          const { rect } = stage.frame(300 + moment)!
          const canvas = screen(size, scale)
          stage.paint(canvas.context, 300 + moment)
          stage.paintInput(canvas.context, 300 + moment)
          for (const edge of [rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3]]) {
            if (Math.abs(edge * scale - Math.round(edge * scale)) > 1e-6) return false
          }
          canvas.context.clearRect(...rect)
          if (!isEmpty(pixels(canvas))) return false
        }
        return true
      },
    ),
    { numRuns: 30 },
  )
  t.pass()
})

test('a picture that is told to be the same is the same, pixel by pixel', (t) => {
  const stage = on([ONE])
  stage.set(sceneAt([400.3, 300.7], { mood: 'curious', bubble: { id: 'a', text: 'Look' } }), 0)
  const { now } = play(stage, 0).at(-1)!
  const shots = [now, now + 777].map((moment) => {
    const frame = stage.frame(moment)!
    const canvas = screen(ONE.size, 1)
    stage.paint(canvas.context, moment)
    return { repaint: frame.repaint, pixels: pixels(canvas) }
  })
  t.false(shots[1]!.repaint)
  t.true(same(shots[0]!.pixels, shots[1]!.pixels))
})

for (const scale of [1, 1.25, 2]) {
  test(`J5: at scale ${scale} a place of its body takes clicks, and one pixel outside of it none does`, (t) => {
    const size = [200, 200] as const
    for (const mood of MOODS) {
      const stage = on([{ id: 1, size, scale, origin: [0, 0] }])
      stage.set(sceneAt([100, 100], { mood, bubble: { id: 'b', text: 'Nothing of this takes clicks' } }), 0)
      play(stage, 0)
      const canvas = screen(size, scale)
      stage.paintInput(canvas.context, 5000)
      const data = pixels(canvas)
      const wide = canvas.canvas.width
      const solid = (x: number, y: number) => (data[(y * wide + x) * 4 + 3] ?? 0) >= 128
      const near = (x: number, y: number) =>
        [-2, 0, 2].flatMap((dx) => [-2, 0, 2].map((dy) => solid(x + dx, y + dy)))
      let body = 0
      for (let y = 1; y < canvas.canvas.height - 1; y++) {
        for (let x = 1; x < wide - 1; x++) {
          const around = [solid(x, y), solid(x - 1, y), solid(x + 1, y), solid(x, y - 1), solid(x, y + 1)]
          const isEdge = near(x, y).some((one) => one !== solid(x, y))
          if (!isEdge && (x % 9 !== 0 || y % 9 !== 0)) continue
          const hit: CompanionHit | null = stage.hit(
            { display: 1, at: [(x + 0.5) / scale, (y + 0.5) / scale] },
            5000,
          )
          if (around.every((one) => one) && hit?.part !== 'body')
            return void t.fail(`${mood}: ${x}, ${y} is of its body`)
          if (around.every((one) => !one) && hit !== null)
            return void t.fail(`${mood}: ${x}, ${y} is not of its body`)
          if (hit) body++
        }
      }
      t.true(body > 100, `${mood}: ${body} pixels`)
    }
  })
}
