/** What `--host` means, by what there is to draw on. Pure: whatever has to be asked was asked before. */
import { INSTALL } from './electron.js'
import { type Compositor, desktopOf } from './wayland.js'

export const HOST_KINDS = ['auto', 'wayland', 'x11', 'electron', 'headless'] as const

export interface HostChoice {
  readonly kind: (typeof HOST_KINDS)[number]
  /** Virtual displays for the headless host. */
  readonly displays: readonly string[]
  /** The Electron binary to use; absent: that of the package. */
  readonly electron?: string
  /** Where Electron may write, a folder of this daemon's own. */
  readonly folder?: string
  /** The file in which what a desktop allowed for good is kept. */
  readonly permissions?: string
}

export type HostPlan =
  /** `instead`: what to say besides, when that X server turns out not to be fit. */
  | { readonly kind: 'x11'; readonly display: string; readonly instead?: string }
  /** `display`: the compositor's socket. `x11`: the X display to go on with where that fails. */
  | { readonly kind: 'wayland'; readonly display: string; readonly x11?: string }
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
  /** What the Wayland compositor said, where `asksCompositor`. */
  readonly compositor?: Compositor
}

/** The one interface that a Wayland desktop can be drawn on through: a surface above all windows that lets clicks through. */
const LAYER_SHELL = 'zwlr_layer_shell_v1'

/** Whether what `--host` means depends on the Wayland compositor: then it is asked first. */
export function asksCompositor({ kind, displays }: HostChoice, env: NodeJS.ProcessEnv, platform: string) {
  if (platform !== 'linux' || displays.length > 0) return false
  return kind === 'wayland' || ((kind === 'auto' || kind === 'x11') && Boolean(env.WAYLAND_DISPLAY))
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

function planKind({ kind, displays }: HostChoice, around: Surroundings): HostPlan {
  const { env, platform, electron } = around
  // Virtual displays were asked for: a real screen would not be what they describe.
  if (kind === 'headless' || (kind === 'auto' && displays.length > 0)) return { kind: 'headless' }
  if (displays.length > 0)
    return {
      kind: 'refuse',
      reason: '--display describes virtual displays: it goes with --host headless',
      usage: true,
    }
  if (platform === 'darwin' || platform === 'win32') return planWithoutLinux(kind, platform, electron)
  if (kind === 'wayland') return planWayland(around)
  if (kind === 'auto' && env.WAYLAND_DISPLAY) return planOnWayland(around)
  if (env.DISPLAY) {
    if (kind === 'electron') return { kind: 'electron', display: env.DISPLAY }
    const instead = hasLayerShell(around) ? 'on this desktop it is --host wayland, or none' : undefined
    return { kind: 'x11', display: env.DISPLAY, ...(instead !== undefined && { instead }) }
  }
  if (kind !== 'auto')
    return {
      kind: 'refuse',
      reason:
        'DISPLAY is not set: there is no X server to draw on; set it to what it is in a terminal on your screen',
    }
  return { kind: 'headless' }
}

function hasLayerShell({ compositor }: Surroundings): boolean {
  return compositor?.answers === true && compositor.globals.includes(LAYER_SHELL)
}

/** `--host wayland`: that or nothing. */
function planWayland(around: Surroundings): HostPlan {
  const display = around.env.WAYLAND_DISPLAY || 'wayland-0'
  if (hasLayerShell(around)) return { kind: 'wayland', display }
  return { kind: 'refuse', reason: around.compositor?.answers ? without(around.env) : silent(around) }
}

/** `--host auto` on a Wayland desktop: its own way where it has one, else Xwayland, else a clear no. */
function planOnWayland(around: Surroundings): HostPlan {
  const { env, compositor } = around
  const { DISPLAY, WAYLAND_DISPLAY: display = '' } = env
  if (hasLayerShell(around)) return { kind: 'wayland', display, ...(DISPLAY && { x11: DISPLAY }) }
  const reason = compositor?.answers ? without(env) : silent(around)
  return DISPLAY ? { kind: 'x11', display: DISPLAY, instead: reason } : { kind: 'refuse', reason }
}

const HEADLESS =
  '`lets daemon --host headless` runs without a screen, and windows of uniques open in your browser (`lets unique list`)'

/** Why a compositor without the layer shell cannot be drawn on, and what would help there. */
function without(env: NodeJS.ProcessEnv): string {
  const desktop = desktopOf(env)
  const name = desktop ?? 'this Wayland desktop'
  const help =
    desktop === 'GNOME'
      ? 'choose an Xorg session when you log in, where your GNOME still has one'
      : 'use a desktop that has it (sway, KDE Plasma and others), or an Xorg session'
  return `${name} has no place above all windows for an ordinary program to draw on (${LAYER_SHELL}); ${help}. Without marks: ${HEADLESS}`
}

function silent({ env, compositor }: Surroundings): string {
  const reason = compositor?.answers === false ? compositor.reason : 'it was not asked'
  return `the Wayland compositor at ${env.WAYLAND_DISPLAY || 'wayland-0'} does not answer: ${reason}. Without a screen: \`lets daemon --host headless\``
}

/** On macOS and Windows Electron draws, and nothing else does. */
function planWithoutLinux(kind: HostChoice['kind'], platform: string, electron: boolean): HostPlan {
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
