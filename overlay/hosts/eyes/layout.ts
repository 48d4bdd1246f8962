/** The monitors of an X server as displays: their ids, and where each of them is. */
import type { Monitor } from '../../../native/index.js'
import type { Display } from '../../../protocol/overlay/geometry.js'
import { DisplayIds } from '../display-ids.js'

/** Where a display is, and of which layout that is said. */
export interface Place {
  /** In physical pixels of the root. */
  readonly monitor: Monitor
  readonly epoch: number
}

export class Layout {
  readonly #ids = new DisplayIds()
  #places: ReadonlyMap<number, Place> = new Map()
  #displays: readonly Display[] = []
  #known = ''

  /** Each display's place, by its id. */
  get places(): ReadonlyMap<number, Place> {
    return this.#places
  }

  /** Sorted by their ids. */
  get displays(): readonly Display[] {
    return this.#displays
  }

  /** Takes a layout over; false when it is the one already known, whether an event or an answer brought it first. */
  take(epoch: number, monitors: readonly Monitor[]): boolean {
    const known = JSON.stringify([epoch, monitors])
    if (known === this.#known) return false
    this.#known = known
    // Some X servers name no primary; the first monitor is then the one everybody means.
    const primary = monitors.find((monitor) => monitor.primary) ?? monitors[0]
    const ids = this.#ids.assign(
      monitors.map((monitor) => ({ key: monitor.name, primary: monitor === primary })),
    )
    const numbered = monitors.map((monitor) => ({ id: ids.get(monitor.name) as number, monitor }))
    this.#places = new Map(numbered.map(({ id, monitor }) => [id, { monitor, epoch }]))
    this.#displays = numbered
      .map(({ id, monitor }): Display => {
        const { scale } = monitor
        return {
          id,
          scale,
          logical_size: [monitor.width / scale, monitor.height / scale],
          // Relative to the primary, as clients of every platform know it.
          origin: [(monitor.x - (primary?.x ?? 0)) / scale, (monitor.y - (primary?.y ?? 0)) / scale],
          primary: monitor === primary,
          name: monitor.name,
        }
      })
      .sort((a, b) => a.id - b.id)
    return true
  }

  /** Nothing is known any more; displays that come back keep their ids. */
  forget(): void {
    this.#known = ''
    this.#places = new Map()
  }
}
