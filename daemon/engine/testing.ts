/** A host, a clock and ids for the engine's tests: small fakes that record what they were asked. */
import {
  type AnswerKeys,
  type Applied,
  type CaptureRequest,
  type CompanionAccess,
  type ContentAccess,
  type ContentPlace,
  type Frame,
  type HostEvents,
  type HostFacts,
  HostUnavailable,
  type HostWindow,
  type NextKey,
  type OverlayHost,
  type Panel,
  type SceneChange,
  type WindowAccess,
} from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Display, Rect } from '../../protocol/overlay/geometry.js'
import type { Mark, Prompt } from '../../protocol/overlay/marks.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import { parseRequest } from '../../protocol/overlay/requests.js'
import type { InvalidatedMessage, PushMessage } from '../../protocol/overlay/schema.js'
import type { CaptureGate, CapturePolicy, ConsentPolicy } from './captures.js'
import type { Clock } from './clock.js'
import type { Companion } from './companion-seam.js'
import type { Connection } from './connection.js'
import { Engine } from './engine.js'
import type { Grounder, Outcome, Words } from './grounder.js'

class FakeClock implements Clock {
  #now = 0
  #timers: { due: number; task: () => void }[] = []
  #soon: (() => void)[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, task: () => void): () => void {
    const timer = { due: this.#now + ms, task }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  soon(task: () => void): void {
    this.#soon.push(task)
  }

  get waiting(): number {
    return this.#timers.length
  }

  /** Lets everything happen that was put off to after this moment. */
  flush(): void {
    while (this.#soon.length > 0) this.#soon.shift()?.()
  }

  advance(ms: number): void {
    this.#now += ms
    for (const timer of this.#timers.filter(({ due }) => due <= this.#now).sort((a, b) => a.due - b.due)) {
      this.#timers = this.#timers.filter((one) => one !== timer)
      timer.task()
    }
    this.flush()
  }
}

export class FakeHost implements OverlayHost {
  readonly kind = 'x11'
  readonly changes: SceneChange[] = []
  /** What is shown, as a host that does what it is told would show it. */
  readonly shown = new Map<string, Mark & { readonly display: number }>()
  pointer: { readonly display: number; readonly id: string } | null = null
  /** What is asked on each display now. */
  readonly prompts = new Map<number, Prompt>()
  /** Whether the keys are taken, and which of them can be had. */
  keysTaken = false
  freeKeys = { yes: true, no: true }
  readonly answerKeys: AnswerKeys = {
    names: { yes: ['Y'], no: ['N'] },
    take: async () => {
      this.keysTaken = true
      return this.freeKeys
    },
    release: async () => {
      this.keysTaken = false
    },
  }
  /** Whether the key to the next step is taken, and whether it can be had. */
  nextTaken = false
  nextFree = true
  readonly nextKey: NextKey = {
    names: ['Next'],
    take: async () => {
      this.nextTaken = true
      return this.nextFree
    },
    release: async () => {
      this.nextTaken = false
    },
  }
  /** Set by whoever wants one. */
  panel?: Panel
  companion?: CompanionAccess
  missing: readonly string[] = []
  /** When set, `apply` waits for it. */
  gate: Promise<void> | null = null
  /** What `apply` says of what it shows. */
  visible = true
  /** A display that a screen locker covers. */
  hidden: number | null = null
  /** When set, `apply` rejects with it. */
  fault: string | null = null

  /** The windows there are, bottom to top. */
  desk: HostWindow[] = []
  watching = false
  readings = 0
  activated: number | null = null
  readonly windows: WindowAccess = {
    list: async () => {
      this.readings++
      return [...this.desk]
    },
    watch: async (on) => {
      this.watching = on
    },
    activate: async (id) => {
      this.activated = id
    },
  }

  /** What is followed inside windows. */
  readonly followed = new Map<string, ContentPlace>()
  readonly rechecked: number[] = []
  readonly content?: ContentAccess

  constructor(
    public layout: readonly Display[] = [display(1)],
    seesContent = true,
  ) {
    if (!seesContent) return
    this.content = {
      follow: (id, place) => void this.followed.set(id, place),
      release: (id) => void this.followed.delete(id),
      recheck: (window) => void this.rechecked.push(window),
    }
  }

  on(_events: HostEvents): void {}
  async start(): Promise<readonly Display[]> {
    return this.layout
  }
  async displays(): Promise<readonly Display[]> {
    return this.layout
  }
  async apply(change: SceneChange): Promise<Applied> {
    this.changes.push(change)
    if (this.fault) throw new HostUnavailable(this.fault)
    for (const id of change.remove) this.shown.delete(id)
    for (const mark of change.put) this.shown.set(mark.id, { ...mark, display: change.display })
    if (change.prompt) this.prompts.set(change.display, change.prompt)
    else if (change.prompt === null) this.prompts.delete(change.display)
    if (change.pointer) this.pointer = { display: change.display, id: change.pointer }
    else if (change.pointer === null && this.pointer?.display === change.display) this.pointer = null
    await this.gate
    return { visible: this.visible && change.display !== this.hidden }
  }
  /** What a picture shows; by default there is none. */
  picture: (request: CaptureRequest) => Promise<Frame> = async () => {
    throw new HostUnavailable('no picture')
  }
  capture(request: CaptureRequest): Promise<Frame> {
    return this.picture(request)
  }
  async missingGlyphs(): Promise<readonly string[]> {
    return this.missing
  }
  facts(): HostFacts {
    return { screen: ':7', hotkey: 'ready', reduced_motion: false, notes: [] }
  }
  async stop(): Promise<void> {}
}

/** A window on display 1. */
export function fakeWindow(id: number, app: string, rect: Rect, more: Partial<HostWindow> = {}): HostWindow {
  return {
    id,
    app,
    title: `${app} ${id}`,
    rects: new Map([[1, rect]]),
    visible: true,
    transient: false,
    ...more,
  }
}

export function display(id: number, overrides: Partial<Display> = {}): Display {
  return {
    id,
    scale: 2,
    logical_size: [1440, 900],
    origin: [0, 0],
    primary: id === 1,
    name: `D${id}`,
    ...overrides,
  }
}

/** A gate that lets nothing through. */
const noCaptures: CaptureGate = {
  policy: () => 'ask',
  decide: ({ capture }) => capture,
  decideAsPerson: (policy) => policy,
  onChanged: () => {},
  isPerson: () => false,
  capture: async () => {
    throw new WireError('not_permitted', 'no')
  },
}

/** A grounder that finds what a test says. */
class FakeGrounder implements Grounder {
  order: Grounder['order'] = []
  policy: CapturePolicy = 'always'
  readonly asked: Words[] = []
  /** What it answers; by default that there is nothing. */
  answer: (words: Words, pixels: () => Promise<Frame>, signal: AbortSignal) => Promise<Outcome> =
    async () => ({
      kind: 'unsure',
      candidates: [],
      notes: [],
      sentTo: [],
    })
  readonly consent: ConsentPolicy = {
    policy: () => this.policy,
    decide: (policy) => {
      this.policy = policy
      return policy
    },
    onChanged: () => {},
  }

  async find(words: Words, pixels: () => Promise<Frame>, signal: AbortSignal): Promise<Outcome> {
    this.asked.push(words)
    return this.answer(words, pixels, signal)
  }

  async list() {
    return []
  }
}

export class Bench {
  readonly clock = new FakeClock()
  readonly host: FakeHost
  readonly engine: Engine
  readonly grounding = new FakeGrounder()
  readonly log: { readonly event: string; readonly [field: string]: unknown }[] = []
  revivals = 0
  /** How often the person asked the daemon to end. */
  quits = 0
  /** What reviving does; by default it fails. */
  onRevive: () => void = () => {
    throw new HostUnavailable('no X server')
  }

  constructor(
    displays?: readonly Display[],
    seesContent?: boolean,
    captures: (clock: Clock) => CaptureGate = () => noCaptures,
    host = new FakeHost(displays, seesContent),
    companion?: (clock: Clock) => Companion,
  ) {
    this.host = host
    let next = 0
    this.engine = new Engine({
      host: this.host,
      clock: this.clock,
      newId: (prefix) => `${prefix}${++next}`,
      captures: captures(this.clock),
      groundingConsent: this.grounding.consent,
      grounder: this.grounding,
      ...(companion && { companion: companion(this.clock) }),
      about: { version: '9.9.9', pid: 42, peer_check: 'credentials' },
      log: (_level, event, fields) => this.log.push({ event, ...fields }),
      revive: async () => {
        this.revivals++
        this.onRevive()
      },
      quit: () => {
        this.quits++
      },
    })
    this.engine.hostStarted(this.host.layout)
  }

  /** Lets promises that are settled have their consequences. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < 50; turn++) {
      await Promise.resolve()
      this.clock.flush()
    }
  }

  /** A window is elsewhere now, and the host says so. */
  async moveWindow(id: number, rect: Rect): Promise<void> {
    const rects = new Map([[1, rect]])
    this.host.desk = this.host.desk.map((window) => (window.id === id ? { ...window, rects } : window))
    this.engine.windowsChanged({ moved: [{ id, rects }], relisted: false })
    await this.rest()
  }

  /** Other windows than before, bottom to top, and the host says so. */
  async relist(desk: HostWindow[]): Promise<void> {
    this.host.desk = desk
    this.engine.windowsChanged({ moved: [], relisted: true })
    await this.rest()
  }

  client(pid?: number): Client {
    return new Client(this, pid)
  }
}

/** A client as the engine sees it, through the same parser as the real one. */
export class Client {
  readonly pushes: InvalidatedMessage[] = []
  readonly companionEvents: Extract<PushMessage, { type: 'companion_event' }>[] = []
  readonly connection: Connection

  constructor(
    readonly bench: Bench,
    pid?: number,
  ) {
    this.connection = bench.engine.connect((message) => {
      if (message.type === 'companion_event') this.companionEvents.push(message)
      else this.pushes.push(message)
    }, pid)
  }

  /** Sends a request and returns its ack's fields; throws the `WireError` that refuses it. */
  send(body: Record<string, unknown>): AckFields {
    const outcome = this.raw(body)
    if (outcome instanceof Promise) throw new Error('this request answers later: use sendAsync')
    this.bench.clock.flush()
    return outcome
  }

  async sendAsync(body: Record<string, unknown>): Promise<AckFields> {
    const outcome = this.raw(body)
    this.bench.clock.flush()
    return outcome
  }

  raw(body: Record<string, unknown>) {
    const parsed = parseRequest(JSON.stringify({ v: '0.2', ...body }))
    if (!parsed.ok) throw parsed.error
    return this.connection.handle(parsed.request)
  }

  start(fields: Record<string, unknown> = {}): this {
    this.send({ type: 'session_start', client_name: 'test', ...fields })
    return this
  }

  point(fields: Record<string, unknown> = {}): string {
    return this.send({ type: 'point', x: 100, y: 100, display_id: 1, ...fields }).annotation_id as string
  }
}
