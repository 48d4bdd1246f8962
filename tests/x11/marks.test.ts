import test from 'ava'
import { pixel } from '../native/support.js'
import { runCli } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { until, type XMonitor } from '../support/xserver.js'
import { desk, inked, inputLogger, overlayWindows, seesInk } from './support.js'

const BLUE = [0x33, 0x66, 0x99]
/** What picom shows for a root without a wallpaper. */
const GREY = [0x80, 0x80, 0x80]

const LEFT: XMonitor = { name: 'left', x: 0, y: 0, width: 640, height: 800 }
const RIGHT: XMonitor = { name: 'right', x: 640, y: 0, width: 640, height: 800 }

for (const compositor of [true, false]) {
  const ground = compositor ? GREY : BLUE
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test.serial(
    `A1 A3 ${way}, clicks on and beside a mark reach the window below, again and again`,
    async (t) => {
      const on = await desk(t, { compositor, windowManager: true })
      const log = await inputLogger(on)
      const client = await on.client()
      const { annotation_id } = await client.highlight({
        rect: [300, 200, 300, 200],
        spotlight: true,
        label: 'below',
      })
      await client.point({ x: 450, y: 300, label: 'click here' })
      const grid = [301, 450, 598].flatMap((x) => [201, 300, 399].map((y) => [x, y] as const))
      for (let round = 0; round < 3; round++) {
        const before = log.clicks().length
        for (const [x, y] of grid) await on.x.run('xdotool', 'mousemove', `${x}`, `${y}`, 'click', '1')
        await until('the clicks arrive', () => log.clicks().length >= before + grid.length).catch(() => {})
        t.deepEqual(
          log.clicks().slice(before),
          grid.map((point) => point.join(',')),
          `round ${round}`,
        )
        await client.move({ annotation_id, by: [round === 0 ? 7 : -7, 0] })
      }
    },
  )

  test.serial(
    `a named point is shown on its logical point, ${way}, and gone from the screen when it is cleared`,
    async (t) => {
      const on = await desk(t, { compositor })
      const client = await on.client()
      const { annotation_id } = await client.point({ at: 'top-right' })
      // The ring around the target, 1152,80: within a few points of it there is ink.
      await until('there is ink around the target', async () => {
        const { data } = await on.eye.capture({
          x: 1152 - 14,
          y: 80 - 14,
          width: 28,
          height: 28,
          overlay: true,
        })
        return data.some((channel, at) => at % 4 < 3 && Math.abs(channel - (ground[at % 4] ?? 0)) > 60)
      })
      await client.clear(annotation_id)
      await until('nothing is left', async () => (await overlayWindows(on)).length === 0)
      await seesInk(t, on, 1152, 80, ground, false)
    },
  )
}

test.serial(
  'A4 a client that is killed takes its marks with it after its linger, a daemon that is killed at once',
  async (t) => {
    const on = await desk(t, { compositor: true })
    const log = await inputLogger(on)
    const dying = await on.client({ lingerMs: 500 })
    await dying.highlight({ rect: [400, 300, 100, 100] })
    await seesInk(t, on, 400, 350, await pixel(on.eye, 250, 350))
    await dying.close()
    await until('the mark goes', async () => (await overlayWindows(on)).length === 0)

    const client = await on.client()
    await client.highlight({ rect: [400, 300, 100, 100] })
    on.daemon.kill('SIGKILL')
    await until('the overlay goes', async () => (await overlayWindows(on)).length === 0)
    await on.x.run('xdotool', 'mousemove', '400', '350', 'click', '1')
    await until('the click arrives', () => log.clicks().includes('400,350'))
    t.pass()
  },
)

test.serial(
  'A13 typing goes on undisturbed while marks come and go, and focus stays where it is',
  async (t) => {
    const on = await desk(t, { compositor: true, windowManager: true })
    const log = await inputLogger(on)
    await on.x.run('xdotool', 'windowactivate', '--sync', log.id)
    const active = await on.x.run('xdotool', 'getactivewindow')
    const client = await on.client()
    const typing = on.x.run('xdotool', 'type', '--delay', '2', 'abcdefghij'.repeat(50))
    for (let index = 0; index < 50; index++) {
      await client.point({ x: 200 + index * 5, y: 200, label: `mark ${index}`, ttl_ms: 60 })
    }
    t.is(await on.x.run('xdotool', 'getactivewindow'), active)
    await typing
    await until('all keys arrive', () => log.keys() >= 500).catch(() => {})
    t.is(log.keys(), 500)
  },
)

test.serial('A15 a mark is above a full-screen window', async (t) => {
  const on = await desk(t, { compositor: true, windowManager: true })
  on.x.spawn('xterm', ['-fullscreen', '-bg', '#204060', '-name', 'full', '-title', 'full'])
  const id = await on.x.windowNamed('full')
  await until('it fills the screen', async () =>
    (await on.x.run('xwininfo', '-id', id)).includes('Width: 1280'),
  )
  const client = await on.client()
  await client.highlight({ rect: [600, 400, 200, 100] })
  await seesInk(t, on, 600, 450, [0x20, 0x40, 0x60])
})

test.serial(
  'B6 B15 two monitors: each id is its own place, the one left of the primary has a negative origin, unknown ids are refused',
  async (t) => {
    const on = await desk(t, { monitors: [LEFT, RIGHT], compositor: true })
    await on.x.run('xrandr', '--setmonitor', '*right', '640/169x800/211+640+0', 'none').catch(() => '')
    const client = await on.client()
    const displays = await client.displays()
    t.is(displays.length, 2)
    t.deepEqual(displays.map(({ id }) => id).sort(), [1, 2])
    for (const display of displays) {
      const rootX = display.name === 'left' ? 0 : 640
      const ack = await client.highlight({ rect: [5, 5, 50, 50], display_id: display.id })
      t.is(ack.display.id, display.id)
      await seesInk(t, on, rootX + 5, 30, GREY)
      await client.clear()
      await seesInk(t, on, rootX + 5, 30, GREY, false)
    }
    await t.throwsAsync(client.point({ x: 1, y: 1, display_id: 9 }), { message: /the displays are 1, 2/ })
  },
)

for (const scale of ['1', '1.25', '2']) {
  test.serial(
    `at scale ${scale} a logical rectangle is at scale times its numbers on the root`,
    async (t) => {
      const on = await desk(t, { compositor: true, env: { LETS_SCALE: scale } })
      const client = await on.client()
      const [display] = await client.displays()
      t.is(display?.scale, Number(scale))
      t.deepEqual(display?.logical_size, [1280 / Number(scale), 800 / Number(scale)])
      await client.highlight({ rect: [100, 100, 200, 100] })
      const k = Number(scale)
      for (const [x, y] of [
        [100, 150],
        [300, 150],
        [200, 100],
        [200, 200],
      ] as const) {
        await seesInk(t, on, Math.round(x * k), Math.round(y * k), GREY)
      }
      t.false(await inked(on, Math.round(200 * k), Math.round(150 * k), GREY), 'the inside is clear')
    },
  )
}

test.serial('B13 a layout that changed is answered at once, and announced to owners once', async (t) => {
  const on = await desk(t, { monitors: [LEFT, RIGHT], compositor: true })
  const client = await on.client()
  const displays = await client.displays()
  const right = displays.find(({ name }) => name === 'right')
  const lost = await client.highlight({ rect: [10, 10, 50, 50], display_id: right?.id as number })
  await on.x.run('xrandr', '--delmonitor', 'right')
  t.deepEqual(
    (await client.displays()).map(({ name }) => name),
    ['left'],
  )
  const gone: unknown[] = []
  void (async () => {
    for await (const one of client.invalidations()) gone.push(one)
  })()
  await until('it is told', () => gone.length > 0)
  await client.displays()
  t.deepEqual(gone, [{ annotation_id: lost.annotation_id, reason: 'display_change' }])
})

test.serial('Ctrl+Shift+K clears every mark, and their owners are told cleared', async (t) => {
  const on = await desk(t, { compositor: true, windowManager: true })
  const client = await on.client()
  await client.highlight({ rect: [100, 100, 100, 100] })
  await on.x.run('xdotool', 'key', 'ctrl+shift+k')
  const { value } = await client.invalidations().next()
  t.is(value?.reason, 'cleared')
  await until('nothing is left', async () => (await overlayWindows(on)).length === 0)
})

test.serial(
  'an X server that goes away is an error with a reason, not an exit, and marks are invalid',
  async (t) => {
    const on = await desk(t, {})
    const client = await on.client()
    const { annotation_id } = await client.highlight({ rect: [100, 100, 100, 100] })
    await on.x.kill()
    const { value } = await client.invalidations().next()
    t.deepEqual(value, { annotation_id, reason: 'display_change' })
    await t.throwsAsync(client.point({ x: 1, y: 1 }), { name: 'LetsError' })
    t.regex(String((await client.status()).host_facts?.notes), /cannot draw/)
  },
)

test.serial('the CLI points on the real screen, and its snapshot shows the mark', async (t) => {
  const on = await desk(t, { compositor: true })
  const env = { ...on.daemon.env }
  const pointed = await runCli(['highlight', '100', '100', '200', '100', '--json'], env)
  t.is(pointed.code, 0, pointed.stderr)
  await seesInk(t, on, 100, 150, GREY)
  const file = `${on.daemon.home}/shot.png`
  t.is((await runCli(['snapshot', file], env)).code, 0)
  const { loadImage, createCanvas } = await import('@napi-rs/canvas')
  const image = await loadImage(file)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  t.deepEqual([image.width, image.height], [1280, 800])
  t.notDeepEqual([...context.getImageData(100, 150, 1, 1).data.subarray(0, 3)], GREY)
  t.deepEqual([...context.getImageData(200, 150, 1, 1).data.subarray(0, 3)], GREY)
})

test.serial(
  'A17 one settled mark costs nothing: no processor time to speak of, nothing repainted',
  async (t) => {
    const on = await desk(t, { compositor: true })
    const client = await on.client()
    await client.point({ x: 400, y: 300, label: 'still' })
    // The pointer settles, and the collector has its last word.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const before = busyMs(on.daemon.pid)
    await new Promise((resolve) => setTimeout(resolve, 5000))
    t.true(busyMs(on.daemon.pid) - before <= 50, `${busyMs(on.daemon.pid) - before} ms in 5 s`)
  },
)

test.serial(
  'monitors that come and go while a mark moves leave nothing stuck: acks come, pixels follow',
  async (t) => {
    const on = await desk(t, { monitors: [LEFT, RIGHT], compositor: true })
    const client = await on.client()
    const displays = await client.displays()
    const left = displays.find(({ name }) => name === 'left')?.id as number
    const { annotation_id } = await client.highlight({ rect: [50, 50, 60, 60], display_id: left })
    let moving = true
    const moves = (async () => {
      let count = 0
      while (moving) {
        await client.move({ annotation_id, by: [count++ % 2 === 0 ? 200 : -200, 0] })
      }
      return count
    })()
    for (let round = 0; round < 4; round++) {
      await on.x.run('xrandr', '--delmonitor', 'right')
      await until('one display', async () => (await client.displays()).length === 1)
      await on.x.run('xrandr', '--setmonitor', 'right', '640/169x800/211+640+0', 'none')
      await until('two displays', async () => (await client.displays()).length === 2)
    }
    moving = false
    t.true((await moves) > 4)
    await client.clear()
    await until('nothing is left', async () => (await overlayWindows(on)).length === 0)
  },
)

test.serial('a snapshot waits for marks to settle, and shows the pointer on its target', async (t) => {
  const on = await desk(t, { compositor: true })
  const client = await on.client()
  await client.point({ x: 200, y: 200 })
  await client.point({ x: 900, y: 600 })
  const { path } = await client.capture({ marks: true })
  const { loadImage, createCanvas } = await import('@napi-rs/canvas')
  const image = await loadImage(path)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  // The arrow's body lies right below its tip, and nowhere on the way between the two points.
  t.notDeepEqual([...context.getImageData(907, 608, 1, 1).data.subarray(0, 3)], GREY)
  t.deepEqual([...context.getImageData(550, 400, 1, 1).data.subarray(0, 3)], GREY)
})

test.serial(
  'a daemon ends in time although its X server is frozen, and takes its socket with it',
  async (t) => {
    const on = await desk(t, {})
    const client = await on.client()
    await client.highlight({ rect: [100, 100, 100, 100] })
    process.kill(on.x.pid, 'SIGSTOP')
    try {
      on.daemon.kill('SIGTERM')
      const exit = await Promise.race([
        on.daemon.exited,
        new Promise((resolve) => setTimeout(resolve, 6000, 'late')),
      ])
      t.deepEqual(exit, { code: 0, signal: null })
    } finally {
      process.kill(on.x.pid, 'SIGCONT')
    }
  },
)

test.serial('a command on another screen than the daemon’s says so', async (t) => {
  const on = await desk(t, {})
  const { stderr, code } = await runCli(['point', '5', '5'], { ...on.daemon.env, DISPLAY: ':9876' })
  t.is(code, 0)
  t.true(stderr.includes(`the daemon that runs draws on ${on.x.display}, not on this screen (:9876)`), stderr)
  t.is((await runCli(['point', '5', '5'], on.daemon.env)).stderr, '')
})

test.serial(
  'A10 with marks up the pointer is followed by whoever wants it: the window below sees every place',
  async (t) => {
    const on = await desk(t, { compositor: true })
    const xev = on.x.spawn('xev', ['-geometry', '900x600+100+80', '-name', 'pointer', '-event', 'mouse'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    xev.stdout?.on('data', (chunk) => {
      output += chunk
    })
    const id = await on.x.windowNamed('pointer')
    await until('the window is seen', async () =>
      (await on.x.run('xwininfo', '-id', id)).includes('IsViewable'),
    )
    const client = await on.client()
    await client.highlight({ rect: [200, 150, 600, 400], spotlight: true, label: 'move over me' })
    const places = [
      [200, 150],
      [500, 350],
      [800, 550],
      [210, 160],
      [130, 100],
    ] as const
    for (const [x, y] of places) {
      await on.x.run('xdotool', 'mousemove', `${x}`, `${y}`)
      await until(`${x},${y} is seen`, () => output.includes(`root:(${x},${y})`))
    }
    t.pass()
  },
)
