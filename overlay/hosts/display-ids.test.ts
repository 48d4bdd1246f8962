import test from 'ava'
import { DisplayIds } from './display-ids.js'

const A = { key: 'A', primary: true }
const B = { key: 'B', primary: false }
const C = { key: 'C', primary: false }

test('the primary is 1, wherever it stands in the list, and the others are numbered from 2', (t) => {
  t.deepEqual([...new DisplayIds().assign([B, A, C])].sort(), [
    ['A', 1],
    ['B', 2],
    ['C', 3],
  ])
})

test('a display keeps its id while it stays connected, also when another becomes the primary', (t) => {
  const ids = new DisplayIds()
  ids.assign([A, B])
  t.deepEqual(
    [
      ...ids.assign([
        { ...A, primary: false },
        { ...B, primary: true },
      ]),
    ].sort(),
    [
      ['A', 1],
      ['B', 2],
    ],
  )
})

test('a number that is free again goes to the next display, and 1 to a primary', (t) => {
  const ids = new DisplayIds()
  ids.assign([A, B, C])
  t.is(ids.assign([A, C]).get('C'), 3)
  t.is(ids.assign([A, C, B]).get('B'), 2)
  ids.assign([B, C])
  t.is(ids.assign([B, C, A]).get('A'), 1)
  t.deepEqual([...ids.assign([{ key: 'D', primary: true }])], [['D', 1]])
})

test('a display that is not the primary never gets 1: a client that says 1 means the primary', (t) => {
  const ids = new DisplayIds()
  ids.assign([A])
  t.is(ids.assign([B]).get('B'), 2)
})
