import test from 'ava'
import { judge, judgeAll, line } from './judge.js'
import { follow } from './measured.js'
import { recordings } from './movements.js'

test('a verdict is held against the truth', (t) => {
  const gone = { outcome: 'gone' } as const
  const same = { outcome: 'same' } as const
  const moved = { outcome: 'moved', by: [0, -120] } as const
  const lost = { kind: 'lost', why: 'nothing like it' } as const
  t.is(judge(gone, lost), 'right')
  t.is(judge(moved, lost), 'missed')
  t.is(judge(same, lost), 'missed')
  t.is(judge(gone, { kind: 'same' }), 'wrong')
  t.is(judge(gone, { kind: 'moved', by: moved.by }), 'wrong')
  t.is(judge(moved, { kind: 'moved', by: [1, -121] }), 'right')
  t.is(judge(moved, { kind: 'moved', by: [0, -122] }), 'wrong')
  t.is(judge(moved, { kind: 'same' }), 'wrong')
  t.is(judge(same, { kind: 'same' }), 'right')
  t.is(judge(same, { kind: 'moved', by: [0, 1] }), 'right')
})

test('the recordings are many and of many kinds', (t) => {
  const all = recordings()
  t.true(all.length >= 4)
  for (const { app, movements } of all) t.true(movements.length >= 30, `${app}: ${movements.length}`)
  const movements = all.flatMap((recording) => recording.movements)
  t.true(movements.length >= 200)
  t.is(new Set(movements.map(({ id }) => id)).size, movements.length)
})

test('no mark is left on, or put on, what it was not about, and hardly one is given up', async (t) => {
  const all = await judgeAll(follow)
  const amiss = all.filter(({ mark }) => mark !== 'right')
  for (const one of amiss) t.log(line(one))
  const right = all.length - amiss.length
  t.log(`${right} of ${all.length} right`)
  t.is(amiss.filter(({ mark }) => mark === 'wrong').length, 0)
  t.true(right >= 0.98 * all.length)
})
