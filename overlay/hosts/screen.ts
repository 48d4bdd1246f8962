import type { PresentResult } from '../../native/index.js'
import { intersects, type Rect } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { type Applied, HostUnavailable, type SceneChange } from '../host.js'
import { type Backdrop, Stage } from '../scene/index.js'
import { type Batch, batch, lasting } from './batch.js'
import { breather } from './breather.js'
import { type CanvasKit, loadCanvas } from './canvas.js'
import type { Listed, Place } from './layout.js'
import type { Painter } from './look.js'
import { cutOut, type Picture, type PixelRect, paintOver, paintPatch, toPixels, toPoints } from './paint.js'
import { inTime } from './time-limit.js'

/** Between frames while something moves, in ms. */
const FRAME_MS = 1000 / 60

/** How long a picture waits for marks to settle, in ms: longer than any flight or glide. */
const SETTLE_MS = 1000

/** What a frame changes on a monitor; rectangles in its pixels. */
export interface Drawn {
  readonly patches: PixelRect[]
  /** RGBA, premultiplied: the rows of the patches without padding, one patch after the other. */
  readonly pixels: Buffer
  /** All that is drawn there after it. */
  readonly ink: PixelRect[]
}

/** What puts frames on monitors: the addon's connection to a display server. */
export interface Easel<M extends Listed> {
  present(place: Place<M>, drawn: Drawn): Promise<PresentResult>
  /**
   * The pixels below `inks`, for their colours; null when there are none to be had. `shown` is the ink that is there
   * already. All in logical points of the monitor.
   */
  below(monitor: M, inks: readonly Rect[], shown: readonly Rect[]): Promise<Backdrop[] | null>
}

/**
 * One monitor: its stage, and the loop that paints what the stage calls dirty. The loop runs only while something
 * moves; a still monitor costs nothing.
 */
export class Screen<M extends Listed> implements Painter {
  #stage: Stage | null = null
  #kit: CanvasKit | null = null
  /** Changes that wait while earlier ones are looked up and painted: they become one frame. */
  #waiting: Batch | null = null
  #applying = false
  /** The last frame was not the last: something moves. */
  #moving = false
  #frame: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  /** Whether a person sees what was last drawn. */
  #visible = true
  /** Everything is to be painted anew, not only what changed. */
  #all = false
  #closed = false
  /** Where no mark is drawn, in pixels of the monitor. */
  #opening: PixelRect | null = null
  #tellLaidOut = () => {}

  constructor(
    private readonly easel: Easel<M>,
    private place: Place<M>,
    private readonly reducedMotion: boolean,
    /** Told when a frame could not be shown. */
    private readonly onFailed: (error: unknown) => void,
    /** Told when marks are going to be elsewhere. */
    private readonly onOccupied: () => void = () => {},
  ) {}

  get monitor(): M {
    return this.place.monitor
  }

  /** The layout changed around this monitor, which kept its size and scale: what it shows is shown again there. */
  relocate(monitor: M, epoch: number): void {
    this.place = { monitor, epoch }
    this.#tellLaidOut()
    if (!this.#stage) return
    this.#all = true
    this.#paintNext().catch(this.onFailed)
  }

  /**
   * Draws no mark there until told otherwise: the companion's open menu is below the marks, and nobody may write over
   * what the person chooses from. A question to the person is drawn there all the same.
   */
  keepOpen(opening: PixelRect | null): void {
    if (JSON.stringify(opening) === JSON.stringify(this.#opening)) return
    const touched = [opening, this.#opening].flatMap((one) =>
      one ? [toPoints(one, this.monitor.scale)] : [],
    )
    this.#opening = opening
    // It may come a long way with its menu open: where no mark is there is nothing to paint anew.
    const inks = this.#stage?.ink(performance.now()) ?? []
    if (!inks.some((ink) => touched.some((rect) => intersects(ink, rect)))) return
    this.#all = true
    this.#paintNext().catch(this.onFailed)
  }

  /** Where marks are, or are going to be, in logical points. */
  get occupied(): readonly Rect[] {
    return this.#stage?.occupied() ?? []
  }

  /** Resolves when the display server has drawn the change. */
  apply(change: SceneChange): Promise<Applied> {
    this.#waiting ??= batch()
    const { changes, done } = this.#waiting
    changes.push(change)
    if (!this.#applying) void this.#applyWaiting()
    return done
  }

  /**
   * Waits for what is under way, and until nothing moves any more, for at most `SETTLE_MS`: a pointer pictured in its
   * flight would be in the wrong place.
   */
  async settled(): Promise<void> {
    const deadline = performance.now() + SETTLE_MS
    while ((this.#applying || this.#moving) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, FRAME_MS))
    }
  }

  get shown(): 'nothing' | 'marks' | 'prompt' {
    if (this.#stage?.hasPrompt) return 'prompt'
    return this.#stage && this.#stage.ink(performance.now()).length > 0 ? 'marks' : 'nothing'
  }

  async paintOver(picture: Picture, rect: PixelRect): Promise<void> {
    const { stage, kit } = await this.#ready()
    paintOver(kit, stage, picture, rect, this.monitor.scale, performance.now())
  }

  /** Paints nothing any more. What is on the monitor is the connection's to take away. */
  close(): void {
    this.#closed = true
    this.#tellLaidOut()
    if (this.#timer) clearTimeout(this.#timer)
  }

  async #ready(): Promise<{ stage: Stage; kit: CanvasKit }> {
    this.#kit ??= await loadCanvas()
    const { width, height, scale } = this.monitor
    this.#stage ??= new Stage({
      size: [width / scale, height / scale],
      scale,
      reducedMotion: this.reducedMotion,
      measure: this.#kit.measure,
    })
    return { stage: this.#stage, kit: this.#kit }
  }

  async #applyWaiting(): Promise<void> {
    this.#applying = true
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = null
      await this.#apply(next.changes).then(
        () => next.resolve({ visible: this.#visible && !this.#closed }),
        next.reject,
      )
    }
    this.#applying = false
  }

  async #apply(changes: readonly SceneChange[]): Promise<void> {
    // A monitor that is gone shows nothing; the engine hears of it through the layout.
    if (this.#closed) return
    const { stage } = await this.#ready()
    const backdrops = await this.#look(stage, lasting(changes))
    let now = performance.now()
    const breath = breather()
    for (const { put, remove, pointer, prompt, thinking, jump } of changes) {
      for (const id of remove) stage.remove(id, now)
      for (const mark of put) {
        const jumps = jump?.includes(mark.id) ?? false
        stage.put(mark, now, jumps ? null : backdrops, jumps)
        const paused = breath()
        if (!paused) continue
        await paused
        // Frames were painted meanwhile, and the stage's clock must not run backwards.
        now = performance.now()
      }
      if (pointer !== undefined) stage.setPointer(pointer, now)
      if (prompt !== undefined) {
        stage.setPrompt(prompt)
        this.#all ||= this.#opening !== null
      }
      if (thinking !== undefined) stage.setThinking(thinking)
    }
    this.onOccupied()
    await this.#paintNext()
  }

  /** The pixels under the ink of new marks, so that their colour can be one that is seen there. */
  async #look(stage: Stage, marks: readonly Mark[]): Promise<Backdrop[] | null> {
    const inks = marks.flatMap((mark) => stage.inkOf(mark))
    // Without, colours are the default ones, which carry their own outline; drawing is what was asked for.
    return this.easel.below(this.monitor, inks, stage.ink(performance.now())).catch(() => null)
  }

  /** Waits for a frame that begins after now. */
  async #paintNext(): Promise<void> {
    while (this.#frame) await this.#frame.catch(() => {})
    await this.#paint()
  }

  #paint(): Promise<void> {
    this.#frame = this.#paintOnce().finally(() => {
      this.#frame = null
    })
    return this.#frame
  }

  async #paintOnce(): Promise<void> {
    const { stage, kit } = await this.#ready()
    let animating = false
    let now = 0
    do {
      if (this.#closed) return
      now = performance.now()
      const frame = stage.frame(now)
      animating = frame.animating
      const ink = this.#onMonitor(stage.ink(now))
      const all = this.#all
      this.#all = false
      const patches = all ? ink : this.#onMonitor(frame.dirty)
      // All of it may be nothing: what an earlier frame was to take off, and could not, is then still there.
      if (patches.length === 0 && !all) break
      const breath = breather()
      const pixels: Buffer[] = []
      const opening = stage.hasPrompt ? null : this.#opening
      for (const patch of patches) {
        const painted = paintPatch(kit, stage, patch, this.monitor.scale, now)
        if (opening) cutOut(painted, patch, opening)
        pixels.push(painted)
        await breath()
      }
      const { epoch } = this.place
      const result = await this.#present(
        patches,
        pixels.length === 1 ? (pixels[0] as Buffer) : Buffer.concat(pixels),
        ink,
      )
      this.#visible = result.shown && !result.covered
      // Drawn for a layout that is no more: once the new one is known (it may be already), all of it is drawn again.
      if (result.stale && epoch === this.place.epoch && !this.#closed) await this.#laidOut()
      this.#all ||= result.stale
    } while (this.#all)
    this.#moving = animating
    if (animating && !this.#closed) this.#schedule(now + FRAME_MS)
  }

  async #present(patches: PixelRect[], pixels: Buffer, ink: PixelRect[]): Promise<PresentResult> {
    try {
      return await inTime(this.easel.present(this.place, { patches, pixels, ink }))
    } catch (cause) {
      const error = new HostUnavailable((cause as Error).message)
      this.onFailed(error)
      throw error
    }
  }

  #laidOut(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellLaidOut = resolve
    })
  }

  #onMonitor(rects: readonly Rect[]): PixelRect[] {
    return rects.map((rect) => this.#pixels(rect)).filter((rect) => rect !== null)
  }

  #schedule(at: number): void {
    if (this.#timer) return
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        if (this.#frame || this.#closed) return
        this.#paint().catch(this.onFailed)
      },
      Math.max(0, at - performance.now()),
    )
  }

  #pixels(rect: Rect): PixelRect | null {
    return toPixels(rect, this.monitor.scale, this.monitor)
  }
}
