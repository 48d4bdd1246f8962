/** What is under ink: its pixels without our marks, so that a colour can be chosen that is seen there. */
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Backdrop } from '../scene/index.js'
import type { Listed } from './layout.js'
import { type Picture, type PixelRect, toPixels, toPoints } from './paint.js'
import { inTime } from './time-limit.js'

/** Pixels below `inks`, in logical points of a monitor; null when none of them is on it. Rejects when there are none to be had. */
export async function backdropsOf(
  monitor: Pick<Listed, 'scale' | 'width' | 'height'>,
  /** What is in a part of the monitor, given in its pixels. */
  take: (area: PixelRect) => Promise<Picture>,
  inks: readonly Rect[],
  /** Up to this many inks are looked at one by one; beyond, one picture of them all is quicker. */
  mostLooks: number,
): Promise<Backdrop[] | null> {
  const areas = inks.map((ink) => toPixels(ink, monitor.scale, monitor)).filter((area) => area !== null)
  const looks = areas.length > mostLooks ? [enclosing(areas)] : areas
  if (looks.length === 0) return null
  return Promise.all(
    looks.map(async (area) => {
      const { data, width, height } = await inTime(take(area))
      return { data, width, height, rect: toPoints(area, monitor.scale) }
    }),
  )
}

function enclosing(rects: readonly PixelRect[]): PixelRect {
  const left = Math.min(...rects.map(({ x }) => x))
  const top = Math.min(...rects.map(({ y }) => y))
  const right = Math.max(...rects.map(({ x, width }) => x + width))
  const bottom = Math.max(...rects.map(({ y, height }) => y + height))
  return { x: left, y: top, width: right - left, height: bottom - top }
}
