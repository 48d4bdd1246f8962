import type { Rect } from '../movements.js'
import { type Place, type Shot, shifted } from './book.js'

/** Where exactly these pixels of `from` are in `to`, at most two places. */
function occurrences(from: Shot, [x, y, width, height]: Rect, to: Shot): [number, number][] {
  const row = (shot: Shot, left: number, top: number) =>
    shot.data.subarray((top * shot.width + left) * 4, (top * shot.width + left + width) * 4)
  // Looked for by the row with the most in it: a row of blank paper is everywhere.
  const busiest = Array.from({ length: height }, (_, n) => n).reduce((best, n) =>
    colors(row(from, x, y + n)) > colors(row(from, x, y + best)) ? n : best,
  )
  const anchor = row(from, x, y + busiest)
  const found: [number, number][] = []
  for (let at = to.data.indexOf(anchor); at >= 0 && found.length < 2; at = to.data.indexOf(anchor, at + 1)) {
    const left = (at / 4) % to.width
    const top = Math.floor(at / 4 / to.width) - busiest
    if (at % 4 !== 0 || left + width > to.width || top < 0 || top + height > to.height) continue
    let same = true
    for (let n = 0; same && n < height; n++) same = row(to, left, top + n).equals(row(from, x, y + n))
    if (same) found.push([left, top])
  }
  return found
}

function colors(row: Buffer): number {
  const seen = new Set<number>()
  for (let at = 0; at < row.length; at += 4) seen.add(row.readUInt32LE(at))
  let changes = 0
  for (let at = 4; at < row.length; at += 4)
    if (row.readUInt32LE(at) !== row.readUInt32LE(at - 4)) changes += 1
  return seen.size * 1000 + changes
}

/**
 * By how much the content of a pane went: patches of it that are nowhere else in `before` are looked for all over
 * `after`. Undefined when none is found again. Patches that went different ways are an error.
 */
export function whereNow(
  before: Shot,
  after: Shot,
  pane: Rect,
  size: readonly [number, number],
): readonly [number, number] | undefined {
  const [x, y, w, h] = pane
  const [width, height] = [Math.min(size[0], w), size[1]]
  const votes = new Map<string, number>()
  const columns = w === width ? 1 : 4
  for (let n = 0; n < 14; n++) {
    for (let column = 0; column < columns; column++) {
      const left = x + Math.round((column * (w - width)) / Math.max(1, columns - 1))
      const top = y + Math.round((n * (h - height)) / 13)
      const rect: Rect = [left, top, width, height]
      if (occurrences(before, rect, before).length !== 1) continue
      const [now, more] = occurrences(before, rect, after)
      if (now === undefined || more !== undefined) continue
      const by = `${now[0] - left},${now[1] - top}`
      votes.set(by, (votes.get(by) ?? 0) + 1)
    }
  }
  if (votes.size > 1)
    throw new Error(`it went ${[...votes].map(([by, count]) => `${by} (${count} times)`).join(' and ')}`)
  const [by] = votes.keys()
  return by === undefined ? undefined : (by.split(',').map(Number) as [number, number])
}

/** Places in a pane, on ink and on blank paper near it, with what became of them when the pane's content went `by`. */
export function panePlaces(
  shots: readonly [Shot, Shot],
  pane: Rect,
  by: readonly [number, number] | undefined,
  pick: (below: number) => number,
  count: number,
): Place[] {
  const [before, after] = shots
  const [x, y, width, height] = pane
  const paper = commonest(before, pane)
  const places: Place[] = []
  for (let tries = 0; tries < 3000 && places.length < count; tries++) {
    const kind = (places.length + Math.floor(tries / 500)) % 3
    const [w, h] = kind === 2 ? [50 + pick(120), 16 + pick(30)] : [0, 0]
    const rect: Rect = [x + 6 + pick(width - w - 12), y + 6 + pick(height - h - 12), w, h]
    const ink = share(before, grown(rect, kind === 2 ? 0 : 6), paper)
    if (kind === 1 ? ink > 0 || share(before, grown(rect, 35), paper) < 0.05 : ink < 0.12) continue
    // Not in a heap: each where no other is.
    if (
      places.some(
        ({ rect: [left, top] }) =>
          Math.abs(top - rect[1]) < height / count / 2 && Math.abs(left - rect[0]) < 60,
      )
    )
      continue
    const place = became(rect, pane, by)
    if (place === undefined) continue
    if (by !== undefined && place.truth.outcome !== 'gone' && !equal(before, after, rect, by, pane)) continue
    places.push(place)
  }
  return places
}

/** Undefined where it is not plain: at the edge, half of it out of sight. */
function became(
  rect: Rect,
  [x, y, width, height]: Rect,
  by: readonly [number, number] | undefined,
): Place | undefined {
  const [left, top, w, h] = rect
  const within = (ax: number, ay: number, margin: number) =>
    ax >= x + margin && ax < x + width - margin && ay >= y + margin && ay < y + height - margin
  if (by === undefined) {
    // Less than a patch may still be in sight at an edge.
    return within(left, top, 60) && within(left + w, top + h, 60)
      ? { rect, truth: { outcome: 'gone' } }
      : undefined
  }
  const [nl, nt] = [left + by[0], top + by[1]]
  if (within(nl, nt, 6) && within(nl + w, nt + h, 6)) return { rect, truth: shifted(...by) }
  const out = nl > x + width + 8 || nl + w < x - 8 || nt > y + height + 8 || nt + h < y - 8
  return out ? { rect, truth: { outcome: 'gone' } } : undefined
}

/** The place and a little around it are, to the pixel, where they are said to be. */
function equal(before: Shot, after: Shot, rect: Rect, by: readonly [number, number], pane: Rect): boolean {
  const [x, y, width, height] = grown(rect, 6)
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) {
      const [c, r] = [column + by[0], row + by[1]]
      if (c < pane[0] || r < pane[1] || c >= pane[0] + pane[2] || r >= pane[1] + pane[3]) continue
      if (color(before, column, row) !== color(after, c, r)) return false
    }
  }
  return true
}

function grown([x, y, width, height]: Rect, by: number): Rect {
  return [x - by, y - by, width + 2 * by, height + 2 * by]
}

function color(shot: Shot, x: number, y: number): number {
  return x < 0 || y < 0 || x >= shot.width || y >= shot.height
    ? -1
    : shot.data.readUInt32LE((y * shot.width + x) * 4)
}

function share(shot: Shot, [x, y, width, height]: Rect, paper: number): number {
  let ink = 0
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) if (color(shot, column, row) !== paper) ink += 1
  return ink / (width * height)
}

function commonest(shot: Shot, [x, y, width, height]: Rect): number {
  const counts = new Map<number, number>()
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) {
      const one = color(shot, column, row)
      counts.set(one, (counts.get(one) ?? 0) + 1)
    }
  }
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
}
