import type { Blot } from './ink.js'
import { type Box, commonRows, heightOf, holds, widthOf } from './picture.js'

/** In points: circles to choose one of several with. */
const SIDE = { least: 10.5, most: 20 } as const
/** A ring is mostly not there. */
const MOST_INKED = 0.46
/** In points: a letter O has its neighbours nearer than this. */
const ALONE = 3

interface Surface {
  readonly distance: Uint8Array
  readonly width: number
  readonly scale: number
}

/** The rings among the glyphs, which a reader would take for letters. They are taken out of `distance`. */
export function findRings(glyphs: readonly Blot[], surface: Surface): Blot[] {
  const rings = glyphs.filter((blot) => isRing(blot, surface) && isAlone(blot, glyphs, surface.scale))
  const { distance, width } = surface
  for (const { box } of rings) {
    for (let y = box.top; y < box.bottom; y++) distance.fill(0, y * width + box.left, y * width + box.right)
  }
  return rings
}

function isRing({ box, pixels }: Blot, { distance, width, scale }: Surface): boolean {
  const [w, h] = [widthOf(box), heightOf(box)]
  if (Math.abs(w - h) > 1.5 * scale || h < SIDE.least * scale || h > SIDE.most * scale) return false
  if (pixels > MOST_INKED * w * h) return false
  const inked = (x: number, y: number) => (distance[Math.round(y) * width + Math.round(x)] as number) > 24
  const [right, bottom] = [box.right - 1, box.bottom - 1]
  const [middle, centre] = [(box.left + right) / 2, (box.top + bottom) / 2]
  const corners = [
    inked(box.left, box.top),
    inked(right, box.top),
    inked(box.left, bottom),
    inked(right, bottom),
  ]
  const sides = [inked(middle, box.top), inked(middle, bottom), inked(box.left, centre), inked(right, centre)]
  // Nothing a third of the way in, on either diagonal.
  const third = w * 0.3
  const within = [
    inked(box.left + third, box.top + third),
    inked(right - third, box.top + third),
    inked(box.left + third, bottom - third),
    inked(right - third, bottom - third),
  ]
  return corners.every((one) => !one) && sides.every(Boolean) && within.every((one) => !one)
}

function isAlone(ring: Blot, glyphs: readonly Blot[], scale: number): boolean {
  return glyphs.every((other) => {
    if (other === ring || holds(ring.box, other.box)) return true
    return gap(ring.box, other.box) >= ALONE * scale || commonRows(ring.box, other.box) <= 0
  })
}

const gap = (a: Box, b: Box) => Math.max(b.left - a.right, a.left - b.right)
