/** Pictures through the ScreenCast portal, where the compositor shows its screen to no ordinary program. */
import type {
  NativeBinding,
  ScreenCast,
  ScreenCastFault,
  ScreenCastMonitor,
  ScreenCastOffer,
  WaylandOutput,
} from '../../../native/index.js'
import { HostUnavailable, type PermissionStore } from '../../host.js'
import { PersonRefused } from '../picture-source.js'
import { inTime } from '../time-limit.js'
import { Portal, TIMES, type Times } from './portal.js'

const SCREENCAST = 'org.freedesktop.portal.ScreenCast'

/** How long letting go of what the desktop gave may take, in ms: longer, and nobody waits for it. */
const CLOSE_MS = 3000

/** How the person's own desktop is asked anew. */
const ANEW = '`lets consent never`, and then `lets consent ask`, has it ask you anew'

interface Session {
  readonly cast: ScreenCast
  readonly monitors: readonly ScreenCastMonitor[]
  /** There is no token for another one: it is kept open, or the person would be asked with each picture. */
  readonly isKept: boolean
}

/**
 * The desktop asks the person once, and gives a token with which it does not ask again. A session is there for one picture,
 * and its stream stands still but for one frame of it; so nothing runs, and nothing is shared, while nobody takes a picture.
 */
export class CastPictures {
  #refused: string | null = null
  #state = 'it is not known yet whether the desktop has a ScreenCast portal'
  /** What is open now, or being asked for. */
  #cast: ScreenCast | null = null
  #session: Session | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(
    private readonly native: Pick<NativeBinding, 'ScreenCast'>,
    private readonly address: string | undefined,
    private readonly tokens: PermissionStore,
    /** The outputs there are now. */
    private readonly outputs: () => readonly WaylandOutput[],
    private readonly times: Times = TIMES,
  ) {}

  /** `ready`: there is such a portal, and nobody has said no; or why there are no pictures. */
  get state(): string {
    return this.#refused ?? this.#state
  }

  /** The person said no. */
  get isRefused(): boolean {
    return this.#refused !== null
  }

  /** Whether a token of the desktop is kept. */
  get isAllowed(): boolean {
    return this.tokens.read() !== null
  }

  /** Finds out whether there is such a portal; nobody is asked for that. Never rejects. */
  async find(): Promise<void> {
    try {
      const portal = await Portal.open(this.address, SCREENCAST, {}, this.times)
      portal.close()
      this.#state = 'ready'
    } catch (error) {
      this.#state = `the compositor shows its screen to no ordinary program, and ${(error as Error).message}`
    }
  }

  /**
   * Has `shoot` take a picture of an output from what the desktop hands out. Rejects with `PersonRefused` when the person said
   * no, and with `HostUnavailable` when it cannot be had.
   */
  take(output: WaylandOutput, shoot: (cast: ScreenCast) => Promise<void>): Promise<void> {
    // One after the other: a token is good once.
    const taken = this.#turn.then(() => this.#take(output, shoot))
    this.#turn = taken.catch(() => {})
    return taken
  }

  /** The person takes their permission back: what the desktop gave is let go of, and it asks anew. */
  forget(): void {
    this.tokens.forget()
    this.#refused = null
    void this.#end()
  }

  /** Ends what is open, and a question that is still up. */
  close(): void {
    this.#closed = true
    void this.#end()
  }

  async #take(output: WaylandOutput, shoot: (cast: ScreenCast) => Promise<void>): Promise<void> {
    if (this.#refused !== null) throw new PersonRefused(this.#refused)
    const session = this.#session ?? (await this.#open())
    let isWhole = false
    try {
      const monitor = monitorOf(session.monitors, output, this.outputs())
      if (!monitor)
        throw new PersonRefused(`your desktop shows Lets other outputs, and not ${output.name}; ${ANEW}`)
      await session.cast.prepare(monitor.node).catch((error: Error) => {
        throw new HostUnavailable(`no picture through the ScreenCast portal: ${error.message}`)
      })
      await shoot(session.cast)
      isWhole = true
    } finally {
      if (isWhole && session.isKept) await quietly(session.cast.release())
      else await this.#end()
    }
  }

  async #open(): Promise<Session> {
    const token = this.tokens.read()
    let answer = await this.#ask(token)
    if (token !== null && 'fault' in answer && answer.fault === 'token') {
      this.tokens.forget()
      answer = await this.#ask(null)
    }
    if ('fault' in answer) throw this.#failed(answer)
    const { token: next, monitors } = answer
    // Used up, whatever became of it.
    const isStored = next !== undefined && this.tokens.keep(next)
    if (!isStored) this.tokens.forget()
    if (this.#closed || !this.#cast) {
      // A permission that was taken back meanwhile is not to come back with the answer.
      if (!this.#closed) this.tokens.forget()
      await this.#end()
      throw new HostUnavailable('no picture: what the desktop gave was given back meanwhile')
    }
    const session = { cast: this.#cast, monitors, isKept: !isStored }
    this.#session = session.isKept ? session : null
    return session
  }

  async #ask(token: string | null): Promise<ScreenCastOffer | ScreenCastFault> {
    await this.#end()
    if (this.#closed) return { fault: 'gone', message: 'the host has stopped' }
    if (this.address === undefined) return { fault: 'missing', message: 'there is no session bus' }
    const { connect, call, person } = this.times
    const cast = new this.native.ScreenCast({
      bus: this.address,
      connectMs: connect,
      callMs: call,
      personMs: person,
    })
    this.#cast = cast
    return cast.ask(token)
  }

  #failed({ fault, message }: ScreenCastFault): HostUnavailable {
    void this.#end()
    const reason = `no picture through the ScreenCast portal: ${message}`
    // Their desktop asked although there was a token, so that was of no use.
    if (fault === 'dismissed' || fault === 'unanswered') this.tokens.forget()
    if (fault === 'dismissed') this.#refused = `${reason}; \`lets stop\`, and the next daemon asks again`
    return fault === 'dismissed' || fault === 'unanswered'
      ? new PersonRefused(this.#refused ?? reason)
      : new HostUnavailable(reason)
  }

  async #end(): Promise<void> {
    const cast = this.#cast
    this.#cast = null
    this.#session = null
    if (cast) await quietly(cast.close())
  }
}

async function quietly(promise: Promise<void>): Promise<void> {
  await inTime(promise, CLOSE_MS).catch(() => {})
}

/** Which of the monitors the output is; undefined: none, or it cannot be told. */
export function monitorOf(
  monitors: readonly ScreenCastMonitor[],
  output: WaylandOutput,
  outputs: readonly WaylandOutput[],
): ScreenCastMonitor | undefined {
  const [only] = monitors
  if (outputs.length === 1 && monitors.length === 1) return only
  const unique = (fits: (monitor: ScreenCastMonitor) => boolean) => {
    const found = monitors.filter(fits)
    return found.length === 1 ? found[0] : undefined
  }
  if (monitors.every(({ position }) => position !== undefined))
    return unique(({ position }) => position?.[0] === output.x && position[1] === output.y)
  // Without a place the size tells, where no other output has it.
  const sizesOf = ({ width, height, scale }: WaylandOutput) => [
    `${width}x${height}`,
    `${Math.round(width / scale)}x${Math.round(height / scale)}`,
  ]
  const sizes = sizesOf(output)
  const isShared = outputs.some(
    (other) => other.name !== output.name && sizesOf(other).some((size) => sizes.includes(size)),
  )
  return isShared
    ? undefined
    : unique(({ size }) => size !== undefined && sizes.includes(`${size[0]}x${size[1]}`))
}
