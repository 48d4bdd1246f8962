/**
 * What became of the thing a mark was put on, told from two pictures of its window. Never guesses: a mark that goes is a
 * failure its owner can see, a mark on the wrong thing is not.
 */
import { Evidence } from './evidence.js'
import { type Fingerprint, isHere, recognise } from './fingerprint.js'
import type { PixelArea, Pixels } from './pixels.js'
import { type Shift, shiftsAlongAxes, shiftsAnywhere } from './shifts.js'

export { type Fingerprint, fingerprint, shiftedPrint } from './fingerprint.js'
export type { Pixels } from './pixels.js'

export type Verdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'moved'; readonly by: Shift }
  | { readonly kind: 'lost'; readonly why: LostReason }

/** `changed`: it looks otherwise, or is out of sight; `ambiguous`: nothing tells for sure where it is. */
export type LostReason = 'changed' | 'ambiguous'

/** So much more must speak for a move than for any other that is possible. */
const CLEARER = 2.5

/**
 * What became of it between two pictures of its window, of which `before` is the one the fingerprint's place is of.
 * `scrolled`: a wheel was turned over that window.
 */
export function measure(before: Pixels, after: Pixels, print: Fingerprint, scrolled = false): Verdict {
  const stillHere = isHere(print, after)
  const evidence = new Evidence(before, after, print)
  const { field } = evidence
  const changed = [...field.changed()]
  if (stillHere && (field.isTrifle || changed.length === 0)) {
    // A list of equal rows looks as before when it has scrolled by a row.
    return scrolled && evidence.isRepetitive() ? { kind: 'lost', why: 'ambiguous' } : { kind: 'same' }
  }
  let verdict: Verdict = { kind: 'lost', why: 'changed' }
  for (const shifts of [shiftsAlongAxes, shiftsAnywhere]) {
    verdict = judge(stillHere, evidence, shifts(before, after, changed), (shift) =>
      recognise(print, before, after, shift),
    )
    if (verdict.kind !== 'lost') break
  }
  return verdict
}

function judge(
  stillHere: boolean,
  evidence: Evidence,
  shifts: readonly Shift[],
  recognised: (shift: Shift) => PixelArea | null,
): Verdict {
  const stayed = stillHere && evidence.saysStayed(shifts)
  const moves = shifts
    .filter((shift) => {
      const part = recognised(shift)
      return part !== null && evidence.saysMoved(shift, part, stillHere)
    })
    .map((shift) => ({ shift, support: evidence.support(shift) }))
    .sort((a, b) => b.support - a.support)
  const [best, ...others] = moves
  if (best && (stayed || others.some(({ support }) => support * CLEARER > best.support))) {
    return { kind: 'lost', why: 'ambiguous' }
  }
  if (best) return { kind: 'moved', by: best.shift }
  if (stayed) return { kind: 'same' }
  return { kind: 'lost', why: stillHere ? 'ambiguous' : 'changed' }
}
