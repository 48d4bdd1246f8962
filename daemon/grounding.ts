/** The resolvers as the engine knows them: on a thread of their own, in the order the person named. */
import { type Candidate, ground, RESOLVER_NAMES, type Resolver, ResolverThread } from '../grounding/index.js'
import type { Frame } from '../overlay/host.js'
import type { AckFields } from '../protocol/overlay/replies.js'
import type { Found, GroundElement, Grounder, Outcome, ResolverFacts, Words } from './engine/grounder.js'
import type { Log } from './log.js'

export { parseOrder } from '../grounding/index.js'

export class Resolvers implements Grounder {
  private constructor(
    readonly order: readonly ResolverFacts[],
    private readonly resolvers: readonly Resolver[],
    private readonly thread: ResolverThread | null,
    private readonly log: Log,
  ) {}

  /** Loads the resolvers of these names. Rejects with what is wrong when one cannot be loaded. */
  static async start(names: readonly string[], log: Log): Promise<Resolvers> {
    if (names.length === 0) return new Resolvers([], [], null, log)
    const thread = new ResolverThread(names, log)
    const resolvers = await thread.resolvers()
    for (const { name, remote, destination } of resolvers) {
      if (remote) log('warn', 'remote_resolver', { resolver: name, sends_to: destination })
    }
    return new Resolvers(resolvers.map(facts), resolvers, thread, log)
  }

  async find(words: Words, pixels: () => Promise<Frame>, signal: AbortSignal): Promise<Outcome> {
    const sentTo: string[] = []
    const { verdict, resolver, notes } = await ground(words, {
      resolvers: this.resolvers,
      signal,
      frame: pixels,
      permit: async ({ name, remote, destination }) => {
        if (!remote) return
        sentTo.push(destination ?? name)
        this.log('info', 'sent_away', { resolver: name, to: destination })
      },
    })
    if (verdict.kind !== 'found') return { ...verdict, notes, sentTo }
    const found = toFound(verdict.candidate, resolver?.name ?? '', verdict.draw)
    return { kind: 'found', found, notes, sentTo }
  }

  async list(): Promise<NonNullable<AckFields['resolvers']>> {
    const enabled = new Set(this.order.map(({ name }) => name))
    const others = RESOLVER_NAMES.filter((name) => !enabled.has(name))
    const thread = others.length > 0 ? new ResolverThread(others, this.log) : null
    try {
      const all = [...this.resolvers, ...((await thread?.resolvers()) ?? [])]
      return await Promise.all(
        all.map(async (one) => {
          const { available, ...why } = await one.available()
          const { needsFrame: _, ...rest } = facts(one)
          return { ...rest, sees: one.sees, enabled: enabled.has(one.name), available, ...why }
        }),
      )
    } finally {
      thread?.close()
    }
  }

  close(): void {
    this.thread?.close()
  }
}

function facts({ name, remote, destination, needsFrame }: ResolverFacts): ResolverFacts {
  return { name, remote, needsFrame, ...(destination !== undefined && { destination }) }
}

function toFound(
  { name, role, rect, confidence, element }: Candidate,
  resolver: string,
  draw: Found['draw'],
): Found {
  const live: GroundElement | undefined = element && {
    locate: (screen, signal) => element.locate(screen, signal),
    isAt: (place, screen, signal) => element.isAt(place, screen, signal),
    keep: () => element.keep?.() ?? (() => {}),
  }
  return { name, role, rect, confidence, resolver, draw, ...(live && { element: live }) }
}
