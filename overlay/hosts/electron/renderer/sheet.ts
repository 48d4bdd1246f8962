/** What is on the display, so that the page can lay it out anew on another screen without asking anybody. */
import type { SentBackdrop, ToPage } from '../../../../protocol/host/page.js'
import type { Point, Rect, Size } from '../../../../protocol/overlay/geometry.js'
import type { Mark, Prompt } from '../../../../protocol/overlay/marks.js'
import { type Backdrop, type Context2D, Stage } from '../../../scene/index.js'

export type Scene = Extract<ToPage, { type: 'scene' }>
export type Change = Extract<ToPage, { type: 'change' }>

/** Longer than any flight or glide, in ms: what was put that long ago is at its place. */
const SETTLED_MS = 1000

interface Entry {
  readonly mark: Mark
  /** What it was put over; null: not known. */
  readonly backdrop: readonly Backdrop[] | null
}

export class Sheet {
  readonly size: Size
  /** Where the canvas begins on the display, in logical points. */
  readonly offset: Point
  readonly reducedMotion: boolean
  readonly #entries = new Map<string, Entry>()
  #pointer: string | null
  #thinking: boolean
  #prompt: Prompt | null
  #opening: Rect | null

  constructor(scene: Scene) {
    this.size = scene.size
    this.offset = scene.offset
    this.reducedMotion = scene.reduced_motion
    this.#pointer = scene.pointer
    this.#thinking = scene.thinking
    this.#prompt = scene.prompt
    this.#opening = scene.opening ?? null
    const backdrop = decode(scene.backdrop)
    for (const mark of scene.put) this.#entries.set(mark.id, { mark, backdrop })
  }

  /** Where no mark is drawn; a question to the person is drawn there all the same. */
  get opening(): Rect | null {
    return this.#prompt ? null : this.#opening
  }

  /** A stage that shows all of it, with everything at its place. */
  stage(scale: number, reducedMotion: boolean, measure: Context2D, now: number): Stage {
    const stage = new Stage({ size: this.size, scale, reducedMotion, measure })
    const before = now - SETTLED_MS
    for (const { mark, backdrop } of this.#entries.values()) stage.put(mark, before, backdrop)
    stage.setPointer(this.#pointer, before)
    stage.setThinking(this.#thinking)
    stage.setPrompt(this.#prompt)
    return stage
  }

  /** Takes a change, and tells it to the stage. */
  apply(
    { put, remove, pointer, thinking, prompt, jump, opening, backdrop }: Change,
    stage: Stage,
    now: number,
  ): void {
    const under = decode(backdrop)
    for (const id of remove) {
      this.#entries.delete(id)
      stage.remove(id, now)
    }
    for (const mark of put) {
      const jumps = jump?.includes(mark.id) ?? false
      const seen = jumps ? null : under
      this.#entries.set(mark.id, { mark, backdrop: seen ?? this.#entries.get(mark.id)?.backdrop ?? null })
      stage.put(mark, now, seen, jumps)
    }
    if (opening !== undefined) this.#opening = opening
    if (pointer !== undefined) {
      this.#pointer = pointer
      stage.setPointer(pointer, now)
    }
    if (thinking !== undefined) {
      this.#thinking = thinking
      stage.setThinking(thinking)
    }
    if (prompt !== undefined) {
      this.#prompt = prompt
      stage.setPrompt(prompt)
    }
  }
}

/** Why a backdrop is none, in words; null: all are well. */
export function faultOf(backdrops: readonly SentBackdrop[] | undefined): string | null {
  for (const [index, { width, height, rgba }] of (backdrops ?? []).entries()) {
    const bytes = (rgba.length / 4) * 3 - (/=*$/.exec(rgba)?.[0].length ?? 0)
    if (bytes !== width * height * 4)
      return `backdrop[${index}].rgba must be ${width * height * 4} bytes for ${width}x${height} pixels, got ${bytes}`
  }
  return null
}

function decode(backdrops: readonly SentBackdrop[] | undefined): Backdrop[] | null {
  if (!backdrops) return null
  return backdrops.map(({ rect, width, height, rgba }) => {
    const text = atob(rgba)
    const data = new Uint8Array(text.length)
    for (let at = 0; at < text.length; at++) data[at] = text.charCodeAt(at)
    return { rect, width, height, data }
  })
}
