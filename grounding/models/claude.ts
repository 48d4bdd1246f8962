import type Anthropic from '@anthropic-ai/sdk'
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
import { instruction, SCHEMA } from './prompt.js'

const HOST = 'https://api.anthropic.com'
const MODEL = 'claude-sonnet-5-5'
/** How long an answer may take, in ms. */
const LIMIT_MS = 30_000
/** What the service would shrink further loses its pixels: it is shrunk here, and the answer is in these pixels. */
const LIMITS = { edge: 1540, pixels: 1_150_000 }

const TOOL = {
  name: 'place',
  description: 'Tells where the thing is.',
  input_schema: SCHEMA as unknown as Anthropic.Tool.InputSchema,
}

/** A hosted model, with the person's own key: a picture of the display leaves the machine, and that is said each time. */
export class Claude implements Resolver {
  readonly name = 'claude'
  readonly sees = 'a picture of the display, by a hosted model'
  readonly remote = true
  readonly needsFrame = true
  readonly destination: string

  constructor(private readonly settings: ResolverSettings) {
    this.destination = new URL(this.#baseURL()).host
  }

  async available(): Promise<Availability> {
    if (!this.#key())
      return { available: false, reason: 'there is no key', fix: 'set ANTHROPIC_API_KEY for the daemon' }
    try {
      await import.meta.resolve('@anthropic-ai/sdk')
    } catch {
      return {
        available: false,
        reason: 'its library is not installed',
        fix: 'npm install @anthropic-ai/sdk',
      }
    }
    return { available: true, note: `${this.#model()}; pictures of the display go to ${this.destination}` }
  }

  async resolve(query: Query, frame: Frame | null, signal: AbortSignal): Promise<Resolution> {
    if (!frame) throw new ResolverError('it needs a picture of the display')
    const state = await this.available()
    if (!state.available) throw new ResolverError(state.reason, state.fix)
    const look = await lookAt(query, frame, LIMITS, signal)
    const declared = { space: 'pixels', order: 'xy', image: look.size } as const
    const [width, height] = look.size
    this.settings.log('info', 'picture_sent', { resolver: this.name, to: this.destination, width, height })
    const answer = await this.#ask(query.text, look.png, instruction(declared), signal)
    const notes = [`a picture of ${width}x${height} pixels went to ${this.destination}`]
    try {
      return { candidates: toCandidates(query, placesIn(answer, declared), look), notes }
    } catch (error) {
      if (error instanceof AnswerError) throw new ResolverError(`${error.message}; ${notes[0]}`)
      throw error
    }
  }

  async #ask(text: string, png: Uint8Array, system: string, signal: AbortSignal): Promise<string> {
    const { default: Client, APIError, APIConnectionTimeoutError } = await import('@anthropic-ai/sdk')
    signal.throwIfAborted()
    const client = new Client({
      apiKey: this.#key() ?? null,
      authToken: null,
      baseURL: this.#baseURL(),
      timeout: LIMIT_MS,
      maxRetries: 1,
      // Its own output would be among the daemon's.
      logLevel: 'off',
      // A picture goes where it was said to go, and nowhere else.
      fetchOptions: { redirect: 'error' },
    })
    const data = Buffer.from(png).toString('base64')
    const content: Anthropic.ContentBlockParam[] = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      { type: 'text', text: `Find: ${JSON.stringify(text)}` },
    ]
    try {
      const message = await client.messages.create(
        {
          model: this.#model(),
          max_tokens: 600,
          system,
          messages: [{ role: 'user', content }],
          tools: [TOOL],
          tool_choice: { type: 'tool', name: TOOL.name },
        },
        { signal },
      )
      return answerOf(message)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof APIConnectionTimeoutError) {
        throw new ResolverError(`${this.destination} did not answer within ${LIMIT_MS / 1000} s`)
      }
      if (error instanceof APIError) throw refusal(error.status, error.message, this.destination)
      throw error
    }
  }

  #baseURL(): string {
    return this.settings.env.ANTHROPIC_BASE_URL || HOST
  }

  #key(): string | undefined {
    return this.settings.env.ANTHROPIC_API_KEY || undefined
  }

  #model(): string {
    return this.settings.env.LETS_CLAUDE_MODEL || MODEL
  }
}

function answerOf({ content }: Anthropic.Message): string {
  const call = content.find((block) => block.type === 'tool_use')
  if (call) return JSON.stringify(call.input)
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

function refusal(status: number | undefined, message: string, host: string): ResolverError {
  if (status === 401 || status === 403)
    return new ResolverError(`${host} refuses the key`, 'check ANTHROPIC_API_KEY')
  if (status === 429) return new ResolverError(`${host} has had too many requests`, 'try again later')
  if (status === undefined) return new ResolverError(`${host} could not be reached: ${message}`)
  return new ResolverError(`${host} refused (status ${status}): ${message.slice(0, 300)}`)
}
