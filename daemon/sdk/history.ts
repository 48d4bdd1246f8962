/** Undo and redo over whole states: for pages whose state is small enough to keep many times. */

const STEPS = 200

export class History<T> {
  #past: string[] = []
  #future: string[] = []
  #now: string

  /** @param save gives the state as JSON; @param load takes it up */
  constructor(
    private readonly save: () => T,
    private readonly load: (state: T) => void,
  ) {
    this.#now = JSON.stringify(save())
  }

  /** To be called after each step of the person; false when nothing is other than before. */
  note(): boolean {
    const now = JSON.stringify(this.save())
    if (now === this.#now) return false
    this.#past = [...this.#past, this.#now].slice(-STEPS)
    this.#future = []
    this.#now = now
    return true
  }

  /** Begins anew: what is there now cannot be undone. */
  reset(): void {
    this.#past = []
    this.#future = []
    this.#now = JSON.stringify(this.save())
  }

  get canUndo(): boolean {
    return this.#past.length > 0
  }

  get canRedo(): boolean {
    return this.#future.length > 0
  }

  undo(): boolean {
    const before = this.#past.pop()
    if (before === undefined) return false
    this.#future.push(this.#now)
    return this.#go(before)
  }

  redo(): boolean {
    const next = this.#future.pop()
    if (next === undefined) return false
    this.#past.push(this.#now)
    return this.#go(next)
  }

  #go(state: string): true {
    this.#now = state
    this.load(JSON.parse(state))
    return true
  }
}
