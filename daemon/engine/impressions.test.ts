import test from 'ava'
import type { Frame, Impression } from '../../overlay/host.js'
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { CaptureGate } from './captures.js'
import { Bench } from './testing.js'

const COLUMNS = 180
const ROWS = 112

/** A display of light squares with a dark one, 8 points each. */
function impression(column: number, row: number, dark = 60): Impression {
  const light = new Uint8Array(COLUMNS * ROWS).fill(240)
  for (let down = 0; down < 2; down++) {
    for (let across = 0; across < 8; across++) light[(row + down) * COLUMNS + column + across] = dark
  }
  return { square: 8, column: 0, row: 0, columns: COLUMNS, rows: ROWS, light }
}

/** As much of an impression as is in a rectangle. */
function part(whole: Impression, rect: Rect | undefined): Impression {
  if (!rect) return whole
  const [column, row, columns, rows] = rect.map((value) => value / 8) as [number, number, number, number]
  const light = new Uint8Array(columns * rows)
  for (let down = 0; down < rows; down++) {
    const start = (row + down) * COLUMNS + column
    light.set(whole.light.subarray(start, start + columns), down * columns)
  }
  return { square: 8, column, row, columns, rows, light }
}

/** Pictures are taken as the host gives them. */
const allowing = (): CaptureGate => ({
  policy: () => 'always',
  decide: ({ capture }) => capture,
  decideAsPerson: (policy) => policy,
  onChanged: () => {},
  isPerson: () => false,
  async capture(_request, { id }, host) {
    const { impression: seen } = await host.capture({ display: id, marks: false, backdrop: 'screen' })
    const ack: AckFields = {
      path: 'p.png',
      image_size: [720, 450],
      logical_size: [1440, 900],
      origin: [0, 0],
    }
    return { ack, ...(seen && { impression: seen }) }
  },
})

/** A client with a picture in which something dark is at squares 10..17, 20..21; the host shows what it is told. */
async function pictured(first: Impression | undefined = impression(10, 20)) {
  const bench = new Bench(undefined, undefined, allowing)
  const screen: { now: Impression | undefined; looks: number } = { now: first, looks: 0 }
  bench.host.picture = async ({ rect }) => {
    screen.looks++
    const frame: Frame = { width: 1, height: 1, scale: 2, origin: [0, 0], data: new Uint8Array(4) }
    return screen.now ? { ...frame, impression: part(screen.now, rect) } : frame
  }
  const client = bench.client().start()
  const ack = await client.sendAsync({ type: 'capture', display_id: 1 })
  screen.looks = 0
  return { bench, client, screen, frame: ack.frame_id as string, hash: ack.content_hash }
}

const STALE = { message: /has moved or changed since; capture again/ }

test('what a client saw in a picture is drawn on while it is there', async (t) => {
  const { client, frame, screen } = await pictured()
  const { annotation_id } = await client.sendAsync({ type: 'point', x: 56, y: 84, frame })
  t.truthy(annotation_id)
  t.is(screen.looks, 1)
})

for (const [what, now] of [
  ['scrolled by a line', impression(10, 22)],
  ['gone', impression(100, 80)],
  ['another', impression(10, 20, 180)],
] as const) {
  test(`what is ${what} since the picture is not drawn on: the client is told to look again`, async (t) => {
    const { client, frame, hash, screen, bench } = await pictured()
    screen.now = now
    await t.throwsAsync(client.sendAsync({ type: 'point', x: 56, y: 84, frame }), STALE)
    const anchor = { screen_rect: [80, 160, 64, 16], display_id: 1, content_hash: hash }
    await t.throwsAsync(client.sendAsync({ type: 'textbox', anchor, text: 'here' }), STALE)
    await bench.rest()
    t.is(bench.host.shown.size, 0)
  })
}

test('a letter that changed, and whatever happens elsewhere, does not matter', async (t) => {
  const { client, frame, screen } = await pictured()
  const now = impression(10, 20)
  now.light[20 * COLUMNS + 11] = 100
  now.light.fill(0, 60 * COLUMNS, 100 * COLUMNS)
  screen.now = now
  await t.notThrowsAsync(client.sendAsync({ type: 'point', x: 56, y: 84, frame }))
})

test('an instruction to the person is about the screen, whatever is on it', async (t) => {
  const { client, frame, screen } = await pictured()
  screen.now = impression(100, 80)
  const guide = { type: 'textbox', rect: [40, 80, 60, 20], text: 'go on', style: 'guide', frame }
  await t.notThrowsAsync(client.sendAsync(guide))
})

test('an anchor with the hash of a picture is checked, one with a hash of the client itself is taken', async (t) => {
  const { client, hash } = await pictured()
  const anchor = { screen_rect: [80, 160, 64, 16], display_id: 1 }
  const box = (content_hash: string) => ({
    type: 'textbox',
    anchor: { ...anchor, content_hash },
    text: 'here',
  })
  await t.notThrowsAsync(client.sendAsync(box(hash as string)))
  await t.notThrowsAsync(client.sendAsync(box('sha256:abcdef')))
  await t.throwsAsync(client.sendAsync(box('f_01M8P8XFMA5VJVNC1762C15DBS')), { message: /is unknown/ })
})

test('a host that cannot tell what it pictured draws as it is told, and gives no hash', async (t) => {
  const { client, frame, hash, screen } = await pictured({ ...impression(0, 0), columns: 0, rows: 0 })
  t.truthy(hash)
  screen.now = undefined
  t.truthy((await client.sendAsync({ type: 'point', x: 5, y: 5, frame })).annotation_id)
})
