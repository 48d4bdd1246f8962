/** The global keys, where the daemon has no better way to them: those of macOS and Windows. */
import type { GlobalKey } from '../../../../protocol/host/orders-schema.js'
import type { ElectronApi } from './api.js'

const ACCELERATORS: Readonly<Record<GlobalKey, string>> = {
  clear: 'Control+Shift+K',
  yes: 'Control+Shift+Y',
  no: 'Control+Shift+N',
  next: 'Control+Shift+Space',
  summon: 'Control+Shift+.',
}

/**
 * A press that follows another, or the taking of the key, within this time is a key that is held down: it answers nothing,
 * since whoever holds it did not see the question yet. In ms; systems begin to repeat within it.
 */
const HELD_MS = 700

/** The keys whose held press must not count: what they do cannot be undone by the person. */
const GUARDED: ReadonlySet<GlobalKey> = new Set<GlobalKey>(['yes'])

export class Keys {
  readonly #taken = new Set<GlobalKey>()

  constructor(
    private readonly shortcuts: ElectronApi['globalShortcut'],
    private readonly onPressed: (key: GlobalKey) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Those of `keys` that are ours now. */
  take(keys: readonly GlobalKey[]): GlobalKey[] {
    return keys.filter((key) => {
      if (this.#taken.has(key)) return true
      let last = this.now()
      const had = this.shortcuts.register(ACCELERATORS[key], () => {
        const held = this.now() - last < HELD_MS
        last = this.now()
        if (!held || !GUARDED.has(key)) this.onPressed(key)
      })
      if (had) this.#taken.add(key)
      return had
    })
  }

  release(keys: readonly GlobalKey[]): void {
    for (const key of keys) {
      if (this.#taken.delete(key)) this.shortcuts.unregister(ACCELERATORS[key])
    }
  }

  releaseAll(): void {
    this.release([...this.#taken])
  }
}
