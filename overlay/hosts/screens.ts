import type { DisplayRect } from '../../protocol/overlay/companion.js'
import type { MarksAbove, OpenMenu } from './companion-driver.js'
import type { Listed, Place } from './layout.js'
import type { Screen } from './screen.js'

/** A screen for each display. */
export class Screens<M extends Listed> implements MarksAbove {
  readonly #screens = new Map<number, Screen<M>>()

  get(display: number): Screen<M> | undefined {
    return this.#screens.get(display)
  }

  /** Gives each display a screen; one that kept its size and scale keeps what it shows. */
  lay(places: ReadonlyMap<number, Place<M>>, make: (place: Place<M>) => Screen<M>): void {
    const before = new Map(this.#screens)
    this.#screens.clear()
    for (const [id, place] of places) {
      const kept = before.get(id)
      if (kept && sameSize(kept.monitor, place.monitor)) {
        before.delete(id)
        this.#screens.set(id, kept)
        kept.relocate(place.monitor, place.epoch)
      } else {
        this.#screens.set(id, make(place))
      }
    }
    for (const screen of before.values()) screen.close()
  }

  /** Where marks are, or are going to be. */
  occupied(): readonly DisplayRect[] {
    return [...this.#screens].flatMap(([display, { occupied }]) =>
      occupied.map((rect) => ({ display, rect })),
    )
  }

  /** Draws no mark over the companion's open menu. */
  keepOpen(menu: OpenMenu | null): void {
    for (const [id, screen] of this.#screens) screen.keepOpen(menu?.display === id ? menu.rect : null)
  }

  close(): void {
    for (const screen of this.#screens.values()) screen.close()
    this.#screens.clear()
  }
}

function sameSize(a: Listed, b: Listed): boolean {
  return a.width === b.width && a.height === b.height && a.scale === b.scale
}
