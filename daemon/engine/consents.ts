import type { OverlayHost } from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'
import type { Asking, CaptureGate, CapturePolicy, ConsentPolicy } from './captures.js'
import type { Clock } from './clock.js'
import { HELP, question, type RunWish, refusal, runQuestion, type Topic, YES_MS } from './consent-texts.js'
import type { ResolverFacts } from './grounder.js'
import type { Answer, Prompts, Why } from './prompts.js'
import { shownName } from './shown-name.js'

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
  /** Until when it may do what, by what and the display's name. */
  readonly allowed = new Map<string, Allowed>()
  /** What it waits for, likewise: asking twice is one question. */
  readonly asking = new Map<string, Promise<void>>()
  /** How many requests want each answer. */
  readonly wanting = new Map<string, number>()
  refusedUntil: number

  /** `before`: who asked on the same connection. A new session forgets what was allowed, and not what was refused. */
  constructor(
    readonly client: string | undefined,
    before?: Asker,
    /** Its process, where the system says so. */
    readonly pid: number | undefined = before?.pid,
  ) {
    before?.gone.abort()
    this.refusedUntil = before?.refusedUntil ?? Number.NEGATIVE_INFINITY
  }
}

interface Allowed {
  readonly topic: Topic
  readonly display: Display
  readonly until: number
}

interface Waiting {
  readonly topic: Topic | 'run'
  readonly asker: Asker
  readonly display: Display
  /** Asks, once it is its turn. */
  readonly settle: () => Promise<void>
  readonly resolve: () => void
  readonly reject: (error: WireError) => void
  readonly leave: () => void
}

/** What a decision about all pictures leads to, whoever made it: a never is one about what their desktop allowed, too. */
export function heedDecisions(
  {
    captures,
    host,
  }: { readonly captures: CaptureGate; readonly host: Pick<OverlayHost, 'forgetPermission'> },
  changed: () => void,
): void {
  captures.onChanged(() => {
    if (captures.policy() === 'never') host.forgetPermission?.()
    changed()
  })
}

/** The person's answers to clients that want to see the screen, or to have things found on it: who is asked about, in which order, and what is remembered. */
export class Consents {
  readonly #queue: Waiting[] = []
  #current: Waiting | null = null
  /** Until when no client of a name is asked about again: a new connection is the same agent trying again. */
  readonly #refused = new Map<string, number>()
  /** Yeses from before are taken back. */
  readonly #allowedSince = { capture: Number.NEGATIVE_INFINITY, grounding: Number.NEGATIVE_INFINITY }
  /** Who has a yes. */
  readonly #allowed = new Set<Asker>()

  constructor(
    private readonly prompts: Prompts,
    private readonly gate: CaptureGate,
    private readonly grounding: ConsentPolicy,
    private readonly resolvers: () => readonly ResolverFacts[],
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** What the gate needs to know about one client's wish for a picture of `display`. */
  asking(asker: Asker, display: Display, off: AbortSignal): Asking {
    return {
      ask: () => this.#want('capture', asker, display, off, () => refusal('capture', 'client_gone')),
      stands: () => !asker.gone.signal.aborted && this.#isAllowed('capture', asker, display),
    }
  }

  /**
   * The person's consent to have words found on a display. Rejects with `not_permitted` when they do not give it, or cannot be
   * asked, and with the signal's reason when nobody wants to know any more.
   */
  async ground(asker: Asker, display: Display, token: string | undefined, over: AbortSignal): Promise<void> {
    if (this.#mayGround(asker, display, token)) return
    if (this.grounding.policy() === 'never') throw refusal('grounding', 'policy')
    over.throwIfAborted()
    await this.#want('grounding', asker, display, over, () => over.reason)
  }

  /** Asks, until `over`: then it rejects with that reason, and the question goes if nobody else waits for its answer. */
  async #want(
    topic: Topic,
    asker: Asker,
    display: Display,
    over: AbortSignal,
    reason: () => unknown,
  ): Promise<void> {
    let stop = () => {}
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(reason())
      if (over.aborted) stop()
      over.addEventListener('abort', stop)
    })
    // Called off before it began, it has nobody asked.
    stopped.catch(() => {})
    if (over.aborted) return stopped
    const key = keyOf(topic, display)
    const asked = this.#ask(topic, asker, display)
    // Refused or answered after nobody wants to know any more: that is nobody's fault.
    asked.catch(() => {})
    asker.wanting.set(key, (asker.wanting.get(key) ?? 0) + 1)
    try {
      await Promise.race([asked, stopped])
    } finally {
      over.removeEventListener('abort', stop)
      const others = (asker.wanting.get(key) ?? 1) - 1
      asker.wanting.set(key, others)
      if (others === 0) this.#unwanted(asker, key)
    }
  }

  /** Nobody wants the answer any more: the question goes, or is not asked. */
  #unwanted(asker: Asker, key: string): void {
    const isIt = (one: Waiting) => one.asker === asker && keyOf(one.topic, one.display) === key
    this.#queue.find(isIt)?.leave()
    if (this.#current && isIt(this.#current)) this.prompts.answer(false, 'client_gone')
  }

  /** Throws `not_permitted` when that consent was taken back meanwhile. */
  sureGrounding(asker: Asker, display: Display, token: string | undefined): void {
    if (!this.#mayGround(asker, display, token)) throw refusal('grounding', 'policy')
  }

  #mayGround(asker: Asker, display: Display, token: string | undefined): boolean {
    const policy = this.grounding.policy()
    if (policy !== 'ask') return policy === 'always'
    if (token !== undefined && this.gate.isPerson(token)) return true
    return !asker.gone.signal.aborted && this.#isAllowed('grounding', asker, display)
  }

  /** Who has a yes now: everybody's for the person, else only the asker's own. */
  grants(asker: Asker, token: string | undefined): NonNullable<AckFields['grants']> {
    const all = token !== undefined && this.gate.isPerson(token)
    const now = this.clock.now()
    return [...this.#allowed].flatMap((one) => {
      if (!all && one !== asker) return []
      return [...one.allowed.values()]
        .filter(
          ({ topic, display }) => this.#policy(topic) !== 'never' && this.#isAllowed(topic, one, display),
        )
        .map(({ topic, display, until }) => ({
          what: topic,
          client: shownName(one.client),
          ...(one.pid !== undefined && { pid: one.pid }),
          display_id: display.id,
          left_ms: Math.round(until - now),
        }))
    })
  }

  /** Carries out a `consent` request: the policy for all, or the answer to the question that is up. */
  decide(request: RequestOf<'consent'>): AckFields {
    const { capture, grounding, answer, token, for_ms } = request
    if (capture !== undefined) {
      return { capture_consent: this.#decided('capture', this.gate.decide({ ...request, capture })) }
    }
    if (grounding === undefined) return this.#answer(answer === 'yes', token)
    const policy = this.grounding.decide(grounding, for_ms, this.gate.isPerson(token))
    return { grounding_consent: this.#decided('grounding', policy) }
  }

  /** The person's decision about all pictures, made in their own panel. */
  decideAsPerson(policy: CapturePolicy, forMs?: number): void {
    this.#decided('capture', this.gate.decideAsPerson(policy, forMs))
  }

  /** The person's decision about all queries, made in their own panel. */
  decideGroundingAsPerson(policy: CapturePolicy, forMs?: number): void {
    this.#decided('grounding', this.grounding.decide(policy, forMs, true))
  }

  #decided(topic: Topic, policy: CapturePolicy): CapturePolicy {
    // Whoever says "ask" means from now on.
    if (policy !== 'always') this.#allowedSince[topic] = this.clock.now()
    if (policy !== 'ask' && this.#current?.topic === topic) this.prompts.answer(policy === 'always', 'policy')
    return policy
  }

  #policy(topic: Topic): CapturePolicy {
    return (topic === 'capture' ? this.gate : this.grounding).policy()
  }

  async #ask(topic: Topic, asker: Asker, display: Display): Promise<void> {
    if (this.#isAllowed(topic, asker, display)) return
    this.#refuseAgain(topic, asker)
    const key = keyOf(topic, display)
    const known = asker.asking.get(key)
    if (known) return known
    if (this.#queue.length >= MAX_WAITING) {
      throw new WireError('limit', `${MAX_WAITING} clients wait for the person's answer already; ask again`)
    }
    const settle = () => this.#settle(topic, asker, display)
    const asking = this.#wait(topic, asker, display, settle).finally(() => asker.asking.delete(key))
    asker.asking.set(key, asking)
    return asking
  }

  /**
   * Asks whether a unique may run code, in its turn and on this display: true or false as the person says, null when nobody
   * answers, or nobody can be asked. Never rejects.
   */
  async run(wish: RunWish, display: Display, signal: AbortSignal): Promise<boolean | null> {
    if (this.#queue.length >= MAX_WAITING || signal.aborted) return null
    const asker = new Asker(wish.title)
    const hangUp = () => asker.gone.abort()
    signal.addEventListener('abort', hangUp)
    let said: boolean | null = null
    const settle = async () => {
      const about = { client: shownName(wish.title), display: display.id, about: 'run' }
      this.log('info', 'consent_prompt', about)
      const { yes, why } = await this.prompts.ask(runQuestion(wish, display), asker.gone.signal)
      this.log('info', 'consent_answer', { ...about, answer: yes ? 'yes' : 'no', why })
      if (why === 'key' || why === 'terminal') said = yes
    }
    try {
      await this.#wait('run', asker, display, settle)
    } catch {
      // Its window went while it waited.
    } finally {
      signal.removeEventListener('abort', hangUp)
    }
    return said
  }

  #wait(topic: Waiting['topic'], asker: Asker, display: Display, settle: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = asker.gone
      const leave = () => {
        const index = this.#queue.indexOf(waiting)
        if (index < 0) return
        this.#queue.splice(index, 1)
        reject(gone())
      }
      const gone = () => refusal(topic === 'run' ? 'capture' : topic, 'client_gone')
      const waiting: Waiting = { topic, asker, display, settle, resolve, reject, leave }
      if (signal.aborted) return reject(gone())
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
    waiting
      .settle()
      .then(waiting.resolve, waiting.reject)
      .finally(() => {
        this.#current = null
        this.#next()
      })
  }

  /** Its turn: what was decided while it waited may be about it too. */
  async #settle(topic: Topic, asker: Asker, display: Display): Promise<void> {
    const policy = this.#policy(topic)
    if (policy === 'always' || this.#isAllowed(topic, asker, display)) return
    if (policy === 'never') throw refusal(topic, 'policy')
    this.#refuseAgain(topic, asker)
    const about = {
      client: shownName(asker.client),
      display: display.id,
      ...(topic !== 'capture' && { about: topic }),
    }
    this.log('info', 'consent_prompt', about)
    const answer = await this.prompts.ask(
      question(topic, asker, display, this.resolvers()),
      asker.gone.signal,
    )
    this.log('info', 'consent_answer', { ...about, answer: answer.yes ? 'yes' : 'no', why: answer.why })
    this.#remember(topic, asker, display, answer)
    if (!answer.yes) throw refusal(topic, answer.why)
  }

  #remember(topic: Topic, asker: Asker, display: Display, { yes, why }: Answer): void {
    // Only what the person said, or did not say, about this client; not what came between.
    if (!FROM_PERSON.has(why)) return
    const now = this.clock.now()
    if (yes) {
      asker.allowed.set(keyOf(topic, display), { topic, display, until: now + YES_MS[topic] })
      this.#allowed.add(asker)
      asker.gone.signal.addEventListener('abort', () => this.#allowed.delete(asker), { once: true })
      return
    }
    asker.refusedUntil = now + NO_MS
    this.#refused.set(asker.client ?? '', asker.refusedUntil)
  }

  #isAllowed(topic: Topic, { allowed }: Asker, display: Display): boolean {
    const until = allowed.get(keyOf(topic, display))?.until
    return (
      until !== undefined && until > this.clock.now() && until - YES_MS[topic] >= this.#allowedSince[topic]
    )
  }

  #refuseAgain(topic: Topic, asker: Asker): void {
    const now = this.clock.now()
    for (const [name, until] of this.#refused) if (until <= now) this.#refused.delete(name)
    const theirs = this.#refused.get(asker.client ?? '') ?? asker.refusedUntil
    const all = this.#refused.size >= MANY_NOES ? Math.min(...this.#refused.values()) : theirs
    const until = Math.max(asker.refusedUntil, theirs, all)
    const left = Math.ceil((until - now) / 1000)
    if (left > 0) {
      throw new WireError(
        'not_permitted',
        `the person was asked a moment ago, and there was no yes; they are not asked again for another ${left} s. ${HELP[topic]}`,
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
        about: current.topic,
      },
    }
  }
}

const FROM_PERSON: ReadonlySet<Why> = new Set(['key', 'terminal', 'clear_key', 'no_answer'])

function keyOf(topic: Waiting['topic'], { name }: Display): string {
  return `${topic} ${name}`
}
