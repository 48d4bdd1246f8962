/** Code that a page asks to have run. */
import type { FastifyPluginAsync } from 'fastify'
import { LipError } from '../../../protocol/lip/errors.js'
import type { AppParts } from '../app.js'
import type { LipWindow } from '../window.js'

export const runRoutes: FastifyPluginAsync<AppParts> = async (app, { host }) => {
  app.post('/lip/run', { config: { party: 'window' } }, async (request, reply) => {
    const { body } = request
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new LipError('bad_data', 'the body must be {"language": …, "code": …}')
    const run = await host.runs.start(request.lipWindow as LipWindow, body as Record<string, unknown>)
    return reply.code(202).send({ run })
  })
}
