/** What the pointer tells of the person, moment by moment. Nothing of it leaves the process but what it amounts to. */
import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import type { Display, Point } from '../../protocol/overlay/geometry.js'
import type { Reaction } from '../../protocol/lip/domains.js'
import { bodyAt, contains } from './places.js'

/** How near the pointer is when the companion may be in its way, in logical points from its body. */
const NEAR = 28
/** For how long, in ms, before it moves aside: whoever comes to click it is not fled from. */
const SETTLE_MS = 1500

/** Reads gestures from moves, in logical points of the desktop. */
export interface GestureReader {
  moved(at: Point, now: number, companion: Point): Reaction | null
  clicked(now: number): Reaction | null
  /** A secret move that was just found. */
  secret(): string | null
}

/** Aggregates of what the person does. */
export interface ProfileKeeper {
  moved(at: Point, now: number, region: string): void
  clicked(now: number): void
  /** null: it is too early, or there is nothing to tell. */
  take(now: number): Readonly<Record<string, unknown>> | null
}

export class Pointer {
  #at: DisplayPoint | null = null
  /** Since when it is near the body without being on it, and whether the companion has had its chance to move aside. */
  #nearSince: number | null = null
  #settled = false

  constructor(
    private readonly gestures: GestureReader,
    private readonly profile: ProfileKeeper,
    private readonly displays: () => readonly Display[],
  ) {}

  /** Where it was last seen; null: it was not, since it was watched. */
  get at(): DisplayPoint | null {
    return this.#at
  }

  /** It is not watched any more: where it is from now on is not known. */
  forget(): void {
    this.#at = null
    this.#nearSince = null
    this.#settled = false
  }

  /** When it has been in the way for long enough, in ms; Infinity: it is not. */
  get settlesAt(): number {
    return this.#nearSince === null || this.#settled
      ? Number.POSITIVE_INFINITY : this.#nearSince + SETTLE_MS
  }

  moved(at: DisplayPoint, now: number, companion: DisplayPoint): Reaction | null {
    this.#at = at
    this.#look(now, companion)
    const here = this.#onDesktop(at)
    this.profile.moved(here, now, this.#regionOf(at))
    return this.gestures.moved(here, now, this.#onDesktop(companion))
  }

  #look(now: number, companion: DisplayPoint): void {
    const isNear =
      this.#at?.display === companion.display &&
      contains(bodyAt(companion.at, NEAR), this.#at.at) &&
      !contains(bodyAt(companion.at), this.#at.at)
    if (isNear) this.#nearSince ??= now
    else {
      this.#nearSince = null
      this.#settled = false
    }
  }

  /** It is in the way for good: where it is. Asked once, until it was elsewhere. */
  settle(): Point | null {
    this.#settled = true
    return this.#at?.at ?? null
  }

  clicked(now: number): Reaction | null {
    this.profile.clicked(now)
    return this.gestures.clicked(now)
  }

  secret(): string | null {
    return this.gestures.secret()
  }

  report(now: number): Readonly<Record<string, unknown>> | null {
    return this.profile.take(now)
  }

  #onDesktop({ display, at: [x, y] }: DisplayPoint): Point {
    const [left, top] = this.displays().find(({ id }) => id === display)?.origin ?? [0, 0]
    return [left + x, top + y]
  }

  /** A third of a display, across and down: as much as anybody is told of where. */
  #regionOf({ display: id, at: [x, y] }: DisplayPoint): string {
    const [width, height] = this.displays().find((display) => display.id === id)?.logical_size ?? [1, 1]
    const third = (value: number, extent: number) => Math.min(2, Math.max(0, Math.floor((value / extent) * 3)))
    return [
      ['top-left', 'top', 'top-right'],
      ['left', 'center', 'right'],
      ['bottom-left', 'bottom', 'bottom-right'],
    ][third(y, height)]?.[third(x, width)] as string
  }
}
