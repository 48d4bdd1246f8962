/** A daemon where the compositor shows no pictures, with the real ScreenCast portal and the real PipeWire. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { connect, type LetsClient } from '../../daemon/client/index.js'
import { loadNative } from '../../native/index.js'
import { type DaemonProcess, runCli, startDaemonProcess, tempHome } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { colourAt } from '../x11/support.js'
import { type CastDesktop, castDesktop, screencastHere } from './screencast.js'
import { BLUE, PAINT, seesInk } from './support.js'

const screencast = screencastHere ? test : test.skip

interface Served {
  readonly daemon: DaemonProcess
  readonly client: LetsClient
}

async function serve(t: ExecutionContext, on: CastDesktop, home?: string): Promise<Served> {
  const daemon = await startDaemonProcess({
    env: {
      WAYLAND_DISPLAY: on.display,
      DBUS_SESSION_BUS_ADDRESS: on.bus,
      ...(home !== undefined && { LETS_HOME: home }),
    },
    args: ['--host', 'wayland', '--capture-consent', 'always'],
  })
  t.teardown(() => daemon.stop())
  const client = await connect({
    clientName: 'test',
    socket: daemon.socket,
    acks: 'painted',
    lingerMs: 0,
  })
  t.teardown(() => client.close())
  await until(
    'it has pictures',
    async () => (await client.status()).capabilities?.includes('capture'),
    20_000,
  )
  return { daemon, client }
}

/** Waits for the first picture: the session manager may still be coming up. */
function firstPicture(client: LetsClient) {
  return until('a picture', () => client.capture({ display_id: 1 }).catch(() => undefined), 60_000)
}

screencast(
  'the desktop asks once: pictures have right colours, no marks, and leave nothing running',
  async (t) => {
    t.timeout(180_000)
    const on = await castDesktop(t, { config: PAINT })
    const home = tempHome()
    t.teardown(() => rmSync(home, { recursive: true, force: true }))
    const file = join(home, 'screencast')
    const { daemon, client } = await serve(t, on, home)
    t.is(on.asked(), 0, 'nobody is asked before a picture is wanted')
    const first = await firstPicture(client)
    t.deepEqual(first.image_size, [1280, 800])
    t.deepEqual(await colourAt(first.path ?? '', 0.5, 0.5), BLUE)

    // It dims everything around it.
    await client.highlight({ rect: [400, 300, 300, 200], spotlight: true })
    await seesInk({ on: on.sway }, [50, 50])
    const without = await client.capture({ display_id: 1 })
    for (const [u, v] of [
      [0.04, 0.06],
      [0.32, 0.5],
      [0.9, 0.9],
    ] as const)
      t.deepEqual(await colourAt(without.path ?? '', u, v), BLUE)
    await seesInk({ on: on.sway }, [50, 50])
    t.is(on.asked(), 1)
    await until('nothing of a stream is left', async () => (await on.streams()).length === 0, 20_000)

    t.is(statSync(file).mode & 0o777, 0o600)
    t.is((await client.status()).host_facts?.capture_permission, 'kept')
    t.regex((await runCli(['status'], daemon.env)).stdout, /^desktop .*its token is kept/m)
    client.close()
    await daemon.stop()

    // The next daemon is not asked about, and the person takes it all back.
    const next = await serve(t, on, home)
    t.deepEqual(await colourAt((await next.client.capture({ display_id: 1 })).path ?? '', 0.5, 0.5), BLUE)
    t.is(on.asked(), 1)
    t.is((await runCli(['consent', 'never'], next.daemon.env)).code, 0)
    t.false(existsSync(file))
    t.is((await next.client.status()).host_facts?.capture_permission, undefined)
    t.is((await runCli(['consent', 'always'], next.daemon.env)).code, 0)
    await next.client.capture({ display_id: 1 })
    t.is(on.asked(), 2, 'the desktop asks anew')
    next.client.close()
    await next.daemon.stop()

    // A token that the portal refuses is forgotten, and the person asked; one that is another's to read is not used at all.
    for (const [token, mode, asked] of [
      ['no token', 0o600, 3],
      ['no token', 0o644, 4],
    ] as const) {
      rmSync(file)
      writeFileSync(file, `${token}\n`, { mode })
      const again = await serve(t, on, home)
      await again.client.capture({ display_id: 1 })
      t.is(on.asked(), asked)
      t.not(readFileSync(file, 'utf8').trim(), token)
      again.client.close()
      await again.daemon.stop()
    }
  },
)

screencast('a no is said, and asked about no more, in no other way either', async (t) => {
  t.timeout(120_000)
  const on = await castDesktop(t, { config: PAINT })
  on.answers('')
  const { daemon, client } = await serve(t, on)
  for (let time = 0; time < 2; time++)
    await t.throwsAsync(client.capture({ display_id: 1 }), { message: /ScreenCast portal.*next daemon asks/ })
  t.is(on.asked(), 1)
  t.false(existsSync(join(daemon.home, 'screencast')))
  const { capabilities, host_facts } = await client.status()
  t.false(capabilities?.includes('capture'))
  t.regex(host_facts?.capture ?? '', /next daemon asks/)
})

screencast('a PipeWire that is dead, or connects nothing, is said in time, and the marks stay', async (t) => {
  t.timeout(180_000)
  const on = await castDesktop(t, { config: PAINT })
  const { client } = await serve(t, on)
  await firstPicture(client)
  await client.highlight({ rect: [400, 300, 300, 200], spotlight: true })
  await on.killSessionManager()
  await t.throwsAsync(client.capture({ display_id: 1, marks: true }), { message: /session manager/ })
  await seesInk({ on: on.sway }, [50, 50])
  t.is((await client.status()).mark_count, 1)

  const addon = loadNative()
  if (!addon.ok) return t.fail(addon.reason)
  const cast = new addon.native.ScreenCast({
    bus: on.bus,
    connectMs: 10_000,
    callMs: 10_000,
    personMs: 60_000,
  })
  const offer = await cast.ask()
  if ('fault' in offer) return t.fail(offer.message)
  await on.killPipeWire()
  await t.throwsAsync(cast.prepare(offer.monitors[0]?.node ?? 0), { message: /PipeWire|portal|answer/i })
  await cast.close()
})
