import test from 'ava'
import type { CompanionEvent, CompanionScene } from '../../../protocol/overlay/companion.js'
import { HeadlessHost } from './host.js'

test('displays are what --display says: size in points, scale, and place, the first being the primary', async (t) => {
  const host = new HeadlessHost(['1440x900@2', '1920x1080+-1920+-164', '800x600@1.25'])
  t.deepEqual(
    (await host.start()).map(({ id, logical_size, scale, origin, primary }) => [
      id,
      logical_size,
      scale,
      origin,
      primary,
    ]),
    [
      [1, [1440, 900], 2, [0, 0], true],
      [2, [1920, 1080], 1, [-1920, -164], false],
      [3, [800, 600], 1.25, [0, 0], false],
    ],
  )
})

for (const spec of [
  '',
  '1440',
  '1440x',
  '0x900',
  '1440x900@0',
  '1440x900@99',
  '1440x900+5',
  'axb',
  '1e3x900',
]) {
  test(`--display ${JSON.stringify(spec)} is refused, naming what was given`, (t) => {
    const error = t.throws(() => new HeadlessHost([spec]))
    t.true(error.message.includes(JSON.stringify(spec)))
  })
}

test('a picture is in physical pixels, of the wanted part, with the marks only when they are wanted', async (t) => {
  const host = new HeadlessHost(['400x300@2'])
  await host.apply({
    display: 1,
    put: [{ kind: 'highlight', id: 'a', rect: [100, 100, 50, 40], shape: 'rect', spotlight: false }],
    remove: [],
  })
  const whole = await host.capture({ display: 1, marks: true, backdrop: 'screen' })
  t.deepEqual([whole.width, whole.height, whole.scale, whole.data.length], [800, 600, 2, 800 * 600 * 4])
  const at = (x: number, y: number) => [...whole.data.subarray((y * 800 + x) * 4, (y * 800 + x) * 4 + 3)]
  const ground = at(5, 5)
  t.notDeepEqual(at(200, 240), ground, 'the left edge is ink')
  t.deepEqual(at(250, 240), ground, 'the inside is clear')
  const part = await host.capture({ display: 1, rect: [90, 110, 20, 20], marks: true, backdrop: 'screen' })
  t.deepEqual([part.width, part.height, part.origin], [40, 40, [90, 110]])
  const bare = await host.capture({ display: 1, marks: false, backdrop: 'screen' })
  t.true(bare.data.every((channel, index) => index % 4 === 3 || channel === ground[index % 4]))
})

test('a mark that was removed is in no picture', async (t) => {
  const host = new HeadlessHost(['100x100'])
  const mark = { kind: 'textbox', id: 'a', rect: [10, 10, 50, 20], text: 'x', style: 'note' } as const
  await host.apply({ display: 1, put: [mark], remove: [] })
  const shown = await host.capture({ display: 1, marks: true, backdrop: 'none' })
  await host.apply({ display: 1, put: [], remove: ['a'] })
  const gone = await host.capture({ display: 1, marks: true, backdrop: 'none' })
  t.notDeepEqual(shown.data, gone.data)
  t.deepEqual(gone.data, (await host.capture({ display: 1, marks: false, backdrop: 'none' })).data)
})

test('the companion is kept, comes where it was sent, and is in pictures with marks alone', async (t) => {
  const host = new HeadlessHost(['400x300@2', '800x600+400+0'])
  const told: CompanionEvent[] = []
  host.on({ displays() {}, clearRequested() {}, exit() {}, companion: (event) => told.push(event) })
  await host.start()
  const scene: CompanionScene = {
    place: { display: 2, at: [9000, 100] },
    look: { name: 'Bun', pace: 1 },
    mood: 'happy',
    asleep: false,
    gaze: [0, 0],
    reaction: null,
    bubble: { id: 'a', text: 'Hello' },
    menu: null,
    beckons: false,
  }
  t.deepEqual(await host.companion.show(scene), { visible: true })
  await new Promise(setImmediate)
  const [arrived] = told
  t.is(told.length, 1)
  t.true(arrived?.kind === 'arrived' && arrived.display === 2 && arrived.at[0] < 800 && arrived.at[1] === 100)
  const picture = async (display: number, marks: boolean) => {
    const { data } = await host.capture({ display, marks, backdrop: 'screen' })
    return new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size
  }
  t.deepEqual([await picture(1, true), await picture(2, false)], [1, 1])
  t.true((await picture(2, true)) > 100, 'it is drawn')
  t.is(await host.companion.pointer(), null)
  t.false(host.companion.isCrowded)
  const put = Array.from({ length: 16 }, (_, n) => ({
    ...({ kind: 'highlight', shape: 'rect', spotlight: false } as const),
    ...{ id: `h${n}`, rect: [(n % 4) * 200, Math.floor(n / 4) * 150, 199, 149] as const },
  }))
  await host.apply({ display: 2, put, remove: [] })
  t.true(host.companion.isCrowded, 'there is no place between the marks for what it says')
  await host.apply({ display: 2, put: [], remove: put.map(({ id }) => id) })
  t.false(host.companion.isCrowded)
  await host.companion.show(null)
  t.is(await picture(2, true), 1)
})
