/** Where a text box goes when only a position is named: the wire takes a rectangle. */
import type { Rect, Size } from '../../protocol/overlay/geometry.js'
import { NAMED_POSITIONS, resolvePosition } from '../../protocol/overlay/positions.js'
import type { LetsClient } from './client.js'

/** Between a box and the edge of its display, in logical points. */
const MARGIN = 16

/** Around the position, and on the display; a box grows with its text. Null when the position names no place. */
export async function boxAt(client: LetsClient, displayId: number, position: string): Promise<Rect | null> {
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

/** What a position may be, for whoever named one that is none. */
export const POSITIONS = `${Object.keys(NAMED_POSITIONS).join(', ')}, or a pair like "50%,30%"`
