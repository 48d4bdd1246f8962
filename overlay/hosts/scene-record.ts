import type { Mark, Prompt } from '../../protocol/overlay/marks.js'
import type { SceneChange } from '../host.js'

/** What one display shows, as the changes so far made it: whoever draws can be told all of it once more. */
export class SceneRecord {
  readonly #marks = new Map<string, Mark>()
  #pointer: string | null = null
  #prompt: Prompt | null = null

  take({ put, remove, pointer, prompt }: Omit<SceneChange, 'display'>): void {
    for (const id of remove) this.#marks.delete(id)
    for (const mark of put) this.#marks.set(mark.id, mark)
    if (pointer !== undefined) this.#pointer = pointer
    if (prompt !== undefined) this.#prompt = prompt
  }

  get isEmpty(): boolean {
    return this.#marks.size === 0 && this.#prompt === null
  }

  /** All of it, as one change. */
  get all(): { readonly put: Mark[]; readonly pointer: string | null; readonly prompt: Prompt | null } {
    return { put: this.marks, pointer: this.#pointer, prompt: this.#prompt }
  }

  /** In drawing order. */
  get marks(): Mark[] {
    return [...this.#marks.values()]
  }

  get pointer(): string | null {
    return this.#pointer
  }

  get prompt(): Prompt | null {
    return this.#prompt
  }
}
