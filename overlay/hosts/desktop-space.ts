/** Displays as one continuous space, in which the companion goes its ways. */
import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import type { Display, Point, Size } from '../../protocol/overlay/geometry.js'
import type { Desktop } from '../companion/index.js'

/** A display in that space. */
export interface Area {
  readonly id: number
  /** Its top left, in units of the space. */
  readonly origin: Point
  /** Units of the space for a logical point. */
  readonly unit: number
  /** In logical points. */
  readonly size: Size
  readonly scale: number
}

/** @param seamless what is drawn may reach over from one display onto the next */
export function desktopSpace(areas: readonly Area[], seamless: boolean): Desktop {
  return {
    seamless,
    displays: () => areas,
    toDesktop: ({ display, at }) => {
      const area = areas.find(({ id }) => id === display)
      return area ? [area.origin[0] + at[0] * area.unit, area.origin[1] + at[1] * area.unit] : null
    },
    fromDesktop: (point) => {
      let nearest: (DisplayPoint & { readonly away: number }) | null = null
      for (const area of areas) {
        const found = nearestOn(area, point)
        if (!nearest || found.away < nearest.away) nearest = found
      }
      return nearest ? { display: nearest.display, at: nearest.at } : { display: 0, at: point }
    },
  }
}

/** Displays as clients know them, in logical points. */
export function logicalSpace(displays: readonly Display[], seamless = false): Desktop {
  const areas = displays.map(({ id, origin, logical_size: size, scale }) => ({
    id,
    origin,
    unit: 1,
    size,
    scale,
  }))
  return desktopSpace(areas, seamless)
}

function nearestOn({ id, origin, unit, size }: Area, point: Point): DisplayPoint & { readonly away: number } {
  const at = point.map((value, axis) => {
    const own = (value - (origin[axis] as number)) / unit
    return Math.max(0, Math.min(own, size[axis] as number))
  }) as [number, number]
  // What is on the seam of two displays is on the one that begins there.
  const seam = at.some((value, axis) => value === size[axis]) ? 1e-3 : 0
  const away = Math.hypot(
    ...at.map((value, axis) => (origin[axis] as number) + value * unit - (point[axis] as number)),
  )
  return { display: id, at, away: away + seam }
}
