import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import type { X11Host as Connection, LookResult, WatchedContent } from '../../../native/index.js'
import type { ContentChange } from '../../host.js'
import { ContentFollower } from './content.js'

const WIDTH = 320
const HEIGHT = 240
const LINE = 16

/** A window full of lines of noise, each its own, from line `first` on. */
function page(first: number): Uint32Array {
  const data = new Uint32Array(WIDTH * HEIGHT).fill(0xffffffff)
  for (let y = 0; y < HEIGHT; y++) {
    const line = first + Math.floor(y / LINE)
    if (y % LINE > 10) continue
    for (let x = 8; x < 200; x++) {
      // A hash of the place in the document: no two places are alike.
      let noise = Math.imul(line * 7919 + (y % LINE) * 131 + x, 0x9e3779b1)
      noise ^= noise >>> 15
      if ((Math.imul(noise, 0x85ebca6b) >>> 28) % 3 === 0) data[y * WIDTH + x] = 0xff000000
    }
  }
  return data
}

/** A connection to a window that shows what it is told. */
class FakeWindow {
  shown = page(0)
  looks = 0
  gone = false
  size: [number, number] = [WIDTH, HEIGHT]
  /** When set, a look waits for it. */
  gate: Promise<void> | null = null
  watched: WatchedContent[] = []

  readonly connection = {
    look: async (): Promise<LookResult> => {
      this.looks++
      const data = Buffer.from(this.shown.slice().buffer)
      await this.gate
      if (this.gone) throw new Error('the window is not on the screen')
      return { width: this.size[0], height: this.size[1], data }
    },
    watchContent: async (watched: WatchedContent[]) => {
      this.watched = watched
    },
  } as unknown as Connection
}

function setup(scale = 1) {
  const window = new FakeWindow()
  const told: ContentChange[] = []
  const follower = new ContentFollower(
    window.connection,
    () => scale,
    (change) => told.push(change),
  )
  const follow = async (id: string, y: number) => {
    follower.follow(id, { window: 7, display: 1, rect: [40 / scale, y / scale, 0, 0] })
    await calm(window)
  }
  return { window, told, follower, follow }
}

/** Waits until nothing is looked at any more. */
async function calm(window: FakeWindow): Promise<void> {
  // On a busy machine measuring may take up all of one wait, and what is due after it come in the next.
  for (let quiet = 0; quiet < 2; ) {
    const { looks } = window
    const since = performance.now()
    await delay(100)
    quiet = looks === window.looks && performance.now() - since < 120 ? quiet + 1 : 0
  }
}

const ids = (told: readonly ContentChange[]) =>
  told.flatMap(({ moved }) => moved.map(({ id, by }) => [id, ...by]))
const lost = (told: readonly ContentChange[]) => told.flatMap(({ lost }) => lost)

test('what scrolls is told with how far, in logical points', async (t) => {
  for (const scale of [1, 2]) {
    const { window, told, follower, follow } = setup(scale)
    await follow('a', 6 * LINE + 5)
    window.shown = page(2)
    follower.changed(7, true)
    await calm(window)
    t.deepEqual(ids(told), [['a', 0, (-2 * LINE) / scale]])
    t.deepEqual(lost(told), [])
    follower.close()
  }
})

test('what goes is told once, after a second look', async (t) => {
  const { window, told, follower, follow } = setup()
  await follow('a', 6 * LINE + 5)
  const before = window.looks
  window.shown = page(400)
  follower.changed(7, false)
  await calm(window)
  t.deepEqual(lost(told), ['a'])
  t.true(window.looks - before >= 2)
  follower.changed(7, false)
  await calm(window)
  t.deepEqual(lost(told), ['a'])
  t.deepEqual(window.watched, [], 'nothing is watched for it any more')
})

test('a list of equal rows that a wheel was turned over may have scrolled: what is on it is lost', async (t) => {
  const { window, told, follower, follow } = setup()
  const rows = page(0)
  for (let y = LINE; y < HEIGHT; y++) rows.copyWithin(y * WIDTH, (y % LINE) * WIDTH, ((y % LINE) + 1) * WIDTH)
  window.shown = rows
  await follow('a', 6 * LINE + 5)
  follower.changed(7, false)
  await calm(window)
  t.deepEqual(told, [])
  follower.changed(7, true)
  await calm(window)
  t.deepEqual(lost(told), ['a'])
})

test('a place that is cleared before it is drawn again is not lost', async (t) => {
  const { window, told, follower, follow } = setup()
  await follow('a', 6 * LINE + 5)
  window.shown = new Uint32Array(WIDTH * HEIGHT).fill(0xffffffff)
  follower.changed(7, false)
  await delay(5)
  window.shown = page(0)
  await calm(window)
  t.deepEqual(told, [])
  follower.close()
})

test('nothing is told of what was released, or followed anew, while it was looked at', async (t) => {
  const { window, told, follower, follow } = setup()
  await follow('a', 6 * LINE + 5)
  await follow('b', 8 * LINE + 5)
  let open = () => {}
  window.gate = new Promise((resolve) => {
    open = resolve
  })
  window.shown = page(2)
  follower.changed(7, false)
  follower.release('a')
  follower.follow('b', { window: 7, display: 1, rect: [40, 4 * LINE + 5, 0, 0] })
  window.gate = null
  open()
  await calm(window)
  t.deepEqual(told, [])
  window.shown = page(1)
  follower.changed(7, false)
  await calm(window)
  t.deepEqual(ids(told), [['b', 0, LINE]])
  follower.close()
})

test('a window that cannot be looked at takes all that is on it along', async (t) => {
  const { window, told, follow, follower } = setup()
  await follow('a', 6 * LINE + 5)
  await follow('b', 8 * LINE + 5)
  window.gone = true
  follower.changed(7, false)
  await calm(window)
  t.deepEqual(lost(told).sort(), ['a', 'b'])
})

test('a fault in measuring takes the marks away, and is told among the facts', async (t) => {
  const { window, told, follower, follow } = setup()
  await follow('a', 6 * LINE + 5)
  window.size = [-1, HEIGHT]
  follower.changed(7, false)
  await calm(window)
  t.deepEqual(lost(told), ['a'])
  t.regex(follower.notes.join(), /Following what marks are on failed/)
})

test('a window that changes all the time is looked at at its pace, and where it does so no more', async (t) => {
  const { window, told, follower, follow } = setup()
  await follow('a', 6 * LINE + 5)
  const before = window.looks
  const started = performance.now()
  for (let frame = 0; performance.now() - started < 500; frame++) {
    window.shown = page(0)
    for (let y = 110; y < 180; y++)
      window.shown.fill(0xff000000 + frame * 999, y * WIDTH + 150, y * WIDTH + 300)
    follower.changed(7, false)
    await delay(2)
  }
  const looks = window.looks - before
  t.true(looks <= 20, `${looks} looks in half a second`)
  t.deepEqual(told, [])
  const [{ areas } = { areas: [] }] = window.watched
  t.true(areas.length > 2, 'the film is cut out of what wakes it')
  follower.close()
})

test('after it is closed nothing is looked at', async (t) => {
  const { window, follower, follow } = setup()
  await follow('a', 6 * LINE + 5)
  follower.close()
  const before = window.looks
  follower.changed(7, false)
  follower.recheck(7)
  await calm(window)
  t.is(window.looks, before)
})

test('a display that is not there is not followed on', async (t) => {
  const window = new FakeWindow()
  const follower = new ContentFollower(
    window.connection,
    () => undefined,
    () => {},
  )
  follower.follow('a', { window: 7, display: 9, rect: [1, 1, 0, 0] })
  await calm(window)
  t.is(window.looks, 0)
})
