/**
 * What became of the thing a mark was put on, told from two pictures of its window. Never guesses: a mark that goes is a
 * failure its owner can see, a mark on the wrong thing is not.
 */
import { Evidence } from './evidence.js'
import type { Field } from './field.js'
import { type Fingerprint, isExactlyAt, isHere, recognise } from './fingerprint.js'
import { Pair } from './pair.js'
import type { Pixels } from './pixels.js'
import type { Shift } from './shifts.js'

export { type Fingerprint, fingerprint, shiftedPrint } from './fingerprint.js'
export type { PixelArea, Pixels } from './pixels.js'

export type Verdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'moved'; readonly by: Shift }
  | { readonly kind: 'lost'; readonly why: LostReason }

/** `changed`: it looks otherwise, or is out of sight; `ambiguous`: nothing tells for sure where it is. */
export type LostReason = 'changed' | 'ambiguous'

/** So much more must speak for a move than for any other that is possible. */
const CLEARER = 2.5

/** What became of one thing, as `Comparison` tells it. */
export function measure(before: Pixels, after: Pixels, print: Fingerprint, scrolled = false): Verdict {
  return new Comparison(before, after).measure(print, scrolled)
}

/**
 * Two pictures of a window, for marks on several things in it. What they share is found only once. Neither picture may
 * be changed afterwards: what is found out about one is remembered, also for the next comparison.
 */
export class Comparison {
  readonly #pair: Pair
  /** By how much other things have been found to have moved. */
  readonly #moves: Shift[] = []

  constructor(before: Pixels, after: Pixels) {
    this.#pair = new Pair(before, after)
  }

  /**
   * What became of the thing a fingerprint is of; its place is of the picture before. `scrolled`: a wheel was turned over
   * that window.
   */
  measure(print: Fingerprint, scrolled = false): Verdict {
    const pair = this.#pair
    const stillHere = isHere(print, pair.after)
    const evidence = new Evidence(pair, print)
    const { field } = evidence
    if (stillHere && (field.isTrifle || !field.hasChanged)) {
      // A list of equal rows looks as before when it has scrolled by a row.
      return scrolled && evidence.isRepetitive() ? { kind: 'lost', why: 'ambiguous' } : { kind: 'same' }
    }
    if (stillHere && field.isQuiet && field.tellsAlone) return { kind: 'same' }
    const alike = stillHere ? null : this.#moveAlike(print, field)
    if (alike) return { kind: 'moved', by: alike }
    let verdict = judge(pair, print, evidence, stillHere, pair.shiftsAlongAxes(field.changedSpots))
    if (verdict.kind === 'lost') verdict = judge(pair, print, evidence, stillHere, pair.shiftsAnywhere)
    if (verdict.kind === 'moved') this.#remember(verdict.by)
    return verdict
  }

  /**
   * The move of something else that this one made too, where there is no doubt: it is to be seen there to the pixel, not
   * where it was, and it is like nothing else. That is soon told, and in a window that scrolls it is so for most marks.
   */
  #moveAlike(print: Fingerprint, field: Field): Shift | null {
    const [move, other] = this.#moves.filter((shift) => isExactlyAt(print, this.#pair.after, shift))
    return move && !other && field.tellsAlone ? move : null
  }

  #remember(by: Shift): void {
    if (!this.#moves.some(([dx, dy]) => dx === by[0] && dy === by[1])) this.#moves.push(by)
  }
}

function judge(
  { before, after }: Pair,
  print: Fingerprint,
  evidence: Evidence,
  stillHere: boolean,
  shifts: readonly Shift[],
): Verdict {
  const stayed = stillHere && evidence.saysStayed(shifts)
  const [best, ...others] = shifts
    .filter((shift) => {
      const part = recognise(print, before, after, shift)
      return part !== null && evidence.saysMoved(shift, part, stillHere)
    })
    .map((shift) => ({ shift, support: evidence.support(shift) }))
    .sort((a, b) => b.support - a.support)
  if (best && (stayed || others.some(({ support }) => support * CLEARER > best.support))) {
    return { kind: 'lost', why: 'ambiguous' }
  }
  if (best) return { kind: 'moved', by: best.shift }
  if (stayed) return { kind: 'same' }
  return { kind: 'lost', why: stillHere ? 'ambiguous' : 'changed' }
}
