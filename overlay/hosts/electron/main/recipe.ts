/** The overlay window, as each platform wants it: click-through, on top of everything, out of the way of focus. */
import type Electron from 'electron'
import type { HostPlace } from '../../../../protocol/host/orders-schema.js'
import type { OverlayWindow } from './api.js'

export type Platform = 'linux' | 'darwin' | 'win32'

/**
 * The in-memory session of the pages of one zoom: nothing is stored, nothing is shared with anything else. Chromium keeps one
 * zoom for all pages of an origin in a session, so displays of different scales must not share one.
 */
export const partition = (zoom: number) => `lets-overlay-${zoom}`

export function windowOptions(
  platform: Platform,
  bounds: Electron.Rectangle,
  preload: string | null,
  zoom: number,
): Electron.BrowserWindowConstructorOptions {
  return {
    ...bounds,
    // Shown by `showInactive` alone, and only once clicks pass through it.
    show: false,
    title: 'lets-overlay',
    transparent: true,
    // Opaque black for an instant otherwise, on some systems, before the first frame.
    backgroundColor: '#00000000',
    frame: false,
    thickFrame: false,
    roundedCorners: false,
    // A shadow would be drawn around the ink on macOS, and be stale when the ink changes.
    hasShadow: false,
    // Keys stay where the person types. On X11 this also takes the window out of the window manager's hands: no frame that
    // would swallow clicks, and above full-screen windows.
    focusable: false,
    acceptFirstMouse: false,
    skipTaskbar: true,
    resizable: false,
    movable: false,
    minimizable: false,
    maximizable: false,
    closable: false,
    fullscreenable: false,
    disableAutoHideCursor: true,
    alwaysOnTop: true,
    // Without it macOS keeps the window below its menu bar, and the marks off their places.
    enableLargerThanScreen: true,
    useContentSize: true,
    // A type that compositors neither dim nor shadow nor animate; on macOS a panel may join full-screen spaces.
    ...(platform === 'linux' && { type: 'notification' }),
    ...(platform === 'darwin' && { type: 'panel' }),
    webPreferences: {
      ...(preload !== null && { preload }),
      partition: partition(zoom),
      // Logical points where the window's own units are pixels.
      zoomFactor: zoom,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools: false,
      spellcheck: false,
      enableWebSQL: false,
      // A page that is covered or unfocused would be slowed down, and marks with it. A still page runs nothing anyway.
      backgroundThrottling: false,
    },
  }
}

/** What has to be said to a window after it exists, and before it is ever shown. */
export function prepare(platform: Platform, window: OverlayWindow): void {
  // Not forwarding: nothing here wants to know where the pointer is.
  window.setIgnoreMouseEvents(true)
  // The highest level there is: above full screen, the menu bar and the dock.
  window.setAlwaysOnTop(true, 'screen-saver')
  if (platform === 'win32') return
  window.setVisibleOnAllWorkspaces(true, {
    visibleOnFullScreen: true,
    // The process is an accessory already (`setActivationPolicy`): changing its type would make all windows blink.
    skipTransformProcessType: true,
  })
  if (platform === 'darwin') window.setHiddenInMissionControl(true)
}

/**
 * Shows it, never with the focus. What must hold is said again: on Windows and X11 showing a window can undo both.
 */
export function show(window: OverlayWindow): void {
  window.showInactive()
  window.setIgnoreMouseEvents(true)
  window.setAlwaysOnTop(true, 'screen-saver')
}

/**
 * The companion's window: below those of the marks, where a system knows levels; it passes clicks on until its page says that
 * the pointer is where they are taken.
 */
export function prepareCompanion(platform: Platform, window: OverlayWindow): void {
  prepare(platform, window)
  takeClicks(window, false)
}

export function showCompanion(window: OverlayWindow, takes: boolean): void {
  window.showInactive()
  takeClicks(window, takes)
}

/** Moves are told to its page all the same: by them it knows where the pointer is. */
export function takeClicks(window: OverlayWindow, takes: boolean): void {
  if (takes) window.setIgnoreMouseEvents(false)
  else window.setIgnoreMouseEvents(true, { forward: true })
  window.setAlwaysOnTop(true, 'pop-up-menu')
}

/**
 * How much the window begins above or to the left of its display, in the window's units, which on X11 are pixels. There
 * Electron cannot empty a window's input region: it leaves the one pixel at the top left, which must then lie on no screen,
 * since corners are where people throw the pointer.
 */
export function overhang(
  platform: Platform,
  { bounds }: Pick<HostPlace, 'bounds'>,
  all: readonly Pick<HostPlace, 'bounds'>[],
): { readonly left: number; readonly top: number } {
  if (platform !== 'linux') return { left: 0, top: 0 }
  const ways = [
    { left: 0, top: 1 },
    { left: 1, top: 0 },
    { left: 1, top: 1 },
  ]
  const isOnAny = ({ left, top }: { left: number; top: number }) =>
    all.some((one) => holds(one.bounds, bounds[0] - left, bounds[1] - top))
  // With screens all around it there is no such place: the daemon's own check then refuses this host.
  return ways.find((way) => !isOnAny(way)) ?? { left: 1, top: 1 }
}

function holds([left, top, width, height]: HostPlace['bounds'], x: number, y: number): boolean {
  return x >= left && y >= top && x < left + width && y < top + height
}
