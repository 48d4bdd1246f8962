/** A daemon on real compositors whose desktop has portals: the clear key, and pictures where the compositor shows none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import { runCli } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { colourAt } from '../x11/support.js'
import { kwinHere, startKWin } from './kwin.js'
import { standInPortal } from './portal-stand-in.js'
import { versionOf } from './processes.js'
import { deskOn } from './support.js'
import { startSway, swayVersion } from './sway.js'

const busHere = versionOf('dbus-daemon', '--version') !== undefined
const sway = swayVersion !== undefined && busHere ? test : test.skip
const kwin = kwinHere ? test : test.skip

sway('the key that the desktop gave clears the screen, and status names it', async (t) => {
  const portal = await standInPortal(t, { keys: 'Meta+F12' })
  const on = await startSway()
  t.teardown(() => on.stop())
  const env = { DBUS_SESSION_BUS_ADDRESS: portal.address }
  const desk = await deskOn(t, on, { ...env, LETS_HOTKEY: 'portal' })
  const client = await desk.client()
  await until('the desktop gave it', async () => {
    const { capabilities } = await client.status()
    return capabilities?.includes('hotkey')
  })
  t.regex((await runCli(['status'], desk.daemon.env)).stdout, /^hotkey {4}Meta\+F12 clears everything$/m)
  await client.point({ x: 100, y: 100, display_id: 1 })
  portal.press('clear')
  await until('the screen is clear', async () => (await client.status()).mark_count === 0)
  portal.takeBack()
  await until(
    'it is not told any more',
    async () => !(await client.status()).capabilities?.includes('hotkey'),
  )
  t.regex((await client.status()).host_facts?.hotkey ?? '', /took it back; `lets clear --all-sessions`/)

  // Its dialog takes the focus: nobody is asked for it unless they want to be.
  const quiet = await deskOn(t, on, env)
  t.regex((await (await quiet.client()).status()).host_facts?.hotkey ?? '', /^off: .*LETS_HOTKEY=portal/)
  t.is(portal.asked.filter((member) => member === 'BindShortcuts').length, 1)
})

kwin('KWin: without a portal there are no pictures, and that is told before anybody asks', async (t) => {
  const on = await startKWin()
  t.teardown(() => on.stop())
  const desk = await deskOn(t, on, { DBUS_SESSION_BUS_ADDRESS: on.bus })
  const client = await desk.client()
  t.false(client.drawsOn.capabilities?.includes('capture'))
  await until('it is known', async () =>
    /no Screenshot portal|cannot be used/.test((await client.status()).host_facts?.capture ?? ''),
  )
  await t.throwsAsync(client.capture({ display_id: 1 }), { message: /Screenshot portal/ })
})

kwin('KWin: pictures come through the Screenshot portal, and a no of the person ends them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lets-shot-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  let taken = 0
  const picture = () => {
    const canvas = createCanvas(1280, 800)
    const context = canvas.getContext('2d')
    context.fillStyle = '#22aa44'
    context.fillRect(0, 0, 1280, 800)
    const file = join(folder, `${taken++}.png`)
    writeFileSync(file, canvas.toBuffer('image/png'))
    return pathToFileURL(file).href
  }
  const behaviour = { screenshot: 'grants' as 'grants' | 'dismisses' }
  const portal = await standInPortal(t, {
    picture,
    get screenshot() {
      return behaviour.screenshot
    },
  })
  const on = await startKWin()
  t.teardown(() => on.stop())
  const desk = await deskOn(t, on, { DBUS_SESSION_BUS_ADDRESS: portal.address })
  const client = await desk.client()
  await until('it is known', async () => (await client.status()).capabilities?.includes('capture'))
  const { path = '', image_size } = await client.capture({ display_id: 1 })
  t.deepEqual(image_size, [1280, 800])
  t.deepEqual(await colourAt(path, 0.5, 0.5), [0x22, 0xaa, 0x44])
  behaviour.screenshot = 'dismisses'
  await t.throwsAsync(client.capture({ display_id: 1 }), { message: /dismissed/ })
  const { capabilities, host_facts } = await client.status()
  t.false(capabilities?.includes('capture'))
  t.regex(host_facts?.capture ?? '', /the next daemon asks again/)
})
