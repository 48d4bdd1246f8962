/** The key and the pictures that a Wayland desktop gives through its portals, against a stand-in for them. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createCanvas } from '@napi-rs/canvas'
import test, { type ExecutionContext } from 'ava'
import { busAddress } from '../../overlay/hosts/wayland/portal.js'
import { type Output, PortalPictures } from '../../overlay/hosts/wayland/portal-pictures.js'
import { PortalShortcut } from '../../overlay/hosts/wayland/portal-shortcuts.js'
import { until } from '../support/xserver.js'
import { type PortalOptions, standInPortal } from './portal-stand-in.js'
import { versionOf } from './processes.js'

const bus = versionOf('dbus-daemon', '--version') === undefined ? test.skip : test

const TIMES = { connect: 5000, call: 5000, person: 5000 }
/** For those who never answer. */
const SOON = { ...TIMES, person: 500 }
const CLEAR = { id: 'clear', description: 'Take all marks off the screen', trigger: 'CTRL+SHIFT+k' }

async function shortcut(t: ExecutionContext, options: PortalOptions = {}) {
  const portal = await standInPortal(t, options)
  const pressed: string[] = []
  const key = new PortalShortcut(
    portal.address,
    CLEAR,
    () => pressed.push('clear'),
    options.shortcuts === 'hangs' ? SOON : TIMES,
  )
  t.teardown(() => key.close())
  return { portal, key, pressed }
}

bus(
  'the key is asked for once, with what it does and what is proposed, and its presses are heard',
  async (t) => {
    const { portal, key, pressed } = await shortcut(t)
    t.deepEqual(key.state, { kind: 'unasked' }, 'no dialog before it is of use')
    await Promise.all([key.bind(), key.bind()])
    await key.bind()
    t.deepEqual(key.state, { kind: 'ready', keys: 'Ctrl+Shift+K' })
    t.is(portal.asked.filter((member) => member === 'BindShortcuts').length, 1)
    t.is(portal.asked[0], 'Register', 'who asks is said before anything else')
    const [, wishes] = portal.last('BindShortcuts') as [string, [string, Record<string, { value: string }>][]]
    t.is(wishes[0]?.[0], 'clear')
    t.is(wishes[0]?.[1].preferred_trigger?.value, 'CTRL+SHIFT+k')
    portal.press('clear')
    await until('it is heard', () => pressed.length === 1)
    // None of these is the person pressing our key.
    portal.press('another')
    portal.press('clear', '/org/freedesktop/portal/desktop/session/1_1/other')
    await portal.forge('clear')
    portal.press('clear')
    await until('it is heard again', () => pressed.length === 2)
    t.is(pressed.length, 2)
    key.close()
    await until('the session is given back', () => portal.asked.at(-1) === 'Close')
  },
)

bus('a person who chooses other keys is told those', async (t) => {
  const { key } = await shortcut(t, { keys: 'Meta+F12' })
  await key.bind()
  t.deepEqual(key.state, { kind: 'ready', keys: 'Meta+F12' })
})

const REFUSALS: [what: string, options: PortalOptions, reason: RegExp][] = [
  [
    'a dialog that is dismissed',
    { shortcuts: 'dismisses' },
    /dismissed what the desktop asked; it is asked again by the next/,
  ],
  ['a dialog that gives it no key', { keys: null }, /gave it no key/],
  ['a dialog without an answer', { shortcuts: 'hangs' }, /no answer within 0.5 s/],
  ['a desktop that wants a .desktop file', { shortcuts: 'refuses' }, /\.desktop file/],
  ['a desktop without that portal', { has: ['Screenshot'] }, /no GlobalShortcuts portal/],
]
for (const [what, options, reason] of REFUSALS) {
  bus(`${what} leaves the key off, and says so`, async (t) => {
    const { portal, key, pressed } = await shortcut(t, options)
    await key.bind()
    t.is(key.state.kind, 'off')
    t.regex(key.state.kind === 'off' ? key.state.reason : '', reason)
    portal.press('clear')
    if (options.shortcuts === 'hangs')
      await until('the question is taken back', () => portal.asked.includes('Close'))
    await key.bind()
    t.true(portal.asked.filter((member) => member === 'BindShortcuts').length <= 1)
    t.is(pressed.length, 0)
  })
}

bus('a key that the desktop takes back, or whose portal or bus ends, is off from then on', async (t) => {
  const ends: [string, (portal: Awaited<ReturnType<typeof shortcut>>['portal']) => unknown, RegExp][] = [
    ['taken back', (portal) => portal.takeBack(), /took it back/],
    ['the portal ends', (portal) => portal.leave(), /the portal ended/],
    ['the bus ends', (portal) => portal.endBus(), /the session bus hung up|the portal ended/],
  ]
  for (const [what, end, reason] of ends) {
    const { portal, key } = await shortcut(t)
    await key.bind()
    t.is(key.state.kind, 'ready', what)
    end(portal)
    await until(`${what}: off`, () => key.state.kind === 'off')
    t.regex(key.state.kind === 'off' ? key.state.reason : '', reason)
  }
})

test('no bus, and one that never answers, leave the key off in time', async (t) => {
  t.is(busAddress({}), undefined)
  t.is(busAddress({ XDG_RUNTIME_DIR: '/run/user/7' }), 'unix:path=/run/user/7/bus')
  const folder = mkdtempSync(join(tmpdir(), 'lets-bus-'))
  const path = join(folder, 'bus')
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(path, resolve))
  t.teardown(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  for (const address of [undefined, 'unix:path=/nowhere/bus', `unix:path=${path}`]) {
    const key = new PortalShortcut(address, CLEAR, () => {}, { ...TIMES, connect: 500 })
    const began = performance.now()
    await key.bind()
    t.is(key.state.kind, 'off', address)
    t.true(performance.now() - began < 15_000)
    key.close()
  }
})

const OUTPUTS: Output[] = [
  { x: 0, y: 0, width: 40, height: 20, scale: 2 },
  { x: 20, y: 0, width: 40, height: 20, scale: 2 },
]
const SECOND = { id: 2, name: 'B', primary: false, bounds: { x: 20, y: 0, width: 40, height: 20 } }

/** A picture of the desktop: red on the left output, green on the right, in a file of its own. */
function desktop(t: ExecutionContext, width = 80): string {
  const canvas = createCanvas(width, 20)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ff0000'
  context.fillRect(0, 0, 40, 20)
  context.fillStyle = '#00ff00'
  context.fillRect(40, 0, 40, 20)
  const folder = mkdtempSync(join(tmpdir(), 'lets-shot-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'Screenshot from now.png')
  writeFileSync(file, canvas.toBuffer('image/png'))
  return file
}

bus('a picture is taken without a dialog of ours, cut to the display, and its file removed', async (t) => {
  let file = ''
  const portal = await standInPortal(t, {
    picture: () => {
      file = desktop(t)
      return pathToFileURL(file).href
    },
  })
  const pictures = new PortalPictures(portal.address, () => OUTPUTS, TIMES)
  const data = await pictures.take(SECOND, { x: 1, y: 1, width: 2, height: 2 })
  t.deepEqual([...data.subarray(0, 4), data.length], [0, 255, 0, 255, 16])
  const [, dict] = portal.last('Screenshot') as [string, Record<string, { value: unknown }>]
  t.is(dict.interactive?.value, false)
  t.false(existsSync(file), 'it does not pile up')
  await pictures.take(SECOND, { x: 0, y: 0, width: 1, height: 1 })
  t.is(portal.asked.filter((member) => member === 'Screenshot').length, 2)
})

bus('a picture whose pixels are not those of the outputs is refused', async (t) => {
  const portal = await standInPortal(t, { picture: () => pathToFileURL(desktop(t, 64)).href })
  const area = { x: 0, y: 0, width: 1, height: 1 }
  const take = (outputs: readonly Output[]) =>
    new PortalPictures(portal.address, () => outputs, TIMES).take(SECOND, area)
  await t.throwsAsync(take(OUTPUTS), {
    name: 'HostUnavailable',
    message: /64x20 pixels, and its outputs 80x20/,
  })
  const mixed = [OUTPUTS[0]!, { ...OUTPUTS[1]!, scale: 1 }]
  await t.throwsAsync(take(mixed), { message: /different scales/ })
})

const NO_PICTURE: [what: string, options: PortalOptions, reason: RegExp, asked: number][] = [
  ['a no of the person', { screenshot: 'dismisses' }, /dismissed.*the next daemon asks again/, 1],
  ['silence', { screenshot: 'hangs' }, /no answer within 0.5 s/, 2],
  ['a refusal', { screenshot: 'refuses' }, /app id/, 2],
  ['a desktop without that portal', { has: ['GlobalShortcuts'] }, /no Screenshot portal/, 0],
  ['a file that is not there', {}, /ENOENT|no such file/, 2],
  ['a file that is none', { picture: () => pathToFileURL(tmpdir()).href }, /names no picture/, 2],
  ['a picture elsewhere', { picture: () => 'https://example.org/a.png' }, /names no file/, 2],
]
for (const [what, options, reason, times] of NO_PICTURE) {
  bus(`no picture: ${what} is said`, async (t) => {
    const portal = await standInPortal(t, options)
    const pictures = new PortalPictures(
      portal.address,
      () => OUTPUTS,
      options.screenshot === 'hangs' ? SOON : TIMES,
    )
    for (let time = 0; time < 2; time++)
      await t.throwsAsync(pictures.take(SECOND, { x: 0, y: 0, width: 1, height: 1 }), {
        name: 'HostUnavailable',
        message: reason,
      })
    t.is(portal.asked.filter((member) => member === 'Screenshot').length, times)
  })
}

bus('a picture that was there before is not removed', async (t) => {
  const file = desktop(t)
  const { utimesSync } = await import('node:fs')
  utimesSync(file, 1000, 1000)
  const portal = await standInPortal(t, { picture: () => pathToFileURL(file).href })
  await new PortalPictures(portal.address, () => OUTPUTS, TIMES).take(SECOND, {
    x: 0,
    y: 0,
    width: 1,
    height: 1,
  })
  t.true(existsSync(file))
})
