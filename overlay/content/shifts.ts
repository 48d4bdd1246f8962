import {
  BLOCK,
  holds,
  isDetailed,
  isEqual,
  nextLike,
  type PixelArea,
  type Pixels,
  probeOf,
} from './pixels.js'

/** By how much something may have moved, in pixels. */
export type Shift = readonly [dx: number, dy: number]

/** A place of a block in the picture before. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** How many shifts are worth a closer look. */
const MOST = 16

/** So many of the shifts found for a whole picture are put to the vote with what is found near a mark. */
const MOST_SHARED = 64

/** At most so many places of a picture are looked at for spots that changed. */
const MOST_PLACES = 8192

/** So many blocks are looked for anywhere, and at most so many places are compared with them: an even pattern is everywhere. */
const ANYWHERE = 16
const MOST_COMPARED = 100_000

/** Steps by this share of all places come by each of them, and soon by every part of a picture: the golden ratio. */
const SPREAD = 0.618_034

/** A shift, and how many spots it explains. */
export interface Vote {
  readonly shift: Shift
  votes: number
}

/** How often shifts explain where spots are. */
export class Ballot {
  readonly #votes = new Map<number, Vote>()

  constructor(shared: readonly Vote[] = []) {
    for (const { shift, votes } of shared) this.#votes.set(keyOf(shift[0], shift[1]), { shift, votes })
  }

  add(dx: number, dy: number): void {
    const known = this.#votes.get(keyOf(dx, dy))
    if (known) known.votes++
    else this.#votes.set(keyOf(dx, dy), { shift: [dx, dy], votes: 1 })
  }

  /** Those with most votes, to be put to the vote once more, with others. */
  get shared(): readonly Vote[] {
    return [...this.#votes.values()].sort(byVotes).slice(0, MOST_SHARED)
  }

  /** The shifts that explain most. */
  get best(): readonly Shift[] {
    const votes = [...this.#votes.values()]
    // One voice alone is a coincidence, unless there are no others.
    const heard = votes.filter(({ votes }) => votes > 1)
    return (heard.length > 0 ? heard : votes)
      .sort(byVotes)
      .slice(0, MOST)
      .map(({ shift }) => shift)
  }
}

function byVotes(a: Vote, b: Vote): number {
  return b.votes - a.votes || Math.hypot(...a.shift) - Math.hypot(...b.shift)
}

function keyOf(dx: number, dy: number): number {
  return dx * 65_536 + dy
}

/** Places from all over an area that have something to be told by and are not what they were: `most` at most. */
export function changedSpots(before: Pixels, after: Pixels, area: PixelArea, most: number): readonly Spot[] {
  const [left, top, width, height] = area
  const [columns, rows] = [Math.floor(width / BLOCK), Math.floor(height / BLOCK)]
  const places = columns * rows
  const step = coprime(Math.max(1, Math.round(places * SPREAD)), places)
  const spots: Spot[] = []
  for (let count = 0, place = 0; count < Math.min(places, MOST_PLACES) && spots.length < most; count++) {
    const [x, y] = [left + (place % columns) * BLOCK, top + Math.floor(place / columns) * BLOCK]
    place = (place + step) % places
    if (holds(after, x, y) && isEqual(before, x, y, after, x, y)) continue
    if (isDetailed(before, x, y)) spots.push({ x, y })
  }
  return spots
}

/** The next number that has no divisor in common with another. */
function coprime(number: number, other: number): number {
  let found = number
  while (divisor(found, other) > 1) found++
  return found
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

/**
 * Votes for the shifts along an axis that would explain where in `after` a spot is. Content nearly always moves along an
 * axis.
 */
export function voteAlongAxes(before: Pixels, after: Pixels, { x, y }: Spot, ballot: Ballot): void {
  // Its offsets are of pictures that are as wide.
  const probe = before.width === after.width ? probeOf(before, [x, y, BLOCK, BLOCK]) : null
  const { data, width, height } = after
  const next = (first: number, step: number, end: number) =>
    probe ? nextLike(probe, data, first, step, end) : first < end ? first : -1
  if (x + BLOCK <= width) {
    const end = (height - BLOCK + 1) * width
    for (let at = next(x, width, end); at >= 0; at = next(at + width, width, end)) {
      const to = Math.floor(at / width)
      if (to !== y && isEqual(before, x, y, after, x, to)) ballot.add(0, to - y)
    }
  }
  if (y + BLOCK <= height) {
    const end = (y + 1) * width - BLOCK + 1
    for (let at = next(y * width, 1, end); at >= 0; at = next(at + 1, 1, end)) {
      const to = at - y * width
      if (to !== x && isEqual(before, x, y, after, to, y)) ballot.add(to - x, 0)
    }
  }
}

/** A pixel of a spot by which it is looked for: of the colour that is rarest. */
interface Clue {
  readonly spot: Spot
  readonly x: number
  readonly y: number
}

/** Votes for the shifts in any direction that would explain where in `after` some of the spots are: all of it is read once. */
export function voteAnywhere(before: Pixels, after: Pixels, spots: readonly Spot[], ballot: Ballot): void {
  const rarity = countColors(before)
  const wanted = new Array<Clue[] | undefined>(rarity.length)
  const isWanted = new Uint8Array(rarity.length)
  for (const clue of rarest(before, spots, rarity)) {
    const kind = kindOf(before.data[clue.y * before.width + clue.x] as number)
    isWanted[kind] = 1
    wanted[kind] = [...(wanted[kind] ?? []), clue]
  }
  const { data, width, height } = after
  let compared = 0
  for (let y = 0, at = 0; y < height && compared < MOST_COMPARED; y++) {
    for (let x = 0; x < width; x++, at++) {
      const kind = kindOf(data[at] as number)
      if (isWanted[kind] === 0) continue
      for (const { spot, x: clueX, y: clueY } of wanted[kind] ?? []) {
        const [dx, dy] = [x - clueX, y - clueY]
        if ((dx === 0 && dy === 0) || !holds(after, spot.x + dx, spot.y + dy)) continue
        compared++
        if (isEqual(before, spot.x, spot.y, after, spot.x + dx, spot.y + dy)) ballot.add(dx, dy)
      }
    }
  }
}

/** Colours are told apart by twelve bits: a few share them, which costs a comparison. */
function kindOf(color: number): number {
  return Math.imul(color, 0x9e3779b1) >>> 20
}

/** How many pixels there are of each kind of colour. */
function countColors({ data }: Pixels): Uint32Array {
  const counts = new Uint32Array(1 << 12)
  for (let at = 0; at < data.length; at++) {
    const kind = kindOf(data[at] as number)
    counts[kind] = (counts[kind] as number) + 1
  }
  return counts
}

/** The spots that have a pixel of the rarest colours: they are found in few other places. */
function rarest({ data, width }: Pixels, spots: readonly Spot[], rarity: Uint32Array): readonly Clue[] {
  const clues = spots.map((spot) => {
    let [clue, least] = [{ spot, x: spot.x, y: spot.y }, Number.POSITIVE_INFINITY]
    for (let y = spot.y; y < spot.y + BLOCK; y++) {
      for (let x = spot.x; x < spot.x + BLOCK; x++) {
        const count = rarity[kindOf(data[y * width + x] as number)] as number
        if (count < least) [clue, least] = [{ spot, x, y }, count]
      }
    }
    return { clue, least }
  })
  return clues
    .sort((a, b) => a.least - b.least)
    .slice(0, ANYWHERE)
    .map(({ clue }) => clue)
}
