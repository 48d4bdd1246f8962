/** A panel to talk in: what Claude says comes word by word, what the person says may bring pictures. */
import type { DownData, Envelope, UpData } from '../../protocol/lip/schema.js'
import { h, sheet, surface } from './dom.js'
import { baseSheet } from './theme.js'
import { type ImageSource, onImages, type Uploaded } from './upload.js'

const own = sheet(`
  #open { position: fixed; z-index: 2147483100; right: 16px; bottom: 16px; min-height: 44px; padding: 0 18px; border-radius: 22px; background: var(--lets-surface);
    border-color: var(--lets-control); box-shadow: var(--lets-shadow); font-weight: 600; }
  #open.news::after { content: ''; display: inline-block; width: 8px; height: 8px; margin-left: 8px; border-radius: 50%; background: var(--lets-accent); }
  aside { position: fixed; z-index: 2147483100; right: 16px; bottom: 16px; display: flex; flex-direction: column; width: min(380px, calc(100vw - 32px));
    height: min(520px, calc(100vh - 32px)); border: 1px solid var(--lets-line); border-radius: 14px; background: var(--lets-surface); box-shadow: var(--lets-shadow); overflow: hidden; }
  header { display: flex; align-items: center; justify-content: space-between; padding: 8px 8px 8px 16px; border-bottom: 1px solid var(--lets-line); }
  h2 { margin: 0; font-size: 15px; }
  #log { flex: 1; display: flex; flex-direction: column; gap: 8px; padding: 14px; overflow-y: auto; overscroll-behavior: contain; }
  #log p { max-width: 88%; padding: 8px 12px; border-radius: 12px; background: var(--lets-raised); white-space: pre-wrap; overflow-wrap: anywhere; align-self: flex-start; }
  #log p.mine { align-self: flex-end; border: 1px solid var(--lets-accent); background: none; }
  #log p.failed { border-color: var(--lets-error); }
  #log img { display: block; max-width: 100%; max-height: 160px; margin-top: 6px; border-radius: 6px; }
  #typing { min-height: 20px; padding: 0 16px; }
  form { display: flex; gap: 8px; align-items: flex-end; padding: 10px; border-top: 1px solid var(--lets-line); }
  textarea { flex: 1; min-height: 36px; max-height: 140px; resize: none; field-sizing: content; }
  form button { min-height: 36px; }
  #pictures { display: flex; gap: 6px; padding: 8px 10px 0; }
  #pictures:empty { display: none; }
  #pictures img { width: 48px; height: 48px; object-fit: cover; border-radius: 6px; }
  aside[data-lets-drop] { outline: 2px dashed var(--lets-accent); outline-offset: -4px; }
`)

export interface ChatParts {
  readonly send: (message: UpData['chat.message']) => Promise<unknown>
  /** Takes a picture to the host; null where the unique takes none. */
  readonly upload: ((file: File, source: ImageSource) => Promise<Uploaded>) | null
}

/** What comes in pieces, put in order. */
interface Stream {
  readonly element: HTMLElement
  readonly early: Map<number, string>
  next: number
  /** The piece with `done`; pieces before it may still come. */
  last: number | null
}

const STREAMS = 50

export class Chat {
  readonly #open = h(
    'button',
    { id: 'open', type: 'button', 'aria-expanded': 'false', onclick: () => this.open(true) },
    'Talk to Claude',
  )
  readonly #log = h('div', { id: 'log', role: 'log', 'aria-label': 'Conversation', tabindex: 0 })
  readonly #typing = h('div', { id: 'typing', class: 'muted', role: 'status' })
  readonly #text = h('textarea', {
    rows: 1,
    'aria-label': 'Message to Claude',
    placeholder: 'Write to Claude',
    onkeydown: (event: KeyboardEvent) => this.#key(event),
  })
  readonly #pictures = h('div', { id: 'pictures' })
  readonly #panel: HTMLElement
  readonly #streams = new Map<string, Stream>()
  #attachments: Uploaded[] = []

  constructor(private readonly parts: ChatParts) {
    const submit = (event: Event) => {
      event.preventDefault()
      void this.#say()
    }
    this.#panel = h(
      'aside',
      {
        'aria-label': 'Talk to Claude',
        hidden: true,
        onkeydown: (event: KeyboardEvent) => event.key === 'Escape' && this.close(true),
      },
      h(
        'header',
        {},
        h('h2', {}, 'Claude'),
        h(
          'button',
          {
            type: 'button',
            class: 'plain',
            'aria-label': 'Close the conversation',
            onclick: () => this.close(true),
          },
          '×',
        ),
      ),
      this.#log,
      this.#typing,
      this.#pictures,
      h('form', { onsubmit: submit }, this.#text, h('button', { class: 'primary' }, 'Send')),
    )
    surface('chat', baseSheet, own).root.append(this.#open, this.#panel)
    if (parts.upload) onImages(this.#panel, (files, source) => void this.#attach(files, source))
  }

  /** Shows the panel; the person's focus goes there only when it was they who opened it. */
  open(byPerson = false): void {
    this.#panel.hidden = false
    this.#open.hidden = true
    this.#open.classList.remove('news')
    this.#toEnd(true)
    if (byPerson) this.#text.focus()
  }

  close(byPerson = false): void {
    this.#panel.hidden = true
    this.#open.hidden = false
    if (byPerson) this.#open.focus()
  }

  typing({ on }: DownData['chat.typing']): void {
    this.#typing.textContent = on ? 'Claude is writing …' : ''
  }

  /** A message, or a piece of the one that answers the same `re`. */
  say({ text, seq, done }: DownData['chat.say'], { re }: Envelope): void {
    this.#typing.textContent = ''
    if (this.#panel.hidden) this.#open.classList.add('news')
    if (re === undefined || (seq === undefined && done === undefined)) this.#add(text)
    else this.#piece(re, text, seq, done === true)
    this.#toEnd(false)
  }

  #piece(re: string, text: string, seq: number | undefined, done: boolean): void {
    const stream = this.#streams.get(re) ?? {
      element: this.#add(''),
      early: new Map<number, string>(),
      next: seq === 1 ? 1 : 0,
      last: null,
    }
    if (!this.#streams.has(re)) stream.element.setAttribute('aria-busy', 'true')
    this.#streams.set(re, stream)
    for (const oldest of this.#streams.keys()) {
      if (this.#streams.size <= STREAMS) break
      this.#streams.delete(oldest)
    }
    const at = seq ?? stream.next
    // One that came before is no news; one that came too early waits for those before it.
    if (at >= stream.next) stream.early.set(at, text)
    if (done) stream.last = at
    for (
      let piece = stream.early.get(stream.next);
      piece !== undefined;
      piece = stream.early.get(stream.next)
    ) {
      stream.early.delete(stream.next)
      stream.element.append(piece)
      stream.next++
    }
    if (stream.last === null || stream.next <= stream.last) return
    stream.element.removeAttribute('aria-busy')
    this.#streams.delete(re)
  }

  #key(event: KeyboardEvent): void {
    // Enter ends a word in languages that are composed; it does not send then.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void this.#say()
  }

  async #say(): Promise<void> {
    const text = this.#text.value.trim()
    const pictures = this.#attachments
    if (text === '' && pictures.length === 0) return
    this.#text.value = ''
    this.#attachments = []
    this.#pictures.replaceChildren()
    const element = this.#add(text, 'mine')
    for (const { url } of pictures) element.append(h('img', { src: url, alt: 'A picture' }))
    this.#toEnd(true)
    try {
      const attachments = pictures.map(({ path, mime }) => ({ path, mime }))
      await this.parts.send({ text, ...(attachments.length > 0 && { attachments }) })
    } catch (error) {
      element.classList.add('failed')
      element.append(h('span', { class: 'muted' }, `\nNot sent: ${(error as Error).message}`))
    }
  }

  async #attach(files: readonly File[], source: ImageSource): Promise<void> {
    for (const file of files) {
      try {
        const taken = await this.parts.upload?.(file, source)
        if (!taken) continue
        this.#attachments.push(taken)
        this.#pictures.append(h('img', { src: taken.url, alt: file.name }))
      } catch (error) {
        this.#typing.textContent = `${file.name}: ${(error as Error).message}`
      }
    }
  }

  #add(text: string, whose = 'theirs'): HTMLElement {
    const element = h(
      'p',
      { class: whose },
      h('span', { class: 'quiet' }, whose === 'mine' ? 'You: ' : 'Claude: '),
      text,
    )
    this.#log.append(element)
    return element
  }

  /** Follows what is said, unless the person reads what was said before. */
  #toEnd(always: boolean): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#log
    if (always || scrollHeight - scrollTop - clientHeight < 120) this.#log.scrollTop = scrollHeight
  }
}
