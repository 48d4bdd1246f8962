import test from 'ava'
import type { Monitor, PresentResult } from '../../native/index.js'
import type { Place } from './layout.js'
import { type Drawn, Screen } from './screen.js'

const monitor: Monitor = {
  name: 'DP-1',
  x: 0,
  y: 0,
  width: 640,
  height: 480,
  mmWidth: 0,
  mmHeight: 0,
  primary: true,
  scale: 1,
}
const shown: PresentResult = { shown: true, stale: false, covered: false, inputEmpty: true }
const stale: PresentResult = { ...shown, shown: false, stale: true }

/** A screen, and an easel that takes what is drawn for its epoch and calls the rest stale. */
function setup() {
  const state = { epoch: 1, asked: [] as (Drawn & { readonly epoch: number })[] }
  const easel = {
    below: async () => {
      throw new Error('no pixels')
    },
    present: async ({ epoch }: Place, drawn: Drawn) => {
      state.asked.push({ ...drawn, epoch })
      return epoch === state.epoch ? shown : stale
    },
  }
  const screen = new Screen(easel, { monitor, epoch: 1 }, true, (error) => {
    throw error
  })
  return { screen, state }
}

test('the last mark goes while the layout changes elsewhere: it is taken off all the same', async (t) => {
  const { screen, state } = setup()
  const mark = {
    kind: 'highlight',
    id: 'a',
    rect: [10, 10, 50, 50],
    shape: 'rect',
    spotlight: false,
  } as const
  await screen.apply({ display: 1, put: [mark], remove: [] })
  t.true(state.asked.at(-1)!.ink.length > 0)
  state.epoch = 2
  const removed = screen.apply({ display: 1, put: [], remove: ['a'] })
  // The connection has refused it; only now is it known why.
  while (state.asked.at(-1)!.ink.length > 0) await new Promise(setImmediate)
  screen.relocate(monitor, 2)
  await removed
  const last = state.asked.at(-1)!
  t.deepEqual([last.epoch, last.ink], [2, []])
})
