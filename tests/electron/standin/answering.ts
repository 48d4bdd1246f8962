/** A page that answers by itself, as the real one would once it has painted. Nothing is on any screen. */
import { COMPANION_URL } from '../../../overlay/hosts/electron/bridge.js'
import {
  checkToCompanion,
  checkToPage,
  type FromCompanion,
  type FromPage,
  type ToCompanion,
  type ToPage,
} from '../../../protocol/host/page.js'
import type { Backing } from './electron.js'

export class AnsweringPage implements Backing {
  /** All it was told, since it was loaded last. */
  told: ToPage[] = []
  /** The same, of the companion's page. */
  pictures: ToCompanion[] = []
  loads = 0
  /** Says nothing any more, as a page that hangs. */
  mute = false
  /** Loads only when `loaded` is called. */
  slow = false
  loaded: () => void = () => {}
  #tell: (message: FromPage | FromCompanion) => void = () => {}
  #isCompanion = false
  readonly #ink = new Set<string>()

  async load(tell: (message: unknown) => void, url = ''): Promise<void> {
    this.#isCompanion = url === COMPANION_URL
    this.pictures = []
    this.loads++
    this.told = []
    this.#ink.clear()
    this.#tell = tell
    if (this.slow) {
      await new Promise<void>((resolve) => {
        this.loaded = resolve
      })
    }
    setImmediate(() =>
      this.say(this.#isCompanion ? { type: 'waiting' } : { type: 'ready', ratio: 1, pixels: [1280, 800] }),
    )
  }

  say(message: FromPage | FromCompanion): void {
    if (!this.mute) this.#tell(message)
  }

  send(value: unknown): void {
    if (this.#isCompanion) {
      const picture = checkToCompanion(value)
      if (!picture.ok) throw new Error(picture.reason)
      this.pictures.push(picture.message)
      setImmediate(() => this.say({ type: 'drawn', seq: picture.message.seq }))
      return
    }
    const checked = checkToPage(value)
    if (!checked.ok) {
      this.say({ type: 'refused', reason: checked.reason })
      return
    }
    const { message } = checked
    this.told.push(message)
    setImmediate(() => this.#answer(message))
  }

  show(): void {}
  hide(): void {}
  crash(): void {
    this.#tell = () => {}
  }
  destroy(): void {
    this.#tell = () => {}
    this.loaded()
  }

  #answer(message: ToPage): void {
    if (message.type === 'ping') {
      this.say({ type: 'pong', id: message.id })
      return
    }
    if (message.type === 'glyphs') {
      this.say({ type: 'missing', id: message.id, graphemes: [] })
      return
    }
    if (message.type === 'scene') this.#ink.clear()
    else for (const id of message.remove) this.#ink.delete(id)
    for (const { id } of message.put) this.#ink.add(id)
    if (message.prompt) this.#ink.add('prompt')
    else if (message.prompt === null) this.#ink.delete('prompt')
    const ink = this.#ink.size > 0
    this.say({ type: 'painted', seq: message.seq, presented: true, ink })
  }
}
