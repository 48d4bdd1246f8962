/** What the addon lists as displays: their ids, and where each of them is. */
import type { Monitor } from '../../native/index.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import { DisplayIds } from './display-ids.js'

/** A display as the addon lists it. Its size is in physical pixels. */
export type Listed = Pick<Monitor, 'name' | 'x' | 'y' | 'width' | 'height' | 'primary' | 'scale'>

/** Where a display is, and of which layout that is said. */
export interface Place<M extends Listed = Monitor> {
  readonly monitor: M
  readonly epoch: number
}

export class Layout<M extends Listed = Monitor> {
  readonly #ids = new DisplayIds()
  #places: ReadonlyMap<number, Place<M>> = new Map()
  #displays: readonly Display[] = []
  #known = ''

  /** `placed`: what the places of displays are counted in; on X11 a desktop is made of pixels. */
  constructor(private readonly placed: 'pixels' | 'points' = 'pixels') {}

  /** Each display's place, by its id. */
  get places(): ReadonlyMap<number, Place<M>> {
    return this.#places
  }

  /** Sorted by their ids. */
  get displays(): readonly Display[] {
    return this.#displays
  }

  /** Takes a layout over; false when it is the one already known, whether an event or an answer brought it first. */
  take(epoch: number, monitors: readonly M[]): boolean {
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
        const unit = this.placed === 'pixels' ? scale : 1
        return {
          id,
          scale,
          logical_size: [monitor.width / scale, monitor.height / scale],
          // Relative to the primary, as clients of every platform know it.
          origin: [(monitor.x - (primary?.x ?? 0)) / unit, (monitor.y - (primary?.y ?? 0)) / unit],
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
