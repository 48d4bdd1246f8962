/** What the SDK shows of itself: components, chat, companion, notices and theme, each from when it is needed. */
import type { Capability } from '../../protocol/lip/domains.js'
import type { DownData, Envelope, UpData } from '../../protocol/lip/schema.js'
import { Board, type Kept } from './board.js'
import { Chat } from './chat.js'
import { Companion } from './companion.js'
import type { LinkState } from './link.js'
import { Notice } from './notice.js'
import { setTheme } from './theme.js'
import { Toasts } from './toasts.js'
import type { ImageSource, Uploaded } from './upload.js'

export interface ShellParts {
  readonly emit: <T extends keyof UpData>(type: T, data: UpData[T]) => void
  readonly say: (data: UpData['chat.message']) => Promise<unknown>
  readonly upload: (file: File, source: ImageSource, componentId?: string) => Promise<Uploaded>
  readonly takeBack: () => void
}

type Takers = { readonly [T in keyof DownData]?: (data: DownData[T], envelope: Envelope) => void }

export class Shell {
  readonly toasts = new Toasts()
  readonly #notice = new Notice()
  #board: Board | null = null
  #chat: Chat | null = null
  companion: Companion | null = null
  #capabilities: readonly string[] = []

  constructor(private readonly parts: ShellParts) {}

  /** Shows what the unique lists. */
  begin(capabilities: readonly string[]): void {
    this.#capabilities = capabilities
    if (this.#can('chat')) this.#talk()
    if (this.#can('entity')) this.#accompany()
  }

  /** Does what a message asks the shell to do; false when it is not for the shell. */
  take(envelope: Envelope): boolean {
    const taker = Object.hasOwn(this.#takers, envelope.type)
      ? this.#takers[envelope.type as keyof DownData]
      : undefined
    taker?.(envelope.data as never, envelope)
    return taker !== undefined
  }

  connection(state: LinkState, reason: string): void {
    this.#notice.show(state, reason, this.parts.takeBack)
    // Works for windows that are nothing but this page; others stay, and say that they may be closed.
    if (state === 'closed') setTimeout(() => close(), 1500)
  }

  keep(): readonly Kept[] {
    return this.#board?.keep() ?? []
  }

  restore(kept: readonly Kept[]): void {
    if (kept.length > 0) this.#components().restore(kept)
  }

  #takers: Takers = {
    'ui.toast': (data) => this.toasts.show(data),
    'ui.theme': setTheme,
    'component.create': (data) => this.#components().create(data),
    'component.update': (data) => this.#board?.update(data),
    'component.remove': (data) => this.#board?.remove(data),
    'chat.open': () => this.#talk().open(),
    'chat.close': () => this.#chat?.close(),
    'chat.say': (data, envelope) => this.#talk().say(data, envelope),
    'chat.typing': (data) => this.#talk().typing(data),
    'entity.say': (data) => this.#accompany().say(data),
    'entity.mood': (data) => this.#accompany().mood(data),
    'entity.suggest': (data) => this.#accompany().suggest(data),
    'entity.move': (data) => this.#accompany().move(data),
    'entity.react': (data) => this.#accompany().react(data),
    'entity.persona': (data) => this.#accompany().persona(data),
    'entity.show': () => this.#accompany().show(),
    'entity.hide': () => this.companion?.hide(),
  }

  #components(): Board {
    this.#board ??= new Board({
      act: (id, action) => this.parts.emit('component.action', { id, ...action }),
      takeFor: (id) => async (file, source) => (await this.parts.upload(file, source, id)).url,
    })
    return this.#board
  }

  #talk(): Chat {
    const takesImages = this.#can('media.image')
    this.#chat ??= new Chat({
      send: this.parts.say,
      upload: takesImages ? (file, source) => this.parts.upload(file, source) : null,
    })
    return this.#chat
  }

  #accompany(): Companion {
    const talk = { label: 'Talk to Claude', act: () => this.#talk().open(true) }
    this.companion ??= new Companion({ emit: this.parts.emit, own: this.#can('chat') ? [talk] : [] })
    return this.companion
  }

  #can(capability: Capability): boolean {
    return this.#capabilities.includes(capability)
  }
}
