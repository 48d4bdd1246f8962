import { type Movement, type Pixels, picture, type Rect, recordings, type Truth } from './movements.js'

export type Verdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'moved'; readonly by: readonly [dx: number, dy: number] }
  | { readonly kind: 'lost'; readonly why: string }

export type Follow = (before: Pixels, after: Pixels, rect: Rect) => Verdict

/**
 * `missed`: the mark was taken away although its content is still there. `wrong`: the mark was left on, or put on,
 * something else, which is what must never happen.
 */
export type Mark = 'right' | 'missed' | 'wrong'

export interface Judged {
  readonly app: string
  readonly movement: Movement
  readonly verdict: Verdict
  readonly mark: Mark
}

export async function judgeAll(follow: Follow): Promise<Judged[]> {
  const all: Judged[] = []
  for (const { app, movements } of recordings()) {
    for (const movement of movements) {
      const before = await picture(app, movement.before)
      const after = await picture(app, movement.after)
      const verdict = follow(before, after, movement.rect)
      all.push({ app, movement, verdict, mark: judge(movement.truth, verdict) })
    }
  }
  return all
}

export function judge(truth: Truth, verdict: Verdict): Mark {
  if (verdict.kind === 'lost') return truth.outcome === 'gone' ? 'right' : 'missed'
  if (truth.outcome === 'gone') return 'wrong'
  const said = verdict.kind === 'moved' ? verdict.by : [0, 0]
  const is = truth.outcome === 'moved' ? truth.by : [0, 0]
  // One pixel: toolkits round a place that lies between two pixels in their own ways.
  return Math.abs(said[0]! - is[0]!) <= 1 && Math.abs(said[1]! - is[1]!) <= 1 ? 'right' : 'wrong'
}

export function line({ movement, verdict, mark }: Judged): string {
  const { truth } = movement
  const is = truth.outcome === 'moved' ? `moved by ${truth.by}` : truth.outcome
  const said = verdict.kind === 'moved' ? `moved by ${verdict.by}` : verdict.kind
  const why = verdict.kind === 'lost' ? ` (${verdict.why})` : ''
  return `${mark}: ${movement.id} [${movement.rect}] said ${said}${why}, is ${is}`
}

/** Situations down, applications across; a cell says how many there are, and how many of them went amiss. */
export function table(all: readonly Judged[]): string {
  const apps = [...new Set(all.map(({ app }) => app))]
  const situations = [...new Set(all.map(({ movement }) => movement.situation))].sort()
  const cell = (of: readonly Judged[]): string => {
    if (of.length === 0) return ''
    const missed = of.filter(({ mark }) => mark === 'missed').length
    const wrong = of.filter(({ mark }) => mark === 'wrong').length
    const amiss = [...(missed > 0 ? [`${missed} missed`] : []), ...(wrong > 0 ? [`${wrong} wrong`] : [])]
    return [`${of.length - missed - wrong}/${of.length}`, ...amiss].join(', ')
  }
  const row = (name: string, of: readonly Judged[]): string =>
    `| ${[name, ...apps.map((app) => cell(of.filter((one) => one.app === app))), cell(of)].join(' | ')} |`
  return [
    `| | ${apps.join(' | ')} | all |`,
    `|---|${'---|'.repeat(apps.length + 1)}`,
    ...situations.map((situation) =>
      row(
        situation,
        all.filter(({ movement }) => movement.situation === situation),
      ),
    ),
    row('all', all),
  ].join('\n')
}
