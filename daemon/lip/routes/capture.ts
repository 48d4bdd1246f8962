/** Pictures of the screen that pages ask for. */
import type { FastifyPluginAsync } from 'fastify'
import { LipError } from '../../../protocol/lip/errors.js'
import type { AppParts } from '../app.js'
import { captureFor } from '../screen.js'
import type { LipWindow } from '../window.js'

export const captureRoutes: FastifyPluginAsync<AppParts> = async (app, { host }) => {
  app.post('/lip/capture', { config: { party: 'window' } }, async (request, reply) => {
    const { body = {}, lipWindow } = request
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new LipError('bad_data', 'the body must be {"display": …}')
    const ending = new AbortController()
    // Nobody waits any more: the question goes from the screen.
    reply.raw.once('close', () => ending.abort())
    const parts = { screens: host.options.screens, uploads: host.uploads, config: host.config() }
    return captureFor(lipWindow as LipWindow, body as Record<string, unknown>, parts, ending.signal)
  })
}
