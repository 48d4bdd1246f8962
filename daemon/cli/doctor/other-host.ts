import type { AckMessage } from '../../../protocol/overlay/schema.js'
import { drawsHere, screenHere } from '../../client/draws-here.js'
import type { Finding } from './finding.js'

/** A daemon that was started elsewhere draws where it was started. */
export function otherHost(env: NodeJS.ProcessEnv, status: AckMessage | null): Finding[] {
  const screen = status?.host_facts?.screen
  const here = screenHere(env)
  if (!status || here === undefined || (screen !== undefined && drawsHere(screen, env))) return []
  const where = screen === undefined ? `in memory (host ${status.host})` : `on ${screen}`
  return [
    {
      name: 'host',
      state: 'warning',
      found: `the daemon that runs draws ${where}, not on this screen (${here})`,
      fix: 'lets stop; the next command starts one here',
    },
  ]
}
