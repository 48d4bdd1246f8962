import test from 'ava'
import { LipError } from '../../protocol/lip/errors.js'
import { CHANGE_MS, Queue } from './queue.js'
import { eventFrom } from './stamp.js'
import { ManualClock } from './testing.js'

const event = (type: string, n: number, from = 'unique:graph#w1', ttl?: number) =>
  eventFrom(from, { type, data: { n }, ttl })

function setup(capacity?: number, bytes?: number) {
  const clock = new ManualClock()
  const queue = new Queue({
    clock,
    ...(capacity !== undefined && { capacity }),
    ...(bytes !== undefined && { bytes }),
  })
  const take = (cursor = 'claude', max = 100) => {
    const { events, ...rest } = queue.take(cursor, max)
    return { ...rest, n: events.map((text) => JSON.parse(text).data.n as number) }
  }
  return { clock, queue, take }
}

test('a cursor sees each event once, in order; another has a place of its own', (t) => {
  const { queue, take } = setup()
  for (let n = 1; n <= 5; n++) queue.put(event('graph.x', n))
  t.deepEqual(take('claude', 2), { n: [1, 2], lost: 0, more: true })
  t.deepEqual(take('claude'), { n: [3, 4, 5], lost: 0, more: false })
  t.deepEqual(take('claude'), { n: [], lost: 0, more: false })
  t.deepEqual(take('hook').n, [1, 2, 3, 4, 5])
  t.deepEqual(take('other').n, [1, 2, 3, 4, 5])
})

test('what was overrun is counted, once, for each cursor that had not read it', (t) => {
  const { queue, take } = setup(10)
  queue.put(event('graph.x', 0))
  take('claude')
  for (let n = 1; n <= 25; n++) queue.put(event('graph.x', n))
  const { n, lost } = take('claude')
  t.deepEqual([n[0], n.length, lost], [16, 10, 15])
  t.is(take('claude').lost, 0)
  t.is(take('hook').lost, 16)
  t.is(queue.size, 10)
})

test('large events make room by their bytes', (t) => {
  const { queue, take } = setup(1000, 10_000)
  for (let n = 0; n < 20; n++)
    queue.put(eventFrom('unique:graph#w1', { type: 'graph.x', data: { n, text: 'x'.repeat(1000) } }))
  const { n, lost } = take()
  t.true(n.length < 10)
  t.is(n.length + lost, 20)
})

test('changes within 400 ms collapse to the latest; other events are not held up, and stay in order', (t) => {
  const { clock, queue, take } = setup()
  for (let n = 1; n <= 5; n++) {
    queue.put(event('graph.changed', n))
    clock.pass(50)
  }
  t.deepEqual(take('other').n, [1], 'the first is there at once')
  clock.pass(CHANGE_MS)
  t.deepEqual(take().n, [5])
  t.deepEqual(take('other').n, [5])
  t.is(queue.coalesced, 4)
  clock.pass(CHANGE_MS)
  queue.put(event('graph.changed', 6))
  queue.put(event('graph.changed', 7))
  queue.put(event('graph.changed', 70, 'unique:graph#w2'))
  queue.put(event('graph.export', 8))
  t.deepEqual(take().n, [70, 7, 8], 'said before what came after it; another window’s are its own')
  t.is(take().lost, 0)
})

test('pointer moves never enter', (t) => {
  const { queue, take } = setup()
  for (const type of [
    'graph.pointer.move',
    'graph.pointermove',
    'graph.mouse.moved',
    'board.cursor.position',
    'graph.pointer-move',
  ])
    queue.put(event(type, 1))
  queue.put(event('graph.node.move', 2))
  queue.put(event('graph.remove', 3))
  t.deepEqual(take().n, [2, 3])
  t.is(queue.ignored, 5)
})

test('an event whose time is over is not told', (t) => {
  const { clock, queue, take } = setup()
  queue.put(event('graph.x', 1, undefined, 100))
  queue.put(event('graph.x', 2))
  clock.pass(101)
  t.deepEqual(take(), { n: [2], lost: 0, more: false })
  queue.put(event('graph.x', 3, undefined, 100))
  clock.pass(101)
  t.false(queue.isPending('claude'))
})

test('what is kept is taken up: events, cursors and what they lost', (t) => {
  const { clock, queue, take } = setup(10)
  for (let n = 1; n <= 14; n++) queue.put(event('graph.x', n))
  take('claude', 3)
  queue.put(event('graph.changed', 15))
  queue.put(event('graph.changed', 16))
  queue.flush()
  const next = new Queue({ clock, capacity: 10 })
  next.restore(JSON.parse([...queue.keep()].join('')))
  const heard = (cursor: string) => next.take(cursor, 100).events.map((text) => JSON.parse(text).data.n)
  t.deepEqual(heard('claude'), [8, 9, 10, 11, 12, 13, 14, 16])
  t.is(next.take('hook', 1).lost, 5)
  next.put(event('graph.x', 17))
  t.deepEqual(heard('claude'), [17])
})

test('a cursor’s name is a word, and there are not endlessly many', (t) => {
  const { queue } = setup()
  for (const name of ['', 'A', '../x', 'x'.repeat(65), '__proto__', 'a b'])
    t.throws(() => queue.take(name, 1), { instanceOf: LipError }, name)
  t.throws(
    () => {
      for (let n = 0; n < 100; n++) queue.take(`c${n}`, 1)
    },
    { instanceOf: LipError, code: 'limit' },
  )
})
