import { BLOCK, holds, isEqual, mayBe, type Pixels, probeOf } from './pixels.js'

/** By how much something may have moved, in pixels. */
export type Shift = readonly [dx: number, dy: number]

/** A place of a block in the picture before. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** Blocks that are looked for along the axes, and anywhere. Those nearest to the mark come first in what is given. */
const ALONG_AXES = 48
const ANYWHERE = 16

/** How many shifts are worth a closer look. */
const MOST = 16

/**
 * Shifts along an axis that would explain where `spots` (changed, detailed places of `before`) are in `after`, those that
 * explain most of them first. Content nearly always moves along an axis.
 */
export function shiftsAlongAxes(before: Pixels, after: Pixels, spots: readonly Spot[]): readonly Shift[] {
  return best(alongAxes(before, after, sample(spots, ALONG_AXES)))
}

/** As `shiftsAlongAxes`, in any direction: the whole picture is read for a few of the spots. */
export function shiftsAnywhere(before: Pixels, after: Pixels, spots: readonly Spot[]): readonly Shift[] {
  return best(anywhere(before, after, spots))
}

/** The nearest ones, and as many from all over: what is near may have gone out of sight. */
function sample(spots: readonly Spot[], most: number): readonly Spot[] {
  if (spots.length <= most) return spots
  const near = spots.slice(0, most / 2)
  const step = (spots.length - near.length) / (most / 2)
  return [
    ...near,
    ...Array.from({ length: most / 2 }, (_, index) => spots[near.length + Math.floor(index * step)] as Spot),
  ]
}

function best(votes: Ballot): readonly Shift[] {
  return votes
    .counted()
    .slice(0, MOST)
    .map(({ shift }) => shift)
}

interface Vote {
  readonly shift: Shift
  votes: number
}

function byVotes(a: Vote, b: Vote): number {
  return b.votes - a.votes || Math.hypot(...a.shift) - Math.hypot(...b.shift)
}

function alongAxes(before: Pixels, after: Pixels, spots: readonly Spot[]): Ballot {
  const votes = new Ballot()
  const sameWidth = before.width === after.width
  for (const { x, y } of spots) {
    const probe = probeOf(before, [x, y, BLOCK, BLOCK])
    const maybe = (toX: number, toY: number) =>
      !sameWidth || mayBe(probe, after.data, toY * after.width + toX)
    if (x + BLOCK <= after.width) {
      for (let to = 0; to + BLOCK <= after.height; to++) {
        if (to !== y && maybe(x, to) && isEqual(before, x, y, after, x, to)) votes.add(0, to - y)
      }
    }
    if (y + BLOCK <= after.height) {
      for (let to = 0; to + BLOCK <= after.width; to++) {
        if (to !== x && maybe(to, y) && isEqual(before, x, y, after, to, y)) votes.add(to - x, 0)
      }
    }
  }
  return votes
}

/** Finds the spots wherever they are: a few of their pixels make a key, and the whole picture is read once for it. */
function anywhere(before: Pixels, after: Pixels, spots: readonly Spot[]): Ballot {
  const wanted = distinctive(before, spots)
  const byKey = new Map<number, Spot[]>()
  const maybe = new Uint8Array(1 << 12)
  for (const spot of wanted) {
    const key = keyAt(before, spot.y * before.width + spot.x)
    maybe[key & 0xfff] = 1
    byKey.set(key, [...(byKey.get(key) ?? []), spot])
  }
  const votes = new Ballot()
  const { width, height } = after
  for (let y = 0; y + BLOCK <= height; y++) {
    for (let x = 0, at = y * width; x + BLOCK <= width; x++, at++) {
      const key = keyAt(after, at)
      if (!maybe[key & 0xfff]) continue
      for (const from of byKey.get(key) ?? []) {
        if ((from.x !== x || from.y !== y) && isEqual(before, from.x, from.y, after, x, y)) {
          votes.add(x - from.x, y - from.y)
        }
      }
    }
  }
  return votes
}

/** A number made of pixels on the block's diagonal. */
function keyAt({ data, width }: Pixels, at: number): number {
  const step = width + 1
  let key = data[at] as number
  for (let index = 1; index < BLOCK; index++)
    key = (Math.imul(key, 31) ^ (data[at + index * step] as number)) | 0
  return key ^ (key >>> 15)
}

/** Whether the key is of more than one colour: of one alone it would be found all over a page. */
function hasKey({ data, width }: Pixels, at: number): boolean {
  const first = data[at]
  for (let index = 1; index < BLOCK; index++) if (data[at + index * (width + 1)] !== first) return true
  return false
}

/** The blocks with most changes of colour along their rows: they are found in few other places. */
function distinctive(before: Pixels, spots: readonly Spot[]): readonly Spot[] {
  const { data, width } = before
  const changes = ({ x, y }: Spot): number => {
    let count = 0
    for (let row = 0, at = y * width + x; row < BLOCK; row++, at += width) {
      for (let column = 1; column < BLOCK; column++) if (data[at + column] !== data[at + column - 1]) count++
    }
    return count
  }
  return spots
    .filter(({ x, y }) => holds(before, x, y) && hasKey(before, y * width + x))
    .map((spot) => ({ spot, count: changes(spot) }))
    .sort((a, b) => b.count - a.count)
    .slice(0, ANYWHERE)
    .map(({ spot }) => spot)
}

class Ballot {
  readonly #votes = new Map<number, Vote>()

  add(dx: number, dy: number): void {
    const key = dx * 65_536 + dy
    const known = this.#votes.get(key)
    if (known) known.votes++
    else this.#votes.set(key, { shift: [dx, dy], votes: 1 })
  }

  counted(): Vote[] {
    const votes = [...this.#votes.values()]
    // One voice alone is a coincidence, unless there are no others.
    const heard = votes.filter(({ votes }) => votes > 1)
    return (heard.length > 0 ? heard : votes).sort(byVotes)
  }
}
