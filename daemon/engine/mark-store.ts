import { WireError } from '../../protocol/overlay/errors.js'
import { type Display, differs, type Point } from '../../protocol/overlay/geometry.js'
import { LIMITS } from '../../protocol/overlay/limits.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { type InvalidationReason, invalidated } from '../../protocol/overlay/replies.js'
import { isAboutTheScreen, touches } from './build.js'
import type { Clock } from './clock.js'
import type { SceneQueue } from './scene-queue.js'
import type { Entry, Session } from './session.js'

/** Every mark there is, whom it belongs to, and where the system's one pointer is. Tells the queue of each change. */
export class MarkStore {
  readonly #entries = new Map<string, Entry>()
  /** The mark that carries the pointer: the latest point, until it goes. */
  #pointer: Entry | null = null
  #pathPoints = 0
  #pathLength = 0

  constructor(
    private readonly queue: SceneQueue,
    private readonly clock: Clock,
    /** Told when the first mark comes and when the last one is gone. */
    private readonly onBusy: (busy: boolean) => void,
    /** Told of each mark that is gone. */
    private readonly onDropped: (entry: Entry) => void,
    /** Told of every change of what is to be seen. */
    private readonly onChanged: () => void,
  ) {}

  get size(): number {
    return this.#entries.size
  }

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id)
  }

  /** Puts a new mark on a display, for `ttlMs` milliseconds or until it is dropped. Throws `limit`. */
  add(mark: Mark, display: number, session: Session, ttlMs: number | undefined): Entry {
    this.#admit(mark, session)
    const entry: Entry = { mark, display, session, cancelTtl: null, window: undefined }
    session.entries.set(mark.id, entry)
    this.#entries.set(mark.id, entry)
    if (this.#entries.size === 1) this.onBusy(true)
    this.#pathPoints += pathPoints(mark)
    this.#pathLength += pathLength(mark)
    if (ttlMs !== undefined) entry.cancelTtl = this.clock.after(ttlMs, () => this.drop(entry, 'ttl'))
    this.queue.put(display, mark)
    if (mark.kind === 'point') this.#movePointer(entry)
    this.onChanged()
    return entry
  }

  /** Gives a mark new geometry; it keeps its id and its time. `jump`: without a glide. */
  replace(entry: Entry, mark: Mark, jump = false): void {
    entry.mark = mark
    this.queue.put(entry.display, mark, jump)
    this.onChanged()
  }

  entries(): Iterable<Entry> {
    return this.#entries.values()
  }

  /** Takes a mark away, and tells its owner when there is a reason the owner did not ask for. */
  drop(entry: Entry, reason: InvalidationReason | null): void {
    const { mark, session } = entry
    if (!this.#entries.delete(mark.id)) return
    session.entries.delete(mark.id)
    this.#pathPoints -= pathPoints(mark)
    this.#pathLength -= pathLength(mark)
    entry.cancelTtl?.()
    this.queue.remove(entry.display, mark.id)
    this.onDropped(entry)
    this.onChanged()
    if (this.#pointer === entry) {
      this.#pointer = null
      this.queue.pointer(entry.display, null)
    }
    if (reason !== null) session.push?.(invalidated(mark.id, reason))
    if (session.entries.size === 0) session.onEmpty?.()
    if (this.#entries.size === 0) this.onBusy(false)
  }

  /** Drops every mark; owners other than `asker` are told. Returns how many there were. */
  dropAll(reason: InvalidationReason, asker: Session | null = null): number {
    const entries = [...this.#entries.values()]
    for (const entry of entries) this.drop(entry, entry.session === asker ? null : reason)
    return entries.length
  }

  /** Drops these ids if they are still there: the host could not show them. */
  dropIds(ids: Iterable<string>, reason: InvalidationReason): void {
    for (const id of ids) {
      const entry = this.#entries.get(id)
      if (entry) this.drop(entry, reason)
    }
  }

  /** Drops what the new layout has no place for, and shows the rest again where the host starts anew. */
  displaysChanged(layout: readonly Display[], after: readonly Display[]): void {
    const old = new Map(layout.map((display) => [display.id, display]))
    const now = new Map(after.map((display) => [display.id, display]))
    for (const entry of [...this.#entries.values()]) {
      const display = now.get(entry.display)
      const before = old.get(entry.display)
      // At another scale the same logical place is another place of the window it is on, or may be on.
      const isOnScreen = entry.window === null || isAboutTheScreen(entry.mark)
      const displaced = !isOnScreen && before && before.scale !== display?.scale
      if (!display || displaced || !touches(entry.mark, display)) this.drop(entry, 'display_change')
      else if (differs(before, display)) this.queue.put(display.id, entry.mark)
    }
    const holder = this.#pointer
    if (holder && differs(old.get(holder.display), now.get(holder.display))) {
      this.queue.pointer(holder.display, holder.mark.id)
    }
  }

  #admit(mark: Mark, session: Session): void {
    if (session.entries.size >= LIMITS.sessionMarks) {
      throw new WireError(
        'limit',
        `this session has ${LIMITS.sessionMarks} marks, the most there may be; clear some`,
      )
    }
    if (this.#entries.size >= LIMITS.totalMarks) {
      throw new WireError(
        'limit',
        `all sessions together have ${LIMITS.totalMarks} marks, the most there may be`,
      )
    }
    if (this.#pathPoints + pathPoints(mark) > LIMITS.totalPathPoints) {
      throw new WireError('limit', `all paths together would have over ${LIMITS.totalPathPoints} points`)
    }
    const length = pathLength(mark)
    if (length > LIMITS.pathLength) {
      throw new WireError(
        'limit',
        `the path is ${Math.round(length)} logical points long; the most there may be are ${LIMITS.pathLength}`,
      )
    }
    if (this.#pathLength + length > LIMITS.totalPathLength) {
      throw new WireError(
        'limit',
        `all paths together would be over ${LIMITS.totalPathLength} logical points long`,
      )
    }
  }

  #movePointer(entry: Entry): void {
    if (this.#pointer && this.#pointer.display !== entry.display)
      this.queue.pointer(this.#pointer.display, null)
    this.#pointer = entry
    this.queue.pointer(entry.display, entry.mark.id)
  }
}

function pathPoints(mark: Mark): number {
  return mark.kind === 'draw' || mark.kind === 'arrow' ? mark.path.length : 0
}

/** How much ink a path is, in logical points. */
function pathLength(mark: Mark): number {
  if (mark.kind !== 'draw' && mark.kind !== 'arrow') return 0
  let length = 0
  for (let index = 1; index < mark.path.length; index++) {
    const [x0, y0] = mark.path[index - 1] as Point
    const [x1, y1] = mark.path[index] as Point
    length += Math.hypot(x1 - x0, y1 - y0)
  }
  return length
}
