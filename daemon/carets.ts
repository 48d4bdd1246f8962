/** The caret as the companion is told of it: on Linux, from programs that show themselves to accessibility. */
import type { CaretWatch } from '../grounding/accessibility/caret.js'
import type { Screen } from '../grounding/index.js'
import type { CaretSource, CaretWatcher } from './companion/caret.js'
import type { Log } from './log.js'

export class Carets implements CaretSource {
  #watch: CaretWatch | null = null
  #watcher: CaretWatcher | null = null
  #hasSaid = false

  constructor(
    private readonly env: NodeJS.ProcessEnv,
    private readonly log: Log,
  ) {}

  watch(watcher: CaretWatcher | null): void {
    this.#watcher = watcher
    this.#watch?.close()
    this.#watch = null
    if (watcher) void this.#start(watcher)
  }

  look(): void {
    this.#watch?.look()
  }

  async #start(watcher: CaretWatcher): Promise<void> {
    // Only who has a companion needs the bus.
    const { CaretWatch } = await import('../grounding/accessibility/caret.js')
    if (this.#watcher !== watcher) return
    this.#watch = new CaretWatch({
      env: this.env,
      screens: () => screensOf(watcher),
      moved: (place) => {
        if (this.#watcher === watcher) watcher.moved(place)
      },
      unknown: (reason) => {
        if (!this.#hasSaid) this.log('info', 'companion_caret', { reason })
        this.#hasSaid = true
      },
    })
  }
}

function screensOf({ displays, windows }: CaretWatcher): readonly Screen[] {
  const all = windows()
  return displays().map((display) => ({
    display,
    windows: all.flatMap(({ id, app, title, pid, rects, contents, visible, transient }) => {
      const rect = rects.get(display.id)
      if (!visible || !rect) return []
      const content = contents?.get(display.id) ?? rect
      return [{ id, app, title, rect, content, transient, ...(pid !== undefined && { pid }) }]
    }),
  }))
}
