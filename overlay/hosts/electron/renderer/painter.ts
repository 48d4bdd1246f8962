/** Puts what the stage shows on the canvas, frame by frame: frames are asked for only while something moves or is new. */
import type { Rect } from '../../../../protocol/overlay/geometry.js'
import type { Stage } from '../../../scene/index.js'
import { type PixelRect, toPixels, toPoints } from '../../pixels.js'
import type { Surface } from './surface.js'

/**
 * How long a frame may take to come, in ms, before the window counts as one that shows none (it is hidden, or behind all
 * others): what was asked for is then painted without.
 */
const NO_FRAME_MS = 1000

/**
 * How many frames have to be made after one before it counts as shown: it is drawn on the screen while the next is made, and on a
 * busy machine while the one after that is.
 */
const FRAMES_TO_SHOW = 2

export interface Painted {
  readonly seq: number
  readonly presented: boolean
  readonly ink: boolean
}

export interface Shown {
  readonly stage: Stage
  /** Where the canvas begins on the display, in logical points. */
  readonly offset: readonly [x: number, y: number]
}

export class Painter {
  #shown: Shown | null = null
  /** All of the canvas is to be painted, not only what changed. */
  #all = false
  /** The last message that is not painted yet. */
  #owed: number | null = null
  /** What the last frames painted, and nobody was told yet; the oldest first. */
  #drawn: { readonly seq: number; readonly ink: boolean; frames: number }[] = []
  #frame = false
  /** Where nothing is drawn, in logical points of the display. */
  #opening: Rect | null = null
  #limit: ReturnType<typeof setTimeout> | null = null
  #now = 0

  constructor(
    private readonly surface: Surface,
    private readonly onPainted: (painted: Painted) => void,
    /** Before each frame: whether there is another stage to show, since the window is on another screen now. */
    private readonly refit: () => void,
  ) {}

  /** A clock that does not run backwards: a frame's own time is a little before the time it begins. */
  now(time = performance.now()): number {
    this.#now = Math.max(this.#now, time)
    return this.#now
  }

  /** Another stage: everything is painted anew. */
  show(shown: Shown): void {
    this.#shown = shown
    this.#all = true
  }

  /** Nothing is drawn there until told otherwise. */
  keepOpen(opening: Rect | null): void {
    if (JSON.stringify(opening) === JSON.stringify(this.#opening)) return
    this.#opening = opening
    this.#all = true
  }

  /** Something changed; `onPainted` is told once message `seq`, when there was one, is on the screen. */
  wake(seq: number | null = null): void {
    if (seq !== null) {
      this.#owed = seq
      this.#limit ??= setTimeout(() => this.#paintUnseen(), NO_FRAME_MS)
    }
    if (this.#frame) return
    this.#frame = true
    requestAnimationFrame((time) => this.#onFrame(time))
  }

  #onFrame(time: number): void {
    this.#frame = false
    // What is owed waits: until the canvas is there again, or the limit.
    if (this.surface.lost) return
    for (const drawn of this.#drawn) drawn.frames++
    const shown = this.#drawn.filter(({ frames }) => frames >= FRAMES_TO_SHOW).at(-1)
    this.#drawn = this.#drawn.filter(({ frames }) => frames < FRAMES_TO_SHOW)
    const { animating, ink } = this.#paint(time)
    if (this.#owed !== null) this.#drawn.push({ seq: this.#owed, ink, frames: 0 })
    this.#owed = null
    this.#watch()
    if (animating || this.#drawn.length > 0) this.wake()
    if (shown) afterFrame(() => this.onPainted({ seq: shown.seq, ink: shown.ink, presented: true }))
  }

  #paintUnseen(): void {
    const { ink } = this.#paint(performance.now())
    const seq = this.#owed ?? this.#drawn.at(-1)?.seq
    this.#owed = null
    this.#drawn = []
    this.#watch()
    if (seq !== undefined) this.onPainted({ seq, presented: false, ink })
  }

  /** Frames come: the wait for the next one begins anew, when somebody waits. */
  #watch(): void {
    if (this.#limit !== null) clearTimeout(this.#limit)
    this.#limit = this.#drawn.length > 0 ? setTimeout(() => this.#paintUnseen(), NO_FRAME_MS) : null
  }

  #paint(time: number): { animating: boolean; ink: boolean } {
    this.refit()
    if (!this.#shown) return { animating: false, ink: false }
    const { stage } = this.#shown
    const now = this.now(time)
    const { dirty, animating } = stage.frame(now)
    const ink = stage.ink(now)
    const { width, height } = this.surface.size
    if (this.#all) this.#clear({ x: 0, y: 0, width, height })
    for (const rect of this.#all ? ink : dirty) this.#paintPart(rect, now)
    this.#all = false
    if (this.#opening) this.#cutOut(this.#opening)
    return { animating, ink: ink.length > 0 }
  }

  #paintPart(rect: Rect, now: number): void {
    const { stage, offset } = this.#shown as Shown
    const { context, size } = this.surface
    const { scale } = stage
    const [left, top] = [Math.round(offset[0] * scale), Math.round(offset[1] * scale)]
    const part = toPixels(rect, scale, { width: left + size.width, height: top + size.height })
    if (!part) return
    this.#clear({ ...part, x: part.x - left, y: part.y - top })
    context.setTransform(scale, 0, 0, scale, -left, -top)
    stage.paint(context, toPoints(part, scale), now)
  }

  #cutOut(opening: Rect): void {
    const { stage, offset } = this.#shown as Shown
    const { scale } = stage
    const [left, top, right, bottom] = [
      opening[0] - offset[0],
      opening[1] - offset[1],
      opening[0] + opening[2] - offset[0],
      opening[1] + opening[3] - offset[1],
    ].map((edge) => Math.round(edge * scale)) as [number, number, number, number]
    this.#clear({ x: left, y: top, width: right - left, height: bottom - top })
  }

  #clear({ x, y, width, height }: PixelRect): void {
    const { context } = this.surface
    context.resetTransform()
    context.clearRect(x, y, width, height)
  }
}

/** After the frame that is being made: a task that was queued while making it. */
function afterFrame(then: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    then()
  }
  port2.postMessage(null)
}
