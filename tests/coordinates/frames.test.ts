import test from 'ava'
import { connect } from '../../daemon/client/index.js'
import { runCli, startDaemonProcess } from '../support/daemon.js'

/** The daemon with one virtual display, and a client of it. */
async function onDisplay(t: { teardown(task: () => unknown): void }, spec: string) {
  const daemon = await startDaemonProcess({ args: ['--host', 'headless', '--display', spec] })
  t.teardown(() => daemon.stop())
  const client = await connect({ clientName: 'test', socket: daemon.socket, lingerMs: 0 })
  t.teardown(() => client.close())
  return { daemon, client }
}

for (const spec of [
  '1280x720',
  '1920x1080',
  '2560x1440',
  '3840x2160',
  '1920x1080@2',
  '7680x4320',
  '1440x3040',
  '1024x768@1.25',
]) {
  test(`B3 a picture of ${spec} fits what models take, and its corners come back within two pixels`, async (t) => {
    const { client } = await onDisplay(t, spec)
    const { frame_id, image_size, display } = await client.capture()
    const [width, height] = image_size as [number, number]
    t.true(Math.max(width, height) <= 1568 && width * height <= 1_150_000, `${width}x${height}`)
    const { logical_size, scale } = display as NonNullable<typeof display>
    for (const [u, v] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const ack = await client.point({ x: u * width, y: v * height, frame: frame_id as string })
      const { marks = [] } = await client.status()
      const mark = marks.find(({ annotation_id }) => annotation_id === ack.annotation_id)
      const [x = Number.NaN, y = Number.NaN] = mark?.rect ?? []
      t.true(Math.abs(x - u * logical_size[0]) * scale <= 2)
      t.true(Math.abs(y - v * logical_size[1]) * scale <= 2)
    }
  })
}

test('B1 B2 from a shell: capture, name a pixel, and the mark is there', async (t) => {
  const { daemon, client } = await onDisplay(t, '1440x3040')
  const taken = await runCli(['capture', `${daemon.home}/a.png`, '--max-edge', '1280', '--json'], daemon.env)
  t.is(taken.code, 0, taken.stderr)
  const { frame_id, image_size } = JSON.parse(taken.stdout)
  t.deepEqual(image_size, [606, 1280])
  const moved = await runCli(['point', '414', '1069', '--frame', frame_id, '--json'], daemon.env)
  t.is(moved.code, 0, moved.stderr)
  const { marks = [] } = await client.status()
  t.deepEqual(marks, [], 'another session’s')
  const stale = await runCli(['point', '1', '1', '--frame', 'f_none'], daemon.env)
  t.is(stale.code, 1)
  t.regex(stale.stderr, /^lets: point: the frame "f_none" is unknown, .*; capture again\n$/)
  const outside = await runCli(['point', '607', '1', '--frame', frame_id], daemon.env)
  t.regex(outside.stderr, /outside of the picture, which is 606x1280 pixels/)
})
