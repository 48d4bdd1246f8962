/** The same numbers each time a recording is made. */
export function chance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const WORDS =
  `amber basin cedar delta ember fjord grove harbor inlet juniper kettle lantern meadow nectar orchard pebble
quarry ripple saddle timber umber valley willow yarrow zephyr anchor bramble copper drift easel fathom gravel hollow
iron jasper keel ledge marble north oxbow prairie quill ridge slate thistle upland vessel wharf`.split(/\s+/)

export function words(pick: (below: number) => number, count: number): string {
  return Array.from({ length: count }, () => WORDS[pick(WORDS.length)]).join(' ')
}
