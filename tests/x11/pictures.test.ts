import test from 'ava'
import type { LetsClient, LetsError } from '../../daemon/client/index.js'
import { pixel } from '../native/support.js'
import { until } from '../support/xserver.js'
import { colourAt, desk, inked, seesInk } from './support.js'

const GREY = [0x80, 0x80, 0x80]

test.serial('B5 each display id captures its own part of the screen', async (t) => {
  const colours = { one: '#cc0000', two: '#00aa00', three: '#0000cc' }
  const names = Object.keys(colours) as (keyof typeof colours)[]
  const on = await desk(t, {
    screen: '1200x600x24',
    compositor: true,
    monitors: names.map((name, index) => ({ name, x: index * 400, y: 0, width: 400, height: 600 })),
  })
  for (const [index, name] of names.entries()) {
    on.x.spawn('xterm', [
      '-bg',
      colours[name],
      '-title',
      name,
      '-geometry',
      `60x40+${index * 400}+0`,
      '-e',
      'sleep',
      '600',
    ])
    await on.x.windowNamed(name)
  }
  const rgb = (name: keyof typeof colours) => [...Buffer.from(colours[name].slice(1), 'hex')]
  for (const [index, name] of names.entries()) {
    await until(
      `${name} is painted`,
      async () => (await pixel(on.eye, index * 400 + 200, 300)).join() === rgb(name).join(),
    )
  }
  const client = await on.client()
  for (const { id, name } of await client.displays()) {
    const { path } = await client.capture({ display_id: id })
    t.deepEqual(await colourAt(path, 0.5, 0.5), rgb(name as keyof typeof colours), `display ${id}, ${name}`)
  }
})

/** Captures, names pixels of the picture, and returns what that is as a fraction of the display. */
async function highlightPixels(client: LetsClient, display_id: number): Promise<void> {
  const { frame_id, image_size } = await client.capture({ display_id, max_edge: 500 })
  const [width, height] = image_size as [number, number]
  await client.highlight({
    rect: [width * 0.25, height * 0.25, width * 0.5, height * 0.5],
    frame: frame_id as string,
  })
}

for (const scale of ['1', '1.25', '2']) {
  test.serial(
    `B1 at scale ${scale} pixels of a shrunken picture are marked where the root shows them`,
    async (t) => {
      const on = await desk(t, { compositor: true, env: { LETS_SCALE: scale } })
      const client = await on.client()
      await highlightPixels(client, 1)
      for (const [x, y] of [
        [320, 400],
        [960, 400],
        [640, 200],
        [640, 600],
      ] as const)
        await seesInk(t, on, x, y, GREY)
      t.false(await inked(on, 640, 400, GREY), 'the inside is clear')
    },
  )
}

test.serial('B1 on two monitors, one left of the primary, a frame leads to its own', async (t) => {
  const on = await desk(t, {
    compositor: true,
    monitors: [
      { name: 'left', x: 0, y: 0, width: 640, height: 800 },
      { name: 'right', x: 640, y: 0, width: 640, height: 800 },
    ],
    env: { LETS_SCALE: 'left=2,right=1' },
  })
  const client = await on.client()
  for (const { id, name, scale } of await client.displays()) {
    const root = name === 'left' ? 0 : 640
    t.is(scale, name === 'left' ? 2 : 1)
    await highlightPixels(client, id)
    await seesInk(t, on, root + 160, 400, GREY)
    await seesInk(t, on, root + 480, 400, GREY)
    await client.clear()
    await seesInk(t, on, root + 160, 400, GREY, false)
  }
})

test.serial('a picture is of what is under the marks, unless they are asked for', async (t) => {
  const on = await desk(t, { compositor: true })
  const client = await on.client()
  await client.highlight({ rect: [320, 200, 640, 400], spotlight: true })
  const below = await client.capture()
  t.deepEqual(await colourAt(below.path, 0.1, 0.1), GREY)
  t.deepEqual(await colourAt(below.path, 0.25, 0.5), GREY)
  const shown = await client.capture({ marks: true })
  t.true(
    (await colourAt(shown.path, 0.1, 0.1)).every((channel) => channel < 0x60),
    'dimmed',
  )
  const alone = await client.capture({ marks: true, backdrop: 'none' })
  t.notDeepEqual(await colourAt(alone.path, 0.5, 0.5), GREY, 'nothing of the screen')
})

test.serial('a frame is stale once its display has another size', async (t) => {
  const on = await desk(t, { monitors: [{ name: 'left', x: 0, y: 0, width: 640, height: 800 }] })
  const client = await on.client()
  const { frame_id } = await client.capture()
  await on.x.run('xrandr', '--setmonitor', 'left', '600/169x700/211+0+0', 'none').catch(() => '')
  await on.x.run('xrandr', '--delmonitor', 'left').catch(() => '')
  await until('the layout is another', async () => {
    const [display] = await client.displays()
    return display?.logical_size[0] !== 640
  })
  const error = await t.throwsAsync(client.point({ x: 1, y: 1, frame: frame_id as string }))
  t.like(error, { code: 'stale_frame' })
})

test.serial(
  'displays that change while they are pictured give a picture or a clear error, and nothing hangs',
  async (t) => {
    const on = await desk(t, {
      screen: '1000x1000x24',
      monitors: [{ name: 'a', x: 0, y: 0, width: 800, height: 1000 }],
    })
    const client = await on.client()
    const codes = new Set<string>()
    for (let round = 0; round < 12; round++) {
      const width = round % 2 === 0 ? 640 : 800
      const asked = Array.from({ length: 6 }, () =>
        client.capture().then(
          ({ image_size, logical_size }) => t.deepEqual(image_size, logical_size),
          ({ code }: LetsError) => codes.add(code),
        ),
      )
      await on.x.setMonitors([{ name: 'a', x: 0, y: 0, width, height: 1000 }])
      await Promise.all(asked)
    }
    t.true(
      [...codes].every((code) => code === 'unavailable' || code === 'unknown_display'),
      [...codes].join(),
    )
    // The last change is one that was made, rather than one that goes on.
    await client.displays()
    t.truthy((await client.capture()).path)
  },
)
