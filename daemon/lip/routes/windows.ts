/** What the pages of windows speak: a WebSocket, or events up by POST and commands down as a stream. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { LipError } from '../../../protocol/lip/errors.js'
import { members } from '../../../protocol/lip/messages.js'
import { type AppParts, credentialOf, windowOf } from '../app.js'
import type { LipHost } from '../host.js'
import type { Outcome } from '../inbound.js'
import { serveSocket } from '../socket.js'
import type { Link, LipWindow } from '../window.js'

export const windowRoutes: FastifyPluginAsync<AppParts> = async (app, { host }) => {
  const ofWindow = { config: { party: 'window' } } as const

  app.get(
    '/lip/ws',
    {
      websocket: true,
      config: { party: 'socket' },
      onRequest: async (request) => {
        const token = credentialOf(request)
        if (token !== null) request.lipWindow = windowOf(host, token, request.called)
        // A page says its token in its first message; whoever is no page has to have it here.
        else if (request.headers.origin === undefined && host.pages.admitted(request.headers.cookie) === null)
          throw new LipError('unauthorized', 'no credential came with the request')
      },
    },
    (socket, request) => serveSocket(host, socket, request.called, request.lipWindow),
  )

  app.post('/lip/events', ofWindow, async (request, reply) => {
    const window = request.lipWindow as LipWindow
    const { debtMs } = window.budget
    if (debtMs > 0) {
      reply.header('Retry-After', String(Math.ceil(debtMs / 1000)))
      throw new LipError('flood', `${window.id} sends more than is taken; nothing of this was`)
    }
    const all = members(request.body)
    window.budget.spend(all.length, Number(request.headers['content-length'] ?? 0))
    const outcomes: Outcome[] = []
    for (const one of all) outcomes.push(await host.inbound.take(window, one))
    const taken = outcomes.filter(({ kind }) => kind === 'taken').length
    return { taken, results: outcomes.map(resultOf) }
  })

  app.get('/lip/stream', ofWindow, async (request, reply) => {
    stream(host, request.lipWindow as LipWindow, request, reply)
    return reply
  })
}

function resultOf(outcome: Outcome): Readonly<Record<string, unknown>> {
  if (outcome.kind === 'taken') return { id: outcome.id }
  if (outcome.kind === 'ignored') return { ignored: true }
  return { error: { code: outcome.error.code, message: outcome.error.message } }
}

/** What a stream may hold that its reader has not taken, in bytes. */
const UNREAD = 8 * 1024 * 1024

function stream(host: LipHost, window: LipWindow, request: FastifyRequest, reply: FastifyReply): void {
  const last = request.headers['last-event-id']
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
  })
  const link: Link = {
    send(text, id) {
      raw.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`)
      // It catches up from where it was, when it connects again.
      if (raw.writableLength > UNREAD) raw.destroy()
    },
    close: () => void raw.end(),
  }
  raw.on('close', () => host.detach(window, link))
  raw.on('error', () => raw.destroy())
  host.attach(window, link, typeof last === 'string' && last !== '' ? last : undefined)
}
