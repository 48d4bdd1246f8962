/** Outputs and compositors that change, go, hang or never were: a clear word, and nothing left on the screen. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { loadNative } from '../../native/index.js'
import { HostUnavailable } from '../../overlay/host.js'
import { WaylandHost } from '../../overlay/hosts/wayland/host.js'
import { until } from '../support/xserver.js'
import { Quarters, versionOf } from './processes.js'
import { socketIn } from './rig.js'
import { desk, deskOn, inked, PAINT, seesInk } from './support.js'
import { grimHere, startSway, swayVersion } from './sway.js'

const sway = swayVersion !== undefined && grimHere ? test.serial : test.serial.skip
const weston = versionOf('weston', '--version') !== undefined ? test.serial : test.serial.skip

sway(
  'B13 an output that is unplugged takes its marks along, and their owner hears of it; one that comes is drawn on',
  async (t) => {
    const at = await desk(t, { hotplug: true, outputs: [{ position: [0, 0] }, { position: [1280, 0] }] })
    const client = await at.client()
    const names = async () => (await client.displays()).map(({ id, name }) => [id, name])
    t.deepEqual(await names(), [
      [1, 'WL-1'],
      [2, 'WL-2'],
    ])
    const kept = await client.highlight({ rect: [100, 100, 100, 100], display_id: 1 })
    const lost = await client.highlight({ rect: [100, 100, 100, 100], display_id: 2 })
    await at.on.unplug('WL-2')
    const { value } = await client.invalidations().next()
    t.deepEqual(value, { annotation_id: lost.annotation_id, reason: 'display_change' })
    t.deepEqual(await names(), [[1, 'WL-1']])
    await seesInk(at, [100, 150], { output: 'WL-1' })
    await t.throwsAsync(client.highlight({ rect: [1, 1, 50, 50], display_id: 2 }), { message: /display/ })

    const name = await at.on.plug({ position: [1280, 0], scale: 2 })
    await until('it is a display', async () => (await names()).length === 2)
    await client.highlight({ rect: [100, 100, 100, 100], display_id: 2 })
    await seesInk(at, [200, 300], { output: name })
    await seesInk(at, [100, 150], { output: 'WL-1' })
    const marks = (await client.status()).marks?.map(({ annotation_id }) => annotation_id)
    t.true(marks?.includes(kept.annotation_id))
  },
)

sway(
  'outputs that come and go while a mark moves leave nothing stuck: acks come, pixels follow',
  async (t) => {
    const at = await desk(t, { hotplug: true })
    const client = await at.client()
    const { annotation_id } = await client.highlight({ rect: [50, 50, 60, 60] })
    let moving = true
    let count = 0
    const moves = (async () => {
      while (moving) await client.move({ annotation_id, by: [count++ % 2 === 0 ? 200 : -200, 0] })
    })()
    const goesOn = () => {
      const enough = count + 2
      return until('it goes on moving', () => count >= enough)
    }
    for (let round = 0; round < 3; round++) {
      await goesOn()
      const name = await at.on.plug({ position: [1280, 0] })
      await until('two displays', async () => (await client.displays()).length === 2)
      await goesOn()
      await at.on.unplug(name)
      await until('one display', async () => (await client.displays()).length === 1)
    }
    moving = false
    await t.notThrowsAsync(moves, 'every move was acknowledged')
    const x = count % 2 === 0 ? 50 : 250
    await seesInk(at, [x, 80], { output: 'WL-1' })
    await client.clear()
    await seesInk(at, [x, 80], { output: 'WL-1', wanted: false })
  },
)

sway(
  'a mark in flight on an output that goes: the request is answered, and the other output goes on',
  async (t) => {
    const at = await desk(t, { hotplug: true, outputs: [{ position: [0, 0] }, { position: [1280, 0] }] })
    const client = await at.client()
    await client.point({ x: 100, y: 100, display_id: 2 })
    const flying = client.point({ x: 1200, y: 700, display_id: 2 }).catch((error: Error) => error)
    await at.on.unplug('WL-2')
    await flying
    await client.highlight({ rect: [300, 300, 100, 100], display_id: 1 })
    await seesInk(at, [300, 350], { output: 'WL-1' })
    t.pass()
  },
)

sway('an output that changes its scale and turns: what is put there again is in its place', async (t) => {
  const at = await desk(t, { outputs: [{ mode: '1600x1000' }] })
  const client = await at.client()
  await client.highlight({ rect: [100, 100, 200, 100] })
  await at.on.command('output HEADLESS-1 scale 2 transform 270')
  await until('the display is another', async () => (await client.displays())[0]?.scale === 2)
  await client.highlight({ rect: [100, 300, 200, 100] })
  await seesInk(at, [200, 700])
  const screen = await at.on.picture()
  t.false(inked(screen.at(400, 700)))
  t.deepEqual((await client.displays())[0]?.logical_size, [500, 800])
})

sway(
  'a compositor that dies is an error with a reason, not an exit; the next one is drawn on again',
  async (t) => {
    const first = await startSway({ config: PAINT })
    t.teardown(() => first.stop())
    const folder = mkdtempSync(join(tmpdir(), 'lets-w-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    // Both are found in one place, as a person's next session is.
    const place = join(folder, 'wayland-1')
    symlinkSync(first.display, place)
    const at = await deskOn(t, first, { WAYLAND_DISPLAY: place })
    const client = await at.client()
    const { annotation_id } = await client.highlight({ rect: [100, 100, 100, 100] })
    await first.kill()
    const { value } = await client.invalidations().next()
    t.deepEqual(value, { annotation_id, reason: 'display_change' })
    await t.throwsAsync(client.point({ x: 1, y: 1 }), { name: 'LetsError' })
    t.regex(String((await client.status()).host_facts?.notes), /cannot draw.*Wayland compositor/)

    const second = await startSway({ config: PAINT, outputs: [{ mode: '1600x1000', scale: 2 }] })
    t.teardown(() => second.stop())
    rmSync(place)
    symlinkSync(second.display, place)
    await until('it is drawn on again', () =>
      client.highlight({ rect: [100, 100, 100, 100] }).then(Boolean, () => false),
    )
    await seesInk({ on: second }, [200, 300])
  },
)

sway('a daemon ends in time although its compositor is frozen', async (t) => {
  const at = await desk(t)
  const client = await at.client()
  await client.highlight({ rect: [100, 100, 100, 100] })
  process.kill(at.on.pid, 'SIGSTOP')
  try {
    at.daemon.kill('SIGTERM')
    const late = new Promise((resolve) => setTimeout(resolve, 6000, 'late'))
    t.deepEqual(await Promise.race([at.daemon.exited, late]), { code: 0, signal: null })
  } finally {
    process.kill(at.on.pid, 'SIGCONT')
  }
})

sway(
  'a compositor that shows no frames: marks are said not to be seen, and are there once it does',
  async (t) => {
    const at = await desk(t)
    const client = await at.client()
    t.true((await client.highlight({ rect: [100, 100, 100, 100] })).painted)
    process.kill(at.on.pid, 'SIGSTOP')
    try {
      t.false((await client.highlight({ rect: [100, 300, 100, 100] })).painted)
    } finally {
      process.kill(at.on.pid, 'SIGCONT')
    }
    await seesInk(at, [100, 350])
    t.true((await client.highlight({ rect: [400, 300, 100, 100] })).painted)
  },
)

weston('a compositor without the layer shell is refused with the reason', async (t) => {
  const quarters = new Quarters()
  t.teardown(() => quarters.stop())
  const env = quarters.env()
  quarters.start('weston', ['--backend=headless-backend.so', '--socket=wayland-7', '--idle-time=0'], env)
  const display = await until('weston has a socket', () => socketIn(quarters.folder))
  await refused(t, display, /has no layer shell \(wlr-layer-shell\)/)
})

test.serial('a compositor that accepts and never says a word is given up in time', async (t) => {
  const path = await deaf(t)
  const began = performance.now()
  await refused(t, path, /the Wayland compositor at '.*' did not answer within 3000 ms/)
  t.true(performance.now() - began < 20_000)
})

test.serial('a compositor that is not there is refused with its place', async (t) => {
  await refused(t, '/nonexistent/wayland-1', /no Wayland compositor answers at '\/nonexistent\/wayland-1'/)
})

test.serial('a compositor that hangs up at once is refused', async (t) => {
  const path = await deaf(t, (socket) => socket.destroy())
  await refused(t, path, /the Wayland compositor went away/)
})

/** By the host itself: a daemon may know it sooner, and choose another way. */
async function refused(t: ExecutionContext, display: string, message: RegExp): Promise<void> {
  const loaded = loadNative()
  if (!loaded.ok) return t.fail(loaded.reason)
  const host = new WaylandHost(loaded.native, display)
  await t.throwsAsync(host.start(), { instanceOf: HostUnavailable, message })
  await host.stop()
}

/** A socket that takes connections, and what is done with each. */
async function deaf(t: ExecutionContext, meet: (socket: Socket) => void = () => {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lets-w-'))
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => {
    sockets.add(socket)
    meet(socket)
  })
  await new Promise<void>((resolve) => server.listen(join(folder, 'wayland-1'), resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return join(folder, 'wayland-1')
}
