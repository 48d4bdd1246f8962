import type { Display } from '../../protocol/overlay/geometry.js'
import type { GroundScreen, GroundWindow } from './grounder.js'
import type { Windows } from './windows.js'

/** What is on a display now, as resolvers are told it. A host that lists no windows has none there. */
export async function screenOf(windows: Windows, display: Display): Promise<GroundScreen> {
  const list = windows.canList ? await windows.list() : []
  return {
    display,
    windows: list.flatMap(({ id, app, title, pid, rects, contents, visible, transient }): GroundWindow[] => {
      const rect = rects.get(display.id)
      if (!visible || !rect) return []
      const content = contents?.get(display.id) ?? rect
      return [{ id, app, title, rect, content, transient, ...(pid !== undefined && { pid }) }]
    }),
  }
}
