import type { Grounds } from './grounds.js'
import { type Box, heightOf, holds, widthOf } from './picture.js'
import { findRings } from './rings.js'

/** Pixels that hang together and differ from their ground: a letter, a rule, a frame, an icon. */
export interface Blot {
  readonly box: Box
  readonly pixels: number
  /** The number of the ground it is on. */
  readonly ground: number
}

export interface Ink {
  /** What may be letters. */
  readonly glyphs: readonly Blot[]
  /** Long thin lines: underlines, borders of tables. */
  readonly rules: readonly Blot[]
  /** What goes around a ground: the border of a field or of a box to tick. */
  readonly frames: readonly Blot[]
}

/** Less than this differs too little for a person to read it. */
const FAINT = 34
/** In points: nothing taller is a letter of an interface. */
const TALLEST = 56
/** In points: taller than this, it may be letters of two lines. */
const TALL = 15
/** The share of a blot's darkest that its pixels have at least, where it is parted. */
const PART = 0.4
const WIDEST = 420

/** Finds what is on the grounds, and takes out of `distance` what can be no letter. */
export function findInk({ grounds, of, distance }: Grounds, width: number, scale: number): Ink {
  const seen = new Uint8Array(distance.length)
  const stack = new Int32Array(distance.length)
  const ink: { glyphs: Blot[]; rules: Blot[]; frames: Blot[] } = { glyphs: [], rules: [], frames: [] }
  for (let seed = 0; seed < distance.length; seed++) {
    if (seen[seed] !== 0 || (distance[seed] as number) < FAINT) continue
    const { blot, depth } = flood(seed, { seen, stack, distance, of }, width)
    const kind = kindOf(blot, grounds, scale)
    if (kind === 'glyphs') {
      if (heightOf(blot.box) > TALL * scale) ink.glyphs.push(...parted(stack, depth, distance, of, width))
      else ink.glyphs.push(blot)
      continue
    }
    if (kind !== 'none') ink[kind].push(blot)
    for (let i = 0; i < depth; i++) distance[stack[i] as number] = 0
  }
  const rings = findRings(ink.glyphs, { distance, width, scale })
  return {
    rules: ink.rules,
    frames: [...ink.frames, ...rings],
    // With what is in them: the dot of a choice that is made.
    glyphs: ink.glyphs.filter(({ box }) => !rings.some((ring) => holds(ring.box, box))),
  }
}

/** Where the tails of one line touch the heads of the next, they do so with their faintest pixels: without those, they part. */
function parted(
  stack: Int32Array,
  depth: number,
  distance: Uint8Array,
  of: Uint16Array,
  width: number,
): Blot[] {
  const own = stack.slice(0, depth)
  const most = own.reduce((sofar, at) => Math.max(sofar, distance[at] as number), 0)
  const dark = new Set(own.filter((at) => (distance[at] as number) >= most * PART))
  const blots: Blot[] = []
  while (dark.size > 0) {
    const [seed] = dark as Set<number> & Iterable<number>
    const waiting = [seed as number]
    dark.delete(seed as number)
    const x0 = (seed as number) % width
    let [left, right, top, bottom] = [x0, x0, Infinity, 0]
    let pixels = 0
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      pixels++
      const x = at % width
      const y = (at - x) / width
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
      for (const near of [
        at - width - 1,
        at - width,
        at - width + 1,
        at - 1,
        at + 1,
        at + width - 1,
        at + width,
        at + width + 1,
      ]) {
        if (dark.delete(near)) waiting.push(near)
      }
    }
    blots.push({
      box: { left, top, right: right + 1, bottom: bottom + 1 },
      pixels,
      ground: of[seed as number] as number,
    })
  }
  return blots
}

interface Surface {
  readonly seen: Uint8Array
  readonly stack: Int32Array
  readonly distance: Uint8Array
  readonly of: Uint16Array
}

/** Everything that hangs together with a pixel, corner to corner too. The first `depth` of the stack are its pixels. */
function flood(seed: number, { seen, stack, distance, of }: Surface, width: number) {
  let [depth, next] = [0, 0]
  stack[depth++] = seed
  seen[seed] = 1
  const x0 = seed % width
  let [left, right, top, bottom] = [x0, x0, (seed - x0) / width, (seed - x0) / width]
  while (next < depth) {
    const at = stack[next++] as number
    const x = at % width
    const y = (at - x) / width
    if (x < left) left = x
    if (x > right) right = x
    if (y > bottom) bottom = y
    if (y < top) top = y
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const near = at + dy * width + dx
        if (near < 0 || near >= distance.length || x + dx < 0 || x + dx >= width) continue
        if (seen[near] !== 0 || (distance[near] as number) < FAINT) continue
        seen[near] = 1
        stack[depth++] = near
      }
    }
  }
  const box = { left, top, right: right + 1, bottom: bottom + 1 }
  return { blot: { box, pixels: depth, ground: of[seed] as number }, depth }
}

function kindOf({ box, pixels }: Blot, grounds: Grounds['grounds'], scale: number): keyof Ink | 'none' {
  const [width, height] = [widthOf(box) / scale, heightOf(box) / scale]
  if (height <= 3 && width >= 14) return 'rules'
  if (width <= 3 && height >= 26) return 'rules'
  if (width >= 9 && height >= 9 && enclosesGround(box, grounds)) return 'frames'
  const share = pixels / (widthOf(box) * heightOf(box))
  if (height > TALLEST || width > WIDEST) return 'none'
  // Borders of boxes that hold several grounds, and remains of pictures.
  if (height > 26 && share < 0.12) return 'none'
  return 'glyphs'
}

function enclosesGround(box: Box, grounds: Grounds['grounds']): boolean {
  const area = widthOf(box) * heightOf(box)
  return grounds.some((ground) => ground.area > area * 0.3 && holds(box, ground.box))
}
