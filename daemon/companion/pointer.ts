/** What the pointer tells of the person, moment by moment. Nothing of it leaves the process but what it amounts to. */
import { Gestures, Profile, regionOf } from '../../overlay/companion/index.js'
import type { Reaction } from '../../protocol/lip/domains.js'
import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import type { Display, Point } from '../../protocol/overlay/geometry.js'
import { bodyAt, contains } from './places.js'

/** How near the pointer is when the companion may be in its way, in logical points from its body. */
const NEAR = 28
/** For how long, in ms, before it moves aside: whoever comes to click it is not fled from. */
const SETTLE_MS = 1500

export class Pointer {
  #at: DisplayPoint | null = null
  /** Since when it is near the body without being on it, and whether the companion has had its chance to move aside. */
  #nearSince: number | null = null
  #settled = false

  readonly #gestures = new Gestures()
  readonly #profile: Profile

  constructor(
    private readonly displays: () => readonly Display[],
    now: number,
  ) {
    this.#profile = new Profile(now)
  }

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
    return this.#nearSince === null || this.#settled ? Number.POSITIVE_INFINITY : this.#nearSince + SETTLE_MS
  }

  moved(at: DisplayPoint, now: number, companion: DisplayPoint): Reaction | null {
    this.#at = at
    this.#look(now, companion)
    const here = this.#onDesktop(at)
    this.#profile.moved(here, now, this.#regionOf(at))
    return this.#gestures.moved(here, now, this.#onDesktop(companion))
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

  clicked(at: DisplayPoint, now: number, companion: DisplayPoint): Reaction | null {
    this.#profile.clicked(now, this.#regionOf(at))
    return this.#gestures.clicked(now, this.#onDesktop(at), this.#onDesktop(companion))
  }

  /** A secret move that was just found. */
  secret(): string | null {
    return this.#gestures.secret()
  }

  /** What all of it amounts to; null: nothing, or it is too early. */
  report(now: number, closing = false): Readonly<Record<string, unknown>> | null {
    return this.#profile.take(now, closing)
  }

  #onDesktop({ display, at: [x, y] }: DisplayPoint): Point {
    const [left, top] = this.displays().find(({ id }) => id === display)?.origin ?? [0, 0]
    return [left + x, top + y]
  }

  /** A ninth of a display: as much as anybody is told of where. */
  #regionOf({ display: id, at }: DisplayPoint): number {
    return regionOf(at, this.displays().find((display) => display.id === id)?.logical_size ?? [1, 1])
  }
}
