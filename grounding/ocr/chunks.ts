import type { Blot } from './ink.js'
import { around, type Box, commonRows, heightOf, widthOf } from './picture.js'

/** A run of letters on one ground and one line, with no wide gap in it: what is read at once. */
export interface Chunk {
  readonly box: Box
  readonly ground: number
}

interface Growing {
  box: Box
  readonly ground: number
  blots: number
}

/** In points. Letters are wider apart than this only where another text begins. */
const LINE = 14
const GAP = 1.2
/** Dots and commas, in points: they belong to what is beside them. */
const SPECK = 4

/** Letters to lines of text. Texts on two grounds are two, however close: two buttons, two cells. */
export function findChunks(glyphs: readonly Blot[], scale: number): Chunk[] {
  const isSpeck = ({ box }: Blot) => heightOf(box) < SPECK * scale && widthOf(box) < 3 * SPECK * scale
  const letters = glyphs.filter((blot) => !isSpeck(blot)).sort((a, b) => a.box.left - b.box.left)
  const byGround = new Map<number, Growing[]>()
  for (const { box, ground } of letters) {
    const chunks = byGround.get(ground) ?? []
    byGround.set(ground, chunks)
    const fits = chunks.filter((chunk) => isNext(chunk.box, box, scale))
    const [first, ...others] = fits.sort((a, b) => gap(a.box, box) - gap(b.box, box))
    if (!first) {
      chunks.push({ box, ground, blots: 1 })
      continue
    }
    first.box = around(first.box, box)
    first.blots++
    // A tall letter that reaches two lines joins none of them.
    if (others.length > 0) mergeOverlapping(chunks, first, scale)
  }
  for (const speck of glyphs.filter(isSpeck).sort((a, b) => a.box.left - b.box.left)) {
    const chunks = byGround.get(speck.ground) ?? []
    const near = attached(chunks, speck, scale)
    if (near) mergeOverlapping(chunks, near, scale)
  }
  return [...byGround.values()]
    .flat()
    .filter(({ box }) => isText(box, scale))
    .map(({ box, ground }) => ({ box, ground }))
}

const gap = (chunk: Box, box: Box) => Math.max(0, box.left - chunk.right)

function isNext(chunk: Box, box: Box, scale: number): boolean {
  const least = Math.min(heightOf(chunk), heightOf(box))
  if (commonRows(chunk, box) < least * 0.5) return false
  return gap(chunk, box) <= GAP * Math.max(Math.min(heightOf(chunk), 2 * heightOf(box)), LINE * scale)
}

function mergeOverlapping(chunks: Growing[], into: Growing, scale: number): void {
  for (const other of [...chunks]) {
    if (other === into) continue
    const [left, right] = other.box.left < into.box.left ? [other, into] : [into, other]
    const sameLine = commonRows(other.box, into.box) > 0.5 * Math.max(heightOf(other.box), heightOf(into.box))
    if (!sameLine || !isNext(left.box, right.box, scale)) continue
    into.box = around(into.box, other.box)
    chunks.splice(chunks.indexOf(other), 1)
  }
}

/** Puts a dot, a comma or a dash to the text that it stands in or after; it may lead on to the next. */
function attached(chunks: readonly Growing[], { box }: Blot, scale: number): Growing | undefined {
  const reach = SPECK * scale
  // A dot over a small letter is above its line, but never nearer to another one.
  const off = (chunk: Box) => Math.max(0, box.bottom - chunk.bottom, chunk.top - box.top)
  const near = chunks
    .filter(
      (chunk) =>
        box.left <= chunk.box.right + GAP * LINE * scale &&
        box.right >= chunk.box.left - reach &&
        box.top <= chunk.box.bottom + reach &&
        box.bottom >= chunk.box.top - reach,
    )
    .sort((a, b) => off(a.box) - off(b.box) || gap(a.box, box) - gap(b.box, box))[0]
  if (near) near.box = around(near.box, box)
  return near
}

/** The rounded corners of boxes leave bits that are smaller than any letter. */
function isText(box: Box, scale: number): boolean {
  const [width, height] = [widthOf(box) / scale, heightOf(box) / scale]
  return height >= 5 && width >= 2 && (height >= 7 || width >= 9)
}
