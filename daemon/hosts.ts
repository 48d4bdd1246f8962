/** Chooses what draws: the one place that names hosts. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type HostEvents, HostUnavailable, NO_PERMISSIONS, type OverlayHost } from '../overlay/host.js'
import type { Display } from '../protocol/overlay/geometry.js'
import { findElectron, INSTALL, installElectron } from './electron.js'
import { asksCompositor, type HostChoice, type HostPlan, planHost, type Surroundings } from './host-plan.js'
import type { Log } from './log.js'
import { PermissionFile } from './permission-file.js'
import { version } from './version.js'
import { askCompositor } from './wayland.js'

interface Started {
  readonly host: OverlayHost
  readonly displays: readonly Display[]
}

/** The words that describe a host are off: for the person to correct. */
export class HostOptionsError extends Error {
  override readonly name = 'HostOptionsError'
}

/** Starts the host that was asked for, or that fits here. Rejects with what is wrong and what would help. */
export async function chooseHost(choice: HostChoice, events: HostEvents, log: Log): Promise<Started> {
  const plan = planHost(choice, await surroundings(choice))
  switch (plan.kind) {
    case 'refuse':
      throw plan.usage ? new HostOptionsError(plan.reason) : new HostUnavailable(plan.reason)
    case 'headless':
      return startHeadless(choice.displays, plan.note ? [plan.note] : [], events)
    case 'electron':
      return startElectron(choice, plan.display, events, log)
    case 'x11':
      return startX11(choice, plan, events, log)
    case 'wayland':
      return startWayland(choice, plan, events, log)
  }
}

/** What there is here to draw on and with. Never rejects. */
export async function surroundings(
  choice: HostChoice,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Surroundings> {
  const { platform } = process
  return {
    env,
    platform,
    electron: choice.electron !== undefined || findElectron(env).state === 'ready',
    ...(asksCompositor(choice, env, platform) && { compositor: await askCompositor(env) }),
  }
}

/** Where there is no addon: by default a daemon without a screen, which says so. */
async function startWithoutAddon(
  choice: HostChoice,
  { reason, fix }: { readonly reason: string; readonly fix: string },
  events: HostEvents,
  log: Log,
): Promise<Started> {
  if (choice.kind !== 'auto') throw new HostUnavailable(`${reason}; ${fix}`)
  log('warn', 'no_addon', { reason })
  return startHeadless(choice.displays, [`nothing is drawn on the screen: ${reason}; ${fix}`], events)
}

async function startX11(
  choice: HostChoice,
  { display, instead }: HostPlan & { readonly kind: 'x11' },
  events: HostEvents,
  log: Log,
): Promise<Started> {
  const loaded = await addon()
  if (!loaded.ok) return startWithoutAddon(choice, loaded, events, log)
  const { NativeHost } = await import('../overlay/hosts/native/host.js')
  const { DesktopPictures } = await import('../overlay/hosts/desktop-pictures.js')
  try {
    return await start(new NativeHost(loaded.native, display, new DesktopPictures()), events)
  } catch (error) {
    if (instead === undefined) throw error
    throw new HostUnavailable(`${(error as Error).message}. ${instead[0]?.toUpperCase()}${instead.slice(1)}`)
  }
}

async function startWayland(
  choice: HostChoice,
  { display, x11 }: HostPlan & { readonly kind: 'wayland' },
  events: HostEvents,
  log: Log,
): Promise<Started> {
  const loaded = await addon()
  if (!loaded.ok) return startWithoutAddon(choice, loaded, events, log)
  const { WaylandHost } = await import('../overlay/hosts/wayland/host.js')
  const { busAddress } = await import('../overlay/hosts/wayland/portal.js')
  const { env } = process
  const permissions =
    choice.permissions === undefined ? NO_PERMISSIONS : new PermissionFile(choice.permissions, log)
  const portals = { bus: busAddress(env), wantsKey: env.LETS_HOTKEY === 'portal', permissions }
  const host = new WaylandHost(loaded.native, display, portals)
  try {
    return await start(host, events)
  } catch (error) {
    await host.stop()
    if (x11 === undefined) throw error
    const reason = (error as Error).message
    log('warn', 'wayland_unusable', { reason })
    return startX11(choice, { kind: 'x11', display: x11, instead: `on Wayland: ${reason}` }, events, log)
  }
}

/** Electron, and whatever takes over where it cannot start or go on: the addon's own host on X11, none elsewhere. */
async function startElectron(
  choice: HostChoice,
  display: string | undefined,
  events: HostEvents,
  log: Log,
): Promise<Started> {
  const binary = await electronBinary(choice, log)
  if (display === undefined) return startAlone(choice, binary, events, log)
  const loaded = await addon()
  // Without it nobody could see whether clicks pass.
  if (!loaded.ok) throw new HostUnavailable(`${loaded.reason}; ${loaded.fix}`)
  const { native } = loaded
  const { WithStandby } = await import('../overlay/hosts/standby.js')
  const { UnusableHost } = await import('../overlay/hosts/unusable.js')
  const { ElectronOnX11 } = await import('../overlay/hosts/electron/on-x11.js')
  const { NativeHost } = await import('../overlay/hosts/native/host.js')
  const { DesktopPictures } = await import('../overlay/hosts/desktop-pictures.js')
  const pictures = new DesktopPictures()
  const first = () =>
    'reason' in binary
      ? new UnusableHost('electron', binary.reason)
      : new ElectronOnX11({ native, display, program: binary.program, version: version(), pictures, log })
  return start(new WithStandby(first, () => new NativeHost(native, display, pictures), log), events)
}

async function startAlone(
  choice: HostChoice,
  binary: Awaited<ReturnType<typeof electronBinary>>,
  events: HostEvents,
  log: Log,
): Promise<Started> {
  let reason: string
  if ('reason' in binary) reason = binary.reason
  else {
    const { ElectronHost } = await import('../overlay/hosts/electron/host.js')
    const { DesktopPictures } = await import('../overlay/hosts/desktop-pictures.js')
    const host = new ElectronHost({
      program: binary.program,
      version: version(),
      pictures: new DesktopPictures(),
      log,
    })
    try {
      return await start(host, events)
    } catch (error) {
      await host.stop()
      reason = (error as Error).message
    }
  }
  log('warn', 'electron_unusable', { reason })
  return startHeadless(
    choice.displays,
    [`nothing is drawn on the screen: Electron cannot be used: ${reason}`],
    events,
  )
}

/** What to start, fetched if need be; or why there is none. */
async function electronBinary({ electron, folder }: HostChoice, log: Log) {
  const { privateEnvironment, switchesFor } = await import('../overlay/hosts/electron/child.js')
  let path = electron
  if (path === undefined) {
    const found = findElectron()
    if (found.state === 'missing')
      log('info', 'electron_install', { version: found.version, reason: found.reason })
    // Asked for by name: it is fetched now, once.
    const installed = await installElectron({
      onLine: (line) => log('info', 'electron_install', { said: line }),
    })
    if (!installed.ok)
      return {
        reason: `it could not be fetched from ${installed.tried}: ${installed.reason}; try \`${INSTALL}\``,
      }
    path = installed.binary.path
  }
  if (folder === undefined) return { reason: 'there is no folder for it to write to' }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return {
    program: {
      path,
      entry: fileURLToPath(new URL('../overlay/hosts/electron/main/entry.js', import.meta.url)),
      folder,
      switches: switchesFor(process.platform, folder),
      env: privateEnvironment(process.env),
    },
  }
}

async function addon() {
  const { loadNative } = await import('../native/index.js')
  return loadNative()
}

async function startHeadless(
  displays: readonly string[],
  notes: readonly string[],
  events: HostEvents,
): Promise<Started> {
  const { HeadlessHost } = await import('../overlay/hosts/headless/host.js')
  let host: OverlayHost
  try {
    host = new HeadlessHost(displays, notes)
  } catch (error) {
    throw new HostOptionsError((error as Error).message)
  }
  return start(host, events)
}

async function start(host: OverlayHost, events: HostEvents): Promise<Started> {
  host.on(events)
  return { host, displays: await host.start() }
}
