/** A desktop whose compositor shows its screen to no program of ours, and which has the real portal and PipeWire instead. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sessionBus } from '@jellybrick/dbus-next'
import type { ExecutionContext } from 'ava'
import { end, until } from '../support/xserver.js'
import { PYTHON, Quarters, startBus, versionOf } from './processes.js'
import { type Sway, type SwayOptions, startSway, swayVersion } from './sway.js'

const LIBEXEC = '/usr/libexec'
const PORTAL = join(LIBEXEC, 'xdg-desktop-portal')
const BACKEND = join(LIBEXEC, 'xdg-desktop-portal-wlr')
const PERMISSIONS = join(LIBEXEC, 'xdg-permission-store')

/** How long the parts of a desktop may take to come up, in ms. */
const UP_MS = 30_000

export const screencastHere =
  swayVersion !== undefined &&
  [PORTAL, BACKEND, PERMISSIONS, '/usr/bin/pw-dump'].every(existsSync) &&
  versionOf('pipewire', '--version') !== undefined &&
  versionOf('wireplumber', '--version') !== undefined

export interface CastDesktop {
  readonly sway: Sway
  /** The bus of the session. */
  readonly bus: string
  /** The compositor, without a protocol that pictures it. */
  readonly display: string
  /** How often the person was asked for an output. */
  asked(): number
  /** What the person answers: an output's name, or nothing, which is a no. */
  answers(output: string): void
  /** What PipeWire has of streams of ours and of the desktop's. */
  streams(): Promise<string[]>
  /** What connects streams with each other. */
  killSessionManager(): Promise<void>
  killPipeWire(): Promise<void>
}

export async function castDesktop(t: ExecutionContext, options: SwayOptions): Promise<CastDesktop> {
  const sway = await startSway(options)
  t.teardown(() => sway.stop())
  // Of whoever runs the tests: the bus and the portal take no other user.
  const quarters = new Quarters(false)
  t.teardown(() => quarters.stop())
  const file = (name: string) => join(quarters.folder, name)
  const bus = await startBus(quarters)
  const display = file('plain')
  const filter = (at: string, ...words: string[]) =>
    quarters.start(PYTHON, [quarters.program('filter.py'), at, sway.display, ...words], quarters.env())
  filter(display, 'zwlr_screencopy_manager_v1=0', 'ext_image_copy_capture_manager_v1=0')
  filter(file('backend'), 'dmabuf')
  mkdirSync(file('xdg-desktop-portal-wlr'))
  writeFileSync(file('choose'), `echo asked >> '${file('asked')}'\ncat '${file('answer')}'\n`)
  writeFileSync(
    file('xdg-desktop-portal-wlr/config'),
    `[screencast]\nchooser_type=simple\nchooser_cmd=/bin/sh ${file('choose')}\n`,
  )
  const answers = (output: string) => writeFileSync(file('answer'), output)
  answers('HEADLESS-1\n')
  await until('the filters listen', () => existsSync(display) && existsSync(file('backend')), UP_MS)

  const env = quarters.env({
    DBUS_SESSION_BUS_ADDRESS: bus,
    WAYLAND_DISPLAY: file('backend'),
    XDG_CURRENT_DESKTOP: 'sway',
  })
  const pipewire = quarters.start('pipewire', [], env)
  await until('PipeWire listens', () => existsSync(file('pipewire-0')), UP_MS)
  const manager = quarters.start('wireplumber', [], env)
  const dump = () => dumped(quarters, env)
  await until('the session manager is there', async () => (await dump()).includes('WirePlumber'), UP_MS)
  // Each before whoever would have the bus start it.
  const services: [program: string, name: string][] = [
    [PERMISSIONS, 'org.freedesktop.impl.portal.PermissionStore'],
    [BACKEND, 'org.freedesktop.impl.portal.desktop.wlr'],
    [PORTAL, 'org.freedesktop.portal.Desktop'],
  ]
  const names = await namesOn(t, bus)
  for (const [program, name] of services) {
    quarters.start(program, [], env)
    await until(`${name} is there`, async () => (await names()).includes(name), UP_MS)
  }
  return {
    sway,
    bus,
    display,
    asked: () => (existsSync(file('asked')) ? readFileSync(file('asked'), 'utf8').split('\n').length - 1 : 0),
    answers,
    async streams() {
      return [...(await dump()).matchAll(/"media\.class": "([^"]*Video[^"]*)"/g)].map(
        ([, kind]) => kind ?? '',
      )
    },
    killSessionManager: () => end(manager, 'SIGKILL'),
    killPipeWire: () => end(pipewire, 'SIGKILL'),
  }
}

async function dumped(quarters: Quarters, env: NodeJS.ProcessEnv): Promise<string> {
  const child = quarters.start('pw-dump', [], env, { stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    said += chunk
  })
  await new Promise((resolve) => child.once('close', resolve))
  return said
}

/** Reads who is on the bus. */
async function namesOn(t: ExecutionContext, busAddress: string): Promise<() => Promise<string[]>> {
  const bus = sessionBus({ busAddress })
  bus.on('error' as never, (() => {}) as never)
  t.teardown(() => bus.disconnect())
  const { Message } = await import('@jellybrick/dbus-next')
  const name = 'org.freedesktop.DBus'
  return async () => {
    const message = new Message({
      destination: name,
      path: '/org/freedesktop/DBus',
      interface: name,
      member: 'ListNames',
    })
    return ((await bus.call(message))?.body[0] ?? []) as string[]
  }
}
