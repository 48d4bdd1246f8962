/** The files of uniques, and the SDK: what a browser loads. */
import { relative } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { LipError } from '../../../protocol/lip/errors.js'
import { resolveInside, type Unique } from '../../uniques/folder.js'
import { type AppParts, credentialOf } from '../app.js'
import type { LipHost } from '../host.js'
import { setCookie } from '../pages.js'
import { matches } from '../tokens.js'

interface PageParts extends AppParts {
  readonly operator: Buffer
}

interface PageRequest {
  readonly Params: { readonly unique: string; readonly '*'?: string }
}

export const pageRoutes: FastifyPluginAsync<PageParts> = async (app, { host, operator, sdk }) => {
  const page = { config: { party: 'page' } } as const

  const serve = async (request: FastifyRequest<PageRequest>, reply: FastifyReply) => {
    const { unique: name, '*': path = '' } = request.params
    if (request.called.unique !== null && request.called.unique !== name)
      throw new LipError('forbidden', `this is the origin of ${request.called.unique}`)
    const { t: code, ...query } = request.query as Readonly<Record<string, string>>
    if (code !== undefined) {
      const secret = host.pages.redeem(name, code)
      if (secret !== null)
        return redirect(reply.header('Set-Cookie', setCookie(name, secret)), name, path, query)
      // A link that was used before, in a browser that was let in then.
      if (host.pages.admits(name, request.headers.cookie)) return redirect(reply, name, path, query)
    }
    if (!mayLoad(host, name, request, operator)) return notAdmitted(request, reply)
    const unique = host.unique(name)
    if (path === '') return redirect(reply, name, unique.manifest.entry, query)
    return sendFile(reply, unique, path)
  }
  app.get<PageRequest>('/u/:unique', page, serve)
  app.get<PageRequest>('/u/:unique/*', page, serve)

  app.get('/lip/sdk.js', page, async (request, reply) => {
    if (host.pages.admitted(request.headers.cookie) === null && !holdsToken(host, request, operator))
      throw new LipError('unauthorized', 'no credential came with the request')
    const file = resolveInside(sdk, 'sdk.js')
    if (file === null) throw new LipError('not_found', 'this build has no SDK')
    return reply.header('Cache-Control', 'no-cache').sendFile('sdk.js', sdk, { cacheControl: false })
  })

  // Browsers ask for it unasked.
  app.get('/favicon.ico', page, async (request, reply) => {
    const name = request.called.unique ?? host.pages.admitted(request.headers.cookie)
    if (name === null || !host.pages.admits(name, request.headers.cookie))
      throw new LipError('unauthorized', 'no credential came with the request')
    const unique = host.unique(name)
    const { icon } = unique.manifest
    return icon === undefined ? reply.code(204).send() : sendFile(reply, unique, icon)
  })
}

function sendFile(reply: FastifyReply, unique: Unique, path: string): FastifyReply {
  const file = resolveInside(unique.folder, path)
  if (file === null) throw new LipError('not_found', `${unique.name} has no such file`)
  reply.header('Cache-Control', 'no-cache')
  return reply.sendFile(relative(unique.folder, file), unique.folder, { cacheControl: false })
}

/** To the clean address: what was secret in it is in no history, Referer or log. The browser keeps the fragment. */
function redirect(
  reply: FastifyReply,
  name: string,
  path: string,
  query: Readonly<Record<string, string>>,
): FastifyReply {
  const rest = new URLSearchParams(query).toString()
  const clean = path.split('/').map(encodeURIComponent).join('/')
  return reply.redirect(`/u/${encodeURIComponent(name)}/${clean}${rest === '' ? '' : `?${rest}`}`, 303)
}

function mayLoad(host: LipHost, name: string, request: FastifyRequest, operator: Buffer): boolean {
  return host.pages.admits(name, request.headers.cookie) || holdsToken(host, request, operator, name)
}

function holdsToken(host: LipHost, request: FastifyRequest, operator: Buffer, unique?: string): boolean {
  const token = credentialOf(request)
  if (token === null) return false
  if (matches(token, operator)) return request.headers.origin === undefined
  const window = host.windows.byToken(token)
  if (!window || 'reason' in window) return false
  return unique === undefined || window.unique.name === unique
}

/** A person may read this one: they followed a link that was used, or that another site had. */
function notAdmitted(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!request.headers.accept?.includes('text/html'))
    throw new LipError(
      'unauthorized',
      'no credential came with the request, or one that is not good (any more)',
    )
  return reply
    .code(401)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><meta charset="utf-8"><title>Not open</title><h1>This window is not open</h1>
<p>Each link opens a window once. Open it again with <code>lets open</code>, or ask for it.</p>
<p>If you just followed the link from another page, click into the address bar and press Enter.</p>\n`,
    )
}
