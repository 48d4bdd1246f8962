/** A page's side of LIP: what it says, what it hears, and what the shell does for it. */
import type { DownData, Envelope, UpData } from '../../protocol/lip/schema.js'
import { type SessionTypes, sessionTypes } from '../../protocol/lip/session-types.js'
import { keepState, takeState } from './credential.js'
import { h } from './dom.js'
import { Link, LipRefused } from './link.js'
import { type Run, Runs } from './run.js'
import { Shell } from './shell.js'
import { ask, type ImageSource, onImages, type Uploaded } from './upload.js'

export type Data = Readonly<Record<string, unknown>>
type DataOf<T extends string> = T extends keyof DownData ? DownData[T] : Data
export type Handler<T extends string> = (data: DataOf<T>, envelope: Envelope) => void

export interface EmitOptions {
  /** The id of the message this answers. */
  readonly re?: string
  /** After how many ms it is worth nothing to a reader. */
  readonly ttl?: number
}

/** A picture of the person's screen. */
export interface Capture extends Uploaded {
  /** What Claude names the picture by, to draw at its pixels on the real screen. */
  readonly frame: string | null
  readonly display: number
}

/** What the page holds, to be asked for and given back. */
export interface PageState {
  /** The whole of it, as JSON. */
  readonly save: () => Data
  /** Takes up what was saved before. */
  readonly load: (data: Data) => void
}

/** Messages that nobody listens to yet are kept for who comes late. */
const UNHEARD = 200

export class Lip {
  readonly #link: Link
  readonly #shell: Shell
  readonly #runs = new Runs()
  readonly #handlers = new Map<string, Set<Handler<string>>>()
  readonly #ready: Promise<DownData['lip.ready']>
  #unheard: Envelope[] = []
  /** What came before the page was ready: told in its order, once it had its turn to say what it listens to. */
  #held: Envelope[] | null = []
  #state: PageState | null = null
  #types: SessionTypes = { export: '', snapshot: '', restore: '' }
  #about: DownData['lip.ready'] | null = null
  #closeReason = ''

  /** Use `connect`. */
  constructor(private readonly token: string) {
    this.#shell = new Shell({
      emit: (type, data) =>
        void this.#say(type, data as Data).catch((error) =>
          this.#shell.toasts.show({ text: error.message, level: 'error' }),
        ),
      say: (data) => this.emit('chat.message', data),
      upload: (file, source, componentId) =>
        this.upload(file, { source, ...(componentId !== undefined && { componentId }) }),
      takeBack: () => this.#link.takeBack(),
    })
    let settle: { resolve: (about: DownData['lip.ready']) => void; reject: (error: Error) => void } | null =
      null
    this.#ready = new Promise((resolve, reject) => {
      settle = { resolve, reject }
    })
    this.#link = new Link({
      token,
      received: (envelope) => {
        if (envelope.type === 'lip.ready') {
          const about = envelope.data as DownData['lip.ready']
          settle?.resolve(about)
          // What was missed comes before the answer to this.
          void this.#runs.again(about.runs ?? [], () => this.#link.send({ type: 'lip.ping', data: {} }))
        }
        if (this.#held && !envelope.type.startsWith('lip.')) this.#held.push(envelope)
        else this.#received(envelope)
      },
      changed: (state) => {
        if (state !== 'waiting' && state !== 'online')
          settle?.reject(new LipRefused('window_closed', `this window cannot be used any more (${state})`))
        if (state === 'closed' || state === 'refused') this.#runs.close()
        this.#shell.connection(state, this.#closeReason)
      },
    })
    addEventListener('pagehide', () => this.#keep())
  }

  /** The window's id, such as `w1`. */
  get window(): string {
    return this.#about?.window ?? ''
  }

  /** Resolves when the host knows this window. */
  async begin(): Promise<this> {
    const about = await this.#ready
    this.#about = about
    const manifest = await fetch(`/u/${about.unique}/unique.json`)
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null)
    this.#types = sessionTypes(manifest ?? { domains: [about.unique] })
    this.#shell.begin(about.capabilities)
    setTimeout(() => this.#release())
    return this
  }

  /** Whether the manifest lists this capability. */
  can(capability: string): boolean {
    return this.#about?.capabilities.includes(capability) ?? false
  }

  /** Says something. Resolves with its id when the host has it, also after a broken connection; rejects with `LipRefused`. */
  emit<T extends string>(
    type: T,
    data?: T extends keyof UpData ? UpData[T] : Data,
    options: EmitOptions = {},
  ): Promise<string> {
    return this.#say(type, (data ?? {}) as Data, options)
  }

  /** Calls `handler` with the data of every message of this type; returns what ends that. What came before is told now. */
  on<T extends string>(type: T, handler: Handler<T>): () => void {
    const all = this.#handlers.get(type) ?? new Set()
    this.#handlers.set(type, all.add(handler as Handler<string>))
    const early = this.#unheard.filter((envelope) => envelope.type === type)
    this.#unheard = this.#unheard.filter((envelope) => envelope.type !== type)
    for (const envelope of early) this.#call(handler as Handler<string>, envelope)
    return () => all.delete(handler as Handler<string>)
  }

  /** Says how the page's state is had and taken up: answers Claude's questions for it, restores, and survives a reload. */
  state(state: PageState): void {
    this.#state = state
    const before = takeState(this.token) as
      | { page?: Data; components?: Parameters<Shell['restore']>[0] }
      | undefined
    if (before?.page) state.load(before.page)
    if (before?.components) this.#shell.restore(before.components)
    this.on(this.#types.restore, (data) => state.load(data))
    for (const { type, id } of this.#unheard) if (type === 'session.state') this.#answer(id)
    this.#unheard = this.#unheard.filter(({ type }) => type !== 'session.state')
  }

  /** Tells Claude how things are, without being asked. */
  snapshot(): Promise<string> {
    return this.emit(this.#types.snapshot, this.#state?.save() ?? {})
  }

  /** “Send to Claude”: hands over the state, or `data`; the window is closed then. Rejects when it could not be saved. */
  send(data: Data = this.#state?.save() ?? {}): Promise<string> {
    return this.emit(this.#types.export, data)
  }

  /** A button that does that; `data` says what is sent, where that is not the state. */
  sendButton(data?: () => Data | Promise<Data>, label = 'Send to Claude'): HTMLButtonElement {
    const press = async () => {
      button.disabled = true
      try {
        await this.send(data ? await data() : undefined)
        this.toast('Sent to Claude', 'ok')
      } catch (error) {
        this.toast(`Not sent: ${(error as Error).message}`, 'error')
      }
      button.disabled = false
    }
    const button = h('button', { type: 'button', class: 'lets-send', onclick: press }, label)
    return button
  }

  /** Takes a picture to the host and, unless `tell` is false, tells Claude where it is. */
  async upload(
    file: Blob,
    {
      source = 'file',
      componentId,
      tell = true,
    }: { source?: ImageSource; componentId?: string; tell?: boolean } = {},
  ): Promise<Uploaded> {
    const taken = (await ask(
      '/lip/upload',
      this.token,
      file,
      file.type || 'application/octet-stream',
    )) as Uploaded
    const { url: _, ...picture } = taken
    if (tell)
      await this.emit('media.image', {
        ...picture,
        source,
        ...(componentId !== undefined && { componentId }),
      })
    return taken
  }

  /** Calls `taken` with pictures that are pasted or dropped on `target`. */
  images(target: HTMLElement | Document, taken: Parameters<typeof onImages>[1]): () => void {
    return onImages(target, taken)
  }

  /** A picture of the screen, once the person allows it; `maxEdge` in pixels makes it smaller. Rejects with `LipRefused`. */
  capture({ display = 1, maxEdge }: { display?: number; maxEdge?: number } = {}): Promise<Capture> {
    const wanted = JSON.stringify({ display, max_edge: maxEdge })
    return ask('/lip/capture', this.token, wanted, 'application/json') as Promise<Capture>
  }

  /**
   * Runs code on the machine, once the person has allowed this unique that language (`permissions.exec` lists it). It is
   * ended after `timeoutMs` (a minute unless said otherwise), and with the window.
   */
  run(language: string, code: string, { timeoutMs }: { timeoutMs?: number } = {}): Run {
    const wanted = JSON.stringify({ language, code, timeout_ms: timeoutMs })
    return this.#runs.start(() => ask('/lip/run', this.token, wanted, 'application/json'))
  }

  toast(text: string, level: 'info' | 'ok' | 'warn' | 'error' = 'info'): void {
    this.#shell.toasts.show({ text, level })
  }

  /** Calls the companion to this place of the page; `context` is what is there. */
  summon(x: number, y: number, context?: unknown): void {
    this.#shell.companion?.summon(x, y, context)
  }

  #say(type: string, data: Data, options: EmitOptions = {}): Promise<string> {
    const sent = this.#link.send({ type, data, ...options })
    // Who does not wait for it hears of a refusal by `on('lip.error')`.
    sent.catch((error: LipRefused) => this.#tell('lip.error', { code: error.code, message: error.message }))
    return sent
  }

  /** Says how things are, to the question of this id. */
  #answer(question: string): void {
    void this.#say(this.#types.snapshot, this.#state?.save() ?? {}, { re: question })
  }

  #release(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const envelope of held) this.#received(envelope)
  }

  #received(envelope: Envelope): void {
    const { type, data, id } = envelope
    if (type === 'session.close') this.#closeReason = String(data.reason)
    if (type === 'session.state' && this.#state) this.#answer(id)
    const known = type.startsWith('host.run.') ? this.#runs.take(envelope) : this.#shell.take(envelope)
    const handlers = this.#handlers.get(type)
    if (handlers && handlers.size > 0) for (const handler of [...handlers]) this.#call(handler, envelope)
    else if (!known && !type.startsWith('lip.')) this.#unheard = [...this.#unheard, envelope].slice(-UNHEARD)
  }

  #tell(type: string, data: Data): void {
    for (const handler of this.#handlers.get(type) ?? []) handler(data, { type, data } as Envelope)
  }

  /** A fault of one handler is the page's, and keeps nobody else from hearing. */
  #call(handler: Handler<string>, envelope: Envelope): void {
    try {
      handler(envelope.data, envelope)
    } catch (error) {
      reportError(error)
    }
  }

  #keep(): void {
    if (this.#link.state === 'closed' || this.#link.state === 'refused') return
    keepState(this.token, {
      ...(this.#state && { page: this.#state.save() }),
      components: this.#shell.keep(),
    })
  }
}
