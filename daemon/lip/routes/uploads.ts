/** Pictures that pages hand over, and get back to show. */
import type { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import { LipError } from '../../../protocol/lip/errors.js'
import type { AppParts } from '../app.js'
import type { LipWindow } from '../window.js'

export const uploadRoutes: FastifyPluginAsync<AppParts> = async (app, { host }) => {
  // Whatever the sender says it is: the bytes are taken as they come, and looked at.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.post('/lip/upload', { config: { party: 'window' } }, async (request) => {
    const { unique } = request.lipWindow as LipWindow
    if (!unique.manifest.capabilities?.includes('media.image'))
      throw new LipError(
        'no_capability',
        `uploads need the capability media.image, which the manifest of ${unique.name} does not list`,
      )
    const body = request.body as Readable | undefined
    if (!body) throw new LipError('bad_data', 'the upload is empty')
    return host.uploads.take(unique.name, body, host.config())
  })

  app.get<{ readonly Params: { readonly name: string } }>(
    '/lip/uploads/:name',
    { config: { party: 'page' } },
    async (request, reply) => {
      const { cookie } = request.headers
      const unique = request.called.unique ?? host.pages.admitted(cookie)
      if (unique === null || !host.pages.admits(unique, cookie))
        throw new LipError('unauthorized', 'no credential came with the request')
      const found = host.uploads.fileOf(unique, request.params.name)
      if (!found || !host.uploads.has(unique, found.file)) throw new LipError('not_found', 'no such upload')
      const { dir, base } = splitPath(found.file)
      return reply
        .type(found.mime)
        .header('Cache-Control', 'private, max-age=31536000, immutable')
        .sendFile(base, dir, {
          cacheControl: false,
        })
    },
  )
}

function splitPath(file: string): { readonly dir: string; readonly base: string } {
  const at = file.search(/[^/\\]+$/)
  return { dir: file.slice(0, at), base: file.slice(at) }
}
