/** Pictures of a display: through the addon, which leaves our marks out, or else as the display is. */
import { type CaptureRequest, type Frame, HostUnavailable } from '../host.js'
import { impressionOf } from './impression.js'
import type { Listed, Place } from './layout.js'
import { type Picture, type PixelRect, plain, toPixels } from './paint.js'
import { PersonRefused, type PictureSource } from './picture-source.js'

/** Bytes a pixel. */
const PIXEL = 4

/** The plain ground of a picture that shows the marks alone: of a middle tone, since inks were chosen for light and dark. */
const GROUND = [0x8c, 0x92, 0x9c, 0xff] as const

/** What draws on one display, as far as pictures of it need to know. */
export interface Painter {
  /** Waits until what is drawn moves no more, for a while at most. */
  settled(): Promise<void>
  /** What a picture of the screen itself would have in it that is ours. */
  readonly shown: 'nothing' | 'marks' | 'prompt'
  /** Paints the marks into a picture of what is below, which is of `rect`, in physical pixels of the display. */
  paintOver(picture: Picture, rect: PixelRect): Promise<void>
}

/** The addon, as far as pictures are taken with it. Promises reject with `HostUnavailable`. */
export interface Eye<M extends Listed> {
  /**
   * Fills `target` with opaque RGBA of `area`, in pixels of the monitor, without our marks. Rejects with `PersonRefused` where
   * no other way is to be tried.
   */
  take(monitor: M, area: PixelRect, target: Uint8Array): Promise<void>
  /** Which layout there is now. */
  epoch(): Promise<number>
}

export class Look<M extends Listed> {
  /** Why pictures are not taken by the addon, while they are not. */
  #reason: string | null = null

  constructor(
    private readonly eye: Eye<M>,
    /** Where a display is now; undefined: it is not connected. A new layout has new places. */
    private readonly placeOf: (display: number) => Place<M> | undefined,
    /** Another way to the screen's pixels; null: there is none. */
    private readonly other: PictureSource | null,
  ) {}

  get notes(): readonly string[] {
    if (this.#reason === null) return []
    return [`Pictures are taken with ${this.other?.name}, and have the marks in them: ${this.#reason}.`]
  }

  /** As `OverlayHost.capture`. */
  async capture({ display, rect, marks, backdrop }: CaptureRequest, painter: Painter): Promise<Frame> {
    const place = this.placeOf(display)
    if (!place) throw new HostUnavailable(`display ${display} is not connected`)
    const { scale, width, height } = place.monitor
    const area = toPixels(rect ?? [0, 0, width / scale, height / scale], scale, place.monitor)
    if (!area) throw new HostUnavailable(`nothing of display ${display} is in the rectangle`)
    const origin = [area.x / scale, area.y / scale] as const
    const size = { width: area.width, height: area.height }
    if (marks) await painter.settled()
    if (backdrop === 'none') {
      const data = plain(area, GROUND)
      await painter.paintOver({ ...size, data }, area)
      return { scale, origin, ...size, data }
    }
    const { data, hasMarks } = await this.#pixels({ display, place }, area, marks, painter)
    // The marks are painted over it here: what the root shows is a compositor's frame behind what was drawn.
    const impression = hasMarks ? undefined : impressionOf({ ...area, data }, scale)
    if (marks && !hasMarks) await painter.paintOver({ ...size, data }, area)
    return { scale, origin, ...size, data, ...(impression && { impression }) }
  }

  /**
   * Opaque RGBA of `area`, in pixels of the display. Without our marks, unless `hasMarks`: then it was only to be had with
   * everything on it, and `marks` said that this is wanted. Rejects with `HostUnavailable`.
   */
  async #pixels(
    subject: Subject<M>,
    area: PixelRect,
    marks: boolean,
    painter: Painter,
  ): Promise<{ readonly data: Uint8Array; readonly hasMarks: boolean }> {
    const { monitor } = subject.place
    const data = new Uint8Array(area.width * area.height * PIXEL)
    const fault = await this.eye.take(monitor, area, data).then(
      () => null,
      (error: Error) => error,
    )
    // Also where it failed: a layout that changed is a reason that passes, and not one to look in another way.
    await this.#sure(subject)
    if (fault === null) {
      this.#reason = null
      return { data, hasMarks: false }
    }
    if (!this.other || fault instanceof PersonRefused) throw fault
    refuseMarks(subject.display, painter.shown, marks, fault.message)
    const { name, primary, x, y, width, height } = monitor
    const wanted = { id: subject.display, name, primary, bounds: { x, y, width, height } }
    const seen = await this.other.take(wanted, area).catch((error: Error) => {
      // Why the first way failed is what a person can do something about.
      throw new HostUnavailable(`${fault.message}; ${error.message}`)
    })
    await this.#sure(subject)
    this.#reason = fault.message
    return { data: seen, hasMarks: true }
  }

  /** What was pictured is that display only if the layout did not change meanwhile: its place may be another's now. */
  async #sure({ display, place }: Subject<M>): Promise<void> {
    if ((await this.eye.epoch()) !== place.epoch || this.placeOf(display) !== place)
      throw new HostUnavailable(`the displays changed while display ${display} was pictured; ask again`)
  }
}

/** A display, and where it was when its picture was asked for. */
interface Subject<M extends Listed> {
  readonly display: number
  readonly place: Place<M>
}

/** A picture of the screen as it is must not have in it what is not wanted there. */
function refuseMarks(display: number, shown: Painter['shown'], wanted: boolean, reason: string): void {
  if (shown === 'nothing' || (shown === 'marks' && wanted)) return
  const what = shown === 'prompt' ? 'a question to the person is' : 'marks are'
  throw new HostUnavailable(
    `the screen can only be pictured with everything on it (${reason}), and ${what} on display ${display}; ask again once it is clear, or for marks`,
  )
}
