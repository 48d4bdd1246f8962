/** What the system calls a display: unique while it is connected. */
export interface ConnectedDisplay {
  readonly key: string
  readonly primary: boolean
}

/**
 * Small stable ids for displays: a display keeps its id for as long as it stays connected, 1 goes to the primary when
 * it is free, and others get the smallest free number from 2 up.
 */
export class DisplayIds {
  #ids = new Map<string, number>()

  /** The id of each display of the new layout, by key. */
  assign(displays: readonly ConnectedDisplay[]): ReadonlyMap<string, number> {
    const kept = new Map<string, number>()
    for (const { key } of displays) {
      const id = this.#ids.get(key)
      if (id !== undefined) kept.set(key, id)
    }
    const taken = new Set(kept.values())
    const newest = displays.filter(({ key }) => !kept.has(key))
    for (const { key, primary } of [...newest].sort((a, b) => Number(b.primary) - Number(a.primary))) {
      let id = primary && !taken.has(1) ? 1 : 2
      while (taken.has(id)) id++
      taken.add(id)
      kept.set(key, id)
    }
    this.#ids = kept
    return kept
  }
}
