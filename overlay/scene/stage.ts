import { intersects, type Point, type Rect, type Size } from '../../protocol/overlay/geometry.js'
import type { Mark, Prompt } from '../../protocol/overlay/marks.js'
import type { Backdrop } from './backdrop.js'
import type { Context2D } from './context.js'
import { coalesce } from './dirty.js'
import { Ruler } from './font.js'
import { paintDim } from './highlight.js'
import type { Env, HighlightBody, Laid } from './laid.js'
import {
  bodyAreas,
  choosesColor,
  layBody,
  layMark,
  mixLaid,
  paintBody,
  paintLabels,
  retint,
  takenBy,
} from './layout.js'
import { ease, FLIGHT_MS, GLIDE_MS, progress } from './motion.js'
import type { Taken } from './place.js'
import { entrance, flight, type Pose, paintPointer, pointerRect, poseRect, samePose } from './pointer.js'
import { type LaidPrompt, layPrompt, paintPrompt } from './prompt.js'
import { grow } from './shapes.js'
import { type LaidThinking, layThinking, paintThinking, sameThinking } from './thinking.js'

export interface StageOptions {
  /** The display in logical points. */
  readonly size: Size
  /** Device pixels per logical point. */
  readonly scale: number
  /** Nothing flies or glides: everything is at its place at once. */
  readonly reducedMotion: boolean
  /** Any context with the host's fonts registered, to measure text with. The stage changes its font and fill. */
  readonly measure: Context2D
}

export interface StageFrame {
  /** What changed since the last `frame`, in logical points, on device pixel edges. Empty when nothing did. */
  readonly dirty: Rect[]
  /** Whether something is still moving, so that there will be another frame. */
  readonly animating: boolean
}

interface Item {
  laid: Laid
  from: Laid | null
  start: number
  /** What the last frame showed of it. */
  shown: Laid | null
  /** The mixture last asked for: a frame and its paints ask for the same one. */
  mixed: { readonly laid: Laid; readonly now: number } | null
}

/** Marks that a new caption keeps off. */
const MOST_AVOIDED = 40

/**
 * The marks on one display, and how they get from change to change. Geometry is in logical points relative to the
 * display's top left; `now` is any clock in ms that does not run backwards. Holds no timers: the host calls `frame`
 * when it changed something and while `animating`, and paints what `frame` calls dirty.
 */
export class Stage {
  readonly #env: Env
  readonly #reducedMotion: boolean
  readonly #items = new Map<string, Item>()
  #carrier: string | null = null
  #flight: { from: Point | null; start: number } = { from: null, start: 0 }
  /** Where the pointer was when its point went: one put in the same moment is flown to from there. */
  #left: { at: Point; now: number } | null = null
  #gone: Rect[] = []
  #shownPose: Pose | null = null
  #shownDim: readonly HighlightBody[] = []
  #isThinking = false
  #shownThinking: LaidThinking | null = null
  #prompt: LaidPrompt | null = null
  #shownPrompt: LaidPrompt | null = null

  constructor({ size, scale, reducedMotion, measure }: StageOptions) {
    this.#env = { size, scale, measure, ruler: new Ruler(measure) }
    this.#reducedMotion = reducedMotion
  }

  /** Where `mark` would put ink whose colour depends on what is under it: what to hand to `put` as `backdrop`. */
  inkOf(mark: Mark): Rect[] {
    if (!choosesColor(mark)) return []
    const body = layBody(mark, this.#env)
    const areas = bodyAreas(body)
    if (body.kind === 'point') areas.push(pointerRect(body.at, body.facing))
    return coalesce(areas, this.#env.scale, this.#env.size)
  }

  /**
   * Shows a mark. One whose id is shown already glides to its new geometry; unchanged, it stays as it is. With a
   * `backdrop` the colour is chosen for what is under the ink; without, a mark keeps its colour, and a new one is amber.
   * With `jump` it is at its new place at once, its caption where it was beside it.
   */
  put(mark: Mark, now: number, backdrop: readonly Backdrop[] | null = null, jump = false): void {
    const item = this.#items.get(mark.id)
    if (!item) {
      const laid = layMark(mark, this.#env, {
        taken: this.#taken(mark.id),
        before: null,
        backdrop,
      })
      this.#items.set(mark.id, { laid, from: null, start: now, shown: null, mixed: null })
      if (mark.id === this.#carrier) this.#flight = { ...this.#flight, start: now }
      return
    }
    if (sameMark(item.laid.mark, mark)) {
      if (backdrop) {
        item.laid = retint(item.laid, this.#env, backdrop)
        item.mixed = null
      }
      return
    }
    const before = current(item, now)
    item.laid = layMark(mark, this.#env, {
      taken: this.#taken(mark.id),
      before: item.laid,
      backdrop,
    })
    item.from = this.#reducedMotion || jump ? null : before
    item.start = now
    item.mixed = null
  }

  /** Takes a mark off the display; unknown ids are ignored. */
  remove(id: string, now: number): void {
    const item = this.#items.get(id)
    if (!item) return
    if (id === this.#carrier) {
      const pose = this.#pose(now)
      this.#left = pose && { at: pose.at, now }
      this.#carrier = null
    }
    if (item.shown) this.#gone.push(...item.shown.areas)
    this.#items.delete(id)
  }

  /**
   * Says which point carries the one pointer: it flies there from where it is, or comes in from nearby when it was
   * nowhere. Null takes it off this display. A point that is not shown yet may be named; it gets the pointer when put.
   */
  setPointer(id: string | null, now: number): void {
    if (id === this.#carrier) return
    const left = this.#left?.now === now ? this.#left.at : null
    const from = this.#pose(now)?.at ?? left ?? this.#shownThinking?.pose?.at ?? null
    this.#carrier = id
    this.#left = null
    this.#flight = { from, start: now }
  }

  /** Whether the pointer shows that something is looked for on this display. */
  setThinking(on: boolean): void {
    this.#isThinking = on
  }

  /** What the daemon asks the person on this display, above all marks; null takes it off. */
  setPrompt(prompt: Prompt | null): void {
    this.#prompt = prompt && layPrompt(prompt, this.#env)
  }

  get hasPrompt(): boolean {
    return this.#prompt !== null
  }

  /** What changed since the last call, and whether more will. Paint with the same `now`. */
  frame(now: number): StageFrame {
    const changed = this.#gone
    this.#gone = []
    let animating = false
    for (const item of this.#items.values()) {
      const laid = current(item, now)
      if (laid !== item.laid) animating = true
      else item.from = null
      if (laid === item.shown) continue
      if (item.shown) changed.push(...item.shown.areas)
      changed.push(...laid.areas)
      item.shown = laid
    }
    const pose = this.#pose(now)
    if (pose && this.#flown(now) < 1) animating = true
    if (!samePose(pose, this.#shownPose)) {
      if (this.#shownPose) changed.push(poseRect(this.#shownPose))
      if (pose) changed.push(poseRect(pose))
      this.#shownPose = pose
    }
    const thinking = this.#thinking(now)
    if (!sameThinking(thinking, this.#shownThinking)) {
      for (const laid of [thinking, this.#shownThinking]) if (laid) changed.push(laid.area)
      this.#shownThinking = thinking
    }
    this.#dimChanges(now, changed)
    if (this.#prompt !== this.#shownPrompt) {
      for (const laid of [this.#prompt, this.#shownPrompt]) if (laid) changed.push(laid.area)
      this.#shownPrompt = this.#prompt
    }
    return { dirty: coalesce(changed, this.#env.scale, this.#env.size), animating }
  }

  /**
   * Draws everything that intersects `rect`. The caller has set a transform that maps this display's logical points to
   * its pixels, and has cleared `rect`, which should lie on device pixel edges; nothing outside of it is touched.
   * `marksAlone`: without the prompt, which is for the person and in no picture.
   */
  paint(context: Context2D, rect: Rect, now: number, marksAlone = false): void {
    const { scale } = this.#env
    const visible: Laid[] = []
    for (const item of this.#items.values()) {
      const laid = current(item, now)
      if (laid.areas.some((area) => intersects(area, rect))) visible.push(laid)
    }
    context.save()
    context.beginPath()
    context.rect(...rect)
    context.clip()
    const dim = this.#dim(now)
    if (dim.length > 0) paintDim(context, dim, rect, this.#env)
    const settled = this.#flown(now) >= 1 ? this.#carrier : null
    for (const laid of visible) {
      paintBody(context, laid, rect, this.#env, laid.mark.id === settled)
    }
    for (const laid of visible) paintLabels(context, laid, this.#env)
    const pose = this.#pose(now)
    if (pose && intersects(poseRect(pose), rect)) paintPointer(context, pose, scale)
    const thinking = marksAlone ? null : this.#thinking(now)
    if (thinking && intersects(thinking.area, rect)) paintThinking(context, thinking, scale)
    // Above everything: no client may cover what the person is asked, or write over it.
    if (this.#prompt && !marksAlone) paintPrompt(context, this.#prompt, scale)
    context.restore()
  }

  /** Coarse rectangles that hold everything drawn; the whole display while a spotlight dims it. */
  ink(now: number): Rect[] {
    const { size, scale } = this.#env
    if (this.#dim(now).length > 0) return [[0, 0, size[0], size[1]]]
    const areas: Rect[] = []
    for (const item of this.#items.values()) areas.push(...current(item, now).areas)
    const pose = this.#pose(now)
    if (pose) areas.push(poseRect(pose))
    const thinking = this.#thinking(now)
    if (thinking) areas.push(thinking.area)
    if (this.#prompt) areas.push(this.#prompt.area)
    return coalesce(areas, scale, size)
  }

  /**
   * Where everything is, or is going to be: all ink, and what it points at or encloses. Unlike `ink` it is exact, and a
   * spotlight is what it is on, not all that it dims.
   */
  occupied(): Rect[] {
    const found: Rect[] = []
    for (const { laid } of this.#items.values()) {
      found.push(...laid.areas)
      if (laid.body.kind === 'highlight') found.push(laid.body.box)
      if (laid.body.kind === 'point' && laid.mark.id === this.#carrier)
        found.push(pointerRect(laid.body.at, laid.body.facing))
    }
    if (this.#isThinking && this.#shownThinking) found.push(this.#shownThinking.area)
    if (this.#prompt) found.push(this.#prompt.area)
    return found
  }

  /** Device pixels per logical point, as given. */
  get scale(): number {
    return this.#env.scale
  }

  /** The caption of a mark as it is placed, or null: where its text is on the display. */
  captionOf(id: string): Rect | null {
    return this.#items.get(id)?.laid.caption?.rect ?? null
  }

  #taken(except: string): Taken {
    const shown: Laid[] = []
    // The latest ones: keeping off thousands of captions would take longer than anybody waits, and find no room.
    for (const [id, item] of [...this.#items].slice(-MOST_AVOIDED)) if (id !== except) shown.push(item.laid)
    return takenBy(shown)
  }

  #dim(now: number): HighlightBody[] {
    const dim: HighlightBody[] = []
    for (const item of this.#items.values()) {
      const { body } = current(item, now)
      if (body.kind === 'highlight' && body.spotlight) dim.push(body)
    }
    return dim
  }

  #dimChanges(now: number, changed: Rect[]): void {
    const before = this.#shownDim
    const dim = this.#dim(now)
    this.#shownDim = dim
    if ((before.length === 0) !== (dim.length === 0)) {
      changed.push([0, 0, this.#env.size[0], this.#env.size[1]])
      return
    }
    for (const body of before) if (!dim.includes(body)) changed.push(grow(body.box, 6))
    for (const body of dim) if (!before.includes(body)) changed.push(grow(body.box, 6))
  }

  #thinking(now: number): LaidThinking | null {
    return this.#isThinking ? layThinking(this.#pose(now), this.#env.size) : null
  }

  #flown(now: number): number {
    return progress(now, this.#flight.start, this.#reducedMotion ? 0 : FLIGHT_MS)
  }

  #pose(now: number): Pose | null {
    const item = this.#carrier === null ? undefined : this.#items.get(this.#carrier)
    if (!item) return null
    const { body, tint } = current(item, now)
    if (body.kind !== 'point') return null
    const t = this.#flown(now)
    const from = this.#flight.from ?? entrance(body.at, this.#env.size)
    const { at, lean } = flight(from, body.at, t)
    // One that was nowhere fades in as it comes.
    const alpha = this.#flight.from ? 1 : Math.min(1, t * 3)
    return { at, facing: body.facing, lean, alpha, tint }
  }
}

function current(item: Item, now: number): Laid {
  if (!item.from) return item.laid
  const t = progress(now, item.start, GLIDE_MS)
  if (t >= 1) return item.laid
  if (item.mixed?.now !== now) {
    item.mixed = { laid: mixLaid(item.from, item.laid, ease(t)), now }
  }
  return item.mixed.laid
}

/** Marks are small plain values; only paths are long, and those differ early when they differ. */
function sameMark(a: Mark, b: Mark): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
