import type { OverlayHost, SceneChange } from '../../overlay/host.js'
import type { Mark, Prompt } from '../../protocol/overlay/marks.js'
import type { Clock } from './clock.js'

interface Pending {
  readonly put: Map<string, Mark>
  readonly remove: Set<string>
  readonly jump: Set<string>
  pointer?: string | null
  prompt?: Prompt | null
  thinking?: boolean
  /** Whoever waits for this change to be painted. */
  waiting?: ReturnType<typeof deferred>
}

/**
 * Gathers what one moment changes and hands it to the host as one change a display, in order. A mark put and removed
 * within a moment costs the host nothing.
 */
export class SceneQueue {
  #pending = new Map<number, Pending>()
  /** What became of the last change of each display. */
  readonly #painted = new Map<number, Promise<boolean>>()

  constructor(
    private readonly host: OverlayHost,
    private readonly clock: Clock,
    /** Told of a change the host could not show, with the error it gave. */
    private readonly onFailed: (change: SceneChange, error: unknown) => void,
  ) {}

  /** `jump`: at its new place at once, because what it is on has moved already. */
  put(display: number, mark: Mark, jump = false): void {
    const pending = this.#of(display)
    pending.put.set(mark.id, mark)
    if (jump) pending.jump.add(mark.id)
    else pending.jump.delete(mark.id)
  }

  remove(display: number, id: string): void {
    const pending = this.#of(display)
    pending.put.delete(id)
    pending.remove.add(id)
  }

  pointer(display: number, id: string | null): void {
    this.#of(display).pointer = id
  }

  /** What the daemon asks the person on a display; null takes it off. */
  prompt(display: number, prompt: Prompt | null): void {
    this.#of(display).prompt = prompt
  }

  /** Whether something is looked for on a display. */
  thinking(display: number, on: boolean): void {
    this.#of(display).thinking = on
  }

  /** Forgets what was not handed over yet: the host is gone, or starts anew. */
  reset(): void {
    for (const { waiting } of this.#pending.values()) waiting?.resolve(false)
    this.#pending.clear()
    this.#painted.clear()
  }

  /**
   * Settles when everything asked of this display so far is painted, with whether a person sees it; rejects with the
   * host's error when it could not be.
   */
  painted(display: number): Promise<boolean> {
    const pending = this.#pending.get(display)
    if (!pending) return this.#painted.get(display) ?? Promise.resolve(true)
    pending.waiting ??= deferred()
    return pending.waiting.promise
  }

  #of(display: number): Pending {
    if (this.#pending.size === 0) this.clock.soon(() => this.#flush())
    let pending = this.#pending.get(display)
    if (!pending) {
      pending = { put: new Map(), remove: new Set(), jump: new Set() }
      this.#pending.set(display, pending)
    }
    return pending
  }

  #flush(): void {
    const batch = this.#pending
    this.#pending = new Map()
    for (const [display, { put, remove, jump, pointer, prompt, thinking, waiting }] of batch) {
      const change: SceneChange = {
        display,
        put: [...put.values()],
        remove: [...remove],
        ...(pointer !== undefined && { pointer }),
        ...(prompt !== undefined && { prompt }),
        ...(thinking !== undefined && { thinking }),
        ...(jump.size > 0 && { jump: [...jump] }),
      }
      const painted = this.host.apply(change).then(({ visible }) => visible)
      this.#painted.set(display, painted)
      // Whoever wants to know asks `painted`; a failure is reported through `onFailed` either way.
      painted.then(
        (visible) => waiting?.resolve(visible),
        (error: unknown) => {
          this.onFailed(change, error)
          waiting?.reject(error)
        },
      )
    }
  }
}

function deferred() {
  let resolve = (_visible: boolean) => {}
  let reject = (_error: unknown) => {}
  const promise = new Promise<boolean>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // Someone may have stopped waiting; that is not an unhandled fault.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
