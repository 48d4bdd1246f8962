import type { Field } from './field.js'
import { BLOCK, groundOf, type PixelArea, type Pixels } from './pixels.js'
import { type Side, type Strip, WIDTH } from './strips.js'

/** A line that divides panes reaches at least this far beyond a core on both sides, in pixels at scale 1: a button's ends before. */
const LINE = 24

/** The ground a core lies on is looked for this far around it, in pixels at scale 1: it may be a button with one of its own. */
const GROUND: readonly [across: number, down: number] = [16, 8]

/** Whether a core and the nearest strip that tells on that side lie on one ground, with no line between them. */
export function isJoined(field: Field, side: Side): boolean {
  const { before, core, scale } = field
  const [nearest] = field.telling(side)
  if (!nearest) return false
  const ground = groundOf(before, grown(core, GROUND[0] * scale, GROUND[1] * scale))
  if (groundOf(before, [nearest.x, nearest.y, WIDTH, BLOCK]) !== ground) return false
  const isBeside = side === 'left' || side === 'right'
  const [from, to] = between(core, nearest, side)
  const reach = isBeside ? grown(core, 0, LINE * scale) : grown(core, LINE * scale, 0)
  const axis = isBeside ? 1 : 0
  for (let line = from; line < to; line++) if (isDividing(before, line, reach, axis, ground)) return false
  return true
}

/** What lies between a core and a strip: from which to before which column, or line. */
function between([left, top, width, height]: PixelArea, strip: Strip, side: Side): [number, number] {
  if (side === 'left') return [strip.x + WIDTH, left]
  if (side === 'right') return [left + width, strip.x]
  return side === 'above' ? [strip.y + BLOCK, top] : [top + height, strip.y]
}

/** Whether a column (`axis` 1) or line (`axis` 0) of a picture is of one colour along a reach, and another than the ground's. */
function isDividing(
  { data, width, height }: Pixels,
  line: number,
  reach: PixelArea,
  axis: 0 | 1,
  ground: number,
): boolean {
  const first = Math.max(0, reach[axis])
  const last = Math.min(axis === 1 ? height : width, reach[axis] + (reach[axis + 2] as number))
  const at = (along: number) => data[axis === 1 ? along * width + line : line * width + along]
  const color = at(first)
  if (color === ground) return false
  for (let along = first + 1; along < last; along++) if (at(along) !== color) return false
  return true
}

function grown([x, y, width, height]: PixelArea, across: number, down: number): PixelArea {
  const [dx, dy] = [Math.round(across), Math.round(down)]
  return [x - dx, y - dy, width + 2 * dx, height + 2 * dy]
}
