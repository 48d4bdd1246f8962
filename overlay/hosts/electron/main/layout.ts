/** The displays as Electron knows them, and word of their changes once things are quiet. */
import type Electron from 'electron'
import type { HostScreen } from '../../../../protocol/host/orders-schema.js'
import type { ElectronApi } from './api.js'
import type { Platform } from './recipe.js'

/** A change is told once nothing changed for this long, in ms: one plug makes a dozen events. */
const QUIET_MS = 100
/** A desktop that never comes to rest is told this often all the same, in ms. */
const PATIENCE_MS = 1000

export function screensOf({ screen }: Pick<ElectronApi, 'screen'>, platform: Platform): HostScreen[] {
  const primary = screen.getPrimaryDisplay().id
  return screen.getAllDisplays().map((display): HostScreen => {
    const { id, label, bounds, scaleFactor } = display
    const pixels = pixelsOf(screen, platform, display)
    return {
      key: String(id),
      name: label || `display ${id}`,
      primary: id === primary,
      scale: scaleFactor,
      size: [bounds.width, bounds.height],
      origin: [bounds.x, bounds.y],
      pixels,
    }
  })
}

function pixelsOf(
  screen: ElectronApi['screen'],
  platform: Platform,
  { bounds, scaleFactor }: Electron.Display,
): HostScreen['pixels'] {
  const { x, y, width, height } =
    platform === 'win32'
      ? screen.dipToScreenRect(null, bounds)
      : {
          x: bounds.x * scaleFactor,
          y: bounds.y * scaleFactor,
          width: bounds.width * scaleFactor,
          height: bounds.height * scaleFactor,
        }
  return [Math.round(x), Math.round(y), Math.round(width), Math.round(height)]
}

/** Calls `onChange` when the displays are other ones than last told. */
export function watchScreens(
  api: Pick<ElectronApi, 'screen'>,
  platform: Platform,
  onChange: (screens: HostScreen[]) => void,
): void {
  let told = JSON.stringify(screensOf(api, platform))
  let timer: NodeJS.Timeout | null = null
  let since = 0
  const changed = () => {
    const now = performance.now()
    if (timer) clearTimeout(timer)
    else since = now
    const wait = Math.max(0, Math.min(QUIET_MS, since + PATIENCE_MS - now))
    timer = setTimeout(() => {
      timer = null
      const screens = screensOf(api, platform)
      const known = JSON.stringify(screens)
      if (known === told) return
      told = known
      onChange(screens)
    }, wait)
  }
  api.screen.on('display-added', changed)
  api.screen.on('display-removed', changed)
  api.screen.on('display-metrics-changed', changed)
}
