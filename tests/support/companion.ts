/** Scenes and desktops for tests of the companion. */
import type { Desktop, DesktopDisplay } from '../../overlay/companion/index.js'
import type { CompanionScene, DisplayPoint } from '../../protocol/overlay/companion.js'
import type { Point } from '../../protocol/overlay/geometry.js'

export interface Monitor extends DesktopDisplay {
  /** Top left in the desktop, which is in pixels here, as on X11. */
  readonly origin: Point
}

export function desktopOf(monitors: readonly Monitor[]): Desktop {
  return {
    displays: () => monitors,
    toDesktop: ({ display, at }) => {
      const monitor = monitors.find(({ id }) => id === display)
      return monitor
        ? [monitor.origin[0] + at[0] * monitor.scale, monitor.origin[1] + at[1] * monitor.scale]
        : null
    },
    fromDesktop: (point) => {
      let best: { readonly place: DisplayPoint; readonly away: number } | null = null
      for (const { id, origin, scale, size } of monitors) {
        const at: Point = [
          Math.max(0, Math.min(size[0], (point[0] - origin[0]) / scale)),
          Math.max(0, Math.min(size[1], (point[1] - origin[1]) / scale)),
        ]
        const away = Math.hypot(origin[0] + at[0] * scale - point[0], origin[1] + at[1] * scale - point[1])
        if (!best || away < best.away) best = { place: { display: id, at }, away }
      }
      if (!best) throw new Error('no displays')
      return best.place
    },
  }
}

export const ONE: Monitor = { id: 1, size: [1280, 720], scale: 1, origin: [0, 0] }

/** Beside each other, of different sizes and scales, not aligned. */
export const TWO: readonly Monitor[] = [
  { id: 1, size: [1280, 720], scale: 1, origin: [0, 0] },
  { id: 2, size: [1280, 800], scale: 2, origin: [1280, -300] },
]

export function sceneAt(at: Point, more: Partial<CompanionScene> = {}, display = 1): CompanionScene {
  return {
    place: { display, at },
    look: { name: 'Lets', pace: 1 },
    mood: 'idle',
    asleep: false,
    gaze: [0, 0],
    reaction: null,
    bubble: null,
    menu: null,
    beckons: false,
    ...more,
  }
}
