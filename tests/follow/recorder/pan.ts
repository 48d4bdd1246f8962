import type { Rect } from '../movements.js'
import type { Book, Place, Shot } from './book.js'
import { chance } from './chance.js'
import { panePlaces, whereNow } from './search.js'
import type { Window } from './stage.js'

/** An application that tells nothing of itself: a pane whose content is followed by its pixels, and a still frame. */
export class Pan {
  readonly #pick = chance(17)
  #now: Shot | undefined

  constructor(
    readonly window: Window,
    readonly book: Book,
    readonly pane: Rect,
    /** Patches that are looked for; large enough to be unique. */
    private readonly patch: readonly [width: number, height: number],
    /** What does not scroll. */
    private readonly frame?: Rect,
  ) {}

  async look(): Promise<Shot> {
    this.#now = await this.window.shot(300)
    return this.#now
  }

  async step(
    series: string,
    situation: string,
    what: () => Promise<unknown>,
    count = 4,
    frame = 0,
  ): Promise<void> {
    await this.#take(what, (shots) => {
      const by = whereNow(...shots, this.pane, this.patch)
      const places = panePlaces(shots, this.pane, by, this.#pick, count)
      if (frame > 0 && this.frame) places.push(...panePlaces(shots, this.frame, [0, 0], this.#pick, frame))
      this.book.put(series, situation, shots, places, 'search')
    })
  }

  /** For what moves the upper and the lower part of the pane by different ways. */
  async split(
    series: string,
    situation: string,
    what: () => Promise<unknown>,
    parts: readonly Rect[],
    count = 4,
  ): Promise<void> {
    await this.#take(what, (shots) => {
      for (const part of parts) {
        const by = whereNow(...shots, part, this.patch)
        if (by === undefined) throw new Error(`${series}: nothing of ${part} is found again`)
        this.book.put(series, situation, shots, panePlaces(shots, part, by, this.#pick, count), 'search')
      }
    })
  }

  /** For what leaves nothing of the content in any form that is the same to the pixel. */
  async gone(series: string, situation: string, what: () => Promise<unknown>, count = 4): Promise<void> {
    await this.#take(what, (shots) => {
      const by = whereNow(...shots, this.pane, this.patch)
      if (by !== undefined) throw new Error(`${series}: it is still there, ${by} away`)
      this.book.put(
        series,
        situation,
        shots,
        panePlaces(shots, this.pane, undefined, this.#pick, count),
        'search',
      )
    })
  }

  async known(
    series: string,
    situation: string,
    what: () => Promise<unknown>,
    places: readonly Place[],
  ): Promise<void> {
    await this.#take(what, (shots) => this.book.put(series, situation, shots, places, 'what was done'))
  }

  async #take(what: () => Promise<unknown>, put: (shots: readonly [Shot, Shot]) => void): Promise<void> {
    const before = this.#now ?? (await this.look())
    const after = await this.window.after(what, before, 300)
    this.#now = after
    put([before, after])
  }
}
