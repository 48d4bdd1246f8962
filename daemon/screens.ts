/** Pictures of the screen for windows of uniques: each window is a client of the wire, under its title, like any agent. */
import { LipError } from '../protocol/lip/errors.js'
import { connect, type LetsClient } from './client/client.js'
import { LetsError } from './client/errors.js'
import type { ScreenPicture, Screens } from './lip/screen.js'

export class ClientScreens implements Screens {
  readonly #clients = new Map<string, Promise<LetsClient>>()

  /** @param socket the daemon's own */
  constructor(private readonly socket: string) {}

  async take(
    window: string,
    title: string,
    display: number,
    maxEdge: number | undefined,
    signal: AbortSignal,
  ): Promise<ScreenPicture> {
    // Who asks no more is gone, and with it the question that is on the screen.
    const hangUp = () => this.forget(window)
    try {
      signal.throwIfAborted()
      signal.addEventListener('abort', hangUp, { once: true })
      const client = await this.#clientOf(window, title)
      const { path, frame_id } = await client.capture({
        display_id: display,
        ...(maxEdge !== undefined && { max_edge: maxEdge }),
      })
      return { file: path, frame: frame_id ?? null }
    } catch (error) {
      if (!(error instanceof LetsError)) this.forget(window)
      throw asLipError(error)
    } finally {
      signal.removeEventListener('abort', hangUp)
    }
  }

  forget(window: string): void {
    const client = this.#clients.get(window)
    this.#clients.delete(window)
    void client?.then(
      (known) => known.close(),
      () => {},
    )
  }

  #clientOf(window: string, title: string): Promise<LetsClient> {
    const known = this.#clients.get(window)
    if (known) return known
    const made = connect({ clientName: title, socket: this.socket, lingerMs: 0, keepProcess: false })
    this.#clients.set(window, made)
    return made
  }
}

function asLipError(error: unknown): LipError {
  if (!(error instanceof LetsError)) return new LipError('unavailable', 'no picture could be taken')
  const { code, message } = error
  if (code === 'not_permitted' || code === 'limit') return new LipError(code, message)
  if (code === 'unknown_display' || code === 'bad_schema') return new LipError('bad_data', message)
  return new LipError('unavailable', message)
}
