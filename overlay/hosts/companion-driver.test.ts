import test from 'ava'
import type { CompanionEvent, CompanionScene } from '../../protocol/overlay/companion.js'
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { HostUnavailable } from '../host.js'
import {
  CompanionDriver,
  type MarksAbove,
  type SurfaceFrame,
  type SurfaceResult,
} from './companion-driver.js'
import { desktopSpace } from './desktop-space.js'

const SHOWN: SurfaceResult = { stale: false, visible: true }
const STALE: SurfaceResult = { stale: true, visible: false }

function scene(more: Partial<CompanionScene> = {}): CompanionScene {
  return {
    place: { display: 1, at: [200, 200] },
    look: { name: 'Bun', pace: 4 },
    mood: 'idle',
    asleep: false,
    gaze: [0, 0],
    reaction: null,
    bubble: null,
    menu: null,
    beckons: false,
    ...more,
  }
}

/** A driver whose surface answers as the test says, and what it was asked for. */
function setup(reducedMotion = true, marks?: MarksAbove) {
  const state = {
    frames: [] as (SurfaceFrame | null)[],
    told: [] as CompanionEvent[],
    failures: [] as HostUnavailable[],
    answer: async (_frame: SurfaceFrame) => SHOWN,
    areas: [{ id: 1, origin: [0, 0] as const, unit: 1, size: [800, 600] as const, scale: 1 }],
  }
  const driver = new CompanionDriver({
    surface: {
      put: async (frame) => {
        state.frames.push(frame)
        return state.answer(frame)
      },
      clear: async () => void state.frames.push(null),
    },
    reducedMotion: () => reducedMotion,
    desktop: () => desktopSpace(state.areas, true),
    tell: (event) => state.told.push(event),
    failed: (error) => state.failures.push(error),
    ...(marks && { marks }),
  })
  return { driver, state }
}

test('what comes to rest is painted once, and nothing after that', async (t) => {
  const { driver, state } = setup()
  t.deepEqual(await driver.show(scene()), { visible: true })
  await driver.settled()
  const count = state.frames.length
  const first = state.frames[0]!
  t.is(first.pixels?.length, first.rect.width * first.rect.height * 4)
  t.is(first.input?.length, first.pixels?.length)
  await new Promise((resolve) => setTimeout(resolve, 100))
  t.is(state.frames.length, count)
  t.deepEqual(await driver.show(scene()), { visible: true })
  t.is(state.frames.length, count, 'the same again is no frame')
  t.deepEqual(state.told, [{ kind: 'arrived', display: 1, at: [200, 200] }])
  t.deepEqual(await driver.show(null), { visible: false })
  t.deepEqual(await driver.show(null), { visible: false })
  t.deepEqual(state.frames.slice(count), [null])
})

test('frames that were drawn for displays that are no more are drawn anew, whole, once the new ones are known', async (t) => {
  const { driver, state } = setup()
  await driver.show(scene())
  await driver.settled()
  state.answer = async () => STALE
  const shown = driver.show(scene({ mood: 'happy' }))
  const before = state.frames.length
  while (state.frames.length === before) await new Promise(setImmediate)
  state.answer = async () => SHOWN
  state.areas = [{ ...state.areas[0]!, scale: 2 }]
  driver.relay()
  t.deepEqual(await shown, { visible: true })
  const last = state.frames.findLast((frame) => frame?.pixels)!
  t.is(last.rect.width, state.frames[0]!.rect.width * 2)
  t.true(last.input !== null)
  t.deepEqual(state.failures, [])
})

test('changes while it is painted are all taken, in their order, and one frame has them', async (t) => {
  const { driver, state } = setup()
  let release = () => {}
  state.answer = () => new Promise((resolve) => (release = () => resolve(SHOWN)))
  const shows = [driver.show(scene())]
  while (state.frames.length === 0) await new Promise(setImmediate)
  for (const text of ['one', 'two', 'three']) shows.push(driver.show(scene({ bubble: { id: text, text } })))
  const going = setInterval(() => release(), 1)
  await Promise.all(shows)
  await driver.settled()
  clearInterval(going)
  t.true(state.frames.at(-1)!.rect.height > state.frames[0]!.rect.height)
})

test('marks that come are asked for only while it says or offers something, and what it says is elsewhere then', async (t) => {
  let rects: Rect[] = []
  let asked = 0
  const opened: boolean[] = []
  const { driver, state } = setup(true, {
    occupied: () => {
      asked++
      return rects.map((rect) => ({ display: 1, rect }))
    },
    keepOpen: (menu) => opened.push(menu !== null),
  })
  await driver.show(scene())
  driver.marksMoved()
  t.is(asked, 0)
  await driver.show(scene({ bubble: { id: 'b', text: 'The tests pass' } }))
  await driver.settled()
  const above = state.frames.at(-1)!.rect
  rects = [[0, 90, 800, 65]]
  driver.marksMoved()
  await driver.settled()
  const beside = state.frames.at(-1)!.rect
  t.true(beside.y > above.y && beside.width > above.width, 'it is beside the figure')
  t.false(driver.isCrowded)
  const count = state.frames.length
  driver.marksMoved()
  await driver.settled()
  t.is(state.frames.length, count, 'told the same again it paints nothing')
  rects = [
    [0, 0, 800, 155],
    [0, 245, 800, 155],
    [0, 0, 165, 400],
    [235, 0, 300, 400],
  ]
  t.deepEqual(await driver.show(scene({ bubble: { id: 'c', text: 'More' } })), { visible: true })
  t.true(driver.isCrowded)
  rects = []
  driver.marksMoved()
  await driver.settled()
  t.false(driver.isCrowded)
  await driver.show(scene({ menu: { items: [{ id: 'a', label: 'One' }], chosen: null } }))
  await driver.show(scene())
  t.deepEqual([opened[0], opened.at(-1)], [true, false])
})

test('a surface that fails is told of once, and to whoever waits', async (t) => {
  const { driver, state } = setup()
  state.answer = async () => {
    throw new Error('the server went away')
  }
  await t.throwsAsync(driver.show(scene()), { name: 'HostUnavailable', message: 'the server went away' })
  t.is(state.failures.length, 1)
})

test('what is hovered is told when it changes, and presses are of the item or of the body', async (t) => {
  const { driver, state } = setup()
  const items = ['a', 'b'].map((id) => ({ id, label: `The item ${id}` }))
  await driver.show(scene({ menu: { items, chosen: null } }))
  await driver.settled()
  const { rect, input, menu } = state.frames.find((frame) => frame?.input)!
  t.true(menu)
  state.told.length = 0
  // Down a column of the menu, which is on the wider side of the body.
  const right = rect.x + rect.width - 200 > 200 - rect.x
  const column = right ? rect.x + rect.width - 40 : rect.x + 40
  for (let y = rect.y; y < rect.y + rect.height; y++)
    if (input!.at(((y - rect.y) * rect.width + column - rect.x) * 4 + 3)! >= 128)
      driver.over({ display: 1, at: [column, y] })
  driver.over(null)
  const hovered = state.told.flatMap((event) => (event.kind === 'hovered' ? [event.item] : []))
  t.deepEqual(
    hovered.filter((item) => item !== null),
    [0, 1],
  )
  t.is(hovered.at(-1), null)
  state.told.length = 0
  driver.pressed({ display: 1, at: [200, 205] }, 'secondary')
  t.deepEqual(state.told, [{ kind: 'clicked', button: 'secondary', display: 1, at: [200, 205] }])
})

test('it is on its way at sixty frames a second, and each frame is a little further', async (t) => {
  const { driver, state } = setup(false)
  await driver.show(scene())
  await driver.settled()
  state.frames.length = 0
  const started = performance.now()
  await driver.show(scene({ place: { display: 1, at: [600, 300] }, look: { name: 'Bun', pace: 1 } }))
  await driver.settled()
  const took = performance.now() - started
  const xs = state.frames.map((frame) => frame!.rect.x)
  // Timers are in whole ms: 16 of them a frame.
  t.true(xs.length <= took / 16 + 2, `${xs.length} frames in ${took} ms`)
  // However slow the machine, it is seen on its way.
  t.true(xs.length > 3, `${xs.length} frames`)
  t.true(xs.every((x, n) => n === 0 || x >= xs[n - 1]! - 1))
  t.is(state.told.at(-1)?.kind, 'arrived')
})
