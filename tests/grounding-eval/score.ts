import { type Candidate, SURE, type Verdict } from '../../grounding/index.js'
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Asked, Truth } from './queries.js'

export type Outcome = 'right' | 'wrong' | 'refused' | 'ambiguous'

export interface Scored {
  readonly screen: string
  readonly asked: Asked
  readonly outcome: Outcome
  /** A pointer was drawn on something that was not asked for. */
  readonly misled: boolean
  readonly ms: number
  /** What was answered, for a person to read. */
  readonly said: string
}

/** What a resolver's answer is worth. A rectangle counts by its middle: there the pointer's tip is. */
export function score(
  asked: Asked,
  verdict: Verdict,
  truth: Truth,
): Pick<Scored, 'outcome' | 'misled' | 'said'> {
  const said = describe(verdict)
  if (verdict.kind === 'unsure')
    return { outcome: asked.right.length === 0 ? 'right' : 'refused', misled: false, said }
  if (verdict.kind === 'ambiguous')
    return { outcome: asked.ambiguous ? 'right' : 'ambiguous', misled: false, said }
  const on = asked.right.some((id) => truth[id]!.some((rect) => holds(rect, verdict.candidate.rect)))
  const right = on && !asked.ambiguous
  return { outcome: right ? 'right' : 'wrong', misled: !right && verdict.candidate.confidence >= SURE, said }
}

function holds([x, y, width, height]: Rect, [left, top, w, h]: Rect): boolean {
  const [px, py] = [left + w / 2, top + h / 2]
  return px >= x - 1 && py >= y - 1 && px <= x + width + 1 && py <= y + height + 1
}

function describe(verdict: Verdict): string {
  const tell = ({ name, role, confidence, rect }: Candidate) =>
    `${role} "${name}" ${confidence.toFixed(2)} @${rect.map(Math.round).join(',')}`
  if (verdict.kind === 'found') return tell(verdict.candidate)
  return `${verdict.kind}: ${verdict.candidates.slice(0, 3).map(tell).join(' | ')}`
}

export interface Row {
  readonly what: string
  readonly of: number
  readonly counts: Readonly<Record<Outcome, number>>
  readonly misled: number
  readonly medianMs: number
}

export function row(what: string, scored: readonly Scored[]): Row {
  const count = (outcome: Outcome) => scored.filter((one) => one.outcome === outcome).length
  const times = scored.map(({ ms }) => ms).sort((a, b) => a - b)
  return {
    what,
    of: scored.length,
    counts: {
      right: count('right'),
      wrong: count('wrong'),
      refused: count('refused'),
      ambiguous: count('ambiguous'),
    },
    misled: scored.filter(({ misled }) => misled).length,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
  }
}

/** The table, as the documentation shows it. */
export function table(rows: readonly Row[]): string {
  const share = (n: number, of: number) => (of === 0 ? '-' : `${((100 * n) / of).toFixed(1)}%`)
  const head = [
    'resolver',
    'queries',
    'right',
    'wrong',
    'refused',
    'ambiguous',
    'pointer on a wrong one',
    'median ms',
  ]
  const lines = rows.map(({ what, of, counts, misled, medianMs }) => [
    what,
    String(of),
    ...[counts.right, counts.wrong, counts.refused, counts.ambiguous].map((n) => share(n, of)),
    String(misled),
    medianMs.toFixed(0),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
