/** The companion on real compositors: seen, clicked and picked from where it is, and nowhere else. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { OWN_ITEMS } from '../../daemon/companion/menu.js'
import { type WaylandHost as Connection, loadNative } from '../../native/index.js'
import { CompanionStage } from '../../overlay/companion/index.js'
import { loadCanvas } from '../../overlay/hosts/canvas.js'
import { logicalSpace } from '../../overlay/hosts/desktop-space.js'
import { WaylandHost } from '../../overlay/hosts/wayland/host.js'
import type { CompanionEvent, CompanionScene } from '../../protocol/overlay/companion.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { CompanionEventMessage } from '../../protocol/overlay/schema.js'
import { edges } from '../native/figure.js'
import { until } from '../support/xserver.js'
import { MENU, scene } from '../x11/companion.js'
import type { Picture, WaylandWindow } from './clients.js'
import { kwinHere, startKWin } from './kwin.js'
import type { Compositor } from './rig.js'
import { BLUE, desk, deskOn, inked, PAINT, seesInk } from './support.js'
import { grimHere, startSway, swayVersion } from './sway.js'

const sway = swayVersion !== undefined && grimHere ? test.serial : test.serial.skip
const kwin = kwinHere ? test.serial : test.serial.skip

/** A host that shows a companion, how many frames it has shown, and what it told. */
async function shows(t: ExecutionContext, on: Pick<Compositor, 'display'>) {
  const loaded = loadNative()
  if (!loaded.ok) throw new Error(loaded.reason)
  const { native } = loaded
  let frames = 0
  const connect: (typeof native.WaylandHost)['connect'] = async (options, tell) => {
    const connection = await native.WaylandHost.connect(options, tell)
    const show: Connection['showFigure'] = connection.showFigure.bind(connection)
    return Object.assign(connection, {
      showFigure: (request: Parameters<typeof show>[0]) => {
        frames += 1
        return show(request)
      },
    })
  }
  const host = new WaylandHost({ ...native, WaylandHost: { connect } }, on.display)
  t.teardown(() => host.stop())
  const events: CompanionEvent[] = []
  let onClick: CompanionScene | null = null
  host.on({
    displays: () => {},
    clearRequested: () => {},
    exit: () => {},
    companion: (event) => {
      events.push(event)
      if (event.kind === 'clicked' && onClick) host.companion.show(onClick).catch(() => {})
    },
  })
  const displays = await host.start()
  const of = <K extends CompanionEvent['kind']>(kind: K) =>
    events.filter((event): event is Extract<CompanionEvent, { kind: K }> => event.kind === kind)
  return {
    host,
    displays,
    of,
    frames: () => frames,
    /** What it is to be as soon as it is clicked. */
    onClick: (wanted: CompanionScene | null) => {
      onClick = wanted
    },
    async rests(wanted: CompanionScene) {
      const before = of('arrived').length
      const applied = await host.companion.show(wanted)
      await until('it arrived', () => of('arrived').length > before)
      await still(() => frames)
      return applied
    },
  }
}

/** What of a scene at rest is drawn, and what of it takes clicks: RGBA of its rectangle in pixels of its display. */
async function painted(displays: readonly Display[], wanted: CompanionScene) {
  const kit = await loadCanvas()
  const desktop = logicalSpace(displays, true)
  const stage = new CompanionStage({ measure: kit.measure, reducedMotion: true, desktop })
  stage.set(wanted, 0)
  const { rect, display } = stage.frame(10_000)!
  const scale = displays.find(({ id }) => id === display)?.scale ?? 1
  const [x = 0, y = 0, width = 0, height = 0] = rect.map((side) => Math.round(side * scale))
  const paint = (draw: 'paint' | 'paintInput') => {
    const { canvas, context } = kit.create(width, height)
    context.setTransform(scale, 0, 0, scale, -x, -y)
    stage[draw](context, 10_000)
    return Buffer.from(canvas.data())
  }
  return { frame: { x, y, width, height }, scale, pixels: paint('paint'), input: paint('paintInput') }
}

/** Places in its open menu, in logical points: what share of its height they are at. */
async function inMenu(displays: readonly Display[], open: CompanionScene) {
  const { frame: alone } = await painted(displays, { ...open, menu: null })
  const { frame, input, scale } = await painted(displays, open)
  // The menu is beside the body: the middle of what was added.
  const right = frame.x + frame.width - (alone.x + alone.width) > alone.x - frame.x
  const column = right ? frame.width - 60 : 60
  const rows = Array.from({ length: frame.height }, (_, y) => y).filter(
    (y) => input[(y * frame.width + column) * 4 + 3]! >= 128,
  )
  return (share: number) =>
    [frame.x + column, frame.y + rows[Math.floor(rows.length * share)]!].map((side) =>
      Math.round(side / scale),
    ) as [number, number]
}

async function still(frames: () => number): Promise<void> {
  let last = -1
  await until('it is still', async () => {
    if (frames() === last) return true
    last = frames()
    await new Promise((resolve) => setTimeout(resolve, 120))
    return false
  })
}

/** Ink further from a place than it reaches. */
function stray({ width, height, at }: Picture, [x = -500, y = -500]: readonly number[]): string[] {
  const found: string[] = []
  for (let py = 0; py < height; py += 6)
    for (let px = 0; px < width; px += 6)
      if (Math.hypot(px - x, py - y) > 150 && inked(at(px, py))) found.push(`${px},${py}`)
  return found
}

const presses = (window: WaylandWindow) =>
  window.events.filter(({ event, down }) => event === 'button' && down).length

sway(
  'J5: clicks on its body are its own, and 1 px outside and on what it says they are those of the window below',
  async (t) => {
    const on = await startSway({ config: PAINT })
    t.teardown(() => on.stop())
    const window = await on.window({ fullscreen: true })
    const hand = await on.hand()
    const own = await shows(t, on)
    const wanted = scene([640, 420], { bubble: { id: 'a', text: 'Click me, and you click what is below.' } })
    await hand.move(20, 20)
    const bare = await on.picture()
    const without = await own.host.capture({ display: 1, marks: false, backdrop: 'screen' })
    t.deepEqual(await own.rests(wanted), { visible: true })
    const { frame, pixels, input } = await painted(own.displays, wanted)
    t.false((await on.picture()).png.equals(bare.png))
    const sides = edges(input, frame)
    t.true(sides.in.length >= 8 && sides.out.length >= 8)
    for (const [x, y] of sides.in) {
      await hand.moveInto(frame.x + x, frame.y + y)
      await hand.click()
    }
    await until('all were told', () => own.of('clicked').length === sides.in.length)
    t.deepEqual(
      own.of('clicked').map(({ button, display, at }) => [button, display, ...at.map(Math.floor)]),
      sides.in.map(([x, y]) => ['primary', 1, frame.x + x, frame.y + y]),
    )
    t.is(presses(window), 0)
    const said: [number, number][] = []
    for (let n = 0; n < frame.width * frame.height && said.length < 8; n += 997)
      if (pixels[n * 4 + 3]! > 250 && input[n * 4 + 3]! < 128)
        said.push([n % frame.width, Math.floor(n / frame.width)])
    t.true(said.length >= 8)
    const beside = [...sides.out, ...said]
    for (const [x, y] of beside) {
      await hand.moveInto(frame.x + x, frame.y + y)
      await hand.click()
    }
    await until('all arrived', () => presses(window) === beside.length)
    t.is(own.of('clicked').length, sides.in.length)
    t.false(window.events.some(({ event }) => event === 'blur'))

    await hand.move(20, 20)
    const again = await own.host.capture({ display: 1, marks: false, backdrop: 'screen' })
    t.true(Buffer.from(again.data).equals(Buffer.from(without.data)), 'it is in no picture without marks')
    const drawn = await own.host.capture({ display: 1, marks: true, backdrop: 'screen' })
    t.false(Buffer.from(drawn.data).equals(Buffer.from(without.data)), 'it is in one with marks')
    await own.host.companion.show(null)
    await until('it is gone', async () => (await on.picture()).png.equals(bare.png))
  },
)

sway('its menu at scale 1.25: hovered and picked where it is drawn, closed by leaving it', async (t) => {
  const on = await startSway({ outputs: [{ mode: '1600x1000', scale: 1.25 }], config: PAINT })
  t.teardown(() => on.stop())
  const window = await on.window({ fullscreen: true })
  const hand = await on.hand()
  const own = await shows(t, on)
  const at = scene([640, 420])
  const open = scene([640, 420], { menu: MENU })
  await own.rests(at)
  await own.host.companion.watchPointer(true)
  await hand.move(640, 420)
  await until('its pointer is told', () => own.of('pointer').length === 1)
  t.deepEqual(await own.host.companion.pointer(), { display: 1, at: [640, 420] })
  for (let round = 0; round < 4; round++) {
    await own.host.companion.show(at)
    own.onClick(open)
    // The second press is on the body too, whatever has come up beside it meanwhile.
    await hand.click()
    await hand.click()
    await still(own.frames)
  }
  t.true(own.of('clicked').length >= 4)
  t.deepEqual([...own.of('picked'), ...own.of('hovered')], [])
  const { frame, pixels } = await painted(own.displays, open)
  const screen = await on.picture()
  let [solid, off] = [0, 0]
  for (let n = 0; n < frame.width * frame.height; n++) {
    const [x, y] = [frame.x + (n % frame.width), frame.y + Math.floor(n / frame.width)]
    // The hand itself is in the picture.
    const isHand = Math.hypot(x - 640 * 1.25, y - 420 * 1.25) < 40
    if (pixels[n * 4 + 3] !== 255 || isHand) continue
    const seen = screen.at(x, y)
    solid += 1
    if (seen.some((channel, index) => Math.abs(channel - pixels[n * 4 + index]!) > 2)) off += 1
  }
  t.true(solid > 10_000, `${solid} pixels`)
  t.is(off, 0, 'every pixel is as it was drawn')

  const place = await inMenu(own.displays, open)
  for (const [item, share] of [0.2, 0.5, 0.8].entries()) {
    await hand.move(...place(share))
    await until(`item ${item} is hovered`, () => own.of('hovered').at(-1)?.item === item)
  }
  await hand.click()
  await until('one was picked', () => own.of('picked').length === 1)
  t.is(own.of('picked')[0]!.item, 2)
  t.deepEqual(own.of('elsewhere'), [])
  const frames = own.frames()
  await hand.move(100, 700)
  await until('none is hovered', () => own.of('hovered').at(-1)?.item === null)
  t.is(await own.host.companion.pointer(), null)
  await hand.click()
  await until('the window has the click', () => presses(window) === 1)
  t.deepEqual(own.of('elsewhere'), [], 'a click elsewhere cannot be told')
  await until('that it was left is', () => own.of('elsewhere').length === 1)
  t.is(own.frames(), frames, 'at rest nothing is painted')
})

sway(
  'it crosses to an output of another scale, and when the one it flies to is unplugged, it is where it can be reached',
  async (t) => {
    const on = await startSway({
      hotplug: true,
      outputs: [{ position: [0, 0] }, { mode: '1600x1000', scale: 1.25, position: [1280, 0] }],
      config: PAINT,
    })
    t.teardown(() => on.stop())
    const own = await shows(t, on)
    const other = { output: 'WL-2', ground: BLUE }
    const look = { name: 'Bun', pace: 4 }
    await own.rests(scene([1200, 400], { look }))
    await own.rests(scene([100, 400], { display: 2, look }))
    t.is(own.of('arrived').at(-1)?.display, 2)
    await seesInk({ on }, [125, 500], other)
    await seesInk({ on }, [1200, 400], { output: 'WL-1', wanted: false })
    t.deepEqual(stray(await on.picture('WL-1'), []), [])
    t.deepEqual(stray(await on.picture('WL-2'), [125, 500]), [])

    const frames = own.frames()
    const arrivals = own.of('arrived').length
    await own.host.companion.show(scene([200, 400], { look: { name: 'Bun', pace: 0.4 } }))
    await until('it is on its way', () => own.frames() > frames + 10)
    await on.unplug('WL-1')
    await until('it arrived', () => own.of('arrived').length > arrivals)
    const { display, at } = own.of('arrived').at(-1)!
    t.is(display, 2)
    await seesInk({ on }, [Math.round(at[0] * 1.25), Math.round(at[1] * 1.25)], other)
    await own.rests(scene([600, 300], { display, look }))
    await seesInk({ on }, [750, 375], other)
    t.deepEqual(stray(await on.picture('WL-2'), [750, 375]), [], 'it left no trace of its way')
  },
)

sway(
  'through the daemon it says and offers, is clicked and picked from, takes no key; killed, it leaves nothing',
  async (t) => {
    const at = await desk(t)
    const window = await at.on.window({ fullscreen: true })
    const hand = await at.on.hand()
    const client = await at.client()
    t.true((await client.status()).capabilities?.includes('companion'))
    const heard: CompanionEventMessage[] = []
    await client.companion({ listen: true })
    void (async () => {
      for await (const event of client.companionEvents()) heard.push(event)
    })()
    const token = readFileSync(`${at.daemon.socket}.consent`, 'utf8')
    await client.companion({ set: { on: true }, token } as Parameters<typeof client.companion>[0])
    const said = await client.companion({
      command: 'entity.say',
      data: { text: 'Done: 14 tests pass', mood: 'proud' },
    })
    t.like(said, { painted: true, companion: { shown: true, says: 'Done: 14 tests pass' } })
    t.is(said.companion?.summon_key, undefined)
    const [x = 0, y = 0] = said.companion?.at?.map(Math.round) ?? []
    await seesInk(at, [x, y])
    const items = [{ id: 'again', label: 'Run them again' }]
    await client.companion({ command: 'entity.suggest', data: { items } })
    const keys = window.events.length
    await hand.move(x, y)
    await hand.click()
    await until('the click is told', () => heard.some(({ event }) => event === 'entity.click'))
    const open = scene([x, y], { menu: { items: [...OWN_ITEMS, ...items], chosen: null } })
    const place = await inMenu(await client.displays(), open)
    await hand.move(...place(7 / 8))
    await until('its menu is there', async () => {
      await hand.click()
      return heard.some(({ event }) => event === 'entity.pick')
    })
    t.like(heard.find(({ event }) => event === 'entity.pick')?.data, { id: 'again' })
    t.is(presses(window), 0)
    t.false(window.events.slice(keys).some(({ event }) => event === 'blur' || event === 'focus'))
    await client.companion({ command: 'entity.react', data: { name: 'wave' } })
    at.daemon.kill('SIGKILL')
    await seesInk(at, [x, y], { wanted: false })
    await at.daemon.exited
    const screen = await at.on.picture()
    for (let n = 0; n < 1280; n += 9) t.false(inked(screen.at(n, y - 40)), `${n}`)
  },
)

sway('a compositor that dies takes it along, which is said; it comes back with the next one', async (t) => {
  const first = await startSway({ config: PAINT })
  t.teardown(() => first.stop())
  const folder = mkdtempSync(join(tmpdir(), 'lets-w-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const place = join(folder, 'wayland-1')
  symlinkSync(first.display, place)
  const at = await deskOn(t, first, { WAYLAND_DISPLAY: place })
  const client = await at.client()
  const token = readFileSync(`${at.daemon.socket}.consent`, 'utf8')
  await client.companion({ set: { on: true }, token } as Parameters<typeof client.companion>[0])
  const say = (text: string) => client.companion({ command: 'entity.say', data: { text } })
  const shown = await say('Here')
  t.like(shown, { painted: true, companion: { shown: true } })
  await first.kill()
  const gone = await until('it is said to be gone', async () => {
    const told = await say('Gone?')
    return !told.companion?.shown && told
  })
  t.like(gone, { painted: false, companion: { on: true, shown: false, hidden_because: 'no_surface' } })
  t.regex(String((await client.status()).host_facts?.notes), /cannot draw.*Wayland compositor/)

  const second = await startSway({ config: PAINT })
  t.teardown(() => second.stop())
  rmSync(place)
  symlinkSync(second.display, place)
  const back = await until('it is back', async () => {
    const told = await say('Back')
    return told.companion?.shown && told
  })
  const [x = 0, y = 0] = back.companion?.at?.map(Math.round) ?? []
  await seesInk({ on: second }, [x, y])
})

kwin('KWin: clicks on its body are its own, and those beside it the window’s', async (t) => {
  const on = await startKWin({ size: [1280, 800] })
  t.teardown(() => on.stop())
  const window = await on.window({ fullscreen: true })
  const hand = await on.hand()
  const own = await shows(t, on)
  t.deepEqual(await own.rests(scene([640, 420], { bubble: { id: 'a', text: 'Here I am' } })), {
    visible: true,
  })
  await hand.move(640, 420)
  await hand.click()
  await until('it is told', () => own.of('clicked').length === 1)
  t.like(own.of('clicked')[0], { button: 'primary', display: 1, at: [640, 420] })
  t.is(presses(window), 0)
  await hand.move(700, 420)
  await hand.click()
  await until('the window has it', () => presses(window) === 1)
  t.is(own.of('clicked').length, 1)
})
