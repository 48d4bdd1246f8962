import type { DisplayRect } from '../../../protocol/overlay/companion.js'
import type { Display } from '../../../protocol/overlay/geometry.js'
import { Stage } from '../../scene/index.js'
import type { CanvasKit } from '../canvas.js'
import type { MarksAbove, OpenMenu } from '../companion-driver.js'
import { toPoints } from '../pixels.js'
import type { ElectronSurface } from './surface.js'

/** Electron's marks, for the companion below them: where its pages lay them out, and where they are to draw none. */
export class ElectronMarks implements MarksAbove {
  constructor(
    private readonly surface: Pick<ElectronSurface, 'recordOf' | 'keepOpen'>,
    private readonly displays: () => readonly Display[],
  ) {}

  occupied({ measure }: CanvasKit): readonly DisplayRect[] {
    return this.displays().flatMap(({ id: display, logical_size: size, scale }) => {
      const record = this.surface.recordOf(display)
      if (record.isEmpty) return []
      const stage = new Stage({ size, scale, reducedMotion: true, measure })
      stage.setPointer(record.pointer, 0)
      for (const mark of record.marks) stage.put(mark, 0)
      stage.setPrompt(record.prompt)
      return stage.occupied().map((rect) => ({ display, rect }))
    })
  }

  keepOpen(menu: OpenMenu | null): void {
    for (const { id, scale } of this.displays()) {
      const rect = menu?.display === id ? menu.rect : null
      const opening = rect && toPoints(rect, scale)
      // Told with every frame of it, and the same nearly always.
      const before = this.surface.recordOf(id).opening
      if (JSON.stringify(before) !== JSON.stringify(opening)) this.surface.keepOpen(id, opening)
    }
  }
}
