import test from 'ava'
import { desktopSpace, logicalSpace } from './desktop-space.js'

const left = { id: 1, origin: [0, 0], unit: 1, size: [640, 800], scale: 1 } as const
const right = { id: 2, origin: [640, 100], unit: 2, size: [500, 300], scale: 2 } as const
const desktop = desktopSpace([left, right], true)

test('a place of a display is one of the space, and back', (t) => {
  for (const place of [
    { display: 1, at: [10, 790] },
    { display: 2, at: [0, 0] },
    { display: 2, at: [499, 120.5] },
  ] as const)
    t.deepEqual(desktop.fromDesktop(desktop.toDesktop(place)!), place)
  t.is(desktop.toDesktop({ display: 3, at: [0, 0] }), null)
})

test('beside all displays it is the nearest place on one, and on a seam the display that begins there', (t) => {
  t.deepEqual(desktop.fromDesktop([-50, 300]), { display: 1, at: [0, 300] })
  t.deepEqual(desktop.fromDesktop([900, 50]), { display: 2, at: [130, 0] })
  t.deepEqual(desktop.fromDesktop([640, 300]), { display: 2, at: [0, 100] })
  t.deepEqual(desktop.fromDesktop([640, 20]), { display: 1, at: [640, 20] })
})

test('displays as clients know them make a space of logical points', (t) => {
  const display = {
    id: 4,
    scale: 1.5,
    logical_size: [800, 600],
    origin: [-800, 0],
    primary: false,
    name: 'x',
  } as const
  t.deepEqual(logicalSpace([display]).toDesktop({ display: 4, at: [10, 20] }), [-790, 20])
  t.deepEqual(logicalSpace([]).fromDesktop([1, 2]), { display: 0, at: [1, 2] })
})
