import type { Display } from '../../protocol/overlay/geometry.js'
import { Stage } from '../scene/index.js'
import { loadCanvas } from './canvas.js'
import { type Picture, type PixelRect, paintOver, toPoints } from './paint.js'
import type { SceneRecord } from './scene-record.js'

/** Paints what is recorded of a display into pictures of it, settled: for hosts that draw elsewhere. */
export class RecordPainter {
  constructor(
    private readonly record: SceneRecord,
    private readonly display: Pick<Display, 'logical_size' | 'scale'>,
  ) {}

  /** What is painted here moves at no time. */
  async settled(): Promise<void> {}

  get shown(): 'nothing' | 'marks' | 'prompt' {
    if (this.record.prompt) return 'prompt'
    return this.record.isEmpty ? 'nothing' : 'marks'
  }

  /** Paints into a picture of what is below, which is of `rect`, in physical pixels of the display. */
  async paintOver(picture: Picture, rect: PixelRect): Promise<void> {
    const { logical_size: size, scale } = this.display
    const kit = await loadCanvas()
    const stage = new Stage({ size, scale, reducedMotion: true, measure: kit.measure })
    // A copy, since colours are chosen by what is below while the picture is painted on.
    const below = { ...picture, data: Uint8Array.from(picture.data), rect: toPoints(rect, scale) }
    stage.setPointer(this.record.pointer, 0)
    for (const mark of this.record.marks) stage.put(mark, 0, [below])
    stage.frame(0)
    paintOver(kit, stage, picture, rect, scale, 0)
  }
}
