import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Mark, Prompt } from '../../protocol/overlay/marks.js'
import type { SceneChange } from '../host.js'

/** A change as it is recorded: with where no mark is drawn from then on, if that changed. */
export interface RecordedChange extends Omit<SceneChange, 'display'> {
  readonly opening?: Rect | null
}

/** What one display shows, as the changes so far made it: whoever draws can be told all of it once more. */
export class SceneRecord {
  readonly #marks = new Map<string, Mark>()
  #pointer: string | null = null
  #prompt: Prompt | null = null
  #thinking = false
  #opening: Rect | null = null

  take({ put, remove, pointer, thinking, prompt, opening }: RecordedChange): void {
    for (const id of remove) this.#marks.delete(id)
    for (const mark of put) this.#marks.set(mark.id, mark)
    if (pointer !== undefined) this.#pointer = pointer
    if (thinking !== undefined) this.#thinking = thinking
    if (prompt !== undefined) this.#prompt = prompt
    if (opening !== undefined) this.#opening = opening
  }

  get isEmpty(): boolean {
    return this.#marks.size === 0 && this.#prompt === null && !this.#thinking
  }

  /** All of it, as one change. */
  get all() {
    return {
      put: this.marks,
      pointer: this.#pointer,
      thinking: this.#thinking,
      prompt: this.#prompt,
      opening: this.#opening,
    }
  }

  /** In drawing order. */
  get marks(): Mark[] {
    return [...this.#marks.values()]
  }

  get pointer(): string | null {
    return this.#pointer
  }

  get thinking(): boolean {
    return this.#thinking
  }

  /** Where no mark is drawn. */
  get opening(): Rect | null {
    return this.#opening
  }

  get prompt(): Prompt | null {
    return this.#prompt
  }
}
