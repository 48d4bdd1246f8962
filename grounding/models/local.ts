import { ORDERS, type Order, SPACES, type Space } from '../../protocol/overlay/spaces.js'
import type { ResolverSettings } from '../registry.js'
import {
  type Availability,
  type Frame,
  type Query,
  type Resolution,
  type Resolver,
  ResolverError,
} from '../resolver.js'
import { AnswerError, placesIn } from './answers.js'
import { toCandidates } from './candidates.js'
import { lookAt } from './look.js'
import { type Lookup, type Loopback, loopbackOnly } from './loopback.js'
import { instruction, SCHEMA } from './prompt.js'
import { type Ask, ask, type Reply } from './request.js'

/** How long an answer may take, in ms: models on a person's own machine are slow. */
const LIMIT_MS = 30_000
/** How long a server may take to say which models it has, in ms. */
const GREETING_MS = 900
const LIMITS = { edge: 1540, pixels: 1_200_000 }

/** A vision model the person runs, behind an OpenAI-shaped endpoint on this machine. Nothing leaves it. */
export class Local implements Resolver {
  readonly name = 'local'
  readonly sees = 'a picture of the display, by a vision model on this machine'
  readonly remote = false
  readonly needsFrame = true

  constructor(
    private readonly settings: ResolverSettings,
    private readonly lookup?: Lookup,
    private readonly greetingMs = GREETING_MS,
  ) {}

  async available(): Promise<Availability> {
    try {
      const endpoint = await this.#endpoint()
      const models = await this.#models(endpoint, new AbortController().signal, this.greetingMs)
      const { space, order } = this.#declared()
      const model = this.#env('MODEL') ?? models[0]
      if (!model) return unavailable(`${endpoint.url.host} has no model loaded`, 'load a vision model in it')
      return { available: true, note: `${model} at ${endpoint.url.host}, answering in ${space}, ${order}` }
    } catch (error) {
      if (error instanceof ResolverError)
        return unavailable(error.message, error.fix ?? 'check LETS_LOCAL_ENDPOINT')
      return unavailable((error as Error).message, 'check LETS_LOCAL_ENDPOINT')
    }
  }

  async resolve(query: Query, frame: Frame | null, signal: AbortSignal): Promise<Resolution> {
    if (!frame) throw new ResolverError('it needs a picture of the display')
    const declared = this.#declared()
    const endpoint = await this.#endpoint()
    const model = this.#env('MODEL') ?? (await this.#models(endpoint, signal))[0]
    if (!model)
      throw new ResolverError(`${endpoint.url.host} has no model loaded`, 'load a vision model in it')
    const look = await lookAt(query, frame, LIMITS, signal)
    const image = { ...declared, image: look.size }
    const url = `data:image/png;base64,${Buffer.from(look.png).toString('base64')}`
    const body = {
      model,
      temperature: 0,
      max_tokens: 600,
      messages: [
        { role: 'system', content: instruction(image) },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'text', text: `Find: ${JSON.stringify(query.text)}` },
          ],
        },
      ],
    }
    const reply = await this.#chat(endpoint, body, signal)
    try {
      return { candidates: toCandidates(query, placesIn(answerOf(reply), image), look), notes: [] }
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error
      throw new ResolverError(
        error.message,
        'declare how the model answers: LETS_LOCAL_SPACE and LETS_LOCAL_ORDER',
      )
    }
  }

  /** Asks for an answer by schema, and without one of a server that knows none. */
  async #chat(endpoint: Loopback, body: object, signal: AbortSignal): Promise<Reply> {
    const structured = { type: 'json_schema', json_schema: { name: 'place', strict: true, schema: SCHEMA } }
    const first = await this.#ask(endpoint, {
      path: '/chat/completions',
      body: { ...body, response_format: structured },
      signal,
    })
    const refuses =
      [400, 404, 422, 501].includes(first.status) &&
      /response_format|json_schema|schema|grammar/i.test(errorOf(first))
    const reply = refuses ? await this.#ask(endpoint, { path: '/chat/completions', body, signal }) : first
    if (reply.status === 200) return reply
    throw new ResolverError(`the local model refused (status ${reply.status}): ${errorOf(reply)}`)
  }

  async #models(endpoint: Loopback, signal: AbortSignal, limitMs?: number): Promise<readonly string[]> {
    const { json } = await this.#ask(endpoint, { path: '/models', signal, ...(limitMs && { limitMs }) })
    const { data } = (json ?? {}) as { data?: unknown }
    const list = Array.isArray(data) ? data : []
    return list
      .map((one) => (one as { id?: unknown } | null)?.id)
      .filter((id): id is string => typeof id === 'string')
  }

  #ask(
    endpoint: Loopback,
    { limitMs, ...asked }: Omit<Ask, 'limitMs' | 'key'> & { limitMs?: number },
  ): Promise<Reply> {
    const key = this.#env('KEY')
    const seconds = Number(this.#env('TIMEOUT'))
    const limit = limitMs ?? (seconds > 0 && seconds <= 600 ? seconds * 1000 : LIMIT_MS)
    return ask(endpoint, { ...asked, limitMs: limit, ...(key && { key }) })
  }

  #endpoint(): Promise<Loopback> {
    const endpoint = this.#env('ENDPOINT')
    if (endpoint) return loopbackOnly(endpoint.replace(/\/chat\/completions\/?$/, ''), this.lookup)
    throw new ResolverError(
      'no local model was named',
      'run one with an OpenAI-shaped server and name it: --local-endpoint http://127.0.0.1:11434/v1',
    )
  }

  /** How the model's numbers are meant; what is not declared is pixels with x first, and the model is told so. */
  #declared(): { space: Space; order: Order } {
    const space = this.#env('SPACE') ?? 'pixels'
    const order = this.#env('ORDER') ?? 'xy'
    const wrong = !isOneOf(SPACES, space)
      ? ['SPACE', SPACES, space]
      : !isOneOf(ORDERS, order)
        ? ['ORDER', ORDERS, order]
        : null
    if (wrong) {
      const [name, allowed, got] = wrong as [string, readonly string[], string]
      throw new ResolverError(
        `LETS_LOCAL_${name} is ${JSON.stringify(got)}`,
        `set it to one of ${allowed.join(', ')}`,
      )
    }
    return { space: space as Space, order: order as Order }
  }

  #env(name: string): string | undefined {
    return this.settings.env[`LETS_LOCAL_${name}`] || undefined
  }
}

const unavailable = (reason: string, fix: string): Availability => ({ available: false, reason, fix })

const isOneOf = (all: readonly string[], one: string) => all.includes(one)

/** The text of the first choice; some servers put it in parts, some models in a tool call. */
function answerOf({ json }: Reply): string {
  const choices = (json as { choices?: unknown } | null)?.choices
  const message = Array.isArray(choices)
    ? (choices[0] as { message?: Record<string, unknown> } | undefined)?.message
    : undefined
  const { content, tool_calls: calls } = message ?? {}
  if (typeof content === 'string' && content !== '') return content
  if (Array.isArray(content)) {
    const text = content
      .map((part) => (part as { text?: unknown } | null)?.text)
      .filter((part) => typeof part === 'string')
    if (text.length > 0) return text.join('')
  }
  const call = Array.isArray(calls)
    ? (calls[0] as { function?: { arguments?: unknown } } | undefined)?.function?.arguments
    : undefined
  if (typeof call === 'string') return call
  throw new ResolverError("the local model's answer holds no text")
}

function errorOf({ json }: Reply): string {
  const { error, message } = (json ?? {}) as { error?: unknown; message?: unknown }
  const said =
    typeof error === 'string' ? error : ((error as { message?: unknown } | null)?.message ?? message)
  return typeof said === 'string' ? said.slice(0, 300) : 'it does not say why'
}
