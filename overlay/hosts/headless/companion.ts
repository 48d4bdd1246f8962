/** The companion where nobody looks: it is kept, it is at once where it was sent, and it is in pictures with marks. */
import type { CompanionEvent, CompanionScene, DisplayRect } from '../../../protocol/overlay/companion.js'
import type { Display } from '../../../protocol/overlay/geometry.js'
import { CompanionStage, reachable } from '../../companion/index.js'
import type { Applied, CompanionAccess } from '../../host.js'
import type { Context2D } from '../../scene/index.js'
import { type CanvasKit, loadCanvas } from '../canvas.js'
import { logicalSpace } from '../desktop-space.js'
import { type Picture, type PixelRect, paintOver } from '../paint.js'

/** Long after everything has come to rest, on a stage that begins at 0. */
const AT_REST = 60_000

export class HeadlessCompanion implements CompanionAccess {
  readonly nearsighted = true
  #scene: CompanionScene | null = null
  #isCrowded = false

  constructor(
    private readonly displays: readonly Display[],
    private readonly tell: (event: CompanionEvent) => void,
    private readonly marks: {
      any(): boolean
      /** `kit`: what they are drawn with. */
      occupied(kit: CanvasKit): readonly DisplayRect[]
    },
  ) {}

  get isCrowded(): boolean {
    return this.#isCrowded
  }

  async show(scene: CompanionScene | null): Promise<Applied> {
    const before = this.#scene?.place
    this.#scene = scene
    if (!scene) return { visible: false }
    const sizes = logicalSpace(this.displays).displays()
    const place = reachable(scene.place, sizes)
    if (place && JSON.stringify(before) !== JSON.stringify(scene.place))
      // As with any other host: after it is known to be on its way.
      setImmediate(() => {
        if (this.#scene) this.tell({ kind: 'arrived', ...place })
      })
    await this.marksMoved()
    return { visible: true }
  }

  /** Marks are elsewhere: they may leave no place for what it says. */
  async marksMoved(): Promise<void> {
    this.#isCrowded = false
    // Without marks nothing is in its way, and nothing is loaded to look.
    if (!this.#scene?.bubble || !this.marks.any()) return
    this.#isCrowded = this.#settled(await loadCanvas()).frame(AT_REST)?.crowded ?? false
  }

  async watchPointer(): Promise<void> {
    // There is none.
  }

  async pointer(): Promise<null> {
    return null
  }

  /** Paints it into a picture of that display, which is of `rect`. */
  paintOver(kit: CanvasKit, display: Display, picture: Picture, rect: PixelRect): void {
    const stage = this.#settled(kit)
    const frame = stage.frame(AT_REST)
    if (frame?.display !== display.id) return
    const inked = {
      ink: () => [frame.rect],
      paint: (context: Context2D) => stage.paint(context, AT_REST),
    }
    paintOver(kit, inked, picture, rect, display.scale, AT_REST)
  }

  #settled(kit: CanvasKit): CompanionStage {
    const desktop = logicalSpace(this.displays)
    const stage = new CompanionStage({ measure: kit.measure, reducedMotion: true, desktop })
    stage.set(this.#scene, 0)
    stage.avoid(this.marks.occupied(kit))
    return stage
  }
}
