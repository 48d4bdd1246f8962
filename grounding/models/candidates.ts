import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Candidate, Query } from '../resolver.js'
import type { Place } from './answers.js'
import type { Look } from './look.js'

/**
 * How sure to be of a model's answer. No model's own number was measured here, so that it can lower this one and never raise it:
 * the region is outlined, the pointer is not put there.
 */
const TRUST = 0.7

/** A point stands for a region of this side, in logical points: a small button. */
const SPOT = 24

/** Places in a picture to candidates on the display. Several places are several answers to one question. */
export function toCandidates(query: Query, places: readonly Place[], look: Look): readonly Candidate[] {
  const ties = query.nth === undefined ? Math.max(1, places.length) : 1
  const all = places.map(
    ({ rect, name, sure = 1 }): Candidate => ({
      name: name ?? query.text.slice(0, 200),
      role: 'unknown',
      rect: onDisplay(rect, look),
      confidence: Math.round((TRUST * sure * 1000) / Math.sqrt(ties)) / 1000,
      ties,
    }),
  )
  if (query.nth === undefined) return all
  const one = all[query.nth - 1]
  return one ? [one] : []
}

function onDisplay([x, y, width, height]: Place['rect'], { size, part }: Look): Rect {
  const [u, v] = [part[2] / size[0], part[3] / size[1]]
  const [left, top] = [part[0] + x * u, part[1] + y * v]
  if (width > 0 && height > 0) return [left, top, width * u, height * v]
  // Kept inside of what was shown.
  const [w, h] = [Math.min(SPOT, part[2]), Math.min(SPOT, part[3])]
  const within = (at: number, from: number, length: number, side: number) =>
    Math.min(Math.max(at - side / 2, from), from + length - side)
  return [within(left, part[0], part[2], w), within(top, part[1], part[3], h), w, h]
}
