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
  }
}

export function moves(changes: readonly WindowChange[], places: Places): WindowsChange {
  return {
    moved: changes
      .filter(({ kind }) => kind === 'moved')
      .map((change) => ({ id: change.id, rects: rectsOn(change, places) })),
    relisted: changes.some(({ kind }) => kind !== 'moved'),
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
