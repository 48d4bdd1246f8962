import type { ContentAccess, ContentChange } from '../../overlay/host.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import { isInRange, shifted, subjectRect, touches } from './build.js'
import type { Elements } from './elements.js'
import type { MarkStore } from './mark-store.js'
import type { Entry } from './session.js'

/**
 * Keeps marks on what they were put on inside their window. A mark moves by exactly what its content moved; it is
 * invalidated (`scroll`) when that is gone, looks otherwise, or may be in more than one place.
 */
export class Content {
  constructor(
    private readonly access: ContentAccess | undefined,
    private readonly marks: () => MarkStore,
    private readonly displays: () => readonly Display[],
    private readonly elements: () => Elements,
  ) {}

  /** Whether this host sees what windows show. */
  get isFollowed(): boolean {
    return this.access !== undefined
  }

  /** From now on, what is under the mark in its window now is what it is on. */
  follow(entry: Entry): void {
    if (!entry.window) {
      this.release(entry)
      return
    }
    const { id, rect: window } = entry.window
    const [x, y, width, height] = subjectRect(entry.mark)
    this.access?.follow(entry.mark.id, {
      window: id,
      display: entry.display,
      rect: [x - window[0], y - window[1], width, height],
      ...(entry.held && { live: true }),
    })
  }

  release({ mark }: Entry): void {
    this.access?.release(mark.id)
  }

  /** A window has another size, and may have laid out its content anew. */
  resized(window: number): void {
    this.access?.recheck(window)
  }

  changed({ moved, lost, still = [] }: ContentChange): void {
    const known = (id: string) => this.marks().get(id)?.held !== undefined
    // What can say itself where it is, is asked, rather than given up.
    this.marks().dropIds(
      lost.filter((id) => !known(id)),
      'scroll',
    )
    this.#shift(moved)
    for (const id of [...lost, ...still, ...moved.map((one) => one.id)]) {
      const entry = this.marks().get(id)
      if (entry) this.elements().changed(entry)
    }
  }

  #shift(moved: ContentChange['moved']): void {
    for (const { id, by } of moved) {
      const entry = this.marks().get(id)
      if (!entry) continue
      const display = this.displays().find((one) => one.id === entry.display)
      const mark = shifted(entry.mark, by)
      if (!display || !isInRange(mark) || !touches(mark, display)) this.marks().drop(entry, 'scroll')
      else this.marks().replace(entry, mark, true)
    }
  }
}
