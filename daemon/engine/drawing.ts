/** The requests that put marks on the screen and move them. */
import { WireError } from '../../protocol/overlay/errors.js'
import type { Display, Rect } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { type AckFields, ackDisplay } from '../../protocol/overlay/replies.js'
import type { RequestOf } from '../../protocol/overlay/schema.js'
import {
  buildMark,
  type DrawingRequest,
  displayIdOf,
  inRange,
  moved,
  shifted,
  textBeyondLatin,
  touches,
} from './build.js'
import type { EngineOptions, Outcome } from './connection.js'
import type { Asker } from './consents.js'
import { completeAck } from './drawing-ack.js'
import type { Elements } from './elements.js'
import type { Frames } from './frames.js'
import type { GroundElement } from './grounder.js'
import { type Grounding, middleOf } from './grounding.js'
import { sureStill } from './impressions.js'
import type { MarkStore } from './mark-store.js'
import type { Pause } from './pause.js'
import { own } from './refusals.js'
import type { SceneQueue } from './scene-queue.js'
import type { Serving } from './serving.js'
import type { Entry, Session } from './session.js'
import { homeOf } from './window-requests.js'
import type { Windows } from './windows.js'

type DrawnQuery = (RequestOf<'point'> | RequestOf<'highlight'>) & { readonly query: string }
type Numbers = [number, number, number, number]

export class Drawing {
  constructor(
    private readonly options: EngineOptions,
    private readonly serving: Serving,
    private readonly marks: MarkStore,
    private readonly queue: SceneQueue,
    private readonly windows: Windows,
    private readonly frames: Frames,
    private readonly pause: Pause,
    private readonly grounding: Grounding,
    private readonly elements: Elements,
  ) {}

  /** Puts a mark where the request says. Throws or rejects with `WireError`. */
  draw(request: DrawingRequest, session: Session, asker: Asker, off: AbortSignal): Outcome {
    this.pause.refuse(request.type)
    if ('query' in request && request.query !== undefined)
      return this.#drawFound(request as DrawnQuery, session, asker, off)
    if (request.frame !== undefined && request.window !== undefined) {
      throw new WireError('bad_schema', `${request.type}: send either a frame or a window, not both`)
    }
    const { onDisplay, seen } = this.frames.open(request, this.serving.displays)
    if (!seen || this.serving.down !== null) return this.#drawNow(onDisplay, session)
    return this.serving.asked(async () => {
      const display = this.serving.display(displayIdOf(onDisplay))
      await sureStill(onDisplay, seen, display, this.options.host)
      return this.#drawNow(onDisplay, session)
    })
  }

  /** Gives a mark a new place; it keeps its id. */
  move(request: RequestOf<'move'>, session: Session): Outcome {
    this.pause.refuse(request.type)
    const entry = own(request.annotation_id, session)
    const display = this.serving.display(entry.display)
    const mark = moved(entry.mark, request)
    if (!touches(mark, display)) {
      const [width, height] = display.logical_size
      throw new WireError(
        'bad_schema',
        `move: that is off display ${display.id}, which is ${width}x${height} logical points; the mark stays where it was`,
      )
    }
    this.elements.release(entry)
    this.marks.replace(entry, mark)
    entry.window = undefined
    this.windows.attach(entry)
    return this.#settle(mark, display, session)
  }

  /** Puts a mark on what the words say: a pointer where that is sure, else its region outlined. */
  #drawFound(request: DrawnQuery, session: Session, asker: Asker, off: AbortSignal): Promise<AckFields> {
    return this.grounding.find(request, asker, off, async ({ found, screen, ack }) => {
      const { display } = screen
      const { rect, element } = found
      const { query: _, within: __, nth: ___, app: ____, token: _____, ...rest } = request
      const place = { display_id: display.id }
      const id = this.options.newId('a_')
      const [x, y] = middleOf(rect)
      const mark =
        request.type === 'point' && found.draw === 'pointer'
          ? buildMark({ ...(rest as RequestOf<'point'>), ...place, x, y }, display, id)
          : buildMark(
              {
                ...(rest as RequestOf<'highlight'>),
                ...place,
                type: 'highlight',
                rect: [...rect] as Numbers,
              },
              display,
              id,
            )
      const held = element && { element, rect }
      const drawn = await this.#add(request, mark, display, session, undefined, held)
      return { ...drawn, ...ack, kind: mark.kind }
    })
  }

  #drawNow(request: DrawingRequest, session: Session): Outcome {
    if (this.serving.down !== null) return this.serving.revive().then(() => this.#drawNow(request, session))
    if (request.window !== undefined) return this.#drawOnWindow(request.window, request, session)
    const display = this.serving.display(displayIdOf(request))
    return this.#add(request, buildMark(request, display, this.options.newId('a_')), display, session)
  }

  /** Coordinates are relative to the window's top left; the mark belongs to that window, which must be seen there. */
  async #drawOnWindow(name: string, request: DrawingRequest, session: Session): Promise<AckFields> {
    return this.serving.asked(async () => {
      const list = await this.windows.list()
      const window = this.windows.find(name, list)
      const { display, rect } = homeOf(window, this.serving.displays)
      const ground = { label: `the window of ${window.app}`, logical_size: [rect[2], rect[3]] as const }
      const inWindow = buildMark(request, ground, this.options.newId('a_'))
      const mark = inRange(shifted(inWindow, [rect[0], rect[1]]), request.type)
      if (!touches(mark, display)) {
        throw new WireError('unavailable', `${request.type}: that part of ${ground.label} is off the display`)
      }
      const bound = this.windows.bind({ mark, display: display.id }, window, list)
      return this.#add(request, mark, display, session, bound)
    })
  }

  #add(
    request: DrawingRequest,
    mark: Mark,
    display: Display,
    session: Session,
    window?: Entry['window'],
    held?: { readonly element: GroundElement; readonly rect: Rect },
  ): Outcome {
    // Its client went away while the host came back: a mark now would have no owner.
    if (session.push === null) throw new WireError('bad_schema', 'the session has ended')
    // Paused while the host was asked.
    this.pause.refuse(request.type)
    const entry = this.marks.add(mark, display.id, session, request.ttl_ms)
    entry.window = window
    if (held) this.elements.hold(entry, held.element, held.rect)
    this.windows.attach(entry)
    return this.#settle(mark, display, session)
  }

  /** Completes a drawing ack: glyphs that cannot be shown, and painting where the session wants to know. */
  #settle(mark: Mark, display: Display, session: Session): Outcome {
    const fields: AckFields = {
      annotation_id: mark.id,
      display: ackDisplay(display),
    }
    const text = textBeyondLatin(mark)
    if (session.acks === 'accepted' && text === null) return fields
    // Asked for now, so that what is waited for includes this mark.
    const painted = session.acks === 'painted' ? this.queue.painted(display.id) : null
    return completeAck(fields, this.options.host, text, painted, () => this.marks.has(mark.id))
  }
}
