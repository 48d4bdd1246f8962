/** One question through the resolvers, in their order. */
import { judge, type Verdict } from './policy.js'
import { type Candidate, type Frame, type Query, type Resolver, ResolverError } from './resolver.js'

/** No picture of the screen is no fault of the words, and no reason not to ask the others. */
async function seen(frame: Promise<Frame> | null): Promise<Frame | null> {
  try {
    return await frame
  } catch (error) {
    throw new ResolverError(`there is no picture to look at: ${(error as Error).message}`)
  }
}

export interface Grounded {
  readonly verdict: Verdict
  /** Which resolver the candidates are from; null: none had any. */
  readonly resolver: Resolver | null
  readonly notes: readonly string[]
}

export interface GroundOptions {
  readonly resolvers: readonly Resolver[]
  readonly signal: AbortSignal
  /** The display's pixels, taken once when the first resolver needs them. Rejects where the person does not allow it. */
  frame(): Promise<Frame>
  /** Asked before a resolver looks; rejects where the person does not allow it. */
  permit(resolver: Resolver): Promise<void>
}

/**
 * The first resolver that finds it, or several that fit equally, answers; one that cannot look or is not sure leaves it to
 * the next. Rejects with the signal's reason when that is aborted, and with what `permit` or `frame` reject with.
 */
export async function ground(query: Query, options: GroundOptions): Promise<Grounded> {
  const { resolvers, signal } = options
  const notes: string[] = []
  let best: { readonly resolver: Resolver; readonly candidates: readonly Candidate[] } | null = null
  let frame: Promise<Frame> | null = null
  for (const resolver of resolvers) {
    signal.throwIfAborted()
    await options.permit(resolver)
    try {
      if (resolver.needsFrame) frame ??= options.frame()
      const pixels = resolver.needsFrame ? await seen(frame) : null
      signal.throwIfAborted()
      const resolution = await resolver.resolve(query, pixels, signal)
      notes.push(...resolution.notes)
      const verdict = judge(resolution.candidates)
      if (verdict.kind !== 'unsure') return { verdict, resolver, notes }
      const top = resolution.candidates[0]
      if (top && top.confidence > (best?.candidates[0]?.confidence ?? -1)) {
        best = { resolver, candidates: resolution.candidates }
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ResolverError)) throw error
      notes.push(`${resolver.name}: ${error.message}${error.fix ? `; ${error.fix}` : ''}`)
    }
  }
  return {
    verdict: { kind: 'unsure', candidates: best?.candidates ?? [] },
    resolver: best?.resolver ?? null,
    notes,
  }
}
