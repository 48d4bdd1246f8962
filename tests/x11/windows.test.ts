import test from 'ava'
import type { LetsClient } from '../../daemon/client/index.js'
import { runCli } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { type Desk, desk, overlayWindows, seesInk } from './support.js'

const WHITE = [255, 255, 255]

/** A desk with a white terminal, and where its frame is. */
async function withTerminal(
  t: Parameters<typeof desk>[0],
): Promise<Desk & { id: string; client: () => Promise<LetsClient> }> {
  const on = await desk(t, { compositor: true, windowManager: true })
  const id = await terminal(on, 'first', '+200+150')
  return { ...on, id, client: on.client }
}

async function terminal({ x }: Desk, title: string, place: string): Promise<string> {
  x.spawn('xterm', [
    '-title',
    title,
    '-geometry',
    `60x20${place}`,
    '-bg',
    'white',
    '-fg',
    'black',
    '-e',
    'sleep',
    '600',
  ])
  const id = await x.windowNamed(title)
  await until(`${title} is seen`, async () => (await x.run('xwininfo', '-id', id)).includes('IsViewable'))
  return id
}

/** Marks of the client that are still shown. */
async function rects(client: LetsClient): Promise<Record<string, readonly number[]>> {
  const { marks = [] } = await client.status()
  return Object.fromEntries(marks.map(({ annotation_id, rect }) => [annotation_id, rect]))
}

/** The window that a mark is put on is known a moment after its ack. */
async function settled({ client }: { client: LetsClient }): Promise<void> {
  await client.request({ type: 'apps' })
  await client.displays()
}

test.serial(
  'a mark moves by exactly what its window moved, on the screen too, and its owner is told nothing',
  async (t) => {
    const on = await withTerminal(t)
    const client = await on.client()
    const { annotation_id } = await client.highlight({ rect: [260, 220, 100, 60] })
    await settled({ client })
    const frame = async () => (await client.request({ type: 'apps' })).apps?.[0]?.rect as number[]
    const start = await frame()
    const latencies: number[] = []
    let expected = [260, 220]
    for (const [x, y] of [
      [63, 41],
      [200, 150],
      [420, 222],
      [201, 151],
    ] as const) {
      await on.x.run('xdotool', 'windowmove', '--sync', on.id, `${x}`, `${y}`)
      const moved = performance.now()
      const now = await frame()
      expected = [
        260 + (now[0] as number) - (start[0] as number),
        220 + (now[1] as number) - (start[1] as number),
      ]
      await until('the mark has moved', async () => {
        const rect = (await rects(client))[annotation_id]
        return rect?.[0] === expected[0] && rect?.[1] === expected[1]
      })
      latencies.push(performance.now() - moved)
    }
    t.log(
      `window moved -> mark moved, at most ${Math.max(...latencies).toFixed(1)} ms after xdotool returned`,
    )
    await seesInk(t, on, expected[0] as number, (expected[1] as number) + 30, WHITE)
    await client.clear()
    t.deepEqual(
      await Promise.race([client.invalidations().next(), client.displays().then(() => 'nothing')]),
      'nothing',
    )
  },
)

for (const [what, act] of [
  ['closed', (on: Desk, id: string) => on.x.run('xdotool', 'windowclose', id)],
  ['minimised', (on: Desk, id: string) => on.x.run('xdotool', 'windowminimize', id)],
  ['on another workspace', (on: Desk) => on.x.run('xdotool', 'set_desktop', '1')],
  ['resized', (on: Desk, id: string) => on.x.run('xdotool', 'windowsize', id, '300', '200')],
  ['covered', async (on: Desk) => terminal(on, 'second', '+230+180')],
] as const) {
  test.serial(
    `a mark whose window was ${what} is gone from the screen, and its owner is told scroll, once`,
    async (t) => {
      const on = await withTerminal(t)
      const client = await on.client()
      const { annotation_id } = await client.point({ x: 300, y: 250 })
      await settled({ client })
      await act(on, on.id)
      const { value } = await client.invalidations().next()
      t.deepEqual(value, { annotation_id, reason: 'scroll' })
      await until('nothing is left', async () => (await overlayWindows(on)).length === 0)
      t.deepEqual(await rects(client), {})
    },
  )
}

test.serial('a guide stays when the window under it goes', async (t) => {
  const on = await withTerminal(t)
  const client = await on.client()
  const { annotation_id } = await client.textbox({
    rect: [260, 220, 200, 40],
    text: 'Go there',
    style: 'guide',
  })
  await settled({ client })
  await on.x.run('xdotool', 'windowclose', on.id)
  await until(
    'the window is gone',
    async () => ((await client.request({ type: 'apps' })).apps ?? []).length === 0,
  )
  t.deepEqual(Object.keys(await rects(client)), [annotation_id])
})

test.serial('apps, focus, await_window and window see the real windows', async (t) => {
  const on = await withTerminal(t)
  const client = await on.client()
  const second = await terminal(on, 'second', '+700+400')
  const { apps = [] } = await client.request({ type: 'apps' })
  t.deepEqual(
    apps.map(({ app, title }) => [app, title]),
    [
      ['XTerm', 'first'],
      ['XTerm', 'second'],
    ],
  )
  const { annotation_id } = await client.point({ x: 30, y: 40, window: 'second' } as Parameters<
    LetsClient['point']
  >[0])
  const frame = apps[1]?.rect as number[]
  t.deepEqual((await rects(client))[annotation_id], [
    (frame[0] as number) + 30,
    (frame[1] as number) + 40,
    0,
    0,
  ])

  const { activated } = await client.request({ type: 'focus', app: 'first' })
  t.deepEqual(activated, { app: 'XTerm', title: 'first' })
  await until(
    'it has the focus',
    async () => Number(await on.x.run('xdotool', 'getactivewindow')) === Number(on.id),
    3000,
  )

  const waiting = client.request({ type: 'await_window', app: 'third', timeout_ms: 10_000 })
  await terminal(on, 'third', '+400+500')
  t.is((await waiting).appeared, true)
  t.is((await client.request({ type: 'await_window', app: 'never', timeout_ms: 50 })).appeared, false)
  await on.x.run('xdotool', 'windowclose', second)
})

test.serial('lets apps lists windows without titles until pictures of the screen are allowed', async (t) => {
  const on = await withTerminal(t)
  const { env } = on.daemon
  await runCli(['consent', 'ask'], env)
  const { stdout, stderr } = await runCli(['apps'], env)
  t.regex(stdout, /^XTerm {2}\d+x\d+ at \d+,\d+ on display 1\n$/)
  t.true(stderr.includes('titles are shown once'))
  await runCli(['consent', 'always'], env)
  t.regex((await runCli(['apps'], env)).stdout, /^XTerm {2}first {2}/)
  const pointed = await runCli(['point', '20', '30', '--window', 'xterm', '--json'], env)
  t.is(pointed.code, 0, pointed.stderr)
})
