/** Where boxes that say no place of their own are put: one below the other at the right edge, whoever’s they are. Pure. */
import { intersects, type Rect, type Size } from '../../protocol/overlay/geometry.js'

/** In logical points: from the edges of the display, below bars at its top, and between two boxes. */
const EDGE = 16
const TOP = 48
const GAP = 10

export class Shelf {
  readonly #boxes = new Map<number, Map<object, Rect>>()

  /** A free place for `box`, the one it has if that still does. Where the display is full, over the first. */
  put(display: number, box: object, [width, height]: Size, [across, down]: Size): Rect {
    const boxes = this.#boxes.get(display) ?? new Map<object, Rect>()
    this.#boxes.set(display, boxes)
    const before = boxes.get(box)
    boxes.delete(box)
    const isFree = (rect: Rect) => {
      const inside = rect[0] >= 0 && rect[1] + rect[3] <= Math.max(down, TOP + height)
      return inside && [...boxes.values()].every((other) => !intersects(grown(rect), other))
    }
    const stays: Rect | null = before ? [before[0], before[1], width, height] : null
    const rect = (stays && isFree(stays) && stays) || this.#free(boxes, [width, height], across, isFree)
    boxes.set(box, rect)
    return rect
  }

  /** Keeps a place that was asked for, so that others stay off it. */
  keep(display: number, box: object, rect: Rect): void {
    const boxes = this.#boxes.get(display) ?? new Map<object, Rect>()
    this.#boxes.set(display, boxes.set(box, rect))
  }

  remove(display: number, box: object): void {
    const boxes = this.#boxes.get(display)
    boxes?.delete(box)
    if (boxes?.size === 0) this.#boxes.delete(display)
  }

  #free(
    boxes: ReadonlyMap<object, Rect>,
    [width, height]: Size,
    across: number,
    isFree: (rect: Rect) => boolean,
  ): Rect {
    for (let left = across - EDGE - width; left >= 0; left -= width + GAP) {
      const tops = [TOP, ...[...boxes.values()].map((other) => other[1] + other[3] + GAP)].sort(
        (a, b) => a - b,
      )
      for (const top of tops) {
        const rect: Rect = [left, top, width, height]
        if (isFree(rect)) return rect
      }
    }
    return [Math.max(0, across - EDGE - width), TOP, width, height]
  }
}

function grown([x, y, width, height]: Rect): Rect {
  return [x - GAP / 2, y - GAP / 2, width + GAP, height + GAP]
}
