/** Text boxes that stand for something that changes: a component, a notice. Each is one mark at a time, of the sender’s session. */
import type { Display, Rect } from '../../protocol/overlay/geometry.js'
import type { AckMessage } from '../../protocol/overlay/schema.js'
import type { LetsClient } from '../client/client.js'
import { Latest } from './latest.js'
import type { Shelf } from './shelf.js'
import { BOX_WIDTH, boxHeight } from './words.js'

export interface Box {
  readonly display: number
  /** The component that it shows; null: a notice, whose end is no news. */
  readonly component: {
    readonly id: string
    readonly type: string
    props: Readonly<Record<string, unknown>>
  } | null
  /** Where it was asked to be. */
  readonly at?: readonly [x: number, y: number]
  readonly drawing: Latest<AckMessage>
  /** The command that it shows. */
  command: string
  /** Its mark; null: none yet, or no more. */
  mark: string | null
  isGone: boolean
}

export interface BoxesParts {
  readonly client: LetsClient
  readonly shelf: Shelf
  /** A mark of a box is there. */
  drawn(mark: string, box: Box): void
  /** It is there no more, because we took it away. */
  cleared(mark: string): void
}

export class Boxes {
  constructor(private readonly parts: BoxesParts) {}

  make(display: number, component: Box['component'], at?: Box['at']): Box {
    return {
      display,
      component,
      ...(at && { at }),
      drawing: new Latest(),
      command: '',
      mark: null,
      isGone: false,
    }
  }

  /** Shows this text in it, instead of what it showed. Of several in a row the latest is sure to be. */
  show(box: Box, text: string, display: Display, ttlMs?: number): Promise<AckMessage> {
    return box.drawing.run(() => this.#draw(box, text, display, ttlMs))
  }

  /** Takes it off. */
  async remove(box: Box): Promise<void> {
    this.forget(box)
    if (box.mark !== null) await this.#clear(box.mark)
  }

  /** Its mark went: it takes no room any more. */
  forget(box: Box): void {
    box.isGone = true
    this.parts.shelf.remove(box.display, box)
  }

  async #draw(box: Box, text: string, display: Display, ttlMs: number | undefined): Promise<AckMessage> {
    const { client, drawn } = this.parts
    const answer = await client.textbox({
      rect: [...this.#place(box, text, display)] as [number, number, number, number],
      display_id: box.display,
      text,
      about: 'screen',
      ...(ttlMs !== undefined && { ttl_ms: ttlMs }),
    })
    const before = box.mark
    box.mark = answer.annotation_id
    drawn(answer.annotation_id, box)
    if (before !== null) await this.#clear(before)
    // It was taken off while it was being drawn.
    if (box.isGone) await this.#clear(answer.annotation_id)
    return answer
  }

  #place(box: Box, text: string, { logical_size }: Display): Rect {
    const size = [BOX_WIDTH, boxHeight(text)] as const
    if (!box.at) return this.parts.shelf.put(box.display, box, size, logical_size)
    const rect: Rect = [box.at[0], box.at[1], ...size]
    this.parts.shelf.keep(box.display, box, rect)
    return rect
  }

  /** One that is gone already is as good as cleared. */
  async #clear(mark: string): Promise<void> {
    this.parts.cleared(mark)
    await this.parts.client.clear(mark).catch(() => {})
  }
}
