/** The host over HTTP: one order of guards for every route, and one form of error. Loaded with the first connection. */
import { createServer, type Server } from 'node:http'
import fastifyStatic from '@fastify/static'
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { LIP_ERRORS, LipError } from '../../protocol/lip/errors.js'
import { readJson } from '../../protocol/lip/json.js'
import { LIP_LIMITS } from '../../protocol/lip/limits.js'
import { admit, type Called, headersFor } from './guards.js'
import type { LipHost } from './host.js'
import { captureRoutes } from './routes/capture.js'
import { operatorRoutes } from './routes/operator.js'
import { pageRoutes } from './routes/pages.js'
import { runRoutes } from './routes/runs.js'
import { uploadRoutes } from './routes/uploads.js'
import { windowRoutes } from './routes/windows.js'
import { digestOf, matches } from './tokens.js'
import type { LipWindow } from './window.js'

/** Whose credential a route takes. `socket` and `page` see to it themselves. */
export type Party = 'operator' | 'window' | 'page' | 'socket'

declare module 'fastify' {
  interface FastifyContextConfig {
    party?: Party
  }
  interface FastifyRequest {
    called: Called
    /** The window that asks, on routes of windows. */
    lipWindow: LipWindow | null
  }
}

export interface AppParts {
  readonly host: LipHost
  readonly port: number
  /** The operator's token. */
  readonly token: string
  /** The folder that holds `sdk.js`. */
  readonly sdk: string
}

/** Makes the server; it listens nowhere, and is handed its connections. */
export async function createApp(
  parts: AppParts,
): Promise<{ readonly app: FastifyInstance; readonly server: Server }> {
  const { host, port } = parts
  const operator = digestOf(parts.token)
  const app = Fastify({
    bodyLimit: LIP_LIMITS.messageBytes,
    routerOptions: { maxParamLength: 1000 },
    // A listen waits as long as it was told to.
    requestTimeout: 0,
    keepAliveTimeout: 30_000,
    forceCloseConnections: true,
    serverFactory: (handler) => createServer(handler),
    frameworkErrors: (_error, _request, reply) =>
      void (reply as FastifyReply)
        .code(400)
        .send(errorBody(new LipError('bad_request', 'the address is malformed'))),
  })
  app.decorateRequest('called')
  app.decorateRequest('lipWindow', null)
  app.addHook('onRequest', async (request, reply) => {
    request.called = admit(request.headers, port)
    reply.headers(headersFor(request.called))
    const { party } = request.routeOptions.config
    if (party === 'page' || party === 'socket') return
    const offered = credentialOf(request)
    if (offered === null) throw new LipError('unauthorized', 'no credential came with the request')
    if (party === 'window') request.lipWindow = windowOf(host, offered, request.called)
    else if (!matches(offered, operator)) throw new LipError('unauthorized', 'the credential is not good')
    // No page is the operator: what a browser sends on behalf of one has an Origin.
    else if (request.headers.origin !== undefined)
      throw new LipError('forbidden', 'the operator’s routes are for no page')
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, readJson(String(body)))
    } catch (error) {
      done(error as Error)
    }
  })
  app.setNotFoundHandler(() => {
    throw new LipError('not_found', 'nothing is at this address')
  })
  app.setErrorHandler((error, request, reply) => {
    const known = asLipError(error)
    if (known.code === 'internal')
      host.options.log('error', 'internal', {
        route: request.routeOptions.url,
        error: String((error as Error).stack),
      })
    return reply.code(LIP_ERRORS[known.code].status).type('application/json').send(errorBody(known))
  })
  await app.register(fastifyWebsocket, {
    options: { maxPayload: LIP_LIMITS.messageBytes, perMessageDeflate: false, clientTracking: false },
  })
  await app.register(fastifyStatic, { root: parts.sdk, serve: false, dotfiles: 'deny', index: false })
  await app.register(operatorRoutes, parts)
  await app.register(pageRoutes, { ...parts, operator })
  await app.register(windowRoutes, parts)
  await app.register(uploadRoutes, parts)
  await app.register(runRoutes, parts)
  await app.register(captureRoutes, parts)
  await app.ready()
  return { app, server: app.server as Server }
}

/** The secret a request came with: in a header, or as `t` in its address. */
export function credentialOf(request: FastifyRequest): string | null {
  const { authorization, 'x-lets-token': header } = request.headers
  if (authorization?.startsWith('Bearer ')) return authorization.slice('Bearer '.length)
  if (typeof header === 'string') return header
  const { t } = request.query as { readonly t?: unknown }
  return typeof t === 'string' ? t : null
}

/** The window whose token this is, if it may be used here. Throws `LipError`. */
export function windowOf(host: LipHost, token: string, called: Called): LipWindow {
  const found = host.windows.byToken(token)
  if (!found) throw new LipError('unauthorized', 'the credential is not good')
  if ('reason' in found) throw new LipError('window_closed', `this window is closed (${found.reason})`)
  if (called.unique !== null && called.unique !== found.unique.name)
    throw new LipError('forbidden', `this is the origin of ${called.unique}, and the window is another’s`)
  return found
}

function asLipError(error: unknown): LipError {
  if (error instanceof LipError) return error
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new LipError('payload_too_large', `the body is larger than ${LIP_LIMITS.messageBytes} bytes`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new LipError('unsupported_media', 'the body must be application/json')
  if (statusCode === 404) return new LipError('not_found', 'nothing is at this address')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new LipError('bad_request', message ?? 'the request is malformed')
  return new LipError('internal', 'a fault of the host; the daemon’s log has the details')
}

export function errorBody({ code, message, candidates }: LipError): {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly candidates?: readonly unknown[]
  }
} {
  return { error: { code, message, ...(candidates && { candidates }) } }
}
