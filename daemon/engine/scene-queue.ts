import type { Applied, OverlayHost, SceneChange } from '../../overlay/host.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import type { Clock } from './clock.js'

interface Pending {
  readonly put: Map<string, Mark>
  readonly remove: Set<string>
  readonly jump: Set<string>
  pointer?: string | null
}

/**
 * Gathers what one moment changes and hands it to the host as one change a display, in order. A mark put and removed
 * within a moment costs the host nothing.
 */
export class SceneQueue {
  #pending = new Map<number, Pending>()
  #painted: Promise<boolean> = Promise.resolve(true)
  #next: ReturnType<typeof deferred> | null = null

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

  /** Forgets what was not handed over yet: the host is gone, or starts anew. */
  reset(): void {
    this.#pending.clear()
  }

  /**
   * Settles when everything asked for so far is painted, with whether a person sees it; rejects with the host's error
   * when it could not be.
   */
  painted(): Promise<boolean> {
    if (this.#pending.size === 0) return this.#painted
    this.#next ??= deferred()
    return this.#next.promise
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
    const next = this.#next
    // What was forgotten meanwhile had its turn here; what came after it has one of its own.
    if (batch.size === 0 && !next) return
    this.#pending = new Map()
    this.#next = null
    const applied: Promise<Applied>[] = []
    for (const [display, { put, remove, jump, pointer }] of batch) {
      const change: SceneChange = {
        display,
        put: [...put.values()],
        remove: [...remove],
        ...(pointer !== undefined && { pointer }),
        ...(jump.size > 0 && { jump: [...jump] }),
      }
      applied.push(
        this.host.apply(change).catch((error: unknown) => {
          this.onFailed(change, error)
          throw error
        }),
      )
    }
    const done = Promise.all(applied).then((all) => all.every(({ visible }) => visible))
    this.#painted = done
    // Whoever wants to know asks `painted`; a failure is reported through `onFailed` either way.
    done.then(
      (visible) => next?.resolve(visible),
      (error: unknown) => next?.reject(error),
    )
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
