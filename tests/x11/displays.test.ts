import test, { type ExecutionContext } from 'ava'
import type { GoneMark, LetsClient } from '../../daemon/client/index.js'
import { outputsMissing, startX, until, type XMonitor } from '../support/xserver.js'
import { type Desk, desk, inked, seesInk } from './support.js'

const BLUE = [0x33, 0x66, 0x99]
/** What picom shows for a root without a wallpaper. */
const GREY = [0x80, 0x80, 0x80]
/** How long a change of displays may take to be right on the screen, in ms: on a slow machine with much else to do, too. */
const SOON_MS = 10_000

/** A quarter of the screen; the first one is the primary. */
const MAIN: XMonitor = { name: 'main', x: 640, y: 400, width: 640, height: 400 }
const SIDE: XMonitor = { name: 'side', x: 0, y: 400, width: 640, height: 400 }

type Rect = readonly [x: number, y: number, width: number, height: number]

interface Told {
  readonly gone: GoneMark[]
}

/** A client, and everything it is told without having asked. */
async function listener(on: Desk): Promise<LetsClient & Told> {
  const client = await on.client()
  const gone: GoneMark[] = []
  void (async () => {
    for await (const mark of client.invalidations()) gone.push(mark)
  })()
  return Object.assign(client, { gone })
}

/** Lays a monitor out, or anew: nobody but the X server tells the daemon. */
async function set({ x }: Desk, monitor: XMonitor, more: Partial<XMonitor> & { primary?: true } = {}) {
  const { name, width, height, x: left, y: top } = { ...monitor, ...more }
  const [mmWidth, mmHeight] = [width, height].map((pixels) => Math.round((pixels * 25.4) / 96))
  const geometry = `${width}/${mmWidth}x${height}/${mmHeight}+${left}+${top}`
  const output = name === MAIN.name ? 'screen' : 'none'
  const isThere = new RegExp(`[ +*]${name} `).test(await x.run('xrandr', '--listmonitors'))
  // The server takes no second monitor of a name: it goes and comes back, in one breath.
  const again = isThere ? ['--delmonitor', name] : []
  await x.run('xrandr', ...again, '--setmonitor', more.primary ? `*${name}` : name, geometry, output)
}

async function remove({ x }: Desk, { name }: XMonitor) {
  await x.run('xrandr', '--delmonitor', name)
}

async function resize({ x }: Desk, width: number, height: number): Promise<void> {
  const mode = `${width}x${height}`
  const timings = [width, width + 1, width + 2, width + 3, height, height + 1, height + 2, height + 3]
  const known = (await x.run('xrandr')).includes(` ${mode} `)
  if (!known) {
    await x.run('xrandr', '--newmode', mode, '60', ...timings.map(String))
    await x.run('xrandr', '--addmode', 'screen', mode)
  }
  await x.run('xrandr', '--output', 'screen', '--mode', mode)
}

/** Asks for a mark until its display is there, which nothing but the layout's own event says. */
async function drawsSoon(client: LetsClient, display_id: number, rect: Rect): Promise<string> {
  return until(
    `display ${display_id} is there`,
    () =>
      client.highlight({ rect: [...rect], display_id }).then(
        ({ annotation_id }) => annotation_id,
        () => undefined,
      ),
    SOON_MS,
  )
}

/** Waits until the left edge of a rectangle of the root is drawn, or is no more: some pixel across its line, for one may be half of each tone. */
async function edge(
  t: ExecutionContext,
  { eye }: Desk,
  ground: readonly number[],
  [x, y, , height]: Rect,
  wanted = true,
) {
  const across = { x: Math.max(0, Math.floor(x) - 4), y: Math.floor(y + height / 2), width: 9, height: 1 }
  const isDrawn = async () => {
    const { data } = await eye.capture({ ...across, overlay: true })
    return data.some((channel, index) => index % 4 < 3 && Math.abs(channel - (ground[index % 4] ?? 0)) > 60)
  }
  await t.notThrowsAsync(
    until(`${x},${y} is ${wanted ? '' : 'not '}drawn`, async () => (await isDrawn()) === wanted, SOON_MS),
  )
}

/**
 * Waits until the outline of a rectangle is drawn, among others that may be drawn across it: where two lines cross, what
 * is left of either may be near to the ground, but never along most of it.
 */
async function outline(t: ExecutionContext, { eye }: Desk, ground: readonly number[], rect: Rect) {
  const [x, y, width, height] = rect
  const [left, top] = [Math.max(0, x - 4), Math.max(0, y - 4)]
  const area = { x: left, y: top, width: x + width + 5 - left, height: y + height + 5 - top }
  const lines = [
    ...Array.from({ length: width - 7 }, (_, at) => [x + 4 + at, y, 'down'] as const),
    ...Array.from({ length: width - 7 }, (_, at) => [x + 4 + at, y + height, 'down'] as const),
    ...Array.from({ length: height - 7 }, (_, at) => [x, y + 4 + at, 'across'] as const),
    ...Array.from({ length: height - 7 }, (_, at) => [x + width, y + 4 + at, 'across'] as const),
  ]
  const isDrawn = async () => {
    const { data } = await eye.capture({ ...area, overlay: true })
    const inked = (px: number, py: number) => {
      if (px < left || py < top) return false
      const at = ((py - top) * area.width + px - left) * 4
      return ground.some((channel, index) => Math.abs((data[at + index] ?? 0) - channel) > 60)
    }
    const across = Array.from({ length: 9 }, (_, at) => at - 4)
    const drawn = lines.filter(([px, py, way]) =>
      across.some((by) => (way === 'down' ? inked(px, py + by) : inked(px + by, py))),
    )
    return drawn.length > lines.length * 0.7
  }
  await t.notThrowsAsync(until(`the outline of ${rect} is drawn`, isDrawn, SOON_MS))
}

/** The pixels of the root that are not its ground, outside of these rectangles and what is drawn around them. */
async function stray({ x, eye }: Desk, ground: readonly number[], inks: readonly Rect[], around = 16) {
  const [, width, height] = /(\d+)x(\d+)\+0\+0/.exec(await x.run('xwininfo', '-root')) ?? []
  const size = { width: Number(width), height: Number(height) }
  const { data } = await eye.capture({ x: 0, y: 0, ...size, overlay: true })
  const found: string[] = []
  for (let at = 0; at < size.width * size.height; at++) {
    if ([0, 1, 2].every((channel) => Math.abs((data[at * 4 + channel] ?? 0) - (ground[channel] ?? 0)) <= 8)) {
      continue
    }
    const [px, py] = [at % size.width, Math.floor(at / size.width)]
    const isInk = inks.some(
      ([left, top, w, h]) =>
        px >= left - around && py >= top - around && px <= left + w + around && py <= top + h + around,
    )
    if (!isInk) found.push(`${px},${py}`)
  }
  return found
}

/** Waits until nothing is on the root but these. */
async function only(t: ExecutionContext, on: Desk, ground: readonly number[], inks: readonly Rect[]) {
  let found: string[] = []
  const isClean = async () => {
    found = await stray(on, ground, inks)
    return found.length === 0
  }
  await until('nothing else is on the screen', isClean, SOON_MS).catch(() => {})
  t.is(found.length, 0, `there is ink at ${found.slice(0, 5).join(' ')}`)
}

/** What the daemon says is shown. */
async function shown(client: LetsClient): Promise<Record<string, readonly number[]>> {
  const { marks = [] } = await client.status()
  return Object.fromEntries(marks.map(({ annotation_id, rect }) => [annotation_id, rect]))
}

function quiet(t: ExecutionContext, { daemon }: Desk) {
  t.deepEqual(
    daemon.log().filter(({ level }) => level === 'warn' || level === 'error'),
    [],
  )
}

const at = ([x, y, width, height]: Rect, { x: left, y: top }: Pick<XMonitor, 'x' | 'y'>): Rect => [
  x + left,
  y + top,
  width,
  height,
]

for (const compositor of [true, false]) {
  const ground = compositor ? GREY : BLUE
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test.serial(
    `${way}, a second monitor comes, changes place, goes and comes back: marks are at their place, ids stay, the owner of what went is told once`,
    async (t) => {
      const on = await desk(t, { compositor, monitors: [{ ...MAIN, name: '*main' }] })
      const client = await listener(on)
      const [kept, other] = [
        [100, 100, 120, 80],
        [200, 50, 150, 90],
      ] as const
      const { annotation_id: a } = await client.highlight({ rect: [...kept] })
      await edge(t, on, ground, at(kept, MAIN))

      await set(on, SIDE)
      const b = await drawsSoon(client, 2, other)
      for (const [place, origin] of [
        [{ x: 0, y: 400 }, [-640, 0]],
        [{ x: 640, y: 0 }, [0, -400]],
        [{ x: 0, y: 0 }, [-640, -400]],
      ] as const) {
        await set(on, SIDE, place)
        await edge(t, on, ground, at(other, place))
        await edge(t, on, ground, at(kept, MAIN))
        await only(t, on, ground, [at(kept, MAIN), at(other, place)])
        t.deepEqual(
          (await client.displays()).map(({ id, name, origin: is }) => [id, name, ...is]),
          [
            [1, 'main', 0, 0],
            [2, 'side', ...origin],
          ],
        )
      }
      // The first one changes place, too: everything else is elsewhere for clients, its own marks are not.
      await set(on, MAIN, { x: 0, primary: true })
      await edge(t, on, ground, at(kept, { x: 0, y: 400 }))
      await only(t, on, ground, [at(kept, { x: 0, y: 400 }), at(other, { x: 0, y: 0 })])
      t.deepEqual((await client.displays())[1]?.origin, [0, -400])
      t.deepEqual(await shown(client), { [a]: kept, [b]: other })
      t.deepEqual(client.gone, [])

      await remove(on, SIDE)
      await edge(t, on, ground, at(other, { x: 0, y: 0 }), false)
      await only(t, on, ground, [at(kept, { x: 0, y: 400 })])
      t.deepEqual(client.gone, [{ annotation_id: b, reason: 'display_change' }])
      await t.throwsAsync(client.point({ x: 1, y: 1, display_id: 2 }), { message: /the displays are 1/ })

      await set(on, SIDE, { x: 640 })
      const c = await drawsSoon(client, 2, other)
      await edge(t, on, ground, at(other, { x: 640, y: 400 }))
      t.deepEqual(await shown(client), { [a]: kept, [c]: other })
      t.is(client.gone.length, 1)
      quiet(t, on)
    },
  )

  test.serial(
    `${way}, a screen gets smaller and larger: what is still on it is at its place, what is off goes once, a spotlight is as large as the screen`,
    async (t) => {
      const on = await desk(t, { compositor })
      const client = await listener(on)
      const near = [100, 100, 120, 80] as const
      const { annotation_id: a } = await client.highlight({ rect: [...near], spotlight: true })
      const { annotation_id: b } = await client.highlight({ rect: [1100, 600, 80, 60] })
      const dim = async (x: number, y: number, wanted = true) =>
        until(`${x},${y} is dimmed`, async () => (await inked(on, x, y, ground)) === wanted, SOON_MS)
      await dim(1277, 797)
      for (const [width, height] of [
        [1024, 700],
        [800, 600],
        [1280, 800],
      ] as const) {
        await resize(on, width, height)
        for (const [x, y] of [
          [2, 2],
          [width - 3, 2],
          [2, height - 3],
          [width - 3, height - 3],
          [width / 2, height / 2],
        ] as const) {
          await t.notThrowsAsync(dim(x, y), `at ${width}x${height}`)
        }
        await t.notThrowsAsync(dim(160, 140, false), 'what is shown in the light is not dimmed')
        await t.notThrowsAsync(until('what is off is told', () => client.gone.length > 0, SOON_MS))
        t.deepEqual(await shown(client), { [a]: near })
        t.deepEqual((await client.displays())[0]?.logical_size, [width, height])
      }
      t.deepEqual(client.gone, [{ annotation_id: b, reason: 'display_change' }])
      await client.clear()
      await only(t, on, ground, [])
      quiet(t, on)
    },
  )

  test.serial(`${way}, a monitor is turned upright: what is still on it is at its place`, async (t) => {
    const main = { ...MAIN, x: 0, y: 0 }
    const on = await desk(t, { compositor, monitors: [main] })
    const client = await listener(on)
    const kept = [150, 200, 120, 80] as const
    const { annotation_id: a } = await client.highlight({ rect: [...kept], spotlight: true })
    const { annotation_id: b } = await client.highlight({ rect: [500, 100, 100, 80] })
    await until('it is dimmed', () => inked(on, 636, 396, ground), SOON_MS)
    await set(on, main, { width: 400, height: 640 })
    await t.notThrowsAsync(until('what is new is dimmed', () => inked(on, 396, 636, ground), SOON_MS))
    await only(t, on, ground, [[0, 0, 399, 639]])
    await seesInk(t, on, 210, 240, ground, false)
    t.deepEqual(client.gone, [{ annotation_id: b, reason: 'display_change' }])
    t.deepEqual(await shown(client), { [a]: kept })
    const [display] = await client.displays()
    t.deepEqual([display?.id, display?.logical_size], [1, [400, 640]])
    await set(on, main)
    await t.notThrowsAsync(until('it is dimmed as before', () => inked(on, 636, 396, ground), SOON_MS))
    await only(t, on, ground, [[0, 0, 639, 399]])
    t.is(client.gone.length, 1)
    quiet(t, on)
  })

  test.serial(
    `${way}, a dozen changes at once while marks come, move and go: each is on the screen or its owner was told once, and nothing else is`,
    async (t) => {
      const on = await desk(t, { compositor, monitors: [MAIN, SIDE] })
      const clients = await Promise.all([listener(on), listener(on)])
      const drawn = clients.map(() => new Set<string>())
      const turns = clients.map(() => 0)
      let changing = true
      let seed = 1
      const random = (below: number) => {
        seed = (seed * 16_807) % 2_147_483_647
        return seed % below
      }
      const busy = clients.map(async (client, index) => {
        const mine = drawn[index] as Set<string>
        const some = () => [...mine][random(mine.size)]
        while (changing) {
          const display_id = 1 + random(3)
          const rect: [number, number, number, number] = [random(560), random(340), 40, 30]
          const drawing = client.highlight({ rect, display_id }).then(
            ({ annotation_id }) => void mine.add(annotation_id),
            // Its display has gone, or is too small for that by now.
            (error: { code?: string }) =>
              t.true(['unknown_display', 'bad_schema'].includes(error.code ?? '')),
          )
          const id = some()
          // A mark that went away meanwhile is one whose owner was told, or is about to be.
          const refused = (error: { code?: string }) =>
            t.true(['not_owner', 'bad_schema'].includes(error.code ?? ''))
          const turn = random(9)
          if (id && turn < 3) {
            await client.move({ annotation_id: id, to: [random(560), random(340)] }).catch(refused)
          } else if (id && turn < 5) {
            await client.clear(id).then(() => void mine.delete(id), refused)
          }
          await drawing
          turns[index] = (turns[index] as number) + 1
        }
      })
      const third: XMonitor = { name: 'third', x: 640, y: 0, width: 640, height: 400 }
      for (const change of [
        () => set(on, third),
        () => set(on, SIDE, { y: 0 }),
        () => set(on, MAIN, { width: 400, height: 400 }),
        () => remove(on, SIDE),
        () => set(on, SIDE, { width: 500, primary: true }),
        () => set(on, third, { height: 300 }),
        () => remove(on, third),
        () => setDpi(on, 144),
        () => set(on, MAIN, { primary: true }),
        () => setDpi(on, 96),
        () => set(on, third),
        () => set(on, SIDE, { y: 0 }),
      ]) {
        await change()
        // By what was done, not by time alone: on a slow machine that would be next to nothing.
        const handled = performance.now() + random(120)
        const enough = turns.map((turn) => turn + 3)
        await until(
          'marks came and went meanwhile',
          () =>
            performance.now() >= handled && turns.every((turn, index) => turn >= (enough[index] as number)),
        )
      }
      // What was drawn for the last layout but one is to be judged, too.
      await clients[0].displays()
      changing = false
      await Promise.all(busy)

      const origins = new Map<number, Pick<XMonitor, 'x' | 'y'>>()
      const monitors = [MAIN, { ...SIDE, y: 0 }, third]
      for (const { id, name } of await clients[0].displays()) {
        origins.set(id, monitors.find((monitor) => monitor.name === name) as XMonitor)
      }
      t.is(origins.size, 3)
      const inks: Rect[] = []
      for (const [index, client] of clients.entries()) {
        const { marks = [] } = await client.status()
        const told = client.gone.map(({ annotation_id }) => annotation_id)
        t.deepEqual([...new Set(told)], told, 'each was told once')
        t.true(client.gone.every(({ reason }) => reason === 'display_change'))
        const left = [...(drawn[index] as Set<string>)].filter((id) => !told.includes(id))
        t.deepEqual(marks.map(({ annotation_id }) => annotation_id).sort(), left.sort())
        t.true(told.length > 0 && left.length > 0, 'some went, some stayed')
        for (const { display_id, rect } of marks) {
          inks.push(at(rect as unknown as Rect, origins.get(display_id) as XMonitor))
        }
      }
      t.log(`${inks.length} marks stayed, ${clients.flatMap(({ gone }) => gone).length} went`)
      for (const ink of inks) await outline(t, on, ground, ink)
      await only(t, on, ground, inks)
      await Promise.all(clients.map((client) => client.clear()))
      await only(t, on, ground, [])
      quiet(t, on)
    },
  )
}

test.serial(
  'the last mark of a monitor goes at the moment another monitor changes: nothing of it stays',
  async (t) => {
    const on = await desk(t, { compositor: true, monitors: [MAIN, SIDE] })
    const client = await listener(on)
    for (let round = 0; round < 8; round++) {
      await client.highlight({ rect: [100, 100, 120, 80] })
      await set(on, SIDE, { x: round % 2 === 0 ? 0 : 100, width: 500 })
      // The layout is read 50 ms after it changed: the mark goes around that moment.
      const moment = performance.now() + 42 + round * 2
      await until('the moment comes', () => performance.now() >= moment)
      await client.clear()
      await only(t, on, GREY, [])
    }
    t.deepEqual(client.gone, [])
    quiet(t, on)
  },
)

test.serial(
  'at another scale, marks on the bare desktop and instructions keep their logical place, those on windows go, frames are stale',
  async (t) => {
    const on = await desk(t, { compositor: true, windowManager: true })
    const id = await terminal(on, '+600+100')
    const client = await listener(on)
    const [bare, guide] = [
      [60, 300, 80, 60],
      [60, 100, 200, 40],
    ] as const
    const { annotation_id: a } = await client.highlight({ rect: [...bare] })
    const { annotation_id: b } = await client.textbox({ rect: [...guide], text: 'Go on', style: 'guide' })
    const { annotation_id: c } = await client.highlight({ rect: [640, 180, 100, 60] })
    await seesInk(t, on, 640, 210, [255, 255, 255])
    const { frame_id: frame } = await client.capture()
    t.truthy(frame)
    await setDpi(on, 144)
    const scaled = bare.map((value) => value * 1.5) as unknown as Rect
    await edge(t, on, GREY, scaled)
    await edge(t, on, GREY, bare, false)
    await until('the guide is painted larger', () => inked(on, 380, 180, GREY), SOON_MS)
    t.deepEqual(client.gone, [{ annotation_id: c, reason: 'display_change' }])
    t.deepEqual(Object.keys(await shown(client)).sort(), [a, b].sort())
    t.deepEqual((await shown(client))[a], bare)
    const [display] = await client.displays()
    t.deepEqual([display?.id, display?.scale], [1, 1.5])
    await t.throwsAsync(
      client.point({ x: 10, y: 10, frame: frame as string } as Parameters<LetsClient['point']>[0]),
      {
        code: 'stale_frame',
      },
    )

    // What is drawn now is on the window as it is on this display now, and goes along with it.
    const { annotation_id: d } = await client.highlight({ rect: [430, 120, 100, 60] })
    await client.request({ type: 'apps' })
    await on.x.run('xdotool', 'windowmove', '--sync', id, '645', '130')
    await until('the mark moved along', async () => ((await shown(client))[d]?.[0] ?? 0) > 445, SOON_MS)
    t.is(client.gone.length, 1)

    await setDpi(on, 96)
    await edge(t, on, GREY, bare)
    await until('it is told', () => client.gone.length === 2, SOON_MS)
    t.deepEqual(client.gone[1], { annotation_id: d, reason: 'display_change' })
    quiet(t, on)
  },
)

test.serial(
  'another monitor becomes the primary: ids and marks stay, origins are new, 1 is still 1',
  async (t) => {
    const on = await desk(t, { compositor: true, monitors: [{ ...MAIN, name: '*main' }, SIDE] })
    const client = await listener(on)
    const rect = [100, 100, 120, 80] as const
    const ids = await Promise.all(
      [1, 2].map((display_id) => client.highlight({ rect: [...rect], display_id })),
    )
    const facts = async () =>
      (await client.displays()).map(({ id, name, primary, origin }) => [id, name, primary, ...origin])
    t.deepEqual(await facts(), [
      [1, 'main', true, 0, 0],
      [2, 'side', false, -640, 0],
    ])
    await set(on, SIDE, { primary: true })
    await until('it is the primary', async () => (await client.displays())[1]?.primary, SOON_MS)
    t.deepEqual(await facts(), [
      [1, 'main', false, 640, 0],
      [2, 'side', true, 0, 0],
    ])
    for (const monitor of [MAIN, SIDE]) await edge(t, on, GREY, at(rect, monitor))
    t.deepEqual(Object.keys(await shown(client)).sort(), ids.map(({ annotation_id }) => annotation_id).sort())
    t.deepEqual(client.gone, [])
    const ack = await client.point({ x: 300, y: 200, display_id: 1 })
    t.is(ack.display.id, 1, 'the display with that id, which is not the primary')

    await remove(on, MAIN)
    await until('two went', () => client.gone.length === 2, SOON_MS)
    t.is(
      (await client.point({ x: 300, y: 200, display_id: 1 })).display.id,
      2,
      'the primary, as there is no 1',
    )
    await set(on, MAIN)
    await until('it is back', async () => (await client.displays()).length === 2, SOON_MS)
    t.is(
      (await client.point({ x: 300, y: 200, display_id: 1 })).display.id,
      2,
      'the primary, as there is no 1',
    )
    t.deepEqual(await facts(), [
      [2, 'side', true, 0, 0],
      [3, 'main', false, 640, 0],
    ])
    t.is(client.gone.length, 2)
    quiet(t, on)
  },
)

test.serial(
  'a monitor is laid elsewhere under a window that stays: its mark stays on it, and goes by that change when it is left behind',
  async (t) => {
    const on = await desk(t, { compositor: true, monitors: [MAIN] })
    await terminal(on, '+700+450', '40x10')
    const client = await listener(on)
    const [onWindow, bare] = [
      [90, 90, 100, 40],
      [100, 300, 80, 60],
    ] as const
    const { annotation_id: a } = await client.highlight({ rect: [...onWindow] })
    const { annotation_id: b } = await client.highlight({ rect: [...bare] })
    await client.request({ type: 'apps' })
    await seesInk(t, on, 730, 510, [255, 255, 255])

    await set(on, MAIN, { x: 560 })
    await edge(t, on, GREY, at(bare, { x: 560, y: 400 }))
    await until('it is where its window is', async () => (await shown(client))[a]?.[0] === 170, SOON_MS)
    await seesInk(t, on, 730, 510, [255, 255, 255])
    await seesInk(t, on, 650, 510, GREY, false)
    t.deepEqual(client.gone, [])

    await set(on, MAIN, { x: 0, y: 0 })
    await edge(t, on, GREY, at(bare, { x: 0, y: 0 }))
    await until('it is told', () => client.gone.length > 0, SOON_MS)
    t.deepEqual(client.gone, [{ annotation_id: a, reason: 'display_change' }])
    t.deepEqual(await shown(client), { [b]: bare })
    quiet(t, on)
  },
)

test.serial(
  'a monitor is laid elsewhere and its windows are taken along, as window managers do: marks on them are where they were',
  async (t) => {
    const here = { ...MAIN, x: 0, y: 0 }
    const on = await desk(t, { compositor: true, monitors: [here] })
    const id = await terminal(on, '+100+100', '40x10')
    const client = await listener(on)
    const rect = [150, 150, 100, 40] as const
    // A window that is taken along later than a layout takes to settle has truly left its display meanwhile.
    let place: Pick<XMonitor, 'x' | 'y'> = here
    const takenAlong = async () => {
      const { annotation_id } = await client.highlight({ rect: [...rect] })
      await client.request({ type: 'apps' })
      place = place.x === 0 ? { x: 640, y: 400 } : { x: 0, y: 0 }
      await set(on, MAIN, place)
      await on.x.run('xdotool', 'windowmove', id, `${place.x + 100}`, `${place.y + 100}`)
      await until(
        'all is where it was',
        async () => {
          const { apps, displays } = {
            ...(await client.request({ type: 'apps' })),
            displays: await client.displays(),
          }
          return displays.length === 1 && apps?.[0]?.rect[0] === 100
        },
        SOON_MS,
      )
      await seesInk(t, on, place.x + 150, place.y + 170, [255, 255, 255], client.gone.length === 0)
      if (client.gone.length === 0) return annotation_id
      client.gone.length = 0
      return undefined
    }
    let kept: string | undefined
    for (let round = 0; round < 30 && kept === undefined; round++) kept = await takenAlong()
    t.truthy(kept, 'a window that was taken along at once keeps its mark')
    t.deepEqual(await shown(client), { [kept as string]: rect })
    quiet(t, on)
  },
)

test.serial(
  'a window is dragged to another monitor: its mark is seen where its own display is, and goes when it has left that',
  async (t) => {
    const on = await desk(t, {
      compositor: true,
      windowManager: true,
      monitors: [
        { ...MAIN, x: 0, y: 0, height: 800 },
        { ...SIDE, x: 640, y: 0, height: 800 },
      ],
    })
    const id = await terminal(on, '+100+150', '40x10')
    const client = await listener(on)
    const { annotation_id } = await client.highlight({ rect: [180, 200, 100, 60] })
    /** On the root: `apps` tells of the display that most of it is on. */
    const place = async () => {
      const { display_id = 0, rect: [left = 0, top = 0] = [] } =
        (await client.request({ type: 'apps' })).apps?.[0] ?? {}
      return [left + (display_id === 2 ? 640 : 0), top] as const
    }
    const [x, y] = await place()
    const white = [255, 255, 255]
    for (const left of [300, 500, 520]) {
      await on.x.run('xdotool', 'windowmove', '--sync', id, `${left}`, `${y}`)
      await until('it moved along', async () => {
        const [[now], rect] = [await place(), (await shown(client))[annotation_id]]
        return Math.abs(now - left) < 15 && rect?.[0] === 180 + now - x
      })
    }
    const now = (await shown(client))[annotation_id] as number[]
    t.true((now[0] as number) < 640 && (now[0] as number) + 100 > 640, `half of it: ${now}`)
    await seesInk(t, on, now[0] as number, (now[1] as number) + 30, white)
    // Its other half would be on the next display, which it is not on.
    await seesInk(t, on, (now[0] as number) + 100, (now[1] as number) + 30, white, false)
    t.deepEqual(client.gone, [])
    await on.x.run('xdotool', 'windowmove', '--sync', id, '700', `${y}`)
    await until('it is told', () => client.gone.length > 0, SOON_MS)
    await on.x.run('xdotool', 'windowmove', '--sync', id, '100', `${y}`)
    await until('the window is back', async () => (await place())[0] < 200, SOON_MS)
    t.deepEqual(client.gone, [{ annotation_id, reason: 'scroll' }])
    t.deepEqual(await shown(client), {})
    quiet(t, on)
  },
)

for (const compositor of [true, false]) {
  const ground = compositor ? GREY : BLUE
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test.serial(
    `${way}, a screen is really turned, all the way round: what is still on it is at its place`,
    async (t) => {
      const outer = await startX({ screen: '1300x1300x24' })
      t.teardown(() => outer.stop())
      const on = await desk(t, { compositor, inside: outer, screen: '1000x700x24' })
      const client = await listener(on)
      const rect = [150, 200, 120, 80] as const
      const { annotation_id: a } = await client.highlight({ rect: [...rect], spotlight: true })
      const { annotation_id: b } = await client.highlight({ rect: [850, 100, 100, 80] })
      for (const [direction, width, height] of [
        ['left', 700, 1000],
        ['inverted', 1000, 700],
        ['right', 700, 1000],
        ['normal', 1000, 700],
      ] as const) {
        await on.x.run('xrandr', '-o', direction)
        const corner = [width - 3, height - 3] as const
        await t.notThrowsAsync(
          until(`${direction} is dimmed`, () => inked(on, ...corner, ground).catch(() => false), SOON_MS),
        )
        const [display] = await client.displays()
        t.deepEqual([display?.id, display?.logical_size], [1, [width, height]])
        await seesInk(t, on, 2, 2, ground)
        await seesInk(t, on, 210, 240, ground, false)
        t.deepEqual(await shown(client), { [a]: rect })
      }
      t.deepEqual(client.gone, [{ annotation_id: b, reason: 'display_change' }])
      await client.clear()
      await only(t, on, ground, [])
      quiet(t, on)
    },
  )
}

const real = outputsMissing === undefined ? test.serial : test.serial.skip
const why = outputsMissing === undefined ? '' : ` (skipped: ${outputsMissing})`

for (const compositor of [true, false]) {
  const ground = compositor ? GREY : BLUE
  const way = compositor ? 'with a compositor' : 'without a compositor'

  real(`${way}, real outputs are switched on, off, to other modes and places${why}`, async (t) => {
    const on = await desk(t, { compositor, outputs: true, screen: '1024x768x24' })
    const output = (name: string, ...args: string[]) => on.x.run('xrandr', '--output', name, ...args)
    for (const mode of ['1024x768', '800x600']) await on.x.run('xrandr', '--addmode', 'DUMMY1', mode)
    const client = await listener(on)
    const rect = [100, 100, 120, 80] as const
    const { annotation_id: a } = await client.highlight({ rect: [...rect] })
    await edge(t, on, ground, rect)

    await output('DUMMY1', '--mode', '1024x768', '--right-of', 'DUMMY0')
    const b = await drawsSoon(client, 2, rect)
    const far = await drawsSoon(client, 2, [850, 650, 60, 50])
    await edge(t, on, ground, at(rect, { x: 1024, y: 0 }))

    await output('DUMMY1', '--mode', '1024x768', '--left-of', 'DUMMY0')
    await edge(t, on, ground, rect)
    await edge(t, on, ground, at(rect, { x: 1024, y: 0 }))
    t.deepEqual(
      (await client.displays()).map(({ id, name, origin }) => [id, name, ...origin]),
      [
        [1, 'DUMMY0', 0, 0],
        [2, 'DUMMY1', -1024, 0],
      ],
    )
    await output('DUMMY1', '--mode', '1024x768', '--above', 'DUMMY0')
    await edge(t, on, ground, at(rect, { x: 0, y: 768 }))
    await edge(t, on, ground, rect)
    t.deepEqual(client.gone, [])

    await output('DUMMY1', '--mode', '800x600', '--above', 'DUMMY0')
    await edge(t, on, ground, at(rect, { x: 0, y: 600 }))
    await edge(t, on, ground, rect)
    await only(t, on, ground, [rect, at(rect, { x: 0, y: 600 })])
    t.deepEqual(client.gone, [{ annotation_id: far, reason: 'display_change' }])

    await output('DUMMY1', '--primary')
    await until('it is the primary', async () => (await client.displays())[1]?.primary, SOON_MS)
    t.deepEqual((await client.displays())[0]?.origin, [0, 600])
    t.deepEqual(await shown(client), { [a]: rect, [b]: rect })

    await output('DUMMY1', '--off')
    await edge(t, on, ground, rect)
    await only(t, on, ground, [rect])
    t.deepEqual(client.gone.slice(1), [{ annotation_id: b, reason: 'display_change' }])
    await output('DUMMY1', '--mode', '1024x768', '--right-of', 'DUMMY0')
    await drawsSoon(client, 2, rect)
    await edge(t, on, ground, at(rect, { x: 1024, y: 0 }))
    t.deepEqual((await shown(client))[a], rect)
    t.is(client.gone.length, 2)

    // A lid is closed, and opened again.
    for (const name of ['DUMMY1', 'DUMMY0']) await output(name, '--off')
    await until('all is told', () => client.gone.length === 4, SOON_MS)
    t.deepEqual(await shown(client), {})
    await output('DUMMY0', '--mode', '1024x768', '--primary')
    await until('it is back', async () => (await client.displays())[0]?.name === 'DUMMY0', SOON_MS)
    await drawsSoon(client, 1, rect)
    await edge(t, on, ground, rect)
    await only(t, on, ground, [rect])
    t.is(client.gone.length, 4)
    quiet(t, on)
  })
}

async function terminal({ x }: Desk, place: string, size = '60x20'): Promise<string> {
  const looks = ['-bg', 'white', '-fg', 'black', '-title', 'term']
  x.spawn('xterm', [...looks, '-geometry', `${size}${place}`, '-e', 'sleep', '600'])
  const id = await x.windowNamed('term')
  await until('it is seen', async () => (await x.run('xwininfo', '-id', id)).includes('IsViewable'))
  return id
}

async function setDpi({ x }: Desk, dpi: number): Promise<void> {
  const name = 'RESOURCE_MANAGER'
  await x.run('xprop', '-root', '-f', name, '8s', '-set', name, `Xft.dpi:\t${dpi}\n`)
}
