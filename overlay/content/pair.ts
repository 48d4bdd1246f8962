import type { PixelArea, Pixels } from './pixels.js'
import {
  Ballot,
  changedSpots,
  type Shift,
  type Spot,
  type Vote,
  voteAlongAxes,
  voteAnywhere,
} from './shifts.js'

/** So many spots from all over what changed are looked for along the axes. */
const SPOTS = 32

/** So many spots are known, of which those that are found in fewest places are looked for anywhere. */
const MANY_SPOTS = 128

/** A shift that explains more than this part of what changed explains most of it. */
const EXPLAINED = 0.5

/** Two pictures of a window, and what of their differences does not depend on the mark that is asked about. */
export class Pair {
  /** Where the first pixel is that changed in each line, and where the last one ends; both 0 where none did. */
  #changed: { readonly from: Int32Array; readonly to: Int32Array } | undefined
  #spots: readonly Spot[] | undefined
  #alongAxes: readonly Vote[] | undefined
  #anywhere: readonly Shift[] | undefined

  constructor(
    readonly before: Pixels,
    readonly after: Pixels,
  ) {}

  /** What holds every pixel between two lines that differs, or null when there is none. */
  changedBetween(top: number, bottom: number): PixelArea | null {
    const { width, height } = this.before
    if (!this.#areOfOneSize) return [0, 0, width, height]
    const { from, to } = this.#changedLines
    let [left, right, first, last] = [width, 0, -1, 0]
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y++) {
      if (to[y] === 0) continue
      left = Math.min(left, from[y] as number)
      right = Math.max(right, to[y] as number)
      if (first < 0) first = y
      last = y + 1
    }
    return first < 0 ? null : [left, first, right - left, last - first]
  }

  /** Shifts along an axis that explain what changed, and in particular those near a mark: those that explain most first. */
  shiftsAlongAxes(near: readonly Spot[]): readonly Shift[] {
    const { before, after } = this
    if (!this.#alongAxes) {
      const ballot = new Ballot()
      for (const spot of this.#changedSpots.slice(0, SPOTS)) voteAlongAxes(before, after, spot, ballot)
      this.#alongAxes = ballot.shared
    }
    const ballot = new Ballot(this.#alongAxes)
    for (const spot of near) voteAlongAxes(before, after, spot, ballot)
    return ballot.best
  }

  /** Shifts in any direction that explain what changed; none where one along an axis explains most of it. */
  get shiftsAnywhere(): readonly Shift[] {
    if (!this.#anywhere) {
      const [most] = this.#alongAxes ?? []
      if (most && most.votes > EXPLAINED * Math.min(SPOTS, this.#changedSpots.length)) return []
      const ballot = new Ballot()
      voteAnywhere(this.before, this.after, this.#changedSpots, ballot)
      this.#anywhere = ballot.best
    }
    return this.#anywhere
  }

  get #areOfOneSize(): boolean {
    return this.before.width === this.after.width && this.before.height === this.after.height
  }

  get #changedSpots(): readonly Spot[] {
    if (!this.#spots) {
      const area = this.changedBetween(0, this.before.height)
      this.#spots = area ? changedSpots(this.before, this.after, area, MANY_SPOTS) : []
    }
    return this.#spots
  }

  get #changedLines(): { readonly from: Int32Array; readonly to: Int32Array } {
    if (this.#changed) return this.#changed
    const { width, height, data: before } = this.before
    const after = this.after.data
    const [from, to] = [new Int32Array(height), new Int32Array(height)]
    for (let y = 0; y < height; y++) {
      const [start, end] = [y * width, (y + 1) * width]
      let first = start
      while (first < end && before[first] === after[first]) first++
      if (first === end) continue
      let last = end - 1
      while (before[last] === after[last]) last--
      from[y] = first - start
      to[y] = last + 1 - start
    }
    this.#changed = { from, to }
    return this.#changed
  }
}
