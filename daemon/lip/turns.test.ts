import test from 'ava'
import { ManualClock } from './testing.js'
import { Turns } from './turns.js'

test('tasks run in their order, a few in each turn; what is quick runs at once', async (t) => {
  const clock = new ManualClock()
  const turns: (() => void)[] = []
  clock.soon = (task) => void turns.push(task)
  const done: number[] = []
  const slow = (n: number) => () => {
    clock.pass(1)
    done.push(n)
  }
  const work = new Turns(clock)
  for (let n = 0; n < 7; n++) work.run(slow(n))
  t.deepEqual(done, [0, 1], 'as many as a turn has time for')
  turns.shift()?.()
  t.deepEqual(done, [0, 1, 2, 3])
  work.run(slow(7))
  t.deepEqual(done, [0, 1, 2, 3], 'none overtakes another')
  while (turns.length > 0) turns.shift()?.()
  t.deepEqual(done, [0, 1, 2, 3, 4, 5, 6, 7])
  work.run(slow(8))
  t.deepEqual(done.at(-1), 8)
})
