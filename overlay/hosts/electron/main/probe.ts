/** A first window, small and empty, made as all others will be: what it got is what they will get. */
import type { HostSelfReport } from '../../../../protocol/host/orders-schema.js'
import type { ElectronApi } from './api.js'
import { overhang, type Platform, prepare, show, windowOptions } from './recipe.js'

/** The side of it, in the window's units. */
const SIDE = 16
/** How long it may take to come onto the screen, in ms. */
const SHOWN_MS = 2000

export interface Probe {
  readonly got: HostSelfReport['window']
  close(): void
}

/** Opens it at the top left of the primary display. It stays until it is closed. */
export async function openProbe(api: ElectronApi, platform: Platform): Promise<Probe> {
  const { x, y } = api.screen.getPrimaryDisplay().bounds
  const all = api.screen.getAllDisplays().map(({ bounds }) => ({
    bounds: [bounds.x, bounds.y, bounds.width, bounds.height] as [number, number, number, number],
  }))
  const { left, top } = overhang(platform, { bounds: [x, y, SIDE, SIDE] }, all)
  const bounds = { x: x - left, y: y - top, width: SIDE, height: SIDE }
  const window = new api.BrowserWindow(windowOptions(platform, bounds, null, 1))
  prepare(platform, window)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, SHOWN_MS)
    window.on('show', () => {
      clearTimeout(timer)
      resolve()
    })
    show(window)
  })
  const at = window.getBounds()
  return {
    got: {
      shown: window.isVisible(),
      above: window.isAlwaysOnTop(),
      focusable: window.isFocusable(),
      placed: at.x === bounds.x && at.y === bounds.y && at.width === SIDE && at.height === SIDE,
    },
    close: () => {
      if (!window.isDestroyed()) window.destroy()
    },
  }
}
