import type { Rect, Size } from '../../protocol/overlay/geometry.js'
import { resolvePosition } from '../../protocol/overlay/positions.js'
import type { LetsClient } from './client.js'

/** Between a box and the edge of its display, in logical points. */
const MARGIN = 16

/**
 * Where a box of ordinary width goes when only a position is named: around it, and on the display. It grows with its
 * text. Null when the name is none of a position.
 */
export async function boxAt(
  client: Pick<LetsClient, 'displays'>,
  displayId: number,
  position: string,
): Promise<Rect | null> {
  const displays = await client.displays()
  const display = displays.find(({ id }) => id === displayId) ?? displays.find(({ primary }) => primary)
  const size: Size = display?.logical_size ?? [320, 80]
  const center = resolvePosition(position, size)
  if (!center) return null
  const width = Math.min(320, size[0])
  const height = Math.min(40, size[1])
  const within = (middle: number, extent: number, room: number) =>
    Math.round(Math.max(0, Math.min(Math.max(middle - extent / 2, MARGIN), room - extent - MARGIN)))
  return [within(center[0], width, size[0]), within(center[1], height, size[1]), width, height]
}
