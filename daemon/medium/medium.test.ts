/** The pure parts of the screens as a medium. */
import test from 'ava'
import { ConnectionError, LetsError } from '../client/errors.js'
import { Latest } from './latest.js'
import { asLipError } from './refusals.js'
import { Shelf } from './shelf.js'
import { Streams } from './streams.js'
import { boxHeight, wordsOf } from './words.js'

const DISPLAY = [1440, 900] as const

test('the shelf puts boxes below each other at the right edge, then beside, and keeps each where it is', (t) => {
  const shelf = new Shelf()
  const boxes = Array.from({ length: 12 }, () => ({}))
  const rects = boxes.map((box) => shelf.put(1, box, [320, 200], DISPLAY))
  t.deepEqual(rects[0], [1104, 48, 320, 200])
  t.deepEqual(rects[1], [1104, 258, 320, 200])
  t.is(rects[4]?.[0], 1104 - 330, 'a second column')
  for (const [x, y, width, height] of rects) {
    t.true(x >= 0 && y >= 0 && x + width <= 1440 && y + height <= 900)
  }
  for (const [at, a] of rects.entries())
    for (const b of rects.slice(at + 1))
      t.true(Math.abs(a[0] - b[0]) >= 320 || Math.abs(a[1] - b[1]) >= 200, `${a} and ${b}`)
  t.deepEqual(shelf.put(1, boxes[1]!, [320, 100], DISPLAY), [1104, 258, 320, 100], 'smaller, in its place')
  shelf.remove(1, boxes[0]!)
  t.deepEqual(shelf.put(1, {}, [320, 60], DISPLAY), [1104, 48, 320, 60], 'what went leaves room')
  t.deepEqual(shelf.put(2, {}, [320, 60], DISPLAY), [1104, 48, 320, 60], 'another display is another shelf')
  for (let n = 0; n < 40; n++) shelf.put(1, {}, [320, 200], DISPLAY)
  t.deepEqual(shelf.put(1, {}, [320, 200], DISPLAY), [1104, 48, 320, 200], 'full: over what is there')
  t.deepEqual(shelf.put(3, {}, [320, 200], [200, 150]), [0, 48, 320, 200], 'a display smaller than a box')
})

test('components as words: notes, progress as in windows, and what nobody knows with its props', (t) => {
  t.is(wordsOf('note', { title: 'Tests', text: '3 failed' }), 'Tests\n3 failed')
  t.is(wordsOf('note', {}), 'Note')
  t.is(
    wordsOf('progress', { label: 'Building', value: 2, max: 5, text: 'step 2' }),
    'Building: 40 %\n████████░░░░░░░░░░░░\nstep 2',
  )
  t.regex(wordsOf('progress', { label: 'A', value: 9 }), /^A: 100 %\n█{20}$/)
  t.regex(wordsOf('progress', { label: 'A', value: -1 }), /^A: 0 %\n░{20}$/)
  for (const value of [undefined, Number.NaN, 'half', null])
    t.is(wordsOf('progress', { value }), 'Working …', String(value))
  t.is(wordsOf('hologram', { title: 'Beam', power: 3 }), 'Beam\n{\n "power": 3\n}')
  t.true(boxHeight('one') < boxHeight('one\ntwo'))
  t.true(boxHeight('字'.repeat(60)) > boxHeight('a'.repeat(60)))
})

test('what is said in pieces is put together in its order, whatever order it comes in', (t) => {
  const streams = new Streams()
  t.is(streams.take('a', { text: 'Hel', seq: 0 }), 'Hel')
  t.is(streams.take('a', { text: 'world', seq: 2 }), null, 'too early')
  t.is(streams.take('b', { text: 'other', seq: 0 }), 'other')
  t.is(streams.take('a', { text: 'lo ', seq: 1 }), 'Hello world')
  t.is(streams.take('a', { text: 'lo ', seq: 1 }), null, 'one that came before')
  t.is(streams.take('a', { text: '!', seq: 3, done: true }), 'Hello world!')
  t.is(streams.take('a', { text: 'New', seq: 0 }), 'New', 'the same re begins anew')
  t.is(streams.take(undefined, { text: 'alone', seq: 4 }), 'alone')
  t.is(streams.take('c', { text: 'whole' }), 'whole')
  const long = 'x'.repeat(60_000)
  streams.take('d', { text: long, seq: 0 })
  t.is(streams.take('d', { text: long, seq: 1 })?.length, 100_000, 'no stream grows for ever')
})

test('of much at once the first and the latest are done, and all who asked hear how the latest went', async (t) => {
  const latest = new Latest<number>()
  const done: number[] = []
  const work = (n: number) => async () => {
    await new Promise((resolve) => setImmediate(resolve))
    done.push(n)
    if (n === 7) throw new Error('seven')
    return n
  }
  const outcomes = await Promise.all([1, 2, 3, 4].map((n) => latest.run(work(n))))
  t.deepEqual(done, [1, 4])
  t.deepEqual(outcomes, [4, 4, 4, 4])
  t.is(await latest.run(work(5)), 5)
  await t.throwsAsync(latest.run(work(7)), { message: 'seven' })
  const [failed, came] = [latest.run(work(7)), latest.run(work(8))]
  t.deepEqual(await Promise.all([failed, came]), [8, 8], 'a failure that something better followed')
})

test('refusals of the wire keep their code and their words; a fault of ours is not dressed up', (t) => {
  const of = (code: string) => asLipError(new LetsError(code, 'words', [1]))
  t.like(of('bad_schema'), { code: 'bad_data', message: 'words' })
  for (const code of ['not_owner', 'stale_frame', 'ambiguous', 'no_resolver', 'limit', 'not_permitted'])
    t.like(of(code), { code, message: 'words', candidates: [1] })
  t.like(of('something_new'), { code: 'unavailable' })
  t.like(asLipError(new ConnectionError('closed', 'gone')), { code: 'unavailable', message: 'gone' })
  t.throws(() => asLipError(new TypeError('ours')), { instanceOf: TypeError })
})
