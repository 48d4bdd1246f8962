/** Gathering changes. */
import type { Mark } from '../../protocol/overlay/marks.js'
import type { Applied, SceneChange } from '../host.js'

/** Changes that become one frame, and whoever waits for it. */
export interface Batch {
  readonly changes: SceneChange[]
  readonly done: Promise<Applied>
  readonly resolve: (applied: Applied) => void
  readonly reject: (error: unknown) => void
}

export function batch(): Batch {
  let resolve = (_applied: Applied) => {}
  let reject = (_error: unknown) => {}
  const done = new Promise<Applied>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { changes: [], done, resolve, reject }
}

/** The marks to choose a colour for: those still there after all the changes that did not just follow their window. */
export function lasting(changes: readonly SceneChange[]): Mark[] {
  const marks = new Map<string, Mark>()
  for (const { put, remove, jump } of changes) {
    for (const id of remove) marks.delete(id)
    for (const mark of put) if (!jump?.includes(mark.id)) marks.set(mark.id, mark)
  }
  return [...marks.values()]
}
