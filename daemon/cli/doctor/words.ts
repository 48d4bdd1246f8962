/** What finds things by their names: which resolvers the daemon asks, and what they lack. */
import type { AckMessage } from '../../../protocol/overlay/schema.js'
import { asking, type CommonOptions } from '../connection.js'
import type { Finding } from './finding.js'

export async function words(status: AckMessage | Error | null, options: CommonOptions): Promise<Finding> {
  const name = 'words'
  const off = 'off: no resolver finds things by their names; `lets daemon --resolver accessibility` does'
  if (status === null) return { name, state: 'ok', found: off }
  if (status instanceof Error || status.grounding_consent === undefined)
    return { name, state: 'unknown', found: 'the daemon does not say which resolvers it asks' }
  const asked = await resolvers(options)
  if (asked === null)
    return { name, state: 'unknown', found: 'the daemon did not say which resolvers it asks' }
  if (asked.length === 0) return { name, state: 'ok', found: off }
  const found = `${asked.map((one) => one.name).join(', ')}; consent ${status.grounding_consent}`
  const broken = asked.find(({ available }) => !available)
  if (broken) {
    return {
      name,
      state: 'warning',
      found: `${found}; ${broken.name} is not available: ${broken.reason}`,
      ...(broken.fix !== undefined && { fix: broken.fix }),
    }
  }
  const noted = asked.find(({ note }) => note !== undefined)
  if (noted) return { name, state: 'warning', found: `${found}; ${noted.name}: ${noted.note}` }
  if (status.grounding_consent === 'always') {
    const wide = `${found}: every program of yours may be told what is on the screen`
    return { name, state: 'warning', found: wide, fix: 'lets consent grounding ask' }
  }
  return { name, state: 'ok', found }
}

/** Those that the daemon asks; null: it does not say. */
async function resolvers(options: CommonOptions): Promise<NonNullable<AckMessage['resolvers']> | null> {
  const client = asking(options)
  try {
    const { resolvers: all = [] } = await client.request({ type: 'resolvers' })
    return all.filter(({ enabled }) => enabled)
  } catch {
    return null
  } finally {
    await client.close()
  }
}
