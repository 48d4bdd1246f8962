/** What MCP and the command line ask: open, listen, send and the lists. */
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { LipError } from '../../../protocol/lip/errors.js'
import { members } from '../../../protocol/lip/messages.js'
import { show } from '../../../protocol/overlay/explain.js'
import { addressOf, senderOf, shown } from '../addresses.js'
import { type AppParts, errorBody } from '../app.js'
import type { LipHost } from '../host.js'
import { pendingWithin } from '../listen.js'
import { screenNamed } from '../medium.js'
import type { LipWindow } from '../window.js'

type Fields = Readonly<Record<string, unknown>>

/** The longest `wait_ms`, and the most events of one answer. */
const WAIT_MS = 600_000
const MAX = 1000

export const operatorRoutes: FastifyPluginAsync<AppParts> = async (app, { host, port }) => {
  app.post('/lip/open', async (request) => {
    const { unique, resume, plain } = fieldsOf(request.body)
    const { window, token, guide, session } = await host.open(
      word(unique, 'unique'),
      resume === undefined ? undefined : word(resume, 'resume'),
    )
    const { manifest, name, warnings } = window.unique
    return {
      window: window.id,
      unique: name,
      title: manifest.title,
      url: addressOf({ window, token }, host, port, plain === true),
      token,
      guide,
      events: summaries(manifest.events),
      commands: summaries(manifest.commands),
      ...(session !== null && { resumed: session }),
      ...(warnings.length > 0 && { warnings }),
    }
  })

  app.get('/lip/listen', async (request, reply) => {
    const query = request.query as Fields
    const cursor = query.cursor === undefined ? 'claude' : String(query.cursor)
    const waitMs = whole(query.wait_ms, 'wait_ms', 0, WAIT_MS)
    const max = Math.max(1, whole(query.max, 'max', 100, MAX))
    const gone = hungUp(reply)
    host.screens.listen()
    const pending = await pendingWithin(host.queue, host.options.clock, cursor, waitMs, gone)
    // Nobody reads the answer: the cursor stays where it is.
    if (gone.aborted) return reply.hijack()
    const { events, lost, more } = pending
      ? host.queue.take(cursor, max)
      : { events: [], lost: 0, more: false }
    return reply
      .type('application/json')
      .send(
        `{"cursor":${JSON.stringify(cursor)},"lost":${lost},"more":${more},"events":[${events.join(',')}]}`,
      )
  })

  app.post('/lip/send', async (request) => {
    const sender = senderOf(request)
    const send = async (one: unknown) => shown(await host.send(fieldsOf(one), sender), host, port)
    if (!Array.isArray(request.body)) return send(request.body)
    const results: Fields[] = []
    for (const one of members(request.body)) results.push(await judged(() => send(one)))
    return { results }
  })

  // Held for as long as the sender is there: what is theirs on screens goes with it.
  app.get('/lip/present', async (request, reply) => {
    const leave = host.screens.present(senderOf(request))
    reply.hijack()
    reply.raw.once('close', leave)
    reply.raw.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' })
    reply.raw.flushHeaders()
    return reply
  })

  app.get('/lip/windows', async () => ({
    windows: host.windows.list().map(lineOf),
    screens: (await host.screens.list()).map(({ name, title }) => ({ window: name, title })),
  }))

  app.post('/lip/close', async (request) => {
    const { window, reason = 'closed' } = fieldsOf(request.body)
    if (screenNamed(window) !== null)
      throw new LipError('bad_request', 'a screen does not close; screen.clear removes what is yours there')
    const found = host.windows.named(word(window, 'window'))
    host.close(found, word(reason, 'reason'))
    return { window: found.id, closed: true }
  })

  app.get('/lip/state', async (request, reply) => {
    const { window, wait_ms } = request.query as Fields
    const screen = screenNamed(window)
    if (screen !== null) return { window: screen, state: await host.screens.state(screen, senderOf(request)) }
    const found = host.windows.named(word(window, 'window'))
    const state = await host.handoff.ask(found, whole(wait_ms, 'wait_ms', 5000, WAIT_MS), hungUp(reply))
    return { window: found.id, unique: found.unique.name, type: found.session.snapshot, state }
  })

  app.get('/lip/sessions', async (request) => {
    const { unique } = request.query as Fields
    return {
      sessions: await host.sessions.list(unique === undefined ? undefined : safeName(word(unique, 'unique'))),
    }
  })

  app.get<{ readonly Params: { readonly unique: string; readonly id: string } }>(
    '/lip/sessions/:unique/:id',
    async (request) => host.sessions.load(safeName(request.params.unique), request.params.id),
  )

  app.get('/lip/uniques', async () => ({
    uniques: host.catalog.list().map((each) => ({
      name: each.name,
      bundled: each.bundled,
      ...('unique' in each
        ? {
            title: each.unique.manifest.title,
            description: each.unique.manifest.description,
            version: each.unique.manifest.version,
          }
        : { error: each.error.message }),
    })),
  }))

  app.get('/lip/allow', async () => ({ allowed: host.allowed.all() }))

  app.post('/lip/allow', async (request) => {
    const { unique, language, answer } = fieldsOf(request.body)
    const name = safeName(word(unique, 'unique'))
    const of = word(language, 'language')
    if (answer !== 'allow' && answer !== 'deny' && answer !== null)
      throw new LipError('bad_data', `answer must be "allow", "deny" or null; got ${show(answer)}`)
    permitted(host, name, of)
    host.allowed.set(name, of, answer)
    host.options.log('info', 'run_allowed', { unique: name, language: of, answer })
    return { unique: name, language: of, answer }
  })
}

/** An answer about what a unique never asks for would be waiting for one that does. */
function permitted(host: LipHost, name: string, language: string): void {
  const { manifest } = host.unique(name)
  const exec = manifest.permissions?.exec ?? []
  if (exec.includes(language)) return
  throw new LipError(
    'bad_data',
    exec.length > 0
      ? `${name} does not ask for ${show(language)}; it asks for ${exec.join(', ')}`
      : `${name} asks to run nothing`,
  )
}

function lineOf(window: LipWindow): Fields {
  return {
    window: window.id,
    from: window.from,
    unique: window.unique.name,
    title: window.unique.manifest.title,
    state: window.state,
    opened: window.openedAt,
    waiting: window.outbox.waiting,
    ...(window.sessionId !== null && { session: window.sessionId }),
    events: { ...window.counts },
  }
}

function summaries(declared: Readonly<Record<string, { readonly summary?: string }>> = {}): Fields {
  return Object.fromEntries(Object.entries(declared).map(([type, { summary = '' }]) => [type, summary]))
}

async function judged(act: () => Promise<Fields>): Promise<Fields> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof LipError)) throw error
    return errorBody(error)
  }
}

function fieldsOf(body: unknown): Fields {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Fields
  throw new LipError('bad_request', `the body must be a JSON object, got ${show(body)}`)
}

function word(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length > 0 && value.length <= 200) return value
  throw new LipError('bad_request', `${name} must be a word, got ${show(value)}`)
}

/** A name that becomes a part of a path. */
function safeName(name: string): string {
  if (/^[a-z][a-z0-9-]{1,31}$/.test(name)) return name
  throw new LipError('unknown_unique', `no unique is called ${show(name)}`)
}

function whole(value: unknown, name: string, otherwise: number, max: number): number {
  if (value === undefined) return otherwise
  const number = Number(value)
  if (String(value).trim() !== '' && Number.isInteger(number) && number >= 0 && number <= max) return number
  throw new LipError('bad_request', `${name} must be a whole number up to ${max}, got ${show(value)}`)
}

function hungUp(reply: FastifyReply): AbortSignal {
  const ending = new AbortController()
  reply.raw.once('close', () => ending.abort())
  return ending.signal
}
