import type { Mark, Prompt } from '../../protocol/overlay/marks.js'
import type { SceneChange } from '../host.js'

/** What one display shows, as the changes so far made it: whoever draws can be told all of it once more. */
export class SceneRecord {
  readonly #marks = new Map<string, Mark>()
  #pointer: string | null = null
  #prompt: Prompt | null = null
  #thinking = false

  take({ put, remove, pointer, thinking, prompt }: Omit<SceneChange, 'display'>): void {
    for (const id of remove) this.#marks.delete(id)
    for (const mark of put) this.#marks.set(mark.id, mark)
    if (pointer !== undefined) this.#pointer = pointer
    if (thinking !== undefined) this.#thinking = thinking
    if (prompt !== undefined) this.#prompt = prompt
  }

  get isEmpty(): boolean {
    return this.#marks.size === 0 && this.#prompt === null && !this.#thinking
  }

  /** All of it, as one change. */
  get all() {
    return { put: this.marks, pointer: this.#pointer, thinking: this.#thinking, prompt: this.#prompt }
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

  get prompt(): Prompt | null {
    return this.#prompt
  }
}
