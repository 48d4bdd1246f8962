/** Pictures of the screen, and what is found there by words: on a connection of their own, which can be hung up without taking marks with it. */
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { AckMessage } from '../../protocol/overlay/schema.js'
import type { LetsClient } from '../client/client.js'
import { unlessAborted } from './abort.js'
import { type DaemonLink, Reconnecting } from './daemon-link.js'
import { ToolError } from './errors.js'
import { type FittedImage, fitted, MAX_EDGE } from './image.js'

type Fields = NonNullable<Parameters<LetsClient['capture']>[0]>
type Picture = Awaited<ReturnType<LetsClient['capture']>>

export interface Seen {
  readonly picture: Picture
  readonly image: FittedImage
  /** What the daemon draws on; headless: a display in memory, and not the person's. */
  readonly host: string
}

/** How long a picture may still take on a display that was pictured before, in ms; then it is the person who is waited for. */
const GRACE_MS = 500

export class Looking {
  readonly #connection: Reconnecting
  #host = 'unknown'
  /** Displays that the person has allowed this connection to picture, or that need no consent. */
  readonly #pictured = new Set<number>()
  /** Calls that somebody waits for, and requests without an answer; a question to the person is shared by all of them. */
  #wanted = 0
  #unanswered = 0

  constructor(link: DaemonLink) {
    this.#connection = new Reconnecting(link, {}, ({ drawsOn }) => {
      this.#host = drawsOn.host
      this.#pictured.clear()
    })
  }

  /**
   * A picture that MCP clients take, of exactly the pixels of its frame: where those are too many bytes, another one is
   * taken, with fewer.
   */
  async look(fields: Fields, signal: AbortSignal): Promise<Seen> {
    for (let edge: number | undefined; ; ) {
      const wanted = edge === undefined ? fields : { ...fields, max_edge: edge }
      const picture = await this.#capture(wanted, signal)
      const longer = Math.max(...(picture.image_size ?? [0, 0]))
      const image = longer <= MAX_EDGE ? await fitted(await taken(picture)) : null
      if (image) return { picture, image, host: this.#host }
      if (longer <= 16) throw new ToolError('internal', 'the picture cannot be made small enough to be sent')
      edge = Math.max(16, Math.min(MAX_EDGE, Math.floor(longer * 0.8)))
    }
  }

  /** Where something is that is told in words; a consent holds for this connection. */
  async find(fields: Parameters<LetsClient['locate']>[0], signal: AbortSignal): Promise<AckMessage> {
    this.#wanted++
    this.#unanswered++
    try {
      const asked = this.#connection.use((client) => client.locate(fields)).finally(() => this.#unanswered--)
      return await unlessAborted(asked, signal)
    } finally {
      this.#wanted--
      if (this.#isAbandoned()) this.#leave(fields.display_id)
    }
  }

  async close(): Promise<void> {
    await this.#connection.hangUp()
  }

  async #capture(fields: Fields, signal: AbortSignal): Promise<Picture> {
    const { display_id: display = 1 } = fields
    this.#wanted++
    try {
      const picture = await unlessAborted(this.#ask(fields), signal, discard)
      this.#pictured.add(display)
      return picture
    } finally {
      this.#wanted--
      if (this.#isAbandoned()) this.#leave(display)
    }
  }

  async #ask(fields: Fields): Promise<Picture> {
    this.#unanswered++
    try {
      return await this.#connection.use((client) => client.capture(fields))
    } finally {
      this.#unanswered--
    }
  }

  /** Whether requests wait for an answer that nobody wants any more, such as the person's. */
  #isAbandoned(): boolean {
    return this.#wanted === 0 && this.#unanswered > 0
  }

  /** Takes the question back that nobody waits for, by hanging up on it. */
  async #leave(display: number): Promise<void> {
    if (this.#pictured.has(display)) await delay(GRACE_MS, undefined, { ref: false })
    if (this.#isAbandoned()) await this.#connection.hangUp()
  }
}

/** The picture's bytes. The daemon's file is removed: it is in nobody's way, and nobody else's to see. */
async function taken(picture: Picture): Promise<Buffer> {
  const png = await readFile(picture.path)
  discard(picture)
  return png
}

function discard({ path }: Picture): void {
  rm(path, { force: true }).catch(() => {})
}
