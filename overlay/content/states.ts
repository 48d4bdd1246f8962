import type { Strip } from './strips.js'

/**
 * Where a strip is in the picture after, when it has or has not moved: `stays`: where it was; `there`: where it should be
 * after the move; `both`: in both places, which says nothing; `hidden`: out of sight, since the place it should be at is
 * outside, or under something that stands still; `not`: in neither.
 */
export type State = 'stays' | 'there' | 'both' | 'hidden' | 'not'

export type States = (strip: Strip) => State

/** The same, looking at each strip only once. */
export function remembering(state: States): States {
  const known = new Map<Strip, State>()
  return (strip) => {
    let found = known.get(strip)
    if (found === undefined) {
      found = state(strip)
      known.set(strip, found)
    }
    return found
  }
}

/** The weight of those strips that are in one of the states that are wanted, or of all. */
export function weigh(strips: readonly Strip[], states: States, ...wanted: readonly State[]): number {
  let sum = 0
  for (const strip of strips) if (wanted.length === 0 || wanted.includes(states(strip))) sum += strip.weight
  return sum
}
