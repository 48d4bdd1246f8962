import { WireError } from '../../protocol/overlay/errors.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'
import type { Asking, CaptureGate, CapturePolicy } from './captures.js'
import type { Clock } from './clock.js'
import { ANSWER_MS, type Answer, type Prompts, type Why } from './prompts.js'
import { shownName } from './shown-name.js'

/** How long a yes is remembered, in ms: an agent that looks every few seconds asks once. */
const YES_MS = 600_000

/** How long a no is remembered, in ms: an agent cannot nag. */
const NO_MS = 60_000

/** After so many noes within `NO_MS` nobody is asked about: one agent under many names would be nagging too. */
const MANY_NOES = 3

/** Clients that may wait for the person at a time. */
const MAX_WAITING = 8

type Log = (level: 'info', event: string, fields: Record<string, unknown>) => void

/** Who asks: one session, or a connection without one. */
export class Asker {
  /** Aborted when its session or its connection ends: nobody waits for the answer any more. */
  readonly gone = new AbortController()
  /** Until when it may picture each display, by the display's name. */
  readonly allowed = new Map<string, number>()
  /** What it waits for, by the display's name: asking twice is one question. */
  readonly asking = new Map<string, Promise<void>>()
  refusedUntil: number

  /** `before`: who asked on the same connection. A new session forgets what was allowed, and not what was refused. */
  constructor(
    readonly client: string | undefined,
    before?: Asker,
  ) {
    before?.gone.abort()
    this.refusedUntil = before?.refusedUntil ?? Number.NEGATIVE_INFINITY
  }
}

interface Waiting {
  readonly asker: Asker
  readonly display: Display
  readonly resolve: () => void
  readonly reject: (error: WireError) => void
  readonly leave: () => void
}

/** The person's answers to clients that want pictures of the screen: who is asked about, in which order, and what is remembered. */
export class Consents {
  readonly #queue: Waiting[] = []
  #current: Waiting | null = null
  /** Until when no client of a name is asked about again: a new connection is the same agent trying again. */
  readonly #refused = new Map<string, number>()
  /** Yeses from before are taken back. */
  #allowedSince = Number.NEGATIVE_INFINITY

  constructor(
    private readonly prompts: Prompts,
    private readonly gate: CaptureGate,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** What the gate needs to know about one client's wish for a picture of `display`. */
  asking(asker: Asker, display: Display): Asking {
    return {
      ask: () => this.#ask(asker, display),
      stands: () => !asker.gone.signal.aborted && this.#isAllowed(asker, display),
    }
  }

  /** Carries out a `consent` request: the policy for all, or the answer to the question that is up. */
  decide(request: RequestOf<'consent'>): AckFields {
    const { capture, answer, token } = request
    if (capture === undefined) return this.#answer(answer === 'yes', token)
    return { capture_consent: this.#decided(this.gate.decide({ ...request, capture })) }
  }

  /** The person's decision about all pictures, made in their own panel. */
  decideAsPerson(policy: CapturePolicy, forMs?: number): void {
    this.#decided(this.gate.decideAsPerson(policy, forMs))
  }

  #decided(policy: CapturePolicy): CapturePolicy {
    // Whoever says "ask" means from now on.
    if (policy !== 'always') this.#allowedSince = this.clock.now()
    if (policy !== 'ask') this.prompts.answer(policy === 'always', 'policy')
    return policy
  }

  async #ask(asker: Asker, display: Display): Promise<void> {
    if (this.#isAllowed(asker, display)) return
    this.#refuseAgain(asker)
    const known = asker.asking.get(display.name)
    if (known) return known
    if (this.#queue.length >= MAX_WAITING) {
      throw new WireError('limit', `${MAX_WAITING} clients wait for the person's answer already; ask again`)
    }
    const asking = this.#wait(asker, display).finally(() => asker.asking.delete(display.name))
    asker.asking.set(display.name, asking)
    return asking
  }

  #wait(asker: Asker, display: Display): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = asker.gone
      const leave = () => {
        const index = this.#queue.indexOf(waiting)
        if (index < 0) return
        this.#queue.splice(index, 1)
        reject(refusal('client_gone'))
      }
      const waiting: Waiting = { asker, display, resolve, reject, leave }
      if (signal.aborted) return reject(refusal('client_gone'))
      signal.addEventListener('abort', leave)
      this.#queue.push(waiting)
      this.#next()
    })
  }

  #next(): void {
    if (this.#current) return
    const waiting = this.#queue.shift()
    if (!waiting) return
    this.#current = waiting
    waiting.asker.gone.signal.removeEventListener('abort', waiting.leave)
    this.#settle(waiting)
      .then(waiting.resolve, waiting.reject)
      .finally(() => {
        this.#current = null
        this.#next()
      })
  }

  /** Its turn: what was decided while it waited may be about it too. */
  async #settle({ asker, display }: Waiting): Promise<void> {
    const policy = this.gate.policy()
    if (policy === 'always' || this.#isAllowed(asker, display)) return
    if (policy === 'never') throw refusal('policy')
    this.#refuseAgain(asker)
    const about = { client: shownName(asker.client), display: display.id }
    this.log('info', 'consent_prompt', about)
    const answer = await this.prompts.ask(question(asker, display), asker.gone.signal)
    this.log('info', 'consent_answer', { ...about, answer: answer.yes ? 'yes' : 'no', why: answer.why })
    this.#remember(asker, display, answer)
    if (!answer.yes) throw refusal(answer.why)
  }

  #remember(asker: Asker, display: Display, { yes, why }: Answer): void {
    // Only what the person said, or did not say, about this client; not what came between.
    if (!FROM_PERSON.has(why)) return
    const now = this.clock.now()
    if (yes) {
      asker.allowed.set(display.name, now + YES_MS)
      return
    }
    asker.refusedUntil = now + NO_MS
    this.#refused.set(asker.client ?? '', asker.refusedUntil)
  }

  #isAllowed({ allowed }: Asker, display: Display): boolean {
    const until = allowed.get(display.name)
    return until !== undefined && until > this.clock.now() && until - YES_MS >= this.#allowedSince
  }

  #refuseAgain(asker: Asker): void {
    const now = this.clock.now()
    for (const [name, until] of this.#refused) if (until <= now) this.#refused.delete(name)
    const theirs = this.#refused.get(asker.client ?? '') ?? asker.refusedUntil
    const all = this.#refused.size >= MANY_NOES ? Math.min(...this.#refused.values()) : theirs
    const until = Math.max(asker.refusedUntil, theirs, all)
    const left = Math.ceil((until - now) / 1000)
    if (left > 0) {
      throw new WireError(
        'not_permitted',
        `the person was asked a moment ago, and there was no yes; they are not asked again for another ${left} s. ${HELP}`,
      )
    }
  }

  #answer(yes: boolean, token: string | undefined): AckFields {
    // Anybody may say no; a yes is the person's alone.
    if (yes && !this.gate.isPerson(token)) {
      throw new WireError('not_permitted', 'consent: only the person says yes, with `lets consent yes`')
    }
    const current = this.#current
    if (!current || !this.prompts.isAsking) {
      throw new WireError('not_found', 'consent: no client waits for an answer now')
    }
    if (!this.prompts.answer(yes, 'terminal')) {
      throw new WireError(
        'not_found',
        'consent: the question has only just come up; read it, and then say yes',
      )
    }
    return {
      answered: {
        client: shownName(current.asker.client),
        display_id: current.display.id,
        answer: yes ? 'yes' : 'no',
      },
    }
  }
}

const FROM_PERSON: ReadonlySet<Why> = new Set(['key', 'terminal', 'clear_key', 'no_answer'])

function question(asker: Asker, display: Display) {
  const name = asker.client === undefined ? 'An unnamed client' : `“${shownName(asker.client)}”`
  return {
    title: `${name} asks for pictures of this screen`,
    body: `A yes holds for ${YES_MS / 60_000} minutes. Without an answer in ${ANSWER_MS / 1000} s it is a no.`,
    yes: 'Allow',
    no: 'Refuse',
    commands: { yes: 'lets consent yes', no: 'lets consent no' },
    display,
  }
}

const HELP =
  '`lets consent always --for 10m` allows pictures for a time, and "backdrop":"none" pictures the marks alone'

const REASONS: Readonly<Record<Why, string>> = {
  key: 'the person said no',
  terminal: 'the person said no',
  clear_key: 'the person cleared the screen, and with it the question whether you may picture it',
  policy: 'the person has turned pictures of the screen off',
  no_answer: `nobody answered the question on the screen within ${ANSWER_MS / 1000} s`,
  client_gone: 'the client went away before the person answered',
  not_visible: 'the person could not be asked: the question cannot be seen on that display now',
  display_changed: 'the display changed while the person was asked',
  daemon_ends: 'the daemon ends',
  host_gone: 'the screen went away while the person was asked',
}

function refusal(why: Why): WireError {
  return new WireError('not_permitted', `${REASONS[why]}; ${HELP}`)
}
