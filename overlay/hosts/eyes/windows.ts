import type { PixelRect, WindowChange, WindowInfo } from '../../../native/index.js'
import type { Rect } from '../../../protocol/overlay/geometry.js'
import type { HostWindow, WindowsChange } from '../../host.js'
import type { Place } from '../layout.js'

type Places = ReadonlyMap<number, Place>

/** A window of the X server as the engine knows windows: in logical points of each display. */
export function toHostWindow(window: WindowInfo, places: Places): HostWindow {
  const { id, className, instance, title, pid, viewable, minimized, hidden, overrideRedirect } = window
  return {
    id,
    app: className || instance || title,
    title,
    rects: rectsOn(window, places),
    contents: rectsOn(window.content, places),
    ...(pid !== null && { pid }),
    visible: viewable && !minimized && !hidden,
    transient: overrideRedirect,
    fullScreen: isFullScreen(window, places),
  }
}

/**
 * By what its window manager says of it; or it is just as large as a monitor and has no frame, as players and games make
 * theirs, and is not merely maximised where no panel is.
 */
function isFullScreen(window: WindowInfo, places: Places): boolean {
  const { content, fullScreen, maximized, furniture, takesClicks } = window
  if (furniture) return false
  const monitors = [...places.values()].map(({ monitor }) => monitor)
  if (fullScreen) return monitors.some((monitor) => covers(window, monitor))
  if (maximized || !takesClicks || !same(window, content)) return false
  return monitors.some((monitor) => same(window, monitor))
}

function covers(outer: PixelRect, inner: PixelRect): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.width >= inner.x + inner.width &&
    outer.y + outer.height >= inner.y + inner.height
  )
}

function same(a: PixelRect, b: PixelRect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height
}

export function moves(changes: readonly WindowChange[], places: Places): WindowsChange {
  return {
    moved: changes
      .filter(({ kind }) => kind === 'moved')
      .map((change) => ({ id: change.id, rects: rectsOn(change, places) })),
    relisted: changes.some(({ kind, filling }) => kind !== 'moved' || filling),
  }
}

function rectsOn({ x, y, width, height }: PixelRect, places: Places): ReadonlyMap<number, Rect> {
  return new Map(
    [...places].map(
      ([
        id,
        {
          monitor: { x: left, y: top, scale },
        },
      ]) => [id, [(x - left) / scale, (y - top) / scale, width / scale, height / scale]],
    ),
  )
}
