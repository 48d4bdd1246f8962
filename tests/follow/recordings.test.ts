import test from 'ava'
import { type Judged, judge, judgeAll, line, table } from './judge.js'
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
  t.is(judge(gone, moved.by && { kind: 'moved', by: moved.by }), 'wrong')
  t.is(judge(moved, { kind: 'moved', by: [1, -121] }), 'right')
  t.is(judge(moved, { kind: 'moved', by: [0, -122] }), 'wrong')
  t.is(judge(moved, { kind: 'same' }), 'wrong')
  t.is(judge(same, { kind: 'moved', by: [0, 1] }), 'right')
})

test('the recordings are many and of many kinds', (t) => {
  const all = recordings()
  t.true(all.length >= 4)
  for (const { app, movements } of all) t.true(movements.length >= 30, app)
  const movements = all.flatMap((recording) => recording.movements)
  t.true(movements.length >= 200)
  t.is(new Set(movements.map(({ id }) => id)).size, movements.length)
})

test('a mark that never moves is told apart from one that follows', async (t) => {
  const all = await judgeAll(() => ({ kind: 'same' }))
  const of = (mark: Judged['mark'], outcome: string) =>
    all.filter((one) => one.mark === mark && one.movement.truth.outcome === outcome).length
  t.is(of('wrong', 'same') + of('right', 'moved') + of('right', 'gone'), 0)
  t.log(table(all))
  t.log(line(all[0]!))
})
