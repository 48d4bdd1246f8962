/** What may be drawn for an answer of a resolver: the one place that says so. */
import type { Candidate } from './resolver.js'

/** From here on the pointer goes to it. */
export const SURE = 0.85

/** From here on its region may be outlined, once it was seen to be there. */
const LIKELY = 0.5

export type Verdict =
  /** `draw`: the pointer on it, or its region outlined, which must be seen to be there first. */
  | { readonly kind: 'found'; readonly candidate: Candidate; readonly draw: 'pointer' | 'region' }
  /** Those that fit equally, in reading order: of `count`, as many as were told. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Candidate[]; readonly count: number }
  | { readonly kind: 'unsure'; readonly candidates: readonly Candidate[] }

/** What to do with candidates, best first. */
export function judge(candidates: readonly Candidate[]): Verdict {
  const [best] = candidates
  if (!best) return { kind: 'unsure', candidates: [] }
  // Several that fit equally are a question, however well they fit; several that hardly fit are not even that.
  if (best.ties > 1 && best.confidence * Math.sqrt(best.ties) >= LIKELY)
    return { kind: 'ambiguous', candidates: candidates.filter(({ ties }) => ties > 1), count: best.ties }
  if (best.confidence >= SURE) return { kind: 'found', candidate: best, draw: 'pointer' }
  if (best.confidence >= LIKELY) return { kind: 'found', candidate: best, draw: 'region' }
  return { kind: 'unsure', candidates }
}
