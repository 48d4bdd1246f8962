import type { Display, Point, Rect } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { isInRange, rectOf, shifted, touches } from './build.js'
import type { Clock } from './clock.js'
import type { Content } from './content.js'
import type { GroundElement, GroundScreen } from './grounder.js'
import type { MarkStore } from './mark-store.js'
import type { Entry } from './session.js'

/** How long a thing may be on the move, in ms: after that its mark goes. */
const UNSURE_MS = 800

/** Between two looks at a thing on the move, and between two that found it where it was, in ms. */
const AGAIN_MS = 80
const CALM_MS = 250

/** A thing that moved by less is where it was, in logical points. */
const SLIGHT = 0.5

/** The thing a mark was put on by words, where its resolver can find it again. */
export interface Held {
  readonly element: GroundElement
  readonly release: () => void
  /** From the middle of the thing to the middle of its mark. */
  readonly offset: Point
  /** A look is under way; `again`: something was drawn near it meanwhile. */
  looking: boolean
  again: boolean
  lookedAt: number
}

/**
 * Keeps marks on the things they were put on by words. Pixels tell that something was drawn near a mark; where the thing is
 * then, it says itself. A mark whose thing is gone, out of sight, or not to be made sure of is invalidated (`scroll`).
 */
export class Elements {
  constructor(
    private readonly clock: Clock,
    private readonly marks: () => MarkStore,
    private readonly content: () => Content,
    private readonly screen: (display: Display) => Promise<GroundScreen>,
    private readonly displays: () => readonly Display[],
  ) {}

  /** From now on the mark stays on `element`, which is at `rect` now. */
  hold(entry: Entry, element: GroundElement, rect: Rect): void {
    const [x, y] = middle(rectOf(entry.mark))
    const [left, top] = middle(rect)
    entry.held = {
      element,
      release: element.keep(),
      offset: [x - left, y - top],
      looking: false,
      again: false,
      lookedAt: this.clock.now(),
    }
  }

  /** The mark is gone, or its owner has moved it: it is on no thing any more. */
  release(entry: Entry): void {
    entry.held?.release()
    entry.held = undefined
  }

  /** Something was drawn near the mark, or it was lost sight of. */
  changed(entry: Entry): void {
    const { held } = entry
    if (!held) return
    if (held.looking) {
      held.again = true
      return
    }
    held.looking = true
    const wait = held.lookedAt + CALM_MS - this.clock.now()
    void this.#follow(entry, held, Math.max(0, wait)).finally(() => {
      held.looking = false
      if (!held.again) return
      held.again = false
      this.changed(entry)
    })
  }

  async #follow(entry: Entry, held: Held, wait: number): Promise<void> {
    if (wait > 0) await this.#pause(wait)
    const until = this.clock.now() + UNSURE_MS
    while (entry.held === held && this.marks().get(entry.mark.id) === entry) {
      const verdict = await this.#look(entry, held).catch(() => 'unsure' as const)
      if (entry.held !== held || this.marks().get(entry.mark.id) !== entry) return
      held.lookedAt = this.clock.now()
      if (verdict === 'gone' || (verdict === 'unsure' && this.clock.now() >= until)) {
        this.marks().drop(entry, 'scroll')
        return
      }
      if (verdict !== 'unsure') {
        this.#place(entry, verdict, held)
        return
      }
      await this.#pause(AGAIN_MS)
    }
  }

  /** Where the thing is, if it can be seen there. */
  async #look(entry: Entry, { element }: Held): Promise<Rect | 'gone' | 'unsure'> {
    const display = this.displays().find(({ id }) => id === entry.display)
    if (!display) return 'unsure'
    const signal = new AbortController().signal
    const screen = await this.screen(display)
    const rect = await element.locate(screen, signal)
    if (!rect) return 'gone'
    return (await element.isAt(rect, screen, signal)) ? rect : 'unsure'
  }

  #place(entry: Entry, rect: Rect, { offset }: Held): void {
    const display = this.displays().find(({ id }) => id === entry.display)
    const [x, y] = middle(rectOf(entry.mark))
    const [left, top] = middle(rect)
    const by: Point = [left + offset[0] - x, top + offset[1] - y]
    const isElsewhere = Math.hypot(...by) > SLIGHT
    const mark = resized(isElsewhere ? shifted(entry.mark, by) : entry.mark, rect)
    if (!display || !isInRange(mark) || !touches(mark, display)) {
      this.marks().drop(entry, 'scroll')
      return
    }
    if (isElsewhere || mark !== entry.mark) this.marks().replace(entry, mark, true)
    // What it looks like now, and where, is what pixels are to be compared with from here on.
    this.content().follow(entry)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.after(ms, resolve))
  }
}

/** A highlight is as large as its thing. */
function resized(mark: Mark, rect: Rect): Mark {
  if (mark.kind !== 'highlight') return mark
  const same = mark.rect.every((value, index) => Math.abs(value - (rect[index] as number)) <= SLIGHT)
  return same ? mark : { ...mark, rect }
}

function middle([x, y, width, height]: Rect): Point {
  return [x + width / 2, y + height / 2]
}
