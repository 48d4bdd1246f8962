import type { Point, Rect } from '../../protocol/overlay/geometry.js'
import type { Tint } from './color.js'
import type { Context2D } from './context.js'
import { CAP_HEIGHT, fontOf } from './font.js'
import type { Badge, Env } from './laid.js'
import { mixPoint } from './motion.js'
import { disc, REACH } from './shapes.js'
import { snap } from './snap.js'

const RADIUS = 11
/** Distance of a badge's centre from the display's edge that keeps all of it on the display. */
const INSET = RADIUS + 3.5

/** A badge centred at `wish`, or as near to it as the display allows. */
export function layBadge(step: number | undefined, wish: Point, env: Env): Badge | null {
  if (step === undefined) return null
  const x = Math.max(INSET, Math.min(wish[0], env.size[0] - INSET))
  const y = Math.max(INSET, Math.min(wish[1], env.size[1] - INSET))
  return { at: [snap(x, env.scale), snap(y, env.scale)], step }
}

/** What the badge covers. */
export function badgeRect({ at: [x, y] }: Badge): Rect {
  const reach = RADIUS + REACH
  return [x - reach, y - reach, 2 * reach, 2 * reach]
}

export function mixBadge(from: Badge | null, to: Badge | null, t: number): Badge | null {
  return from && to ? { ...to, at: mixPoint(from.at, to.at, t) } : to
}

export function paintBadge(context: Context2D, badge: Badge, tint: Tint, scale: number): void {
  const [x, y] = badge.at
  disc(context, x, y, RADIUS, tint, scale)
  const size = badge.step > 9 ? 12 : 13.5
  context.font = fontOf(size, 600)
  context.direction = 'ltr'
  context.textAlign = 'center'
  context.textBaseline = 'alphabetic'
  context.fillStyle = tint.onInk
  context.fillText(String(badge.step), x, y + (CAP_HEIGHT * size) / 2)
}
