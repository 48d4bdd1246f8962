/**
 * `npm run eval:grounding [-- --half tune|held|fresh|judged|blind|third|fourth|fifth] [--resolvers accessibility,ocr] [--screens a,b] [--misses]`: shows each screen,
 * asks its queries of each resolver, and prints how often the answers were right.
 */
import { parseArgs } from 'node:util'
import {
  ground,
  loadResolvers,
  parseOrder,
  type Resolver,
  type ResolverSettings,
} from '../../grounding/index.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import { EvalDesk } from './desk.js'
import { type Asked, checkQueries, readQueries } from './queries.js'
import { row, type Scored, score, table } from './score.js'
import { HALVES, SCREENS, type ScreenSpec } from './screens.js'
import { type Staged, stage } from './stage.js'

const { values } = parseArgs({
  options: {
    half: { type: 'string' },
    resolvers: { type: 'string', default: 'accessibility,ocr' },
    screens: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})
const names = parseOrder(values.resolvers)
const wanted = SCREENS.filter(
  ({ half, name }) =>
    (values.half === undefined || half === values.half) &&
    (values.screens === undefined || values.screens.split(',').includes(name)),
)
const TOGETHER = 'in this order'
const rows = names.length > 1 ? [...names, TOGETHER] : names
const results = new Map<string, Scored[]>(rows.map((name) => [name, []]))
const firsts = new Map<string, number[]>(rows.map((name) => [name, []]))

for (const scale of [1, 2] as const) {
  const specs = wanted.filter((spec) => spec.scale === scale)
  if (specs.length > 0) await onDesk(scale, specs)
}
report()

async function onDesk(scale: 1 | 2, specs: readonly ScreenSpec[]): Promise<void> {
  const desk = await EvalDesk.set(scale)
  const settings: ResolverSettings = { env: desk.x.env, log: () => {} }
  const resolvers = await loadResolvers(names, settings)
  try {
    for (const spec of specs) {
      await stage(desk, spec, async (staged) => {
        const asked = readQueries(spec.name)
        checkQueries(spec.name, asked, staged.truth)
        for (const resolver of resolvers) await ask(resolver.name, [resolver], spec, staged, asked)
        // As a daemon asks them: the next one where the one before is not sure.
        if (resolvers.length > 1) await ask(TOGETHER, resolvers, spec, staged, asked)
      })
    }
  } finally {
    for (const resolver of resolvers) await resolver.close?.()
    await desk.end()
  }
}

async function ask(
  name: string,
  resolvers: readonly Resolver[],
  spec: ScreenSpec,
  staged: Staged,
  asked: readonly Asked[],
): Promise<void> {
  const display: Display = {
    id: 1,
    name: 'eval',
    logical_size: [1280, 800],
    scale: spec.scale,
    origin: [0, 0],
    primary: true,
  }
  for (const [n, one] of asked.entries()) {
    const query = { text: one.words, display, windows: staged.windows }
    const started = performance.now()
    const { verdict } = await ground(query, {
      resolvers,
      signal: AbortSignal.timeout(60_000),
      frame: async () => staged.frame,
      permit: async () => {},
    })
    const ms = performance.now() - started
    // The first question of a screen pays for looking at it; the others tell what a question costs.
    if (n === 0) firsts.get(name)!.push(ms)
    const scored = { screen: spec.name, asked: one, ms, ...score(one, verdict, staged.truth) }
    results.get(name)!.push(scored)
    if (values.misses && scored.outcome !== 'right') {
      const wish = one.right.length === 0 ? '(absent)' : one.right.join(one.ambiguous ? ',' : '/')
      console.log(
        `${scored.misled ? '!!' : '  '} ${name} ${spec.name}: ${one.words} -> ${wish}: ${scored.outcome} ${scored.said}`,
      )
    }
  }
}

function report(): void {
  const halfOf = new Map(SCREENS.map(({ name, half }) => [name, half]))
  const kindOf = new Map(SCREENS.map(({ name, kind }) => [name, kind]))
  const lines = rows.flatMap((name) => {
    const all = results.get(name)!
    // Each is judged on what it can see: a terminal has no tree, and an icon no text.
    const fair = all.filter(({ screen, asked }) =>
      name === 'accessibility' ? kindOf.get(screen) !== 'terminal' : name !== 'ocr' || !asked.mute,
    )
    return HALVES.flatMap((half) => {
      const own = (scored: readonly Scored[]) => scored.filter(({ screen }) => halfOf.get(screen) === half)
      if (own(all).length === 0) return []
      const present = own(fair).filter(({ asked }) => asked.right.length > 0)
      return [
        row(`${name}, ${half}, everything`, own(all)),
        row(`${name}, ${half}, what it can see`, own(fair)),
        row(`${name}, ${half}, that and there`, present),
      ]
    })
  })
  console.log(`\n${table(lines)}\n`)
  for (const name of rows) {
    const times = [...firsts.get(name)!].sort((a, b) => a - b)
    const tell = (ms: number | undefined) => `${(ms ?? 0).toFixed(0)} ms`
    console.log(
      `${name}: first question of a screen: median ${tell(times[times.length >> 1])}, worst ${tell(times.at(-1))}`,
    )
  }
}
