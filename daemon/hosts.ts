/** Chooses what draws: the one place that names hosts. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type HostEvents, HostUnavailable, type OverlayHost } from '../overlay/host.js'
import type { Display } from '../protocol/overlay/geometry.js'
import { findElectron, INSTALL, installElectron } from './electron.js'
import type { Log } from './log.js'
import { version } from './version.js'

export const HOST_KINDS = ['auto', 'x11', 'wayland', 'electron', 'headless'] as const

export interface HostChoice {
  readonly kind: (typeof HOST_KINDS)[number]
  /** Virtual displays for the headless host. */
  readonly displays: readonly string[]
  /** The Electron binary to use; absent: that of the package. */
  readonly electron?: string
  /** Where Electron may write, a folder of this daemon's own. */
  readonly folder?: string
}

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
  const installed = choice.electron !== undefined || findElectron().state === 'ready'
  const plan = planHost(choice, { env: process.env, platform: process.platform, electron: installed })
  switch (plan.kind) {
    case 'refuse':
      throw plan.usage ? new HostOptionsError(plan.reason) : new HostUnavailable(plan.reason)
    case 'headless':
      return startHeadless(choice.displays, plan.note ? [plan.note] : [], events)
    case 'electron':
      return startElectron(choice, plan.display, events, log)
    case 'x11':
      return startX11(choice, plan.display, events, log)
    case 'wayland':
      return startWayland(plan.display, events)
  }
}

export type HostPlan =
  | { readonly kind: 'x11'; readonly display: string }
  /** `display`: the compositor's socket. */
  | { readonly kind: 'wayland'; readonly display: string }
  /** `display`: the X display it draws on, where it does. */
  | { readonly kind: 'electron'; readonly display?: string }
  | { readonly kind: 'headless'; readonly note?: string }
  /** `usage`: the options do not fit together, whatever is here. */
  | { readonly kind: 'refuse'; readonly reason: string; readonly usage?: true }

/** What there is to draw on and with. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly platform: string
  /** Electron's binary is here. */
  readonly electron: boolean
}

/** What `--host` means here. Whether an Xwayland is new enough to let clicks through, the addon finds out. */
export function planHost(choice: HostChoice, around: Surroundings): HostPlan {
  const plan = planKind(choice, around)
  // Something else would draw than what was named, and nobody would say so.
  if (choice.electron !== undefined && plan.kind !== 'electron' && plan.kind !== 'refuse')
    return {
      kind: 'refuse',
      reason: '--electron names a binary, and Electron is not what draws here: it goes with --host electron',
      usage: true,
    }
  return plan
}

function planKind({ kind, displays }: HostChoice, { env, platform, electron }: Surroundings): HostPlan {
  // Virtual displays were asked for: a real screen would not be what they describe.
  if (kind === 'headless' || (kind === 'auto' && displays.length > 0)) return { kind: 'headless' }
  if (displays.length > 0)
    return {
      kind: 'refuse',
      reason: '--display describes virtual displays: it goes with --host headless',
      usage: true,
    }
  if (platform === 'darwin' || platform === 'win32') return planWithoutX(kind, platform, electron)
  if (kind === 'wayland') return { kind: 'wayland', display: env.WAYLAND_DISPLAY || 'wayland-0' }
  if (env.DISPLAY)
    return kind === 'electron'
      ? { kind: 'electron', display: env.DISPLAY }
      : { kind: 'x11', display: env.DISPLAY }
  if (kind !== 'auto')
    return {
      kind: 'refuse',
      reason:
        'DISPLAY is not set: there is no X server to draw on; set it to what it is in a terminal on your screen',
    }
  if (env.WAYLAND_DISPLAY)
    return {
      kind: 'refuse',
      reason:
        'this is a Wayland desktop without X11, and Lets does not draw on Wayland yet; `lets daemon --host headless` runs without a screen',
    }
  return { kind: 'headless' }
}

/** On macOS and Windows Electron draws, and nothing else does. */
function planWithoutX(kind: HostChoice['kind'], platform: string, electron: boolean): HostPlan {
  if (kind === 'x11' || kind === 'wayland')
    return {
      kind: 'refuse',
      reason: `${platform} has no ${kind === 'x11' ? 'X11' : 'Wayland'} to draw on; there it is --host electron`,
    }
  if (kind === 'electron' || electron) return { kind: 'electron' }
  return {
    kind: 'headless',
    note: `nothing is drawn on the screen: Electron, which draws here, is not installed; run \`${INSTALL}\`, then \`lets stop\``,
  }
}

async function startX11(choice: HostChoice, display: string, events: HostEvents, log: Log): Promise<Started> {
  const loaded = await addon()
  if (!loaded.ok) {
    if (choice.kind === 'x11') throw new HostUnavailable(`${loaded.reason}; ${loaded.fix}`)
    log('warn', 'no_addon', { reason: loaded.reason })
    const note = `nothing is drawn on the screen: ${loaded.reason}; ${loaded.fix}`
    return startHeadless(choice.displays, [note], events)
  }
  const { NativeHost } = await import('../overlay/hosts/native/host.js')
  const { DesktopPictures } = await import('../overlay/hosts/desktop-pictures.js')
  return start(new NativeHost(loaded.native, display, new DesktopPictures()), events)
}

async function startWayland(display: string, events: HostEvents): Promise<Started> {
  const loaded = await addon()
  if (!loaded.ok) throw new HostUnavailable(`${loaded.reason}; ${loaded.fix}`)
  const { WaylandHost } = await import('../overlay/hosts/wayland/host.js')
  return start(new WaylandHost(loaded.native, display), events)
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
