/**
 * The resolvers there are, by name. To add one: a file that makes it, and a line here. Each is loaded when it is first
 * named, so that none costs those who do not use it.
 */
import type { Resolver } from './resolver.js'

export interface ResolverSettings {
  readonly env: NodeJS.ProcessEnv
  readonly log: (level: 'debug' | 'info' | 'warn', event: string, fields?: Record<string, unknown>) => void
}

type Loader = (settings: ResolverSettings) => Promise<Resolver>

const RESOLVERS: Readonly<Record<string, Loader>> = {
  accessibility: async (settings) =>
    new (await import('./accessibility/resolver.js')).Accessibility(settings),
  ocr: async (settings) => new (await import('./ocr/resolver.js')).Ocr(settings),
  local: async (settings) => new (await import('./models/local.js')).Local(settings),
  claude: async (settings) => new (await import('./models/claude.js')).Claude(settings),
}

export const RESOLVER_NAMES: readonly string[] = Object.keys(RESOLVERS)

/** A name of a resolver that there is not. */
class UnknownResolver extends Error {
  override readonly name = 'UnknownResolver'
}

/** The resolvers of a list such as `accessibility,ocr`, in that order. Throws `UnknownResolver`; each counts once. */
export function parseOrder(list: string): readonly string[] {
  const names = list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  const unknown = names.find((name) => !RESOLVER_NAMES.includes(name))
  if (unknown !== undefined || names.length === 0) {
    throw new UnknownResolver(
      `there is no resolver ${JSON.stringify(unknown ?? list)}; there are ${RESOLVER_NAMES.join(', ')}`,
    )
  }
  return [...new Set(names)]
}

/** Loads resolvers by name, in the given order. */
export function loadResolvers(
  names: readonly string[],
  settings: ResolverSettings,
): Promise<readonly Resolver[]> {
  return Promise.all(names.map((name) => (RESOLVERS[name] as Loader)(settings)))
}
