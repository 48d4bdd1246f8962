import { WireError } from '../protocol/overlay/errors.js'
import type { CapturePolicy, ConsentPolicy } from './engine/captures.js'
import type { Clock } from './engine/clock.js'
import type { Log } from './log.js'

/** How much each policy lets clients see. */
const WIDTH = { never: 0, ask: 1, always: 2 } as const satisfies Record<CapturePolicy, number>

/** The person's decision about one kind of looking, for good or for a time. */
export class Policy implements ConsentPolicy {
  #policy: CapturePolicy
  /** Started with `never`: the person meant it, and no client changes it. */
  readonly #fixed: boolean
  #cancelReturn: (() => void) | null = null
  #changed = () => {}

  constructor(
    /** What it is about, as the option of the daemon and its log name it. */
    private readonly what: 'capture' | 'grounding',
    policy: CapturePolicy,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.#policy = policy
    this.#fixed = policy === 'never'
  }

  policy(): CapturePolicy {
    return this.#policy
  }

  onChanged(listener: () => void): void {
    this.#changed = listener
  }

  decide(policy: CapturePolicy, forMs: number | undefined, isPerson: boolean): CapturePolicy {
    if (this.#fixed && policy !== 'never') {
      throw new WireError(
        'not_permitted',
        `this daemon was started with --${this.what}-consent never; only starting it anew changes that`,
      )
    }
    if (WIDTH[policy] > WIDTH[this.#policy] && !isPerson) {
      throw new WireError(
        'not_permitted',
        'consent: only the person allows more than before, with `lets consent`; a client may only allow less',
      )
    }
    this.#cancelReturn?.()
    this.#cancelReturn = null
    // What was decided for a time gives way to asking: never to a wider grant than the person last named.
    if (forMs !== undefined && !this.#fixed) {
      this.#cancelReturn = this.clock.after(forMs, () => {
        this.#policy = 'ask'
        this.#changed()
        this.log('info', `${this.what}_consent`, { policy: 'ask', why: 'the time is over' })
      })
    }
    this.#policy = policy
    this.log('info', `${this.what}_consent`, { policy, ...(forMs !== undefined && { for_ms: forMs }) })
    this.#changed()
    return policy
  }
}
