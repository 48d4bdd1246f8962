import type { Impression } from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Display, Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import { resolvePosition } from '../../protocol/overlay/positions.js'
import { type AckFields, ackDisplay } from '../../protocol/overlay/replies.js'
import type { DrawingRequest } from './build.js'
import type { Taken } from './captures.js'
import type { Clock } from './clock.js'

/** How long pixels of a picture can be named, in ms. */
const KEEP_MS = 600_000

/** Pictures that are remembered at a time; the oldest makes room. */
const MAX_FRAMES = 1000

/** What ids of pictures look like: a prefix and a ULID. */
const OWN = /^f_[0-9A-HJKMNP-TV-Z]{26}$/

/** A picture that was handed out, as much of it as it takes to turn its pixels into logical points. */
export interface PictureFrame {
  readonly display: number
  /** Image pixels. */
  readonly size: Size
  /** What the picture shows, in logical points. */
  readonly extent: Size
  /** The picture's top left on its display, in logical points. */
  readonly origin: Point
  /** What was on the screen; absent when that cannot be told from marks. */
  readonly impression?: Impression
}

/**
 * The pictures clients may name pixels of: for ten minutes, or until their display changes. An agent that points at
 * what it sees in a picture never computes a scale.
 */
export class Frames {
  readonly #frames = new Map<string, PictureFrame & { readonly taken: number }>()

  constructor(
    private readonly clock: Clock,
    private readonly newId: (prefix: 'f_') => string,
  ) {}

  /** Remembers a picture and returns the id to name it by. */
  remember(frame: PictureFrame): string {
    const id = this.newId('f_')
    this.#frames.set(id, { ...frame, taken: this.clock.now() })
    for (const oldest of this.#frames.keys()) {
      if (this.#frames.size <= MAX_FRAMES) break
      this.#frames.delete(oldest)
    }
    return id
  }

  /** Forgets the pictures of displays that are not as they were. */
  displaysChanged(isSame: (display: number) => boolean): void {
    for (const [id, { display }] of this.#frames) if (!isSame(display)) this.#frames.delete(id)
  }

  /** Remembers a picture that was taken, and completes its ack with what names it. */
  remembered(display: number, { ack, impression }: Taken): AckFields {
    const { image_size: size, logical_size: extent, origin } = ack
    if (!size || !extent || !origin) return ack
    const id = this.remember({ display, size, extent, origin, ...(impression && { impression }) })
    return { frame_id: id, ...(impression && { content_hash: id }), ...ack }
  }

  /**
   * A drawing request as it is on its display, and what its client saw there, if it says so and that is known: in the
   * picture it names pixels of, or by its anchor's `content_hash`. Throws `stale_frame`, or `bad_schema` off the picture.
   */
  open(
    request: DrawingRequest,
    displays: readonly Display[],
  ): { onDisplay: DrawingRequest; seen: Impression | undefined } {
    if (request.frame !== undefined) {
      const { impression: seen } = this.#find(request.frame, request.type)
      return { onDisplay: this.toPoints(request, displays), seen }
    }
    const hash = request.type === 'textbox' ? request.anchor?.content_hash : undefined
    // Others make hashes of their own, which mean nothing here.
    const isOwn = hash && (this.#frames.has(hash) || OWN.test(hash))
    return { onDisplay: request, seen: isOwn ? this.#find(hash, request.type).impression : undefined }
  }

  /** What a picture shows: for whoever has to turn its pixels into something else than a mark. */
  describe(id: string, displays: readonly Display[]): AckFields {
    const { display, size, extent, origin } = this.#find(id, 'frame')
    const shown = displays.find((one) => one.id === display)
    return {
      frame_id: id,
      image_size: [...size] as [number, number],
      logical_size: [...extent] as [number, number],
      scale_to_logical: size[0] / extent[0],
      origin: [...origin] as [number, number],
      ...(shown && { display: ackDisplay(shown) }),
    }
  }

  #find(id: string, type: string): PictureFrame {
    const frame = this.#frames.get(id)
    if (frame && this.clock.now() - frame.taken <= KEEP_MS) return frame
    this.#frames.delete(id)
    throw new WireError(
      'stale_frame',
      `${type}: the frame ${JSON.stringify(id)} is unknown, over ${KEEP_MS / 60_000} minutes old, or of a layout that changed; capture again`,
    )
  }

  /** The request in logical points on the picture's display. Throws `stale_frame`, or `bad_schema` off the picture. */
  toPoints(request: DrawingRequest, displays: readonly Display[]): DrawingRequest {
    const frame = this.#find(request.frame as string, request.type)
    if (request.display_id !== undefined && request.display_id !== frame.display) {
      const known = displays.some(({ id: one }) => one === request.display_id)
      throw new WireError(
        known ? 'bad_schema' : 'unknown_display',
        `${request.type}: display_id is ${request.display_id} but the frame is of display ${frame.display}; leave display_id out`,
      )
    }
    const { frame: _, ...rest } = request
    return { ...mapped(rest as DrawingRequest, frame), display_id: frame.display } as DrawingRequest
  }
}

function mapped(request: DrawingRequest, frame: PictureFrame): DrawingRequest {
  const point = (place: Point, field: string): [number, number] =>
    pixelToPoint(place, frame, `${request.type}: ${field}`)
  const anyPlace = (place: Point | string, field: string): [number, number] | string =>
    typeof place === 'string' ? namedToPoint(place, frame) : point(place, field)
  const rect = ([x, y, width, height]: Rect, field: string): [number, number, number, number] => {
    const [left, top] = point([x, y], field)
    point([x + width, y + height], field)
    return [left, top, (width / frame.size[0]) * frame.extent[0], (height / frame.size[1]) * frame.extent[1]]
  }
  switch (request.type) {
    case 'point': {
      if (request.at !== undefined) {
        const named = namedToPoint(request.at, frame)
        if (typeof named === 'string') return { ...request, at: named }
        const { at: _, ...rest } = request
        return { ...rest, x: named[0], y: named[1] }
      }
      const [x, y] = point([request.x as number, request.y as number], 'x, y')
      return { ...request, x, y }
    }
    case 'highlight':
      return { ...request, rect: rect(request.rect as Rect, 'rect') }
    case 'textbox':
      if (!request.rect)
        throw new WireError('bad_schema', 'textbox: with a frame send rect, in pixels of its picture')
      return { ...request, rect: rect(request.rect, 'rect') }
    case 'draw':
      return { ...request, path: request.path.map((place, index) => point(place, `path[${index}]`)) }
    case 'arrow':
      return { ...request, from: anyPlace(request.from, 'from'), to: anyPlace(request.to, 'to') }
  }
}

function pixelToPoint(
  [x, y]: Point,
  { size, extent, origin }: PictureFrame,
  field: string,
): [number, number] {
  if (x < 0 || y < 0 || x > size[0] || y > size[1]) {
    throw new WireError(
      'bad_schema',
      `${field} is [${x},${y}], outside of the picture, which is ${size[0]}x${size[1]} pixels`,
    )
  }
  return [origin[0] + (x / size[0]) * extent[0], origin[1] + (y / size[1]) * extent[1]]
}

/** A named position of the picture; one that names nothing is left for the refusal that lists the names. */
function namedToPoint(name: string, { extent, origin }: PictureFrame): [number, number] | string {
  const place = resolvePosition(name, extent)
  return place ? [origin[0] + place[0], origin[1] + place[1]] : name
}
