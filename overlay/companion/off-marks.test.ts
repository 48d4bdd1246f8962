import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import fc from 'fast-check'
import type { CompanionScene, DisplayRect } from '../../protocol/overlay/companion.js'
import { type Rect, translate } from '../../protocol/overlay/geometry.js'
import { registerFonts } from '../../tests/golden/canvas.js'
import { desktopOf, type Monitor, ONE, sceneAt, TWO } from '../../tests/support/companion.js'
import { Ruler } from '../scene/font.js'
import { overlap } from '../scene/place.js'
import { grow } from '../scene/shapes.js'
import { FIRST_SPOT, layBubble } from './bubble.js'
import { type Room, type Side, spotOn } from './card.js'
import { BODY } from './figure.js'
import { CompanionStage } from './index.js'
import { layMenu } from './menu.js'

registerFonts()
const context = createCanvas(1, 1).getContext('2d')
const ruler = new Ruler(context)
const SIZE = [1280, 720] as const

const anyRect: fc.Arbitrary<Rect> = fc.tuple(
  fc.double({ min: -200, max: 1300, noNaN: true }),
  fc.double({ min: -200, max: 740, noNaN: true }),
  fc.double({ min: 0, max: 420, noNaN: true }),
  fc.double({ min: 0, max: 300, noNaN: true }),
)
/** Marks around a place rather than anywhere: most are in the way. */
const nearRect = ([x, y]: readonly [number, number]): fc.Arbitrary<Rect> =>
  fc
    .tuple(fc.integer({ min: -330, max: 330 }), fc.integer({ min: -260, max: 260 }), fc.nat(300), fc.nat(160))
    .map(([dx, dy, width, height]) => [x + dx, y + dy, width, height])
const anyPlace = fc.tuple(fc.integer({ min: 34, max: 1246 }), fc.integer({ min: 40, max: 680 }))
const anyText = fc.constantFrom(
  'Yes',
  'The tests pass',
  'A line that is long enough to be broken into two or three lines of the bubble, or four of them.',
  'word '.repeat(300).trim(),
)
const roomOf = (at: readonly [number, number], occupied: readonly Rect[], scale = 1): Room => ({
  size: SIZE,
  scale,
  ruler,
  at,
  figure: translate(BODY, at),
  occupied,
})
const covered = (rect: Rect, occupied: readonly Rect[]) =>
  occupied.reduce((sum, one) => sum + overlap(rect, one), 0)
const inside = ([x, y, width, height]: Rect) =>
  [x, y, width, height].every(Number.isFinite) &&
  x >= 0 &&
  y >= 0 &&
  x + width <= SIZE[0] &&
  y + height <= SIZE[1]

test('what it says is never below a mark, and laid out once more it is exactly where it was', (t) => {
  fc.assert(
    fc.property(
      anyText,
      anyPlace.chain((at) =>
        fc.record({ at: fc.constant(at), marks: fc.array(nearRect(at), { maxLength: 12 }) }),
      ),
      fc.constantFrom(1, 1.25, 2),
      fc.constantFrom(null, 'above', 'right', 'left', 'below' as const),
      (text, { at, marks }, scale, side) => {
        const room = roomOf(at, marks, scale)
        const laid = layBubble(text, room, side && { ...FIRST_SPOT, side: side as Side })
        if (!laid) return true
        const again = layBubble(text, room, laid)
        t.deepEqual(again, laid)
        return covered(laid.rect, marks) === 0 && inside(laid.rect) && overlap(laid.rect, room.figure) === 0
      },
    ),
    { numRuns: 100 },
  )
})

test('a free place along a side is found wherever there is one', (t) => {
  let found = 0
  fc.assert(
    fc.property(
      anyPlace.chain((at) =>
        fc.record({ at: fc.constant(at), marks: fc.array(nearRect(at), { minLength: 1, maxLength: 8 }) }),
      ),
      fc.constantFrom<Side>('above', 'right', 'left', 'below'),
      fc.tuple(fc.integer({ min: 44, max: 270 }), fc.integer({ min: 44, max: 200 })),
      ({ at, marks }, side, box) => {
        const spot = spotOn(side, box, roomOf(at, marks), { hold: 22 })
        if (spot.covered > 0) {
          const axis = side === 'above' || side === 'below' ? 0 : 1
          // Somewhere else along it, with what it keeps off by on either end: step by step.
          const least = Math.max(8, at[axis] - box[axis] + 22)
          const most = Math.min(SIZE[axis] - 8 - box[axis], at[axis] - 22)
          for (let start = least; start <= most; start++) {
            const rect = [...spot.rect] as [number, number, number, number]
            rect[axis] = start - 5
            rect[axis + 2] = box[axis] + 10
            if (covered(rect, marks) === 0) return false
          }
          return true
        }
        found++
        return covered(spot.rect, marks) === 0
      },
    ),
    { numRuns: 200 },
  )
  t.true(found > 20, `${found} of them had a place`)
})

test('the menu opens where no mark is, and what is open stays where it is', (t) => {
  const items = [1, 2, 3].map((n) => ({ id: `${n}`, label: `Item ${n}` }))
  fc.assert(
    fc.property(
      anyPlace.chain((at) =>
        fc.record({ at: fc.constant(at), marks: fc.array(nearRect(at), { maxLength: 6 }) }),
      ),
      ({ at, marks }) => {
        const laid = layMenu(items, null, roomOf(at, marks), null)!
        const sides = (['right', 'left', 'above', 'below'] as const).map((side) =>
          spotOn(side, [laid.rect[2], laid.rect[3]], roomOf(at, marks), { hold: 24 }),
        )
        const hasPlace = sides.some(
          (spot) =>
            spot.covered === 0 && inside(grow(spot.rect, 8)) && overlap(spot.rect, translate(BODY, at)) === 0,
        )
        if (hasPlace && covered(laid.rect, marks) > 0) return false
        const over = layMenu(items, 1, roomOf(at, [...marks, laid.rect]), laid)!
        return String(over.rect) === String(laid.rect) && over.rows.length === 3
      },
    ),
    { numRuns: 200 },
  )
  t.pass()
})

const stageOn = (monitors: readonly Monitor[] = [ONE], reducedMotion = false) =>
  new CompanionStage({ measure: context, reducedMotion, desktop: desktopOf(monitors) })
const says = (text: string, at: readonly [number, number] = [600, 400], more: Partial<CompanionScene> = {}) =>
  sceneAt(at, { bubble: { id: 'b', text }, ...more })
const on = (...rects: Rect[]): DisplayRect[] => rects.map((rect) => ({ display: 1, rect }))

/** Every pixel's alpha, where what it says is: the darkest way to ask where its paper is. */
function paperOf(stage: CompanionStage, now: number): Rect | null {
  const frame = stage.frame(now)!
  const [x, y, width, height] = frame.rect
  const sheet = createCanvas(width, height)
  const own = sheet.getContext('2d')
  own.translate(-x, -y)
  stage.paint(own, now)
  const { data } = sheet.getContext('2d').getImageData(0, 0, width, height)
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let at = 0; at < data.length; at += 4) {
    // The paper of what it says, and nothing of the figure, is of this colour.
    if (data[at] !== 0xff || data[at + 1] !== 0xfd || data[at + 2] !== 0xf8 || data[at + 3] !== 255) continue
    const [px, py] = [(at / 4) % width, Math.floor(at / 4 / width)]
    left = Math.min(left, px)
    right = Math.max(right, px)
    top = Math.min(top, py)
    bottom = Math.max(bottom, py)
  }
  return right < 0 ? null : [x + left, y + top, right - left + 1, bottom - top + 1]
}

test('a mark comes over what it says: that gets out of the way, by small steps, and holds still there', (t) => {
  const stage = stageOn()
  stage.set(says('The tests pass'), 0)
  for (let now = 0; now < 1500; now += 16) stage.frame(now)
  t.false(stage.frame(1500)!.animating)
  const before = paperOf(stage, 1500)!
  t.true(before[1] + before[3] < 400, 'it is above')
  const mark: Rect = [380, 280, 440, 90]
  stage.avoid(on(mark))
  let last = paperOf(stage, 1500)!
  const middle = ([x, y, width, height]: Rect) => [x + width / 2, y + height / 2] as const
  let now = 1500
  for (let frame = stage.frame(now)!; frame.animating; frame = stage.frame(now)!) {
    now += 16
    const paper = paperOf(stage, now)!
    const [a, b] = [middle(last), middle(paper)]
    t.true(Math.hypot(a[0] - b[0], a[1] - b[1]) < 45, `${a} to ${b}`)
    last = paper
    if (now > 4000) throw new Error('it never comes to rest')
  }
  t.is(covered(last, [mark]), 0)
  const frame = stage.frame(now + 500)!
  t.false(frame.animating)
  t.false(frame.repaint, 'nothing of it is painted again')
  stage.avoid(on(mark))
  t.false(stage.frame(now + 600)!.repaint, 'told the same again it does nothing')
  stage.avoid([])
  t.false(stage.frame(now + 700)!.animating, 'where it is now it may stay')
})

test('marks all around it: what it says is not there, the frame says so, and it is back once there is a place', (t) => {
  const stage = stageOn()
  stage.set(says('The tests pass'), 0)
  for (let now = 0; now < 1500; now += 16) stage.frame(now)
  t.false(stage.frame(1500)!.crowded)
  const around = on([300, 250, 600, 95], [300, 440, 600, 200], [300, 250, 260, 400], [640, 250, 260, 400])
  stage.avoid(around)
  t.true(stage.frame(1516)!.crowded)
  t.is(paperOf(stage, 1516), null)
  t.false(stage.frame(1532)!.animating, 'it does not search for ever')
  stage.avoid(around.slice(0, 3))
  t.false(stage.frame(1600)!.crowded)
  for (let now = 1600; now < 2000; now += 16) stage.frame(now)
  t.not(paperOf(stage, 2000), null)
  stage.set(sceneAt([600, 400]), 2100)
  stage.avoid(around)
  t.false(stage.frame(2100)!.crowded, 'who says nothing is not crowded')
})

test('a spotlight over the whole display, and marks of another display, are nothing to keep off', (t) => {
  const stage = stageOn(TWO)
  stage.set(says('The tests pass', [400, 300]), 0)
  stage.frame(0)
  const free = stage.frame(2000)!
  stage.avoid([
    { display: 1, rect: [0, 0, 1280, 720] },
    { display: 2, rect: [200, 100, 500, 300] },
    { display: 1, rect: [Number.NaN, 0, 100, Number.POSITIVE_INFINITY] },
  ])
  const frame = stage.frame(2016)!
  t.deepEqual(frame.rect, free.rect)
  t.false(frame.repaint)
})

test('marks come and go at any moment while it goes about: no NaN, never below one at rest, and always at rest in the end', (t) => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          after: fc.integer({ min: 0, max: 400 }),
          marks: fc.array(anyRect, { maxLength: 6 }),
          goes: fc.option(anyPlace),
          menu: fc.boolean(),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      fc.boolean(),
      (steps, reducedMotion) => {
        const stage = stageOn([ONE], reducedMotion)
        let now = 0
        let at: readonly [number, number] = [600, 400]
        let marks: Rect[] = []
        stage.set(says('What it says', at), now)
        const look = () => {
          const frame = stage.frame(now)!
          if (![...frame.rect, ...frame.at].every(Number.isFinite)) throw new Error(`${frame.rect}`)
          return frame
        }
        for (const step of steps) {
          if (step.goes) at = step.goes
          marks = step.marks
          const menu = step.menu ? { items: [{ id: 'a', label: 'One' }], chosen: null } : null
          stage.avoid(on(...marks))
          stage.set(says('What it says', at, { menu }), now)
          for (const end = now + step.after; now <= end; now += 16) look()
        }
        stage.set(says('What it says', at), now)
        for (let count = 0; look().animating; now += 16)
          if (count++ > 400) throw new Error('it never comes to rest')
        const paper = paperOf(stage, now)
        const kept = marks.filter((rect) => rect[2] * rect[3] <= 1280 * 720 * 0.4)
        now += 1000
        const still = look()
        return !still.repaint && still.crowded === (paper === null) && (!paper || covered(paper, kept) === 0)
      },
    ),
    { numRuns: 30 },
  )
  t.pass()
})
