import { Field } from './field.js'
import type { Fingerprint } from './fingerprint.js'
import type { Pair } from './pair.js'
import { BLOCK, type PixelArea } from './pixels.js'
import type { Shift } from './shifts.js'
import { isAmongChanges, sidesAgree } from './sides.js'
import { fitsInSight } from './sight.js'
import { remembering, type State, type States, weigh } from './states.js'
import { holdsStrip, isAlikeStrip, STEP, type Strip, WIDTH } from './strips.js'

/** So much of the telling evidence in the core must agree. */
const CORE_AGREES = 0.6

/** So much around a core must have stayed for what changed in it not to matter. */
const ALL_STAYS = 0.95

/** So much around a core that itself tells must have moved with it. */
const COMES_ALONG = 0.35

/** So much around a core that itself tells may have changed beyond explanation when it stayed. */
const UNEXPLAINED = 0.75

/** So many telling strips at least must have moved: one alone is a coincidence. */
const FEWEST = 2

/** So much may contradict a move, for each strip that tells of it. */
const CONTRADICTED = 0.2

/** What lies in and around a core, and whether that speaks for its having stayed, or for a move. */
export class Evidence {
  readonly field: Field

  constructor(
    private readonly pair: Pair,
    private readonly print: Fingerprint,
  ) {
    this.field = new Field(pair, print.core, print.scale)
  }

  /** Whether there is something to be seen, and the core is too much like other places to tell where it is. */
  isRepetitive(): boolean {
    return this.field.strips.length > 0 && this.field.inside(this.print.core) === null
  }

  /** Whether it stayed where it was, however much else moved by one of `shifts`. */
  saysStayed(shifts: readonly Shift[]): boolean {
    const states = remembering((strip) => {
      if (strip.stays) return 'stays'
      return shifts.some((shift) => this.#isThere(strip, shift)) ? 'there' : 'not'
    })
    const { field } = this
    const inside = field.inside(this.print.core)
    if (!inside) {
      return (
        sidesAgree(field, { states, wanted: 'stays', mayBeEither: true }) && !isAmongChanges(field, states)
      )
    }
    const { around } = field
    if (weigh(inside, states, 'stays') >= CORE_AGREES * weigh(inside, states)) {
      return weigh(around, states, 'not') <= UNEXPLAINED * weigh(around, states)
    }
    // A field that is typed into.
    return around.length > 0 && weigh(around, states, 'stays') >= ALL_STAYS * weigh(around, states)
  }

  /**
   * Whether it moved by `shift`; `part` is the part of the core that was recognised there, and `mayHaveStayed` whether it
   * could as well be where it was.
   */
  saysMoved(shift: Shift, part: PixelArea, mayHaveStayed: boolean): boolean {
    const found = remembering((strip) => this.#found(strip, shift))
    const states: States = (strip) => {
      const state = found(strip)
      if (!strip.stays) return state
      return state === 'there' ? 'both' : 'stays'
    }
    const told = this.field.told.map(states)
    const there = told.filter((state) => state === 'there').length
    const not = told.filter((state) => state === 'not').length
    return (
      there >= Math.max(FEWEST, not) &&
      this.#agrees(states, part, mayHaveStayed) &&
      // A few contradictions may be something that changes by itself.
      this.#contradictions(found) <= Math.floor(there * CONTRADICTED)
    )
  }

  /** How much tells of a move by `shift`. */
  support(shift: Shift): number {
    return this.field.told.filter((strip) => !strip.stays && this.#isThere(strip, shift)).length
  }

  /** Whether the core, as far as it is in `part`, agrees with a move, and what is around it does too. */
  #agrees(states: States, part: PixelArea, mayHaveStayed: boolean): boolean {
    const inside = this.field.inside(part)
    if (!inside) return sidesAgree(this.field, { states, wanted: 'there', mayBeEither: mayHaveStayed })
    const there = weigh(inside, states, 'there')
    if (there === 0 || there < CORE_AGREES * weigh(inside, states, 'there', 'not', 'stays')) return false
    const { around } = this.field
    const others: State[] = mayHaveStayed ? ['there', 'not', 'stays'] : ['there', 'not']
    return weigh(around, states, 'there') >= COMES_ALONG * weigh(around, states, ...others)
  }

  /**
   * How much does not fit in the midst of what does: a row that is not the row it should be, among rows that are alike
   * everywhere, shows that it is all a look-alike.
   */
  #contradictions(found: States): number {
    const { lineStep, strips } = this.field
    return strips.filter((strip) => {
      if (strip.isUntouched || found(strip) !== 'not' || strip.stays) return false
      return this.#isBetween(strip, STEP, 0, found) || this.#isBetween(strip, 0, lineStep, found)
    }).length
  }

  /** Whether strips on both sides of one, one or two steps away, are where they should be. */
  #isBetween({ x, y }: Strip, dx: number, dy: number, found: States): boolean {
    const isThere = (steps: number) => {
      const strip = this.field.at(x + steps * dx, y + steps * dy)
      return strip !== undefined && found(strip) === 'there' && !strip.stays
    }
    return (isThere(-1) || isThere(-2)) && (isThere(1) || isThere(2))
  }

  #isThere({ x, y }: Strip, [dx, dy]: Shift): boolean {
    const { before, after } = this.pair
    return holdsStrip(after, x + dx, y + dy) && isAlikeStrip(before, x, y, after, x + dx, y + dy)
  }

  /** Where a strip is that should be `shift` from where it was. */
  #found(strip: Strip, shift: Shift): 'there' | 'hidden' | 'not' {
    const { before, after } = this.pair
    const { x, y } = strip
    const [toX, toY] = [x + shift[0], y + shift[1]]
    if (!holdsStrip(after, toX, toY)) return 'hidden'
    if (this.#isThere(strip, shift)) return 'there'
    if (!holdsStrip(before, toX, toY)) return 'not'
    for (let part = 0; part < WIDTH; part += BLOCK) {
      if (!fitsInSight(before, after, [x + part, y], [toX + part, toY])) return 'not'
    }
    return 'hidden'
  }
}
