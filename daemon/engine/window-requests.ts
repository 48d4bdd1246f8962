/** The requests about other programs' windows: apps, await_window, and drawing relative to one. */
import type { HostWindow } from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import { clip, type Display, type Rect } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'
import type { Clock } from './clock.js'
import type { Windows } from './windows.js'

/** How long `await_window` waits when it does not say, in ms. */
const DEFAULT_WAIT_MS = 30_000

/** The windows a person sees, bottom to top. Titles often are the content (a subject, a file): only with consent. */
export async function listApps(
  windows: Windows,
  displays: readonly Display[],
  withTitles: boolean,
): Promise<AckFields> {
  const shown = (await windows.list()).filter(({ visible, transient }) => visible && !transient)
  return {
    apps: shown.flatMap((window, stacking) => {
      const display = bestDisplay(window, displays)
      const rect = display && window.rects.get(display.id)
      if (!display || !rect) return []
      const { id, app, title } = window
      return [
        {
          id,
          app,
          ...(withTitles && { title }),
          display_id: display.id,
          rect: [...rect] as Numbers,
          stacking,
        },
      ]
    }),
  }
}

type Numbers = [number, number, number, number]

/** Waits until a window appears, its time is over, or the client is gone. */
export async function awaitWindow(
  windows: Windows,
  request: RequestOf<'await_window'>,
  clock: Clock,
  hungUp: AbortSignal,
): Promise<AckFields> {
  let cancel = () => {}
  const cancelTimer = clock.after(request.timeout_ms ?? DEFAULT_WAIT_MS, () => cancel())
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve
  })
  const hangUp = () => cancel()
  hungUp.addEventListener('abort', hangUp)
  try {
    return { appeared: await windows.appears(request.app, cancelled) }
  } finally {
    // The connection goes on: nothing of this wait may stay with it.
    hungUp.removeEventListener('abort', hangUp)
    cancelTimer()
  }
}

/** The display most of a window is on, and its rectangle there. Throws `unavailable` when it is not visible. */
export function homeOf(window: HostWindow, displays: readonly Display[]): { display: Display; rect: Rect } {
  const display = window.visible ? bestDisplay(window, displays) : undefined
  const rect = display && window.rects.get(display.id)
  if (!display || !rect) {
    throw new WireError(
      'unavailable',
      `the window of ${window.app} is minimised, on another workspace, or off the screen`,
    )
  }
  return { display, rect }
}

function bestDisplay(window: HostWindow, displays: readonly Display[]): Display | undefined {
  let best: { display: Display; area: number } | undefined
  for (const display of displays) {
    const rect = window.rects.get(display.id)
    const seen = rect && clip(rect, [0, 0, display.logical_size[0], display.logical_size[1]])
    if (!seen) continue
    // In pixels, since displays of another scale give the same window other logical extents.
    const area = seen[2] * seen[3] * display.scale ** 2
    if (!best || area > best.area) best = { display, area }
  }
  return best?.display
}
