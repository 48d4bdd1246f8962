/** What one sender has on the screens: a session of the overlay wire, with the marks and boxes in it. */
import type { Display } from '../../protocol/overlay/geometry.js'
import type { AckMessage, RequestOf } from '../../protocol/overlay/schema.js'
import type { LetsClient } from '../client/client.js'
import { LetsError } from '../client/errors.js'
import type { Body } from '../client/wire.js'
import { displayOf, type MediumAnswer, type MediumCommand, type Tell } from '../lip/medium.js'
import { type Box, Boxes } from './boxes.js'
import { Latest } from './latest.js'
import type { Shelf } from './shelf.js'
import { type Piece, Streams } from './streams.js'
import { wordsOf } from './words.js'

type Fields = Readonly<Record<string, unknown>>

export interface SessionParts {
  readonly client: LetsClient
  readonly shelf: Shelf
  readonly tell: Tell
}

interface Mine {
  /** The command that put it there. */
  readonly command: string
  readonly display: number
  readonly box: Box | null
}

/** How long a notice stays, in ms: what went wrong is read more slowly. */
const NOTICE_MS = { calm: 5000, grave: 10_000 }

/** Marks that went before their ack was handled; only that many are remembered. */
const EARLY = 256

export class SenderSession {
  readonly #marks = new Map<string, Mine>()
  readonly #components = new Map<string, Box>()
  readonly #notices = new Map<number, Box>()
  readonly #early = new Map<string, string>()
  readonly #boxes: Boxes
  readonly #streams = new Streams()
  readonly #saying = new Latest<AckMessage>()
  #ended = false

  constructor(private readonly parts: SessionParts) {
    const { client, shelf } = parts
    this.#boxes = new Boxes({
      client,
      shelf,
      drawn: (mark, box) => this.#register(mark, { command: box.command, display: box.display, box }),
      cleared: (mark) => void this.#marks.delete(mark),
    })
    void this.#hear()
  }

  /** A mark as the wire knows it. Rejects as the client does. */
  async mark({ id, to, type, data }: MediumCommand): Promise<MediumAnswer> {
    const kind = type.slice('screen.'.length)
    if (kind === 'clear') return this.#clear(to, data)
    const answer = await this.parts.client.request({ ...data, type: kind } as unknown as Body)
    const { annotation_id, display } = answer
    if (annotation_id !== undefined)
      this.#register(annotation_id, { command: id, display: display?.id ?? displayOf(to), box: null })
    return said(answer)
  }

  /** A notice takes the place of the one before it. */
  async notice({ id, type, data }: MediumCommand, display: Display): Promise<MediumAnswer> {
    const { text, level, ttl } = data as { text: string; level?: string; ttl?: number }
    const grave = level === 'warn' || level === 'error'
    const before = this.#notices.get(display.id)
    const box = before && !before.isGone ? before : this.#boxes.make(display.id, null)
    this.#notices.set(display.id, box)
    box.command = id
    const ms = ttl ?? (grave ? NOTICE_MS.grave : NOTICE_MS.calm)
    return said(await this.#show(box, type, text, display, ms))
  }

  /** A component that is drawn: made, changed or taken off. */
  async component({ id, type, data }: MediumCommand, display: Display): Promise<MediumAnswer> {
    const name = String(data.id)
    const before = this.#components.get(name)
    if (type === 'component.create') {
      if (before) await this.#boxes.remove(before)
      const at = data.at as { readonly x: number; readonly y: number } | undefined
      const component = { id: name, type: String(data.type), props: data.props as Fields }
      const box = this.#boxes.make(display.id, component, at && [at.x, at.y])
      this.#components.set(name, box)
      return this.#showComponent(box, id, type, display)
    }
    if (!before?.component) return { ignored: 'it is not on the screen any more' }
    if (type === 'component.remove') {
      this.#components.delete(name)
      await this.#boxes.remove(before)
      return {}
    }
    before.component.props = data.props as Fields
    return this.#showComponent(before, id, type, display)
  }

  /** Whatever the companion is asked. It says itself when nobody sees it. */
  async entity({ type, data }: MediumCommand, display: Display): Promise<MediumAnswer> {
    const command = type as NonNullable<RequestOf<'companion'>['command']>
    return said(await this.parts.client.companion({ command, data, display_id: display.id }))
  }

  /** The companion says it. Pieces of one answer are one bubble that grows. */
  async chat({ data, re }: MediumCommand, display: Display): Promise<MediumAnswer> {
    const text = this.#streams.take(re, data as unknown as Piece)
    if (text === null) return { waits: 'for the pieces before it' }
    const say = () =>
      this.parts.client.companion({ command: 'entity.say', data: { text }, display_id: display.id })
    return said(await this.#saying.run(say))
  }

  /** What is on this display now. */
  async state(display: number): Promise<Fields> {
    const { client } = this.parts
    const [{ marks = [] }, { companion }] = await Promise.all([client.status(), client.companion()])
    const components = [...this.#components.values()].flatMap(({ component, mark, display: on }) =>
      component && on === display ? [{ ...component, ...(mark !== null && { annotation_id: mark }) }] : [],
    )
    return { marks: marks.filter((mark) => mark.display_id === display), components, companion }
  }

  /** Takes everything off, and hangs up. `reason`: told of each mark; absent: whoever asked knows. */
  async end(reason?: string): Promise<void> {
    this.#ended = true
    for (const [mark, mine] of this.#marks) {
      if (reason !== undefined) this.#tell(mark, mine, reason)
      if (mine.box) this.#boxes.forget(mine.box)
    }
    this.#marks.clear()
    await this.parts.client.close()
  }

  async #showComponent(box: Box, command: string, sent: string, display: Display): Promise<MediumAnswer> {
    const { id, type, props } = box.component as NonNullable<Box['component']>
    box.command = command
    try {
      return said(await this.#show(box, sent, wordsOf(type, props), display))
    } catch (error) {
      if (box.mark === null) this.#components.delete(id)
      throw error
    }
  }

  async #show(box: Box, sent: string, text: string, display: Display, ttlMs?: number): Promise<AckMessage> {
    try {
      return await this.#boxes.show(box, text, display, ttlMs)
    } catch (error) {
      if (box.mark === null) this.#boxes.forget(box)
      throw inWordsOf(sent, error)
    }
  }

  /** Only ever the sender’s own; `all` are those on the screen that it was sent to. */
  async #clear(to: string, { annotation_id, all_sessions }: Fields): Promise<MediumAnswer> {
    if (all_sessions !== undefined)
      throw new LetsError(
        'not_permitted',
        'screen.clear: a sender clears its own marks; `lets clear --all-sessions` is the person’s to say',
      )
    if (annotation_id !== undefined) {
      const cleared = await this.parts.client.clear(String(annotation_id))
      this.#forget(String(annotation_id))
      return { cleared }
    }
    const display = displayOf(to)
    const here = [...this.#marks].filter(([, mine]) => mine.display === display).map(([mark]) => mark)
    for (const box of this.#components.values()) if (box.display === display) this.#boxes.forget(box)
    const cleared = await Promise.all(here.map((mark) => this.parts.client.clear(mark).catch(() => 0)))
    for (const mark of here) this.#forget(mark)
    return { cleared: cleared.reduce((sum, one) => sum + one, 0) }
  }

  #register(mark: string, mine: Mine): void {
    this.#marks.set(mark, mine)
    const reason = this.#early.get(mark)
    if (reason === undefined) return
    this.#early.delete(mark)
    this.#gone(mark, reason)
  }

  async #hear(): Promise<void> {
    for await (const { annotation_id, reason } of this.parts.client.invalidations()) {
      if (this.#ended) return
      if (this.#marks.has(annotation_id)) this.#gone(annotation_id, reason)
      else if (this.#early.size < EARLY) this.#early.set(annotation_id, reason)
    }
  }

  #gone(mark: string, reason: string): void {
    const mine = this.#marks.get(mark) as Mine
    this.#forget(mark)
    this.#tell(mark, mine, reason)
  }

  #forget(mark: string): void {
    const mine = this.#marks.get(mark)
    this.#marks.delete(mark)
    const box = mine?.box
    // One that was drawn anew meanwhile has another mark.
    if (!box || box.mark !== mark) return
    box.mark = null
    this.#boxes.forget(box)
    if (box.component) this.#components.delete(box.component.id)
  }

  #tell(mark: string, { command, display, box }: Mine, reason: string): void {
    // A notice whose time is over went as it was to.
    if (box && !box.component && reason === 'ttl') return
    const component = box?.component ? { component: box.component.id } : {}
    const data = { annotation_id: mark, reason, ...component }
    this.parts.tell(`screen#d${display}`, { type: 'screen.invalidated', data, re: command })
  }
}

/** A refusal of a box, in the words of who sent what it shows: they never asked for a text box. */
function inWordsOf(type: string, error: unknown): unknown {
  if (!(error instanceof LetsError)) return error
  const text = type === 'ui.toast' ? 'text' : 'what its props say'
  const message = error.message
    .replace(/^textbox: /, `${type}: `)
    .replace(/: ttl_ms /, ': ttl ')
    .replace(/: text /, `: ${text} `)
  return new LetsError(error.code, message, error.candidates)
}

/** An ack without its envelope. `left_out`: parts of a command that meant nothing; all else of it was done. */
function said({ v: _, type: __, id: ___, ignored, ...answer }: AckMessage): MediumAnswer {
  return { ...answer, ...(ignored && ignored.length > 0 && { left_out: ignored }) }
}
