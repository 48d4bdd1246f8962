/** Chooses what draws: the one place that names hosts. */
import { type HostEvents, HostUnavailable, type OverlayHost } from '../overlay/host.js'
import type { Display } from '../protocol/overlay/geometry.js'
import type { Log } from './log.js'

export interface HostChoice {
  readonly kind: 'auto' | 'x11' | 'headless'
  /** Virtual displays for the headless host. */
  readonly displays: readonly string[]
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
  const plan = planHost(choice, process.env)
  if (plan.kind === 'refuse')
    throw plan.usage ? new HostOptionsError(plan.reason) : new HostUnavailable(plan.reason)
  if (plan.kind === 'headless') return startHeadless(choice.displays, plan.note ? [plan.note] : [], events)
  const { loadNative } = await import('../native/index.js')
  const loaded = loadNative()
  if (!loaded.ok) {
    const note = `nothing is drawn on the screen: ${loaded.reason}; ${loaded.fix}`
    if (choice.kind === 'x11') throw new HostUnavailable(`${loaded.reason}; ${loaded.fix}`)
    log('warn', 'no_addon', { reason: loaded.reason })
    return startHeadless(choice.displays, [note], events)
  }
  const { NativeHost } = await import('../overlay/hosts/native/host.js')
  const { DesktopPictures } = await import('../overlay/hosts/desktop-pictures.js')
  return start(new NativeHost(loaded.native, plan.display, new DesktopPictures()), events)
}

export type HostPlan =
  | { readonly kind: 'x11'; readonly display: string }
  | { readonly kind: 'headless'; readonly note?: string }
  /** `usage`: the options do not fit together, whatever is here. */
  | { readonly kind: 'refuse'; readonly reason: string; readonly usage?: true }

/** What `--host` means in this environment. */
export function planHost(
  choice: HostChoice,
  env: NodeJS.ProcessEnv,
  platform: string = process.platform,
): HostPlan {
  // Virtual displays were asked for: a real screen would not be what they describe.
  if (choice.kind === 'headless' || (choice.kind === 'auto' && choice.displays.length > 0))
    return { kind: 'headless' }
  if (choice.displays.length > 0)
    return {
      kind: 'refuse',
      reason: '--display describes virtual displays: it goes with --host headless',
      usage: true,
    }
  if (env.DISPLAY) return { kind: 'x11', display: env.DISPLAY }
  if (choice.kind === 'x11')
    return {
      kind: 'refuse',
      reason:
        'DISPLAY is not set: there is no X server to draw on; set it to what it is in a terminal on your screen',
    }
  if (env.WAYLAND_DISPLAY) {
    return {
      kind: 'refuse',
      reason:
        'this is a Wayland desktop without X11, and Lets does not draw on Wayland yet; `lets daemon --host headless` runs without a screen',
    }
  }
  const note =
    platform === 'linux'
      ? undefined
      : `Lets does not draw on the screen of ${platform} yet: marks are kept in memory`
  return { kind: 'headless', ...(note !== undefined && { note }) }
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
