/** What is on a screen: through the addon, which leaves our marks out, or else as it is. */
import type { X11Host as Connection } from '../../../native/index.js'
import { HostUnavailable } from '../../host.js'
import type { PixelRect } from '../paint.js'
import type { PictureSource } from '../picture-source.js'
import type { Screen } from './screen.js'

/** Bytes a pixel. */
const PIXEL = 4

type Call = <T>(use: (connection: Connection) => Promise<T>) => Promise<T>

/** One screen, and whether it is still the display of that id. */
interface Subject {
  readonly id: number
  readonly screen: Screen
  readonly isSame: () => boolean
}

export class Look {
  /** Why pictures are not taken by the addon, while they are not. */
  #reason: string | null = null

  constructor(
    private readonly call: Call,
    /** Another way to the screen's pixels; null: there is none. */
    private readonly other: PictureSource | null,
  ) {}

  get notes(): readonly string[] {
    if (this.#reason === null) return []
    return [`Pictures are taken with screenshot-desktop, and have the marks in them: ${this.#reason}.`]
  }

  /**
   * Opaque RGBA of `area`, in pixels of the screen. Without our marks, unless `hasMarks`: then it was only to be had with
   * everything on it, and `marks` said that this is wanted. Rejects with `HostUnavailable`.
   */
  async at(
    subject: Subject,
    area: PixelRect,
    marks: boolean,
  ): Promise<{ readonly data: Uint8Array; readonly hasMarks: boolean }> {
    const { monitor, epoch } = subject.screen
    const onRoot = { ...area, x: monitor.x + area.x, y: monitor.y + area.y, overlay: false }
    const data = new Uint8Array(area.width * area.height * PIXEL)
    const fault = await this.call((connection) => connection.captureInto(onRoot, data)).then(
      () => null,
      (error: Error) => error,
    )
    // Also where it failed: a layout that changed is a reason that passes, and not one to look in another way.
    await this.#sure(subject, epoch)
    if (fault === null) {
      this.#reason = null
      return { data, hasMarks: false }
    }
    if (!this.other) throw fault
    const seen = await this.#asItIs(subject, area, marks, fault.message, this.other)
    await this.#sure(subject, epoch)
    this.#reason = fault.message
    return { data: seen, hasMarks: true }
  }

  #asItIs(
    { id, screen }: Subject,
    area: PixelRect,
    marks: boolean,
    reason: string,
    other: PictureSource,
  ): Promise<Uint8Array> {
    if (screen.shown === 'prompt' || (screen.shown === 'marks' && !marks)) {
      const what = screen.shown === 'prompt' ? 'a question to the person is' : 'marks are'
      throw new HostUnavailable(
        `the screen can only be pictured with everything on it (${reason}), and ${what} on display ${id}; ask again once it is clear, or for marks`,
      )
    }
    const { name, primary, x, y, width, height } = screen.monitor
    return other.take({ id, name, primary, bounds: { x, y, width, height } }, area)
  }

  /** What was pictured is that screen only if the layout did not change meanwhile: its place may be another's now. */
  async #sure({ id, isSame }: Subject, epoch: number): Promise<void> {
    const now = await this.call((connection) => connection.monitors())
    if (now.epoch !== epoch || !isSame())
      throw new HostUnavailable(`the displays changed while display ${id} was pictured; ask again`)
  }
}
