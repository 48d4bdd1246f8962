export { type Grounded, ground } from './ground.js'
export type { Item } from './items.js'
export { judge, LIKELY, SURE, type Verdict } from './policy.js'
export { rank } from './ranking/rank.js'
export {
  loadResolvers,
  parseOrder,
  RESOLVER_NAMES,
  type ResolverSettings,
  UnknownResolver,
} from './registry.js'
export {
  type Availability,
  type Candidate,
  type Frame,
  type LiveElement,
  type Query,
  type Resolution,
  type Resolver,
  ResolverError,
  type Screen,
  type ScreenWindow,
} from './resolver.js'
export { ResolverThread } from './thread.js'
