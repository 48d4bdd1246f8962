/** Looking at the windows: once for all who ask before a look begins, and never by what was seen before somebody asked. */
export class Inspection {
  #due: { readonly wanted: boolean } | null = null
  #running: Promise<void> | null = null

  constructor(
    /** Looks, and rejects when the windows are not as they should be. `wanted`: that none is there is wrong, too. */
    private readonly look: (wanted: boolean) => Promise<void>,
    /** Whether there is anything to look at; what is due waits until there is. */
    private readonly isPossible: () => boolean,
  ) {}

  get isDue(): boolean {
    return this.#due !== null
  }

  /** Resolves when a look that began after this call found nothing wrong. */
  ask(wanted: boolean): Promise<void> {
    this.#due = { wanted: wanted || (this.#due?.wanted ?? false) }
    this.#running ??= this.#run()
    return this.#running
  }

  async #run(): Promise<void> {
    // Whoever asks in the same moment asks for the same look.
    await null
    try {
      while (this.#due && this.isPossible()) {
        const { wanted } = this.#due
        this.#due = null
        await this.look(wanted)
      }
    } finally {
      this.#running = null
    }
  }
}
