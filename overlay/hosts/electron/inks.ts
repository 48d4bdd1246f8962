import type { Display, Rect } from '../../../protocol/overlay/geometry.js'
import type { Mark } from '../../../protocol/overlay/marks.js'
import { Stage } from '../../scene/index.js'
import { breather } from '../breather.js'
import { loadCanvas } from '../canvas.js'

/** Where marks will have their ink, as the page will lay them out: for looking at what is there before. */
export class Inks {
  constructor(private readonly display: (id: number) => Display | undefined) {}

  /** In logical points of the display. */
  async of(id: number, marks: readonly Mark[]): Promise<Rect[]> {
    const display = this.display(id)
    if (!display || marks.length === 0) return []
    const { measure } = await loadCanvas()
    const { logical_size: size, scale } = display
    const stage = new Stage({ size, scale, reducedMotion: true, measure })
    const inks: Rect[] = []
    const breath = breather()
    for (const mark of marks) {
      inks.push(...stage.inkOf(mark))
      await breath()
    }
    return inks
  }
}
